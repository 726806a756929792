import { byteas } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

export const signInMethods = ['link', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** Somebody who is signed in at the console. All times are real time. */
export type Session = {
  id: string
  userId: string
  method: SignInMethod
  address: string
  agent: string
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  freshUntil: Date
  endedAt: Date | null
}

const columns = sql`id, user_id, method, address, agent, created_at, seen_at, expires_at, fresh_until, ended_at`

export const insertSession = (tx: Tx, session: Session, hash: Buffer) =>
  tx.run(sql`
    insert into sessions (id, user_id, hash, method, address, agent, created_at, seen_at, expires_at, fresh_until)
    values (${session.id}, ${session.userId}, ${hash}, ${session.method}, ${session.address}, ${session.agent},
      ${session.createdAt}, ${session.seenAt}, ${session.expiresAt}, ${session.freshUntil})`)

export const selectSessionsByHash = (db: Reader, hashes: Buffer[]) =>
  db.query<Session & { hash: Buffer }>(sql`
    select hash, ${columns} from sessions where hash = any(${byteas(hashes)}::bytea[])`)

/** Those that have not ended, the newest first. */
export const selectSessionsOf = (db: Reader, userId: string, now: Date, limit: number) =>
  db.query<Session>(sql`
    select ${columns} from sessions
    where user_id = ${userId} and ended_at is null and expires_at > ${now}
    order by id desc
    limit ${limit}`)

/** Until when a session counts as just begun; of one that is over, the beginning of time. */
export const selectFreshUntil = async (db: Reader, id: string): Promise<Date> =>
  (
    await db.one<{ freshUntil: Date }>(sql`
      select fresh_until from sessions where id = ${id} and ended_at is null`)
  )?.freshUntil ?? new Date(0)

export const markSessionFresh = (tx: Tx, id: string, until: Date) =>
  tx.run(sql`update sessions set fresh_until = ${until} where id = ${id} and ended_at is null`)

export const markSessionsSeen = (tx: Tx, ids: string[], at: Date) =>
  tx.run(sql`update sessions set seen_at = ${at} where id = any(${ids}::uuid[])`)

/** Returns whether there is such a session of the user. */
export const markSessionEnded = async (tx: Tx, userId: string, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update sessions set ended_at = coalesce(ended_at, ${at}) where id = ${id} and user_id = ${userId}`)) > 0

/** Ends all of a user but one, and returns how many there were. */
export const endOtherSessions = (tx: Tx, userId: string, keptId: string, at: Date): Promise<number> =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and id <> ${keptId} and ended_at is null and expires_at > ${at}`)

/** Ends all of a user, and returns how many there were. */
export const endSessionsOf = (tx: Tx, userId: string, at: Date): Promise<number> =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and ended_at is null and expires_at > ${at}`)

/** So many of a user go on, the newest. */
export const endOlderSessions = (tx: Tx, userId: string, kept: number, at: Date) =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and ended_at is null and id not in (
      select id from sessions where user_id = ${userId} and ended_at is null order by id desc limit ${kept}
    )`)

const maxDeletedAtOnce = 1_000 // limit: sessions that are deleted at once

/** Deletes some of those that would have ended before a moment at the latest, and returns how many. */
export const deleteSessions = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from sessions where id in (
      select id from sessions where expires_at < ${before} limit ${maxDeletedAtOnce})`)
