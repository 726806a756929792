import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import type { RetentionClass } from './classes.ts'

/** Returns the periods that a Space has chosen, in days. */
export async function selectPeriods(
  db: Reader,
  { spaceId, environment }: Scope,
): Promise<Map<RetentionClass, number>> {
  const rows = await db.query<{ class: RetentionClass; days: number }>(sql`
    select class, days from retention_periods where space_id = ${spaceId} and environment = ${environment}`)
  return new Map(rows.map((row) => [row.class, row.days]))
}

export const upsertPeriod = (tx: Tx, { spaceId, environment }: Scope, of: RetentionClass, days: number) =>
  tx.run(sql`
    insert into retention_periods (space_id, environment, class, days)
    values (${spaceId}, ${environment}, ${of}, ${days})
    on conflict (space_id, environment, class) do update set days = excluded.days`)

export const deletePeriod = (tx: Tx, { spaceId, environment }: Scope, of: RetentionClass) =>
  tx.run(sql`
    delete from retention_periods
    where space_id = ${spaceId} and environment = ${environment} and class = ${of}`)
