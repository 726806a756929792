import { must, sameText } from '@pesewa/values'
import { isInProduction, type PlatformSettings } from '../../platform/config.ts'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import { tooManyRequests } from '../../platform/limits/rate-limits.ts'
import type { Mailer } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Seals } from '../../platform/seals.ts'
import { selectSessionMethod } from '../spaces/session-store.ts'
import { freshenSession } from '../spaces/sessions.ts'
import { selectUser } from '../spaces/store.ts'
import { recordAttempt } from './attempt-store.ts'
import { wrongCodeRefusal } from './codes.ts'
import { lockUser } from './link-store.ts'
import {
  type CodeOwner,
  countCodes,
  countWrongCode,
  findOpenCode,
  insertCode,
  lockLatestCode,
  type MailedCodeReceipt,
  markCodeUsed,
  waitMsAfter,
} from './mailed-code-store.ts'
import type { SignedInUser } from './own-route.ts'
import { selectPasskeysOf } from './passkey-store.ts'
import { selectTotp } from './totp-store.ts'

const purpose = 'mailed code'
const digits = 6
const maxPerSession = 5 // limit: step-up codes mailed per hour that were requested in one session
const maxPerUser = 10 // limit: step-up codes mailed per hour to one user

/**
 * Creates a code for a session, and the job that mails it. It replaces the session's earlier codes.
 *
 * @throws Refusal `state_conflict` if the user must step up in another way; `too_many_requests` after too many codes
 */
export async function createMailedCode(
  tx: HomeTx,
  settings: PlatformSettings,
  person: SignedInUser,
): Promise<MailedCodeReceipt> {
  const { address, agent } = person
  await lockUser(tx, person.userId)
  await refuseIfStronger(tx, person)
  if (!canMail(settings) && !isShown(settings)) throw noMailServer()
  const { ofUser, ofSession, firstAt } = await countCodes(tx, person)
  if (ofUser >= maxPerUser || ofSession >= maxPerSession)
    throw tooManyRequests({ name: 'mailed-code-limit', waitMs: waitMsAfter(firstAt) }, tooManyCodes)
  const code = await insertCode(tx, person)
  enqueue(tx, 'step-up.send-code', {
    ...outsideSpaces,
    codeId: code.id,
    address,
    agent: agent.slice(0, maxAgent),
  })
  return code
}

const maxAgent = 200 // maximum number of characters of the User-Agent shown in the mail with a code

/**
 * Checks a code and, if it is right, makes the session fresh. A wrong code is recorded and counted, so the
 * transaction must be committed before the request is refused. Returns the refusal, or `undefined`.
 */
export async function stepUpByMailedCode(
  tx: HomeTx,
  seals: Seals,
  typed: string,
  person: SignedInUser,
): Promise<Refusal | undefined> {
  await refuseIfStronger(tx, person)
  const code = await lockLatestCode(tx, person)
  if (!code) return new Refusal('state_conflict', { message: 'Request a code first.' })
  const isGood = code.isOpen && sameText(typed.replace(/\s/g, ''), mailedCodeOf(seals, code.id))
  const result = isGood ? 'succeeded' : code.isOpen ? 'failed' : 'locked'
  const attempt = { userId: person.userId, method: 'mailed_code', isStepUp: true, result } as const
  await recordAttempt(tx, attempt, person)
  if (!code.isOpen) return new Refusal('state_conflict', { message: notOpen })
  if (!isGood) {
    await countWrongCode(tx, code.id)
    return wrongCodeRefusal()
  }
  await markCodeUsed(tx, code.id)
  await freshenSession(tx, person.sessionId, new Date())
  return undefined
}

/**
 * Refuses users who have registered a passkey or an authenticator app, and sessions that were started by single
 * sign-on. A code in a mailbox proves less than these, and must not replace them.
 */
async function refuseIfStronger(db: Reader, { userId, sessionId }: CodeOwner): Promise<void> {
  const isStronger =
    (await selectPasskeysOf(db, userId, 1)).length > 0 ||
    (await selectTotp(db, userId))?.confirmedAt != null ||
    (await selectSessionMethod(db, sessionId)) === 'oidc'
  if (isStronger) throw new Refusal('state_conflict', { message: useStronger })
}

/**
 * Returns a code, which is derived from the id of its row and the secret key, so that nobody can use the database
 * or a queued job to step up.
 */
export function mailedCodeOf(seals: Seals, id: string): string {
  const number = Buffer.from(seals.tag(purpose, id), 'base64url').readUIntBE(0, 6)
  return String(number % 10 ** digits).padStart(digits, '0')
}

const canMail = ({ smtpUrl }: PlatformSettings) => smtpUrl !== undefined

/** Returns whether codes are shown on the page: only without a mail server, on the developer's own machine. */
export const isShown = (settings: PlatformSettings) => !canMail(settings) && !isInProduction(settings)

/** Mails a code, unless it has been used or has expired since the job was queued. */
export async function sendMailedCode(
  { home, seals }: Pick<Platform, 'home' | 'seals'>,
  mailer: Mailer,
  { codeId, address, agent }: { codeId: string } & Pick<Browser, 'address' | 'agent'>,
): Promise<void> {
  const code = await findOpenCode(home, codeId)
  if (!code) return
  const { email } = must(await selectUser(home, code.userId), 'user of a code')
  const shown = mailedCodeOf(seals, codeId).replace(/^.../, '$& ')
  await mailer.send({
    to: [email],
    subject: 'Your confirmation code',
    text: [
      `${shown} is your code to confirm an action in the Pesewa console. It works once, and expires in ten minutes.`,
      'Enter it only in the console that you have open. Never share it with anyone. Support staff do not need it.',
      `When: ${new Date().toISOString()}\nFrom: ${address}\nBrowser: ${agent || 'unknown'}`,
      'If you did not request this code, someone else is using your session. Sign in, end all other sessions under "Sign-in and security", and contact the operator of your Pesewa service.',
    ].join('\n\n'),
  })
}

const useStronger =
  'Use your passkey, authenticator app or single sign-on instead. They are safer than a code by email.'
const tooManyCodes = 'Too many codes were requested. Try again later, or sign in again with an email link.'
const notOpen =
  'This code has expired, has already been used, or was entered incorrectly too many times. Request a new one.'
const noMailServer = () =>
  new Refusal('state_conflict', {
    message: 'This installation has no mail server (SMTP_URL). Contact its operator.',
  })
