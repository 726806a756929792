import { bigint, encrypted, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byId, selectEach } from '../../platform/db/lookups.ts'
import { type Scoped, scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Scope } from '../../platform/scope.ts'

/**
 * A payment in flight for a code, with the payer's phone number in E.164 format and the amount in minor units
 * of the code's currency.
 */
const attempts = table('payment_code_attempts', ['paymentCodeId', 'paymentId'], {
  paymentCodeId: uuid,
  paymentId: uuid,
  phoneNumber: encrypted('payment_code_attempts.phone_number'),
  amount: bigint,
  createdAt: time,
})
export type CodeAttempt = RowOf<typeof attempts>

export const insertAttempts = (tx: Tx, begun: Scoped<CodeAttempt>[]) => tx.send(attempts.insert(begun))

/**
 * Returns the attempts to pay the given codes. While the rows of the codes are locked, no other transaction
 * adds or removes attempts.
 */
export const selectAttempts = (db: Reader, codes: Scoped<{ id: string }>[]) =>
  selectEach(
    db,
    byId(codes),
    sql`
      select ${attempts.columns} from payment_code_attempts
      where space_id = requested.space_id and environment = requested.environment
        and payment_code_id = requested.id`,
  )

/**
 * Deletes attempts and returns those that still existed, so that each attempt is ended only once, no matter how
 * often its outcome is reported.
 */
export const deleteAttempts = async (tx: Tx, ended: Scoped<{ id: string; originId: string }>[]) =>
  (
    await tx.query<Scope & { id: string }>(sql`
      delete from payment_code_attempts attempt
      using ${byOrigin(ended)}
      where attempt.space_id = requested.space_id and attempt.environment = requested.environment
        and attempt.payment_code_id = requested.origin_id and attempt.payment_id = requested.id
      returning attempt.space_id, attempt.environment, attempt.payment_id as id`)
  ).map(scoped)

const byOrigin = unnestScoped({ originId: uuid, id: uuid })
