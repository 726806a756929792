import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** A payment in flight: who was asked (E.164), and for how much in minor units of the code's currency. */
export type Attempt = { paymentId: string; phoneNumber: string; amount: bigint }

export const insertAttempt = (
  tx: Tx,
  { spaceId, environment }: Scope,
  codeId: string,
  { paymentId, phoneNumber, amount }: Attempt,
  at: Date,
) =>
  tx.run(sql`
    insert into payment_code_attempts (space_id, environment, payment_code_id, payment_id, phone_number, amount, created_at)
    values (${spaceId}, ${environment}, ${codeId}, ${paymentId}, ${phoneNumber}, ${amount}, ${at})`)

/** Under the lock of the code's row nobody else adds or takes any. */
export const selectAttempts = (db: Reader, { spaceId, environment }: Scope, codeId: string) =>
  db.query<Attempt>(sql`
    select payment_id, phone_number, amount from payment_code_attempts
    where space_id = ${spaceId} and environment = ${environment} and payment_code_id = ${codeId}`)

/** Answers whether it was still there: an attempt ends once, however often that is told. */
export const takeAttempt = async (
  tx: Tx,
  { spaceId, environment }: Scope,
  codeId: string,
  paymentId: string,
) =>
  (await tx.run(sql`
    delete from payment_code_attempts
    where space_id = ${spaceId} and environment = ${environment} and payment_code_id = ${codeId}
      and payment_id = ${paymentId}`)) === 1
