import path from 'node:path'
import {
  hasEmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@pesewa/embedded-postgres'
import { codeOf, fieldsOf, messageOf } from '@pesewa/values'
import type pg from 'pg'
import type { PlatformSettings } from './platform/config.ts'
import { connectionsOf } from './platform/db/database.ts'
import { type Connection, connectionOf, createClient } from './platform/db/servers.ts'

/** Thrown if the configured database cannot be reached. The message is one line that says what to do. */
class DatabaseError extends Error {
  override name = 'DatabaseError'
}

export type OwnedDatabase = {
  connection: Connection
  stop(): Promise<void>
  /** Resolves when the embedded server exits: to `undefined` after `stop`, otherwise to an error. */
  exited: Promise<Error | undefined>
}

/**
 * Connects to the operator's PostgreSQL, or starts the embedded one in the data folder, with connections for this
 * number of processes. `onCreate` is called while another process creates a new embedded one, which takes seconds.
 */
export async function startDatabase(
  settings: PlatformSettings,
  processes = 1,
  onCreate?: () => void,
): Promise<OwnedDatabase> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl === undefined)
    return startEmbeddedPostgres({
      dataDir,
      ...(processes > 1 && { settings: { max_connections: String(maxConnectionsFor(processes, settings)) } }),
      ...(onCreate && { onCreate }),
    })
  const connection = connectionOf(databaseUrl)
  await checkConnection(connection)
  return unowned(connection)
}

/**
 * Opens the database for a CLI command: uses a running embedded server, or starts one. Never creates a
 * database, because a missing database means that DATA_DIR is mistyped or that the command was run in the wrong
 * folder.
 */
export async function joinDatabase(settings: PlatformSettings): Promise<OwnedDatabase> {
  if (settings.databaseUrl === undefined && !(await hasEmbeddedPostgres(settings.dataDir)))
    throw new DatabaseError(
      `There is no database in ${path.resolve(settings.dataDir)}: set DATA_DIR to the data folder of your service, or DATABASE_URL to its database. To create a new one, run pesewa start, or pesewa migrate.`,
    )
  return joinOrStartDatabase(settings)
}

/**
 * Like `joinDatabase`, but creates the database if it does not exist, for commands that can start with an empty
 * one.
 */
export async function joinOrStartDatabase(settings: PlatformSettings): Promise<OwnedDatabase> {
  const running =
    settings.databaseUrl === undefined ? await runningEmbeddedPostgres(settings.dataDir) : undefined
  return running ? unowned(running) : startDatabase(settings)
}

/** Describes a server that keeps running after this process exits. */
const unowned = (connection: Connection): OwnedDatabase => ({
  connection,
  stop: async () => {},
  exited: new Promise(() => {}),
})

/** Connections for commands, which open their own, and for PostgreSQL itself. */
const spareConnections = 30
const fewestConnections = 100

const maxConnectionsFor = (processes: number, settings: PlatformSettings): number =>
  Math.max(fewestConnections, processes * connectionsOf(settings) + spareConnections)

const oldestMajor = 15

async function checkConnection(connection: Connection): Promise<void> {
  const clients: pg.Client[] = []
  const connect = async (more: pg.ClientConfig = {}) => {
    const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }
    const client = createClient({ ...connection, ...limits, ...more })
    clients.push(client)
    // Without a listener, the process would crash if the server stopped now. The query in progress fails in any
    // case.
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
        'DATABASE_URL points to a transaction pooler, which can switch a client to another connection between transactions. Connect directly to PostgreSQL.',
      )
    // Uses the same parameters as all our other connections.
    await connect({ statement_timeout: 5_000, lock_timeout: 5_000 })
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    if (/startup parameter/.test(messageOf(error)))
      throw new DatabaseError(
        'DATABASE_URL points to a pooler that rejects the startup parameters statement_timeout and lock_timeout. Connect directly to PostgreSQL.',
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
 * Returns whether each client keeps its own server process, which locks and notifications require. Behind a
 * transaction pooler, a client does not keep its process. There, if one client opens a transaction, it may
 * occupy the process that another client used before, or the other client may be moved to a different process.
 */
async function isUnshared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const processOf = async (client: pg.Client): Promise<number> =>
    (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  const seen = new Map([[first, await processOf(first)]])
  for (let probe = 0; probe < poolerProbes; probe++) {
    const [holder, other] = probe % 2 === 0 ? [second, first] : [first, second]
    const isBegun = await holder.query('begin').then(
      () => true,
      // Statement poolers do not allow transactions.
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

/** Describes a connection error without the URL, which contains a password. */
function reasonOf(error: unknown): string {
  const { errors } = fieldsOf(error)
  const [code, message] = [codeOf(error), messageOf(error)]
  if (code === 'ERR_INVALID_URL') return 'it must have the form postgresql://user:password@host:5432/database'
  if (code === 'ECONNREFUSED') return 'nothing is listening at that host and port'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name cannot be resolved'
  const [first] = Array.isArray(errors) ? errors.map(messageOf) : []
  return message || first || code || 'the connection failed'
}
