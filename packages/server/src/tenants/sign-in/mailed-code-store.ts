import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { newId } from '../../platform/ids.ts'

const hourMs = durationMs('1h')
const lifeMs = durationMs('10m') // limit: how long a code mailed for a step-up is valid
const maxFailures = 5 // limit: wrong attempts at a mailed code before it becomes invalid
const maxDeletedAtOnce = 1_000

/** A session, and its user. */
export type CodeOwner = { userId: string; sessionId: string }

/** A mailed code. `isOpen` means that it can still be used. Its times are wall-clock times. */
export type OpenableCode = { id: string; failureCount: number; isOpen: boolean }

export async function insertCode(tx: HomeTx, { userId, sessionId }: CodeOwner): Promise<MailedCodeReceipt> {
  const at = new Date()
  const [id, expiresAt] = [newId(at), new Date(at.getTime() + lifeMs)]
  await tx.run(sql`
    insert into mailed_codes (id, user_id, session_id, created_at, expires_at)
    values (${id}, ${userId}, ${sessionId}, ${at}, ${expiresAt})`)
  return { id, expiresAt }
}

export type MailedCodeReceipt = { id: string; expiresAt: Date }

/**
 * Counts the codes of the last hour, for the user and for the session, and returns the time of the user's first.
 * The user must be locked, so that concurrent requests count each other's codes.
 */
export const countCodes = (tx: HomeTx, { userId, sessionId }: CodeOwner) =>
  tx.only<{ ofUser: number; ofSession: number; firstAt: Date | null }>(sql`
    select count(*)::int as of_user, count(*) filter (where session_id = ${sessionId})::int as of_session,
      min(created_at) as first_at
    from mailed_codes
    where user_id = ${userId} and created_at > ${new Date(Date.now() - hourMs)}`)

/** Returns how long it takes until a code created at `firstAt` no longer counts. */
export const waitMsAfter = (firstAt: Date | null): number =>
  Math.max((firstAt?.getTime() ?? 0) + hourMs - Date.now(), 1_000)

/**
 * Locks and returns the session's latest code, so that concurrent attempts are checked one after the other. A new
 * code replaces all earlier ones.
 */
export const lockLatestCode = (tx: HomeTx, { userId, sessionId }: CodeOwner) =>
  tx.one<OpenableCode>(sql`
    select id, failure_count,
      used_at is null and expires_at > ${new Date()} and failure_count < ${maxFailures} as is_open
    from mailed_codes
    where session_id = ${sessionId} and user_id = ${userId}
    order by id desc
    limit 1
    for update`)

export const markCodeUsed = (tx: HomeTx, id: string) =>
  tx.run(sql`update mailed_codes set used_at = ${new Date()} where id = ${id}`)

export const countWrongCode = (tx: HomeTx, id: string) =>
  tx.run(sql`update mailed_codes set failure_count = failure_count + 1 where id = ${id}`)

/** Returns the user of a code that can still be used. */
export const findOpenCode = (db: Reader, id: string) =>
  db.one<{ userId: string }>(sql`
    select user_id from mailed_codes where id = ${id} and used_at is null and expires_at > ${new Date()}`)

/** Deletes one batch of the codes that expired before `before`, and returns the number deleted. */
export const forgetMailedCodes = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from mailed_codes where id in (
      select id from mailed_codes where expires_at < ${before} limit ${maxDeletedAtOnce})`)
