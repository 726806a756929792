import type { Reader, Tx } from '../platform/db/database.ts'
import { selectEach } from '../platform/db/lookups.ts'
import { sql } from '../platform/db/sql.ts'
import { unnestScoped } from '../platform/db/unnest.ts'
import type { Environment, Scope } from '../platform/scope.ts'

export type FeeRuleRow = { ppm: number; minimums: Record<string, string> }

/** Of each Space that has such a rule, once. */
export const selectFeeRules = (db: Reader, spaces: { scope: Scope }[], code: string) =>
  selectEach<FeeRuleRow>(
    db,
    sql`(select distinct * from ${bySpace(spaces)}) requested`,
    sql`
      select ppm, minimums from fee_rules
      where space_id = requested.space_id and environment = requested.environment and code = ${code}`,
  )

const bySpace = unnestScoped({})

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
