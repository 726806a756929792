import type { Reader } from '../platform/db/database.ts'
import { sessionSecretIn } from '../platform/http/credentials.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { findSession } from '../spaces/sessions.ts'
import { findUser } from '../spaces/spaces.ts'
import { hasAsked } from './asking-browsers.ts'
import { ownerOf } from './known-browsers.ts'

type ConfirmingParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * Whom a link signs in. `userId`: an invitation may make a new user. `askedBy`: the browser that asked for the link; null where a
 * link was not asked for in a browser.
 */
export type Guest = { userId: string | undefined; email: string; askedBy: Buffer | null }

/** What a person has to know, and do, before a link signs them in. */
export type Question = { isEmailNeeded: boolean; signedInEmail: string | null }

/**
 * Another site can open a link of its own account in anybody's browser, so that whoever sits there works in that account without noticing.
 * Nobody types a stranger's address by mistake: it is asked for where a link was requested in another browser, and where
 * it would sign out somebody else.
 */
export async function questionFor(
  db: Reader,
  parts: ConfirmingParts,
  { userId, askedBy }: Guest,
  browser: Browser,
): Promise<Question> {
  const session = await findSession(db, sessionSecretIn(browser.request, parts.baseUrl), new Date())
  const isOther = session !== undefined && session.userId !== userId
  const isFromElsewhere =
    askedBy !== null && !hasAsked(parts, browser, askedBy) && ownerOf(parts, browser) !== userId
  return {
    isEmailNeeded: isOther || isFromElsewhere,
    signedInEmail: isOther ? must(await findUser(db, session.userId), 'user of a session').email : null,
  }
}

/** Why a link does not sign its person in yet; `undefined` where nothing is missing. */
export async function faultOf(
  db: Reader,
  parts: ConfirmingParts,
  guest: Guest,
  typedEmail: string | undefined,
  browser: Browser,
): Promise<Refusal | undefined> {
  if (typedEmail !== undefined) return sameEmail(typedEmail, guest.email) ? undefined : wrongEmail()
  const { isEmailNeeded } = await questionFor(db, parts, guest, browser)
  return isEmailNeeded ? new Refusal('state_conflict', { message: emailNeeded }) : undefined
}

const sameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.toLowerCase()

const emailNeeded =
  'This link was requested in another browser, or somebody else is signed in here: send the email address that it belongs to.'
const wrongEmail = () =>
  new Refusal('sign_in_failed', {
    message: 'The link belongs to another email address.',
    details: [{ param: 'email', errors: ['is not the address that the link belongs to'] }],
  })

/** Enough to recognise one's own address, and not to learn somebody else's: `a…@shop.example`. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/su, '$1…')
