import type { HomeDatabase, HomeTx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import { enqueueEach, outsideSpaces } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { createMailer, type Mailer } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { type ExpiringToken, markWarned } from '../spaces/expiring-token-store.ts'
import { spaceIds } from '../spaces/resources.ts'
import { selectSpace } from '../spaces/store.ts'
import { selectInvitation } from './invitation-store.ts'
import { invitationLink, statusOf } from './invitations.ts'
import { selectRecipients } from './member-store.ts'

const dayMs = durationMs('1d')
/** When warnings are mailed, in days before a token expires. */
const notices = { early: 14, late: 3 }
const tokensAtOnce = 100 // maximum number of tokens whose users are warned in one transaction

export function teamJobs(parts: Platform): Jobs {
  const mailer = createMailer(parts.settings, parts.log)
  return {
    'tokens.warn-of-expiry': async () => {
      while ((await warnSome(parts.home, parts.baseUrl, new Date())) === tokensAtOnce);
    },
    'invitations.mail': ({ invitationId }) => mailInvitation(parts, mailer, String(invitationId)),
  }
}

/**
 * Mails warnings 14 and 3 days before a token expires. They are sent to the token's user and, if the token is
 * valid in one Space only, to the owners of that Space. The warning is recorded in the same transaction as its
 * mail jobs, so no other node or retry sends it again.
 */
const warnSome = (home: HomeDatabase, baseUrl: string, now: Date): Promise<number> =>
  home.transaction(async (tx) => {
    const tokens = await markWarned(tx, now, notices, tokensAtOnce)
    for (const token of tokens) await mailWarning(tx, baseUrl, token, now)
    return tokens.length
  })

async function mailWarning(tx: HomeTx, baseUrl: string, token: ExpiringToken, now: Date): Promise<void> {
  const days = Math.ceil((token.expiresAt.getTime() - now.getTime()) / dayMs)
  const subject = `An access token expires in ${days} ${days === 1 ? 'day' : 'days'}`
  const text = textOf(baseUrl, token)
  const recipients = await selectRecipients(tx, token.userId, onlySpaceOf(token))
  enqueueEach(
    tx,
    // Each recipient gets a separate mail, so that they do not see each other's addresses.
    recipients.map(({ email }) => ({
      job: 'mail.send',
      payload: { ...outsideSpaces, to: [email], subject, text },
    })),
  )
}

const onlySpaceOf = ({ spaceIds }: ExpiringToken) => (spaceIds?.length === 1 ? spaceIds[0] : undefined)

function textOf(baseUrl: string, token: ExpiringToken): string {
  const { name, environment, lastCharacters, expiresAt } = token
  const spaceId = onlySpaceOf(token)
  const ending = lastCharacters ? ` (ending in ${lastCharacters})` : ''
  return [
    `The ${environment} access token "${name}"${ending} expires on ${expiresAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`,
    'After that, requests with this token will fail. Its owner can roll it before then: this creates a new token, and both of them work during the overlap.',
    spaceId
      ? `${baseUrl}/console/${showId(spaceIds, spaceId)}/${environment}/access-tokens`
      : `${baseUrl}/console`,
  ].join('\n\n')
}

async function mailInvitation(parts: Platform, mailer: Mailer, id: string): Promise<void> {
  const invitation = await selectInvitation(parts.home, id)
  if (!invitation || statusOf(invitation, new Date()) !== 'pending') return
  const space = await selectSpace(parts.home, invitation.spaceId)
  await mailer.send({
    to: [invitation.email],
    subject: 'You have been invited to Pesewa',
    text: [
      `You have been invited to ${space?.name ?? 'a Space'} with the role ${invitation.role}. Follow this link to accept and sign in. It works once and expires in 7 days:`,
      invitationLink(parts, invitation.id),
      'If you did not expect this invitation, ignore this email.',
    ].join('\n\n'),
  })
}
