import { uuids } from '../../platform/db/arrays.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

type SelectUnsealed = (db: Reader, scope: Scope, ids: string[]) => Promise<Set<string>>

/** Objects that can be sealed again after a marked change, by their type. */
const types: Record<string, SelectUnsealed> = {
  payment: (...of) => unsealedIn(sql`payments`, sql`payment_seal(object)`, ...of),
  payout: (...of) => unsealedIn(sql`payouts`, sql`payout_seal(object)`, ...of),
  payout_batch: (...of) => unsealedIn(sql`payout_batches`, sql`payout_batch_seal(object)`, ...of),
  refund: (...of) => unsealedIn(sql`refunds`, sql`refund_seal(object)`, ...of),
  checkout_session: (...of) => unsealedIn(sql`checkout_sessions`, sql`checkout_session_seal(object)`, ...of),
  payment_code: (...of) => unsealedIn(sql`payment_codes`, sql`payment_code_seal(object)`, ...of),
  ussd_otp: (...of) => unsealedIn(sql`ussd_otps`, sql`ussd_otp_seal(object)`, ...of),
}

/**
 * Returns the ids of objects whose contents differ from their newest seal, usually because their last change has not
 * been chained yet. A marked change of such an object would not be sealed.
 */
export const selectUnsealed = async (
  db: Reader,
  scope: Scope,
  type: string,
  ids: string[],
): Promise<Set<string>> => (await types[type]?.(db, scope, ids)) ?? new Set()

async function unsealedIn(
  table: Sql,
  seal: Sql,
  db: Reader,
  { spaceId, environment }: Scope,
  ids: string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select object.id from ${table} object
    cross join lateral ${seal} now
    left join lateral (
      select terms, outcome from book_seals seal
      where seal.space_id = object.space_id and seal.environment = object.environment and seal.object_id = object.id
      order by number desc limit 1
    ) seal on true
    where object.space_id = ${spaceId} and object.environment = ${environment}
      and object.id = any(${uuids(ids)}::uuid[])
      and (seal.terms is distinct from now.terms or seal.outcome is distinct from now.outcome)`)
  return new Set(rows.map(({ id }) => id))
}
