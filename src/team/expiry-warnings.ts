import type { Database, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { durationMs } from '../platform/duration.ts'
import { showId } from '../platform/ids.ts'
import { enqueueEach, ofNoSpace } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { type Expiring, markWarned } from '../spaces/expiring.ts'
import { spaceIds } from '../spaces/resources.ts'

const dayMs = durationMs('1d')
/** In days before a token expires. */
const notices = { early: 14, late: 3 }
const tokensAtOnce = 100 // limit: tokens whose people are warned of their expiry in one transaction
const maxOwners = 10 // limit: owners of a Space who are mailed that one of its tokens expires

/**
 * Mails that tokens are about to expire, 14 and 3 days before: to whose they are, and, where they are good in one Space, to its owners.
 * That one was warned of commits together with its mails, so no other node and no retry warns again.
 */
export const expiryJobs = ({ db, baseUrl }: Pick<Platform, 'db' | 'baseUrl'>): Jobs => ({
  'tokens.warn-of-expiry': async () => {
    while ((await warnSome(db, baseUrl, new Date())) === tokensAtOnce);
  },
})

const warnSome = (db: Database, baseUrl: string, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const tokens = await markWarned(tx, now, notices, tokensAtOnce)
    for (const token of tokens) await mailWarning(tx, baseUrl, token, now)
    return tokens.length
  })

async function mailWarning(tx: Tx, baseUrl: string, token: Expiring, now: Date): Promise<void> {
  const days = Math.ceil((token.expiresAt.getTime() - now.getTime()) / dayMs)
  const subject = `An access token expires in ${days} ${days === 1 ? 'day' : 'days'}`
  const text = textOf(baseUrl, token)
  const recipients = await selectRecipients(tx, token.userId, onlySpaceOf(token))
  await enqueueEach(
    tx,
    // One each: they need not see each other's addresses.
    recipients.map(({ email }) => ({
      job: 'mail.send',
      payload: { ...ofNoSpace, to: [email], subject, text },
    })),
  )
}

const onlySpaceOf = ({ spaceIds }: Expiring) => (spaceIds?.length === 1 ? spaceIds[0] : undefined)

function textOf(baseUrl: string, token: Expiring): string {
  const { name, environment, lastCharacters, expiresAt } = token
  const spaceId = onlySpaceOf(token)
  const ending = lastCharacters ? `, which ends in ${lastCharacters},` : ''
  return [
    `The access token "${name}" of ${environment}${ending} stops working on ${expiresAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`,
    'Whatever calls with it fails from then on. Whose token it is can roll it before: that makes another, and both work for a while.',
    spaceId
      ? `${baseUrl}/console/${showId(spaceIds, spaceId)}/${environment}/access-tokens`
      : `${baseUrl}/console`,
  ].join('\n\n')
}

const selectRecipients = (tx: Tx, userId: string, spaceId: string | undefined) =>
  tx.query<{ email: string }>(sql`
    select email from users where id = ${userId}
    union
    (select users.email from members join users on users.id = members.user_id
     where members.space_id = ${spaceId ?? null} and role = 'owner' order by members.since limit ${maxOwners})`)
