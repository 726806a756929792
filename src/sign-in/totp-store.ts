import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { durationMs } from '../platform/duration.ts'

/** The authenticator app of a person. Until it was confirmed it counts for nothing. Real time. */
export type TotpSecret = {
  userId: string
  /** Locked in the vault. */
  secret: Buffer
  createdAt: Date
  confirmedAt: Date | null
  lastStep: number | null
  /** Wrong codes in a row, and until when none is looked at: in browsers that the person has signed in with, and in others. */
  knownFailureCount: number
  knownLockedUntil: Date | null
  failureCount: number
  lockedUntil: Date | null
}

const columns = sql`user_id, secret, created_at, confirmed_at, last_step, known_failure_count, known_locked_until,
  failure_count, locked_until`
export const enrolmentMs = durationMs('30m') // limit: how long a new authenticator app may take to be confirmed
const maxDeletedAtOnce = 1_000 // limit: unconfirmed authenticator apps that are deleted at once

export const selectTotp = (db: Reader, userId: string) =>
  db.one<TotpSecret>(sql`select ${columns} from totp_secrets where user_id = ${userId}`)

/** Locked: tries at once are looked at one after the other, so that each counts. */
export const lockTotp = (tx: Tx, userId: string) =>
  tx.one<TotpSecret>(sql`select ${columns} from totp_secrets where user_id = ${userId} for update`)

/** In place of one that nobody has confirmed. Returns whether there was none that somebody had. */
export const insertTotp = async (tx: Tx, userId: string, secret: Buffer, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    insert into totp_secrets (user_id, secret, created_at) values (${userId}, ${secret}, ${at})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where totp_secrets.confirmed_at is null`)) > 0

export const confirmTotp = (tx: Tx, userId: string, lastStep: number, at: Date) =>
  tx.run(sql`
    update totp_secrets set confirmed_at = ${at}, last_step = ${lastStep} where user_id = ${userId}`)

/** A right code ends what wrong ones began in browsers of the same kind. */
export const markCodeAccepted = (tx: Tx, userId: string, lastStep: number, isKnown: boolean) =>
  tx.run(sql`
    update totp_secrets set last_step = ${lastStep}, ${isKnown ? noKnownFailures : noFailures}
    where user_id = ${userId}`)

const noKnownFailures = sql`known_failure_count = 0, known_locked_until = null`
const noFailures = sql`failure_count = 0, locked_until = null`

export type CodeFailures = { count: number; lockedUntil: Date | null }

export const failuresOf = (own: TotpSecret, isKnown: boolean): CodeFailures =>
  isKnown
    ? { count: own.knownFailureCount, lockedUntil: own.knownLockedUntil }
    : { count: own.failureCount, lockedUntil: own.lockedUntil }

export const markCodeFailed = (
  tx: Tx,
  userId: string,
  { count, lockedUntil }: CodeFailures,
  isKnown: boolean,
) =>
  tx.run(
    isKnown
      ? sql`
        update totp_secrets set known_failure_count = ${count}, known_locked_until = ${lockedUntil}
        where user_id = ${userId}`
      : sql`
        update totp_secrets set failure_count = ${count}, locked_until = ${lockedUntil} where user_id = ${userId}`,
  )

/** With its recovery codes. Returns whether there was one that had been confirmed. */
export const deleteTotp = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`)) > 0

/** Deletes some of those that nobody had confirmed before a moment, and returns how many. */
export const forgetUnconfirmed = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from totp_secrets where user_id in (
      select user_id from totp_secrets where confirmed_at is null and created_at < ${before}
      limit ${maxDeletedAtOnce}) and confirmed_at is null`)
