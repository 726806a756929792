import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ownMigrations } from '../../packages/server/src/platform/db/migrate.ts'

/**
 * Creates a separate database for one test file, as a copy of the run's migrated template or of another
 * template.
 */
export async function createTestDatabase({
  template = 'pesewa_template',
} = {}): Promise<{ connection: pg.ClientConfig; drop(): Promise<void> }> {
  const server = JSON.parse(process.env.TEST_DATABASE ?? 'null') as pg.ClientConfig | null
  if (!server) throw new Error('run tests with npm test, which starts a PostgreSQL for them')
  const database = `test_${randomBytes(6).toString('hex')}`
  // Copies the files, which takes half as long as writing each page to the WAL.
  await onServer(server, `create database ${database} template ${template} strategy file_copy`)
  return {
    connection: { ...server, database },
    drop: () => onServer(server, `drop database ${database} with (force)`),
  }
}

async function onServer(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Empties a database and applies the migrations up to and including `version`, as an earlier release did. */
export async function migrateOnlyTo(client: pg.Client, version: number): Promise<void> {
  await client.query('drop schema public cascade; create schema public')
  await client.query(
    `create table schema_migrations (
       version integer primary key, name text not null, checksum text not null, applied_at timestamptz default now())`,
  )
  for (const migration of ownMigrations().filter((one) => one.version <= version)) {
    await client.query(migration.text)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
  }
}

/** Adds a column to every table, as a later release may do while this one is running. */
export async function addColumnToEachTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  // One by one, so that no lock is held while waiting for the next one.
  for (const { name } of rows) await client.query(`alter table ${name} add column of_later_release text`)
}

/**
 * Creates a database whose tables have partitions for these months (`first` and `end` are dates like `2023-11-01`), for
 * rows with fixed ids.
 */
export async function createDatabaseOfMonths(first: string, end: string) {
  const database = await createTestDatabase({ template: 'pesewa_schema' })
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(
    `select make_months(relname, $1, $2) from pg_class where relkind = 'p' and to_regclass(relname || '_after') is not null`,
    [first, end],
  )
  await client.end()
  return database
}
