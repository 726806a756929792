import { byteas } from '../../platform/db/arrays.ts'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

export const signInMethods = ['link', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** A user's session in the console. All times are wall-clock times. */
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

export const insertSession = (tx: HomeTx, session: Session, hash: Buffer) =>
  tx.run(sql`
    insert into sessions (id, user_id, hash, method, address, agent, created_at, seen_at, expires_at, fresh_until)
    values (${session.id}, ${session.userId}, ${hash}, ${session.method}, ${session.address}, ${session.agent},
      ${session.createdAt}, ${session.seenAt}, ${session.expiresAt}, ${session.freshUntil})`)

export const selectSessionsByHash = (db: Reader, hashes: Buffer[]) =>
  db.query<Session & { hash: Buffer }>(sql`
    select hash, ${columns} from sessions where hash = any(${byteas(hashes)}::bytea[])`)

/** Returns a user's active sessions, newest first. */
export const selectSessionsOf = (db: Reader, userId: string, now: Date, limit: number) =>
  db.query<Session>(sql`
    select ${columns} from sessions
    where user_id = ${userId} and ended_at is null and expires_at > ${now}
    order by id desc
    limit ${limit}`)

/** Returns how a session was started, or `undefined` if it has ended. */
export const selectSessionMethod = async (db: Reader, id: string): Promise<SignInMethod | undefined> =>
  (
    await db.one<{ method: SignInMethod }>(sql`
      select method from sessions where id = ${id} and ended_at is null`)
  )?.method

/** Returns the time until which a session counts as fresh, or the epoch if the session has ended. */
export const selectFreshUntil = async (db: Reader, id: string): Promise<Date> =>
  (
    await db.one<{ freshUntil: Date }>(sql`
      select fresh_until from sessions where id = ${id} and ended_at is null`)
  )?.freshUntil ?? new Date(0)

export const markSessionFresh = (tx: HomeTx, id: string, until: Date) =>
  tx.run(sql`update sessions set fresh_until = ${until} where id = ${id} and ended_at is null`)

export const markSessionsSeen = (tx: HomeTx, ids: string[], at: Date) =>
  tx.run(sql`update sessions set seen_at = ${at} where id = any(${ids}::uuid[])`)

/** Ends a session. Returns false if the user has no such session. */
export const markSessionEnded = async (tx: HomeTx, userId: string, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update sessions set ended_at = coalesce(ended_at, ${at}) where id = ${id} and user_id = ${userId}`)) > 0

/** Ends all sessions of a user except one, and returns how many were ended. */
export const endOtherSessions = (tx: HomeTx, userId: string, keptId: string, at: Date): Promise<number> =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and id <> ${keptId} and ended_at is null and expires_at > ${at}`)

/** Ends all sessions of a user, and returns how many were ended. */
export const endSessionsOf = (tx: HomeTx, userId: string, at: Date): Promise<number> =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and ended_at is null and expires_at > ${at}`)

/** Ends all sessions of a user except the newest `kept`. */
export const endOlderSessions = (tx: HomeTx, userId: string, kept: number, at: Date) =>
  tx.run(sql`
    update sessions set ended_at = ${at}
    where user_id = ${userId} and ended_at is null and id not in (
      select id from sessions where user_id = ${userId} and ended_at is null order by id desc limit ${kept}
    )`)

const maxDeletedAtOnce = 1_000

/** Deletes one batch of the sessions that expired before `before`, and returns the number deleted. */
export const deleteSessions = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from sessions where id in (
      select id from sessions where expires_at < ${before} limit ${maxDeletedAtOnce})`)
