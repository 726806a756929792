import type { Database } from '../../packages/server/src/platform/db/database.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'

/**
 * Copies one of the Space's rows from test to live in each of the given tables, with changed values in some
 * columns.
 */
export async function copyFromTest(
  db: Database,
  { spaceId, environment }: Scope,
  changes: Record<string, object>,
): Promise<void> {
  for (const [table, change] of Object.entries(changes))
    await db.pool.query(
      `insert into ${table} select (jsonb_populate_record(row, $2)).*
       from ${table} row where space_id = $1 and environment = 'test' limit 1`,
      [spaceId, { environment, ...change }],
    )
}
