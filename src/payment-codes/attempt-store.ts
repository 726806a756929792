import { uuids } from '../platform/db/arrays.ts'
import { bigint, text, time, uuid } from '../platform/db/columns.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Scope } from '../platform/scope.ts'

/** A payment in flight: the payer's phone (E.164), and the amount in minor units of the code's currency. */
const attempts = table('payment_code_attempts', ['paymentCodeId', 'paymentId'], {
  paymentCodeId: uuid,
  paymentId: uuid,
  phoneNumber: text,
  amount: bigint,
  createdAt: time,
})
export type CodeAttempt = RowOf<typeof attempts>

export const insertAttempts = (tx: Tx, begun: Scoped<CodeAttempt>[]) => tx.run(attempts.insert(begun))

/** Those of several codes. Under the locks of the codes' rows nobody else adds or removes any. */
export const selectAttempts = async (db: Reader, codes: Scoped<{ id: string }>[]) =>
  (
    await db.query<Scope & CodeAttempt>(sql`
      select attempt.* from unnest(${scopes(codes)}, ${uuids(codes.map(({ id }) => id))}::uuid[])
        as code (space_id, environment, id)
      cross join lateral (
        select space_id, environment, ${attempts.columns} from payment_code_attempts a
        where a.space_id = code.space_id and a.environment = code.environment and a.payment_code_id = code.id
        offset 0
      ) attempt`)
  ).map(scoped)

/** Returns the payments whose attempts were still there: an attempt ends once, however often that is reported. */
export const deleteAttempts = async (tx: Tx, ended: Scoped<{ id: string; originId: string }>[]) =>
  (
    await tx.query<Scope & { id: string }>(sql`
      delete from payment_code_attempts attempt
      using unnest(${scopes(ended)}, ${uuids(ended.map(({ originId }) => originId))}::uuid[],
        ${uuids(ended.map(({ id }) => id))}::uuid[]) as ended (space_id, environment, code_id, payment_id)
      where attempt.space_id = ended.space_id and attempt.environment = ended.environment
        and attempt.payment_code_id = ended.code_id and attempt.payment_id = ended.payment_id
      returning attempt.space_id, attempt.environment, attempt.payment_id as id`)
  ).map(scoped)
