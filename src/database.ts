import path from 'node:path'
import pg from 'pg'
import type { PlatformSettings } from './platform/config.ts'
import {
  hasEmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/db/embedded.ts'
import { codeOf, messageOf } from './platform/errors.ts'
import { fieldsOf } from './platform/fields.ts'

/** The database that the settings name could not be reached; the message is one line that says what to do. */
export class DatabaseError extends Error {}

export type OwnedDatabase = {
  connection: pg.ClientConfig
  stop(): Promise<void>
  /** Settles when a server of our own ends: with what happened, or nothing when `stop` asked for it. */
  exited: Promise<Error | undefined>
}

/** The operator's PostgreSQL, or one of our own in the data folder. */
export async function startDatabase(settings: PlatformSettings): Promise<OwnedDatabase> {
  if (settings.databaseUrl === undefined) return startEmbeddedPostgres({ dataDir: settings.dataDir })
  const connection = { connectionString: settings.databaseUrl }
  await checkConnection(connection)
  return unowned(connection)
}

/**
 * For a command beside the program: uses the server that already runs, and starts one only if none does. It never makes
 * a database: where there is none, DATA_DIR is mistyped or the command runs in the wrong folder.
 */
export async function joinDatabase(settings: PlatformSettings): Promise<OwnedDatabase> {
  if (settings.databaseUrl === undefined && !(await hasEmbeddedPostgres(settings.dataDir)))
    throw new DatabaseError(
      `There is no database in ${path.resolve(settings.dataDir)}: set DATA_DIR to the folder of your service, or DATABASE_URL to its database. To create a new one, run pesewa start, or pesewa migrate.`,
    )
  return joinOrStartDatabase(settings)
}

/** The same for a command that may begin with an empty database. */
export async function joinOrStartDatabase(settings: PlatformSettings): Promise<OwnedDatabase> {
  const running =
    settings.databaseUrl === undefined ? await runningEmbeddedPostgres(settings.dataDir) : undefined
  return running ? unowned(running) : startDatabase(settings)
}

/** A server that goes on without us. */
const unowned = (connection: pg.ClientConfig): OwnedDatabase => ({
  connection,
  stop: async () => {},
  exited: new Promise(() => {}),
})

const oldestMajor = 15

async function checkConnection(connection: pg.ClientConfig): Promise<void> {
  const clients: pg.Client[] = []
  const connect = async (more: pg.ClientConfig = {}) => {
    const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }
    const client = new pg.Client({ ...connection, ...limits, ...more })
    clients.push(client)
    // A server that dies now fails the query under way; without a listener it would end the program.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    const client = await connect()
    const { rows } = await client.query("select current_setting('server_version_num')::int as version")
    const major = Math.floor(rows[0].version / 10_000)
    if (major < oldestMajor)
      throw new DatabaseError(
        `DATABASE_URL: this is PostgreSQL ${major}; Pesewa needs ${oldestMajor} or newer.`,
      )
    if (!(await isUnshared(client, await connect())))
      throw new DatabaseError(
        'DATABASE_URL: a pooler gives each transaction another connection; connect to PostgreSQL itself.',
      )
    // As all our connections begin.
    await connect({ statement_timeout: 5_000, lock_timeout: 5_000 })
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    if (/startup parameter/.test(messageOf(error)))
      throw new DatabaseError(
        'DATABASE_URL: a pooler does not pass on the time-outs of a connection; connect to PostgreSQL itself.',
      )
    throw new DatabaseError(
      `DATABASE_URL: ${reasonOf(error)}. Check the address, user, password and database name.`,
    )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

const poolerProbes = 3

/**
 * Whether each client has a server's process of its own, and keeps it: locks and notifications belong to a process.
 * While one holds a transaction open, a pooler that hands processes around shows that it gave away the other's, or takes
 * another one for it.
 */
async function isUnshared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const processOf = async (client: pg.Client): Promise<number> =>
    (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  const seen = new Map([[first, await processOf(first)]])
  for (let probe = 0; probe < poolerProbes; probe++) {
    const [holder, other] = probe % 2 === 0 ? [second, first] : [first, second]
    const isBegun = await holder.query('begin').then(
      () => true,
      // Some share statement by statement, and say so.
      (error: Error) => !/pooling/.test(error.message) && Promise.reject(error),
    )
    if (!isBegun) return false
    const held = await processOf(holder)
    if (held === seen.get(other) || held !== (seen.get(holder) ?? held)) return false
    if ((await processOf(other)) !== seen.get(other)) return false
    await holder.query('commit')
    seen.set(holder, held)
  }
  return true
}

/** What went wrong, without the address: it holds a password. */
function reasonOf(error: unknown): string {
  const { errors } = fieldsOf(error)
  const [code, message] = [codeOf(error), messageOf(error)]
  if (code === 'ERR_INVALID_URL') return 'it is not of the form postgresql://user:password@host:5432/database'
  if (code === 'ECONNREFUSED') return 'nothing answers at that host and port'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name cannot be resolved'
  const [first] = Array.isArray(errors) ? errors.map(messageOf) : []
  return message || first || code || 'the connection failed'
}
