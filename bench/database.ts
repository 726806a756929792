import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@pesewa/embedded-postgres'
import pg from 'pg'
import { sharedFolder } from '../packages/embedded-postgres/src/account.ts'
import { migrate } from '../packages/server/src/platform/db/migrate.ts'
import { OptionError } from './options.ts'
import { postmasterOf } from './usage.ts'

export type BenchDatabase = {
  connection: pg.ClientConfig
  /** The connection as a `DATABASE_URL`. */
  url: string
  /** A server started for this run with its production settings; `close` removes it and its data. */
  isOwn: boolean
  client: pg.Client
  /** Process id of the server's postmaster; `undefined` if the server is on another machine. */
  postmaster: number | undefined
  folder: string
  close(): Promise<void>
}

/** Opens and migrates the operator's empty database, or a PostgreSQL in a temporary folder. */
export async function openBenchDatabase(
  databaseUrl: string | undefined,
  parent: string | undefined,
): Promise<BenchDatabase> {
  const folder = makeFolder(parent ?? tmpdir())
  const closers = [async () => removeFolder(folder)]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    let connection: pg.ClientConfig
    if (databaseUrl === undefined) {
      const server = await startEmbeddedPostgres({ dataDir: folder })
      closers.push(server.stop)
      connection = server.connection
    } else connection = { connectionString: databaseUrl }
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    closers.push(() => client.end().catch(() => {}))
    await refuseUsed(client)
    await migrate(connection)
    // Commits to which this tree can be compared may not have months.
    const months = await import('../packages/server/src/platform/db/months.ts').catch(() => undefined)
    await months?.makeMonths(client, new Date())
    const { rows } = await client.query('select pg_backend_pid() as pid')
    return {
      connection,
      url: databaseUrl ?? urlOf(connection),
      isOwn: databaseUrl === undefined,
      client,
      postmaster: postmasterOf(rows[0].pid),
      folder,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const segmentsPerSecond = 8
const maxSegments = 60

/**
 * Creates the WAL segments that a run of `seconds` will fill. In production they are recycled; only a new
 * database has to write 16 MB of zeroes for each while a commit waits.
 */
export async function makeLog({ client, isOwn }: BenchDatabase, seconds: number): Promise<void> {
  if (!isOwn) return
  await client.query('create temporary table turns (turn integer)')
  for (let turn = 0; turn < Math.min(maxSegments, seconds * segmentsPerSecond); turn++) {
    await client.query('insert into turns values ($1)', [turn])
    // A temporary table is not logged, but the end of its transaction is.
    await client.query('select pg_switch_wal()')
  }
  await client.query('checkpoint')
  await client.query('drop table turns')
}

/** Creates a folder that the server's own user can access, even if root runs this. */
function makeFolder(parent: string): string {
  if (!existsSync(parent)) throw new OptionError(`--folder: ${parent} does not exist`)
  const folder = mkdtempSync(path.join(parent, 'pesewa-bench-'))
  chmodSync(folder, 0o755)
  return folder
}

/** Also removes data that is stored elsewhere because the server's user cannot access the folder. */
function removeFolder(folder: string): void {
  const link = path.join(folder, 'postgres')
  const home = existsSync(link) ? realpathSync(link) : folder
  if (path.dirname(home) === sharedFolder) rmSync(home, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select count(*)::int as count from pg_class
    where relnamespace not in (select oid from pg_namespace
      where nspname ~ '^pg_' or nspname = 'information_schema')`)
  if (rows[0].count > 0)
    throw new OptionError('DATABASE_URL: the database is not empty; the benchmark needs an empty one')
}

function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  const [name, secret] = [user ?? '', String(password ?? '')].map(encodeURIComponent)
  return `postgresql://${name}:${secret}@${encodeURIComponent(host ?? '')}:${port}/${database}`
}
