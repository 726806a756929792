import { randomInt } from 'node:crypto'
import path from 'node:path'
import {
  hasEmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@pesewa/embedded-postgres'
import { codeOf, fieldsOf, messageOf } from '@pesewa/values'
import type pg from 'pg'
import type { PlatformSettings } from './platform/config.ts'
import { connectionSettings, connectionsOf } from './platform/db/database.ts'
import { type Connection, connectionOf, createClient, urlsOf } from './platform/db/servers.ts'

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
  const connection = connectionsTo(databaseUrl, settings)
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

/** Returns how to connect to the operator's database, as the settings say. */
const connectionsTo = (
  url: string,
  { databaseSessionUrl, databaseReadUrl }: PlatformSettings,
): Connection => ({
  ...connectionOf(url),
  ...(databaseReadUrl !== undefined && { replicas: urlsOf(databaseReadUrl) }),
  ...(databaseSessionUrl !== undefined && { session: connectionOf(databaseSessionUrl) }),
})

type Connect = (more?: pg.ClientConfig) => Promise<pg.Client>

/** Calls `check` with a function that opens connections, closes them, and explains errors of this setting. */
async function withConnections<T>(
  setting: 'DATABASE_URL' | 'DATABASE_SESSION_URL',
  connection: Connection,
  check: (connect: Connect) => Promise<T>,
): Promise<T> {
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
    return await check(connect)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    if (/startup parameter/.test(messageOf(error)))
      throw new DatabaseError(
        `${setting} points to a pooler that rejects the startup parameters statement_timeout and lock_timeout. Connect directly to PostgreSQL.`,
      )
    throw new DatabaseError(
      `${setting}: ${reasonOf(error)}. Check the address, user, password and database name.`,
    )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

const checkConnection = (connection: Connection): Promise<void> =>
  withConnections('DATABASE_URL', connection, async (connect) => {
    const client = await connect()
    const { rows } = await client.query("select current_setting('server_version_num')::int as version")
    const major = Math.floor(rows[0].version / 10_000)
    if (major < oldestMajor)
      throw new DatabaseError(
        `DATABASE_URL: this is PostgreSQL ${major}; Pesewa needs ${oldestMajor} or newer.`,
      )
    const isDirect = await isUnshared(client, await connect())
    if (connection.session) {
      await checkSession(connection.session, client)
      await checkPooler(client, isDirect)
    } else {
      if (!isDirect)
        throw new DatabaseError(
          'DATABASE_URL points to a transaction pooler. Connect directly to PostgreSQL, or set DATABASE_SESSION_URL, too, to a direct connection.',
        )
      await checkLimits(connect)
    }
  })

/** Connects with the parameters that our connections use, which a pooler may reject. */
const checkLimits = (connect: Connect) => connect({ statement_timeout: 5_000, lock_timeout: 5_000 })

/** Checks that a connection for sessions is direct, and leads to the same database as one through the pooler. */
const checkSession = (connection: Connection, pooled: pg.Client): Promise<void> =>
  withConnections('DATABASE_SESSION_URL', connection, async (connect) => {
    const client = await connect()
    if (!(await isUnshared(client, await connect())))
      throw new DatabaseError(
        'DATABASE_SESSION_URL points to a transaction pooler. Set it to a direct connection to PostgreSQL.',
      )
    await checkLimits(connect)
    // Only connections to the same database see each other's locks.
    const lock = randomInt(2 ** 31)
    await client.query('select pg_advisory_lock($1)', [lock])
    const { rowCount } = await pooled.query(
      `select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
        and database = (select oid from pg_database where datname = current_database())`,
      [lock],
    )
    if (rowCount === 0)
      throw new DatabaseError('DATABASE_URL and DATABASE_SESSION_URL lead to different databases.')
  })

/**
 * Checks that a pooler supports prepared statements, and that the database user has the settings that we cannot send
 * through it. `isDirect` is true if the pooler does not move clients to other connections.
 */
async function checkPooler(client: pg.Client, isDirect: boolean): Promise<void> {
  if (!isDirect && !(await renamesStatements(client)))
    throw new DatabaseError(
      'DATABASE_URL points to a pooler that does not support prepared statements. Use PgBouncer 1.21 or newer, with max_prepared_statements above 0.',
    )
  const { rows } = await client.query(
    `select format('alter role %I in database %I set %I = %L', current_user, current_database(), name, wanted) as text
      from json_each_text($1) needed (name, wanted) where current_setting(name) <> wanted`,
    [JSON.stringify(connectionSettings)],
  )
  if (rows.length > 0)
    throw new DatabaseError(
      `DATABASE_URL: behind a pooler, the database user needs these settings. Run: ${rows.map(({ text }) => text).join('; ')}; then restart the pooler.`,
    )
}

/**
 * Returns whether a pooler gives prepared statements names of its own, so that it can prepare them on whichever
 * connection runs them.
 */
async function renamesStatements(client: pg.Client): Promise<boolean> {
  const name = `pesewa_probe_${randomInt(2 ** 31)}`
  await client.query('begin')
  await client.query({ name, text: 'select' })
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name])
  if (rowCount !== 0) await client.query(`deallocate ${name}`)
  await client.query('rollback')
  return rowCount === 0
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
