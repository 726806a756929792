import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Connection, createClient, sessionOf } from './servers.ts'

/** Thrown if the schema of the database does not match this program. The message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

type Migration = {
  version: number
  name: string
  text: string
  checksum: string
  /** The newest migration of the oldest release that works after this migration; 0 if all releases do. */
  oldestRelease: number
  /** False for a migration whose statements are executed one by one, such as `create index concurrently`. */
  isTransaction: boolean
}

const folder = new URL('../../../migrations/', import.meta.url)
const advisoryLock = 715_001
const lockTimeoutMs = 30_000
const lockPollMs = 100
/** Earlier migrations do not declare which releases they work with. */
const firstDeclaring = 16

export function ownMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => ({
      ...readMigration(Number(file.slice(0, 4)), readFileSync(new URL(file, folder), 'utf8')),
      name: file.slice(5, -4),
    }))
}

/** Reads what the text of a migration declares in its comments. CONTRIBUTING.md describes the declarations. */
export function readMigration(version: number, text: string): Omit<Migration, 'name'> {
  const declared = /^-- oldest release: (.*)$/m.exec(text)?.[1]
  assert(declared === undefined || /^\d{4}$/.test(declared), `migration ${version}: invalid oldest release`)
  return {
    version,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    oldestRelease: Number(declared ?? (version < firstDeclaring ? version : 0)),
    isTransaction: !/^-- no transaction$/m.test(text),
  }
}

/**
 * Applies all pending migrations, and returns their names. Only one program at a time migrates a database; others
 * wait. A migration that was interrupted is repeated by the next call. `report` receives the progress of migrations that
 * take long.
 */
export async function migrate(
  connection: Connection,
  migrations = ownMigrations(),
  report?: (progress: string) => void,
): Promise<string[]> {
  const client = createClient({ ...sessionOf(connection), lock_timeout: lockTimeoutMs })
  client.on('notice', ({ severity, message }) => severity === 'INFO' && report?.(message ?? ''))
  // If the server dies, the running query fails; without a listener, the error would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    // The database user may have a time limit.
    await client.query('set statement_timeout = 0')
    await waitForTurn(client)
    await client.query(
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, checksum text not null,
         applied_at timestamptz not null default now(), oldest_release integer)`,
    )
    const pending = pendingMigrations(migrations, await appliedMigrations(client))
    // Without migrations to record, the table stays as it is, so that its lock does not disturb anyone.
    if (pending.length > 0)
      await client.query('alter table schema_migrations add column if not exists oldest_release integer')
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/**
 * Takes the lock that only one migrating program has. It polls, because `create index concurrently` waits for every
 * statement that is running, which includes one that waits for this lock.
 */
async function waitForTurn(client: pg.Client): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_locked', [advisoryLock])
    if (rows[0].is_locked) return
    if (performance.now() > deadline)
      throw new MigrationError(
        'Another program has been migrating the database for 30 s; try again when it has finished.',
      )
    await sleep(lockPollMs)
  }
}

/**
 * Throws if the schema of the database does not match this program. A newer schema matches if its migrations declare
 * that they work with this release.
 *
 * See docs/decisions/0256-rolling-upgrades.md.
 */
export async function checkSchema(client: pg.Pool | pg.Client, migrations = ownMigrations()): Promise<void> {
  const pending = pendingMigrations(migrations, await appliedMigrations(client))
  if (pending.length > 0)
    throw new MigrationError(`The database is missing ${pending.length} migration(s); run: pesewa migrate`)
}

type Applied = { version: number; checksum: string; oldestRelease: number | null }

async function appliedMigrations(client: pg.Pool | pg.Client): Promise<Applied[]> {
  const { rows } = await client
    // Until a release that knows the column has migrated, it does not exist, and the value is null.
    .query<Applied>(
      `select version, checksum, (to_jsonb(schema_migrations) ->> 'oldest_release')::integer as "oldestRelease"
       from schema_migrations order by version`,
    )
    .catch((error) => {
      if (error.code === '42P01') return { rows: [] }
      throw error
    })
  return rows
}

function pendingMigrations(ours: Migration[], applied: Applied[]): Migration[] {
  const newest = ours.at(-1)?.version ?? 0
  for (const { version, checksum, oldestRelease } of applied) {
    if (version > newest) {
      if ((oldestRelease ?? version) <= newest) continue
      throw new MigrationError(
        `The database is at migration ${version}, which does not work with this release, whose newest is ${newest}; use a newer release.`,
      )
    }
    if (ours.find((migration) => migration.version === version)?.checksum !== checksum)
      throw new MigrationError(
        `Migration ${version} was applied with different content; this database belongs to another build of the program.`,
      )
  }
  return ours.filter((migration) => !applied.some(({ version }) => version === migration.version))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  if (!migration.isTransaction) return applyStepByStep(client, migration)
  await client.query('begin')
  try {
    await client.query(migration.text)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Executes the statements of a migration one by one. If this is interrupted, the next attempt executes all of them
 * again, so each of them must be repeatable.
 */
async function applyStepByStep(client: pg.Client, migration: Migration): Promise<void> {
  // These statements wait for transactions that use the table, but nothing waits behind them.
  await client.query('set lock_timeout = 0')
  for (const statement of statementsOf(migration.text)) {
    const index = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement)?.[1]
    if (index !== undefined) await dropUnfinished(client, index)
    await client.query(statement)
  }
  await record(client, migration)
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
}

/**
 * Returns the statements of a migration without a transaction. Each of them ends with a semicolon and a new line, as do
 * those in the bodies of functions, which are skipped.
 */
const statementsOf = (text: string): string[] =>
  (text.replace(/^--.*\n/gm, '').match(/(?:\$\$[\s\S]*?\$\$|(?!;\s*\n)[\s\S])+/g) ?? [])
    .map((statement) => statement.replace(/^;/, '').trim())
    .filter((statement) => statement !== '')

/** Drops an index whose creation was interrupted or failed. PostgreSQL updates it but does not use it. */
async function dropUnfinished(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount) await client.query(`drop index concurrently if exists ${index}`)
}

const record = (client: pg.Client, { version, name, checksum, oldestRelease }: Migration) =>
  client.query(
    'insert into schema_migrations (version, name, checksum, oldest_release) values ($1, $2, $3, $4)',
    [version, name, checksum, oldestRelease],
  )
