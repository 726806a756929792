import type { Reader, Tx } from '../platform/db/database.ts'
import { scoped, scopes } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import type { Environment, Scope } from '../platform/scope.ts'

export type FeeRuleRow = { ppm: number; minimums: Record<string, string> }

/** Of each Space that has such a rule, once. */
export const selectFeeRules = async (db: Reader, wanted: { scope: Scope }[], code: string) =>
  (
    await db.query<FeeRuleRow & Scope>(sql`
      select rule.* from (
        select distinct space_id, environment from unnest(${scopes(wanted)}) as wanted (space_id, environment)
      ) wanted
      cross join lateral (
        select space_id, environment, ppm, minimums from fee_rules r
        where r.space_id = wanted.space_id and r.environment = wanted.environment and r.code = ${code} offset 0
      ) rule`)
  ).map(scoped)

export const upsertFeeRule = (
  tx: Tx,
  spaceId: string,
  environment: Environment,
  code: string,
  rule: FeeRuleRow,
) =>
  tx.run(sql`
    insert into fee_rules (space_id, environment, code, ppm, minimums)
    values (${spaceId}, ${environment}, ${code}, ${rule.ppm}, ${JSON.stringify(rule.minimums)})
    on conflict (space_id, environment, code) do update set ppm = excluded.ppm, minimums = excluded.minimums`)
