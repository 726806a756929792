import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '@pesewa/values'
import pg from 'pg'

/**
 * How to connect to a database. If `servers` contains several URLs, they belong to the servers of one cluster, and
 * connections are made to whichever is the primary. If there is a `session`, the connection itself leads to a
 * transaction pooler, and `session` leads to the same database directly. `replicas` contains the URLs of standbys that
 * answer reads.
 */
export type Connection = pg.ClientConfig & { servers?: string[]; session?: Connection; replicas?: string[] }

/** Returns how to open a connection that keeps its session: locks, `LISTEN` and settings. */
export const sessionOf = (connection: Connection): Connection => connection.session ?? connection

/** Returns the connection for a URL, which may list several hosts: `postgresql://user:password@a:5432,b:5432/name`. */
export function connectionOf(url: string): Connection {
  const servers = urlsOf(url)
  return servers.length === 1 ? { connectionString: url } : { servers }
}

/** Returns one URL for each host of a URL, as libpq reads it. */
export function urlsOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Creates a client, which the caller must connect. */
export const createClient = (connection: Connection): pg.Client =>
  connection.servers ? new PrimaryClient(connection) : new pg.Client(connection)

/** Returns the connection of the primary, for programs that do not look for it. */
export const primaryOf = async ({ servers, ...connection }: Connection): Promise<pg.ClientConfig> =>
  servers ? { ...connection, connectionString: (await clusterOf(servers).find()).url } : connection

/** Thrown if no connection could be made. Nothing was sent, so that it is safe to try again. */
export class UnconnectedError extends Error {
  override name = 'UnconnectedError'
  /** SQLSTATE: the client could not connect. */
  readonly code = '08001'
}

/** Thrown if the server that was the primary is not any more. The next connection is made to the new one. */
export class StaleServerError extends UnconnectedError {}

const connectLimitMs = 2_000 // time for which a connection to the known primary is awaited
const probeLimitMs = 2_000 // time for which a server is asked whether it is the primary
const findLimitMs = 3_000 // time for which a primary is awaited, for example while a standby is being promoted
const probeEveryMs = 100 // interval at which a server is asked again

/**
 * A client that connects to the primary. A server cannot become a standby without closing its connections, but one
 * that has vanished does not close them. They are closed here when another server turns out to be the primary.
 *
 * See docs/decisions/0253-several-hosts.md.
 */
export class PrimaryClient extends pg.Client {
  readonly #cluster: Cluster

  constructor({ servers = [], ...config }: Connection = {}) {
    super({ ...config, connectionString: servers[0], connectionTimeoutMillis: connectLimitMs })
    this.#cluster = clusterOf(servers)
    // The statement that is running, or the owner of the client, reports the error.
    this.on('error', () => {})
  }

  // The pool passes a callback.
  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(() => callback(null), callback)
    return undefined
  }

  async #connect(): Promise<this> {
    const server = await this.#cluster.find()
    Object.assign(this, { host: server.host, port: server.port })
    try {
      await super.connect()
      if (!(await isPrimary(this))) throw new Error('is a standby')
    } catch (error) {
      void this.end()
      // Any other message is an answer of the primary, for example that it has too many connections.
      if (error instanceof pg.DatabaseError && !codeOf(error).startsWith(shutdownClass)) throw error
      this.#cluster.forget(server)
      throw new StaleServerError(`${nameOf(server)}: ${messageOf(error)}`, { cause: error })
    }
    this.#cluster.add(this, server)
    return this
  }

  /**
   * Fails if the server does not answer in time. If so, the connection is closed, and the next one looks for the
   * primary again.
   */
  async ping(limitMs: number): Promise<void> {
    try {
      await this.query(timed('select', limitMs))
    } catch (error) {
      this.#cluster.forget()
      destroy(this)
      throw error
    }
  }
}

/** Class of the SQLSTATEs of a server that is starting or shutting down. */
const shutdownClass = '57'

async function isPrimary(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(timed('select not pg_is_in_recovery() as is_primary', probeLimitMs))
  return rows[0].is_primary
}

/** Returns a query that fails if the response does not arrive in time. The types of `pg` lack this limit. */
export const timed = (text: string, limitMs: number): pg.QueryConfig =>
  Object.assign({ text }, { query_timeout: limitMs })

type Server = { url: string; host: string; port: number }

const nameOf = ({ host, port }: Server) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)

/** The servers of one cluster. The connections of a process share what is known about them. */
type Cluster = {
  /** Returns the primary, as known from the last connection, or looks for it. */
  find(): Promise<Server>
  /** The next connection looks for the primary again, unless it is known to be another server. */
  forget(server?: Server): void
  /** Registers an open connection, which is closed if another server becomes the primary. */
  add(client: pg.Client, server: Server): void
}

const clusters = new Map<string, Cluster>()

function clusterOf(urls: string[]): Cluster {
  const id = urls.join(' ')
  const cluster = clusters.get(id) ?? createCluster(urls)
  clusters.set(id, cluster)
  return cluster
}

function createCluster(urls: string[]): Cluster {
  // A client knows the defaults and the encodings of URLs.
  const servers = urls.map((url) => {
    const { host, port } = new pg.Client({ connectionString: url })
    return { url, host, port }
  })
  const open = new Map<pg.Client, Server>()
  let primary: Server | undefined
  let finding: Promise<Server> | undefined

  const find = async () => {
    try {
      primary = await findPrimary(servers)
    } finally {
      finding = undefined
    }
    for (const [client, server] of open) if (server !== primary) destroy(client)
    return primary
  }
  return {
    async find() {
      if (primary) return primary
      finding ??= find()
      return finding
    },
    forget(server = primary) {
      if (primary === server) primary = undefined
    },
    add(client, server) {
      open.set(client, server)
      client.once('end', () => open.delete(client))
    },
  }
}

/** Asks all servers at once, again and again, until one of them is the primary. */
async function findPrimary(servers: Server[]): Promise<Server> {
  const found = Promise.withResolvers<Server>()
  const states = new Map(servers.map((server) => [server, 'does not answer']))
  let isOver = false
  const limit = setTimeout(() => {
    const all = [...states].map(([server, state]) => `${nameOf(server)}: ${state}`).join(', ')
    found.reject(new UnconnectedError(`none of the hosts is the primary (${all})`))
  }, findLimitMs)
  for (const server of servers)
    void (async () => {
      while (!isOver) {
        const state = await probe(server)
        if (state === 'is the primary') return found.resolve(server)
        states.set(server, state)
        await sleep(probeEveryMs)
      }
    })()
  return found.promise.finally(() => {
    isOver = true
    clearTimeout(limit)
  })
}

/** Returns what a server is, or why that is unknown. */
async function probe({ url }: Server): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pesewa',
    connectionTimeoutMillis: probeLimitMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await isPrimary(client)) ? 'is the primary' : 'is a standby'
  } catch (error) {
    return messageOf(error)
  } finally {
    // Not awaited, because a server that has vanished does not answer the goodbye.
    void client.end()
  }
}

/** Closes a connection without waiting for the server. The statement that is running fails. */
export function destroy(client: pg.Client): void {
  // The types of `pg` lack this property.
  const { connection } = client as pg.Client & { connection: pg.Connection }
  connection.stream.destroy()
}
