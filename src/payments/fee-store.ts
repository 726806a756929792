import type { Environment, Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

export type FeeRuleRow = { ppm: number; minimums: Record<string, string> }

export const selectFeeRule = (db: Reader, { spaceId, environment }: Scope, code: string) =>
  db.one<FeeRuleRow>(sql`
    select ppm, minimums from fee_rules
    where space_id = ${spaceId} and environment = ${environment} and code = ${code}`)

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
