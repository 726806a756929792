import type { Scope } from '../platform/clock.ts'
import { bigints, texts, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** A payment in flight: who was asked (E.164), and for how much in minor units of the code's currency. */
export type Attempt = { paymentId: string; phoneNumber: string; amount: bigint }

export const insertAttempts = (
  tx: Tx,
  { spaceId, environment }: Scope,
  attempts: (Attempt & { codeId: string })[],
  at: Date,
) =>
  tx.run(sql`
    insert into payment_code_attempts (space_id, environment, payment_code_id, payment_id, phone_number, amount, created_at)
    select ${spaceId}, ${environment}, code_id, payment_id, phone_number, amount, ${at}
    from unnest(${uuids(attempts.map(({ codeId }) => codeId))}::uuid[],
      ${uuids(attempts.map(({ paymentId }) => paymentId))}::uuid[],
      ${texts(attempts.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${bigints(attempts.map(({ amount }) => amount))}::bigint[])
      as given (code_id, payment_id, phone_number, amount)`)

/** Those of several codes. Under the locks of the codes' rows nobody else adds or takes any. */
export const selectAttemptsOf = (db: Reader, { spaceId, environment }: Scope, codeIds: string[]) =>
  db.query<Attempt & { codeId: string }>(sql`
    select payment_code_id as code_id, payment_id, phone_number, amount from payment_code_attempts
    where space_id = ${spaceId} and environment = ${environment} and payment_code_id = any(${uuids(codeIds)}::uuid[])`)

export const selectAttempts = (db: Reader, scope: Scope, codeId: string): Promise<Attempt[]> =>
  selectAttemptsOf(db, scope, [codeId])

/** Returns the payments whose attempts were still there: an attempt ends once, however often that is told. */
export const takeAttempts = async (
  tx: Tx,
  { spaceId, environment }: Scope,
  ended: { codeId: string; paymentId: string }[],
) =>
  (
    await tx.query<{ paymentId: string }>(sql`
      delete from payment_code_attempts attempt
      using unnest(${uuids(ended.map(({ codeId }) => codeId))}::uuid[],
        ${uuids(ended.map(({ paymentId }) => paymentId))}::uuid[]) as ended (code_id, payment_id)
      where space_id = ${spaceId} and environment = ${environment} and payment_code_id = ended.code_id
        and attempt.payment_id = ended.payment_id
      returning attempt.payment_id`)
  ).map(({ paymentId }) => paymentId)
