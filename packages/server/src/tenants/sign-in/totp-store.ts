import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'

/** A user's authenticator app, which is ignored until it has been confirmed. Its times are wall-clock times. */
export type TotpSecret = {
  userId: string
  /** Encrypted by the vault. */
  secret: Buffer
  createdAt: Date
  confirmedAt: Date | null
  lastStep: number | null
  /**
   * Number of consecutive wrong codes, and the time until which codes are locked. The first two fields are for
   * the user's known browsers, the others for all other browsers.
   */
  knownFailureCount: number
  knownLockedUntil: Date | null
  failureCount: number
  lockedUntil: Date | null
}

const columns = sql`user_id, secret, created_at, confirmed_at, last_step, known_failure_count, known_locked_until,
  failure_count, locked_until`
export const enrolmentMs = durationMs('30m') // how long a new authenticator app can wait to be confirmed
const maxDeletedAtOnce = 1_000 // unconfirmed authenticator apps deleted per statement

export const selectTotp = (db: Reader, userId: string) =>
  db.one<TotpSecret>(sql`select ${columns} from totp_secrets where user_id = ${userId}`)

/**
 * Locks and returns the user's app, so that concurrent attempts are checked one after the other and all of them
 * count.
 */
export const lockTotp = (tx: HomeTx, userId: string) =>
  tx.one<TotpSecret>(sql`select ${columns} from totp_secrets where user_id = ${userId} for update`)

/** Inserts an app, which replaces an unconfirmed one. Returns false if the user already has a confirmed app. */
export const insertTotp = async (tx: HomeTx, userId: string, secret: Buffer, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    insert into totp_secrets (user_id, secret, created_at) values (${userId}, ${secret}, ${at})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where totp_secrets.confirmed_at is null`)) > 0

export const confirmTotp = (tx: HomeTx, userId: string, lastStep: number, at: Date) =>
  tx.run(sql`
    update totp_secrets set confirmed_at = ${at}, last_step = ${lastStep} where user_id = ${userId}`)

/** Records an accepted code and resets the failure count for browsers of the same kind (known or unknown). */
export const markCodeAccepted = (tx: HomeTx, userId: string, lastStep: number, isKnown: boolean) =>
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
  tx: HomeTx,
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

/** Deletes the app and, with it, its recovery codes. Returns false if there was no confirmed app. */
export const deleteTotp = async (tx: HomeTx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`)) > 0

/** Deletes one batch of the unconfirmed apps that were created before `before`, and returns the number deleted. */
export const forgetUnconfirmed = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from totp_secrets where user_id in (
      select user_id from totp_secrets where confirmed_at is null and created_at < ${before}
      limit ${maxDeletedAtOnce}) and confirmed_at is null`)
