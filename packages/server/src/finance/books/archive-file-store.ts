import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { ArchiveError } from './archive.ts'
import { archiveSchema } from './archive-store.ts'
import { archivedTables, tableNamed } from './archive-table-store.ts'

const archived = (table: string) => tableNamed(`${archiveSchema}.${table}`)

/** Yields all rows of an archived table as JSON, in batches. No one writes such a table. */
export async function* walkArchivedRows(db: Database, table: string, take: number): AsyncGenerator<string[]> {
  const { pages } = await db.only<{ pages: number }>(sql`
    select (pg_relation_size(${`${archiveSchema}.${table}`}::regclass) / current_setting('block_size')::int)::float8 as pages`)
  // Rows are read by their place in the file, because the tables have different keys.
  for (let page = 0; page < pages; page += pagesAtOnce) {
    const rows = await db.query<{ row: string }>(sql`
      -- every space: a month has rows of all Spaces
      select to_json(old)::text as row from ${archived(table)} old
      where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + pagesAtOnce},0)`}::tid`)
    for (let from = 0; from < rows.length; from += take)
      yield rows.slice(from, from + take).map(({ row }) => row)
  }
}

const pagesAtOnce = 256

/** Returns which of these tables are in the schema for archived months. */
export const findArchived = (db: Reader, tables: string[]) =>
  db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = to_regnamespace(${archiveSchema}) and relname = any(${tables})`)

export async function dropArchived(tx: Tx, tables: string[]): Promise<void> {
  // every space: a month has rows of all Spaces
  for (const table of tables) await tx.run(sql`drop table if exists ${archived(table)}`)
}

/** Creates a table of an archived month. Fails if it exists, so that two restores at the same time do not double its rows. */
export async function createArchived(tx: Tx, table: string): Promise<void> {
  const model = archivedTables.find(
    ({ name }) =>
      table.startsWith(`${name}_`) && /^_(kept_)?(before|\d{4}_\d\d)$/.test(table.slice(name.length)),
  )
  if (!model) throw new ArchiveError(`${table} is not the name of an archived table.`)
  // every space: a month has rows of all Spaces
  await tx.run(sql`create table ${archived(table)} (like ${tableNamed(model.name)})`)
}

/** Inserts rows into a table of an archived month. */
export const insertArchivedRows = (tx: Tx, table: string, rows: string[]) =>
  // every space: a month has rows of all Spaces
  tx.run(sql`
    insert into ${archived(table)}
    select (json_populate_record(null::${archived(table)}, line::json)).* from unnest(${rows}::text[]) as line`)
