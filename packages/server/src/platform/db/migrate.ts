import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { type Connection, createClient, sessionOf } from './servers.ts'

/** Thrown if the schema of the database does not match this program. The message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

type Migration = { version: number; name: string; text: string; checksum: string }

const folder = new URL('../../../migrations/', import.meta.url)
const advisoryLock = 715_001
const lockTimeoutMs = 30_000

export function ownMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), text, checksum }
    })
}

/**
 * Applies all pending migrations, each in its own transaction, and returns their names. Only one program at a
 * time migrates a database; others wait.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const client = createClient({ ...sessionOf(connection), lock_timeout: lockTimeoutMs })
  // If the server dies, the running query fails; without a listener, the error would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    // The database user may have a time limit.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [advisoryLock]).catch((error) => {
      if (error.code !== '55P03') throw error
      throw new MigrationError(
        'Another program has been migrating the database for 30 s; try again when it has finished.',
      )
    })
    await client.query(
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, checksum text not null,
         applied_at timestamptz not null default now())`,
    )
    const pending = pendingMigrations(ownMigrations(), await appliedMigrations(client))
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Throws if the schema of the database does not match this program. */
export async function checkSchema(client: pg.Pool | pg.Client): Promise<void> {
  const pending = pendingMigrations(ownMigrations(), await appliedMigrations(client))
  if (pending.length > 0)
    throw new MigrationError(`The database is missing ${pending.length} migration(s); run: pesewa migrate`)
}

type Applied = { version: number; checksum: string }

async function appliedMigrations(client: pg.Pool | pg.Client): Promise<Applied[]> {
  const { rows } = await client
    .query<Applied>('select version, checksum from schema_migrations order by version')
    .catch((error) => {
      if (error.code === '42P01') return { rows: [] }
      throw error
    })
  return rows
}

function pendingMigrations(ours: Migration[], applied: Applied[]): Migration[] {
  const newest = ours.at(-1)?.version ?? 0
  for (const { version, checksum } of applied) {
    if (version > newest)
      throw new MigrationError(
        `The database is at migration ${version}, but this release supports migrations only up to ${newest}; use a newer release.`,
      )
    if (ours.find((migration) => migration.version === version)?.checksum !== checksum)
      throw new MigrationError(
        `Migration ${version} was applied with different content; this database belongs to another build of the program.`,
      )
  }
  return ours.filter((migration) => !applied.some(({ version }) => version === migration.version))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
