import type { Reader, Tx } from '../../platform/db/database.ts'
import { bySpace, selectEach } from '../../platform/db/lookups.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { markRules } from '../../tenants/spaces/chained-changes.ts'
import type { FeeCode } from './codes.ts'
import type { FeeRule } from './rules.ts'

/** Returns the fee rules of the given Spaces, without duplicates. */
export const selectFeeRules = (db: Reader, spaces: { scope: Scope }[], code: string) =>
  selectEach<FeeRule>(
    db,
    bySpace(spaces),
    sql`
      select ppm, minimums from fee_rules
      where space_id = requested.space_id and environment = requested.environment and code = ${code}`,
  )

// every space: the operator's list covers all of them
export const selectOwnRules = (db: Reader) =>
  db.query<FeeRule & { spaceId: string; name: string; code: FeeCode }>(sql`
    select space_id, spaces.name, code, ppm, minimums from fee_rules
    join spaces on spaces.id = space_id
    where environment = 'live'
    order by space_id, code`)

/** Deletes a rule, and returns whether it existed. */
export async function deleteFeeRule(tx: Tx, scope: Scope, code: string): Promise<boolean> {
  await markRules(tx, scope, 'fee_rules')
  const count = await tx.run(sql`
    delete from fee_rules
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and code = ${code}`)
  return count > 0
}

export async function upsertFeeRule(tx: Tx, scope: Scope, code: string, rule: FeeRule): Promise<void> {
  await markRules(tx, scope, 'fee_rules')
  await tx.run(sql`
    insert into fee_rules (space_id, environment, code, ppm, minimums)
    values (${scope.spaceId}, ${scope.environment}, ${code}, ${rule.ppm}, ${JSON.stringify(rule.minimums)})
    on conflict (space_id, environment, code) do update set ppm = excluded.ppm, minimums = excluded.minimums`)
}
