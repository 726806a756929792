import type { Database } from '../../packages/server/src/platform/db/database.ts'
import { Sql, sql } from '../../packages/server/src/platform/db/sql.ts'
import { encryptedColumn } from '../../packages/server/src/platform/db/unnest.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'

/**
 * Copies one of the Space's rows from test to live in each of the given tables, with changed values in some
 * columns. Encrypted values belong to their environment, so the copies contain them as plain text.
 */
export async function copyFromTest(
  db: Database,
  { spaceId, environment }: Scope,
  changes: Record<string, object>,
): Promise<void> {
  for (const [table, change] of Object.entries(changes)) {
    const { rows } = await db.pool.query(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attname like '%\\_encrypted'`,
      [table],
    )
    const plain: Record<string, unknown> = {}
    for (const { name } of rows) {
      const column = name.slice(0, -'_encrypted'.length)
      const row = await db.only<{ value: string | null }>(sql`
        select ${encryptedColumn(`${table}.${column}`, { as: 'value' })} from ${new Sql(table, [])}
        where space_id = ${spaceId} and environment = 'test' limit 1`)
      Object.assign(plain, { [column]: row.value, [name]: null })
    }
    await db.pool.query(
      `insert into ${table} select (jsonb_populate_record(row, $2)).*
       from ${table} row where space_id = $1 and environment = 'test' limit 1`,
      [spaceId, { environment, ...plain, ...change }],
    )
  }
}
