import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { sql } from '../packages/server/src/platform/db/sql.ts'
import { describedTables } from '../packages/server/src/platform/db/table.ts'
import { createTestDatabase } from './support/database.ts'
import { root, sourcesOf } from './tidy/sources.ts'

// Tables are described once, in code. These tests compare the descriptions with the migrated database.

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 1, onIdleError: () => {} })
  for (const source of sourcesOf('packages/server/src', '.ts'))
    if (!source.isTest && /\btable\('/.test(source.text)) await import(path.join(root, source.path))
})
after(async () => {
  await db.close()
  await place.drop()
})

test('a description has every column of its table, with its type and whether it may be null', async () => {
  // every space: this is about tables, not their rows
  const declared = await db.query<{ table: string; name: string; type: string; isNullable: boolean }>(sql`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as is_nullable
    from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relname = any(${[...describedTables.keys()]}::text[])
      and attnum > 0 and not attisdropped and attname not in ('space_id', 'environment')`)
  const byTable = Map.groupBy(declared, ({ table }) => table)
  assert.ok(describedTables.size > 0)
  for (const [name, { columns }] of describedTables)
    assert.deepEqual(
      Object.fromEntries(
        [...columns].map(([column, { type, isNullable }]) => [column, { type, isNullable }]),
      ),
      Object.fromEntries(
        byTable
          .get(name)
          ?.map((column) => [column.name, { type: column.type, isNullable: column.isNullable }]) ?? [],
      ),
      `the description of ${name}`,
    )
})

test('a description has the key of its table, which begins with Space and environment', async () => {
  const keys = await db.query<{ table: string; columns: string[] }>(sql`
    select relname as table, array(
      select attname::text from unnest(conkey) with ordinality as place (number, nth)
      join pg_attribute on attrelid = conrelid and attnum = number
      order by nth) as columns
    from pg_constraint join pg_class on conrelid = pg_class.oid
    where contype = 'p' and relname = any(${[...describedTables.keys()]}::text[])`)
  assert.deepEqual(
    Object.fromEntries(keys.map(({ table, columns }) => [table, columns])),
    Object.fromEntries(
      [...describedTables].map(([name, { key }]) => [name, ['space_id', 'environment', ...key]]),
    ),
  )
})

test('every table has a primary key, which logical replication needs', async () => {
  // every space: this is about tables, not their rows
  const tables = await db.query<{ name: string; hasKey: boolean }>(sql`
    select relname as name, exists (
      select from pg_constraint where conrelid = pg_class.oid and contype = 'p') as has_key
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  assert.ok(tables.length > 100)
  assert.deepEqual(
    tables.filter(({ hasKey }) => !hasKey).map(({ name }) => name),
    [],
  )
})
