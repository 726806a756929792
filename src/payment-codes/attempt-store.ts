import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import type { Scope } from '../platform/scope.ts'

/** A payment in flight: who was asked (E.164), and for how much in minor units of the code's currency. */
export type Attempt = { paymentId: string; phoneNumber: string; amount: bigint }

export const insertAttempts = (tx: Tx, attempts: Scoped<Attempt & { codeId: string; at: Date }>[]) =>
  tx.run(sql`
    insert into payment_code_attempts (space_id, environment, payment_code_id, payment_id, phone_number, amount, created_at)
    select space_id, environment, code_id, payment_id, phone_number, amount, at
    from unnest(${scopes(attempts)}, ${uuids(attempts.map(({ codeId }) => codeId))}::uuid[],
      ${uuids(attempts.map(({ paymentId }) => paymentId))}::uuid[],
      ${texts(attempts.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${bigints(attempts.map(({ amount }) => amount))}::bigint[], ${times(attempts.map(({ at }) => at))}::timestamptz[])
      as given (space_id, environment, code_id, payment_id, phone_number, amount, at)`)

/** Those of several codes. Under the locks of the codes' rows nobody else adds or takes any. */
export const selectAttemptsOf = async (db: Reader, codes: Scoped<{ id: string }>[]) =>
  (
    await db.query<Scope & Attempt & { codeId: string }>(sql`
      select attempt.* from unnest(${scopes(codes)}, ${uuids(codes.map(({ id }) => id))}::uuid[])
        as code (space_id, environment, id)
      cross join lateral (
        select space_id, environment, payment_code_id as code_id, payment_id, phone_number, amount
        from payment_code_attempts a
        where a.space_id = code.space_id and a.environment = code.environment and a.payment_code_id = code.id
        offset 0
      ) attempt`)
  ).map(scoped)

export const selectAttempts = (db: Reader, scope: Scope, codeId: string): Promise<Attempt[]> =>
  selectAttemptsOf(db, [{ scope, id: codeId }])

/** Returns the payments whose attempts were still there: an attempt ends once, however often that is reported. */
export const takeAttempts = async (tx: Tx, ended: Scoped<{ id: string; originId: string }>[]) =>
  (
    await tx.query<Scope & { id: string }>(sql`
      delete from payment_code_attempts attempt
      using unnest(${scopes(ended)}, ${uuids(ended.map(({ originId }) => originId))}::uuid[],
        ${uuids(ended.map(({ id }) => id))}::uuid[]) as ended (space_id, environment, code_id, payment_id)
      where attempt.space_id = ended.space_id and attempt.environment = ended.environment
        and attempt.payment_code_id = ended.code_id and attempt.payment_id = ended.payment_id
      returning attempt.space_id, attempt.environment, attempt.payment_id as id`)
  ).map(scoped)
