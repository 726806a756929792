import { uuids } from '../../platform/db/arrays.ts'
import type { Reader } from '../../platform/db/database.ts'
import { Sql, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

/** Tables of objects that can be sealed again after a marked change, by the type of the object. */
const tables: Record<string, Sql> = {
  payment: sql`payments`,
  payout: sql`payouts`,
  payout_batch: sql`payout_batches`,
  refund: sql`refunds`,
  checkout_session: sql`checkout_sessions`,
  payment_code: sql`payment_codes`,
  ussd_otp: sql`ussd_otps`,
}

/**
 * Returns the ids of objects whose contents differ from their newest seal, usually because their last change has not
 * been chained yet. A marked change of such an object would not be sealed.
 */
export async function selectUnsealed(
  db: Reader,
  { spaceId, environment }: Scope,
  type: string,
  ids: string[],
): Promise<Set<string>> {
  const table = tables[type]
  if (!table) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select object.id from ${table} object
    cross join lateral ${new Sql(`${type}_seal(object)`, [])} now
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
