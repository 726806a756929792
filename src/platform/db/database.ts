import pg from 'pg'
import { Refusal } from '../refusals.ts'
import type { Sql } from './sql.ts'

export type Row = Record<string, unknown>

/** What can be read from: the database itself, or an open transaction. */
export type Reader = {
  query<R = Row>(statement: Sql): Promise<R[]>
  /** The first row, or `undefined`. */
  one<R = Row>(statement: Sql): Promise<R | undefined>
}

/** An open transaction. Whatever writes takes one; nothing talks to the network while it is open. */
export type Tx = Reader & {
  /** Runs a statement that writes and answers how many rows it touched. */
  run(statement: Sql): Promise<number>
  /** Undoes only what `work` did when it throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export type Database = Reader & {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls back on every NOTIFY of a channel, and once after each reconnect (something may have been missed). */
  listen(channel: string, heard: (payload: string | undefined) => void): Promise<() => Promise<void>>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// PostgreSQL's bigint is a BigInt here: money never passes through a floating point number.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

const statementTimeoutMs = 15_000
const lockTimeoutMs = 10_000

export function openDatabase(
  connection: pg.ClientConfig,
  options: { maxConnections: number; statementTimeoutMs?: number; lockTimeoutMs?: number; onIdleError: (error: Error) => void },
): Database {
  const settings: pg.PoolConfig = {
    ...connection,
    types,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'pesewa',
  }
  let isClosing = false
  const pool = openPool(settings, (error) => {
    // The pool's end does not wait for its connections to be gone; what happens to them then is no loss.
    if (!isClosing) options.onIdleError(error)
  })
  const listeners = new Set<Listener>()

  return {
    pool,
    ...readerOf((statement) => run(pool, statement)),
    transaction: (work) => transaction(pool, work),
    async listen(channel, heard) {
      const listener = new Listener(settings, channel, heard)
      listeners.add(listener)
      await listener.connect()
      return () => {
        listeners.delete(listener)
        return listener.close()
      }
    },
    async close() {
      isClosing = true
      await Promise.all([...listeners].map((listener) => listener.close()))
      await pool.end()
    },
  }
}

/** A pool that survives the loss of any of its connections, idle or in use. */
export function openPool(settings: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(settings)
  pool.on('error', onIdleError)
  // While a connection is in use its loss fails the statement under way, which is told there.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const deadlockOrSerialization = new Set(['40P01', '40001'])
const maxTries = 3

/** Runs `work` in one transaction: all of it commits, or none. A deadlock's victim is run again. */
async function transaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactionOnce(pool, work)
    } catch (error) {
      if (attempt === maxTries || !deadlockOrSerialization.has(codeOf(error))) throw error
    }
  }
}

async function transactionOnce<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(refuseWhenAway)
  let broken: Error | undefined
  try {
    await client.query('begin').catch(refuseWhenAway)
    const answer = await work(txOf(client))
    const { command } = await client.query('commit').catch(refuseWhenAway)
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    return answer
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function txOf(client: pg.PoolClient): Tx {
  let depth = 0
  return {
    ...readerOf((statement) => run(client, statement)),
    run: async (statement) => (await run(client, statement)).rowCount ?? 0,
    async savepoint(work) {
      const name = `s${++depth}`
      await client.query(`savepoint ${name}`)
      try {
        const answer = await work()
        await client.query(`release savepoint ${name}`)
        return answer
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`)
        throw error
      }
    },
  }
}

function readerOf(execute: (statement: Sql) => Promise<pg.QueryArrayResult>): Reader {
  const query = async <R>(statement: Sql) => objectsOf<R>(await execute(statement))
  return { query, one: async <R>(statement: Sql) => (await query<R>(statement))[0] }
}

function run(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<pg.QueryArrayResult> {
  return client
    .query({ name: statement.name, text: statement.text, values: statement.values, rowMode: 'array' })
    .catch(refuseWhenAway)
}

/** Rows as objects, their names turned from snake_case to camelCase: the only place where that happens. */
function objectsOf<R>(result: pg.QueryArrayResult): R[] {
  const names = result.fields.map((field) => camelCase(field.name))
  return result.rows.map((values) => {
    const row: Row = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]
    return row as R
  })
}

const camelNames = new Map<string, string>()

function camelCase(name: string): string {
  let camel = camelNames.get(name)
  if (!camel) {
    camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, camel)
  }
  return camel
}

const awayErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '08006',
  '08001',
  '08003',
])

/** A database that is away, full or too slow is a 503 that is safe to retry; anything else is passed on. */
function refuseWhenAway(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  if (awayErrors.has(codeOf(error)) || /timeout exceeded|Connection terminated|connection error/i.test(message))
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '1' } })
  throw error
}

/** The SQLSTATE or system code of an error, or `''`. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

/** The constraint that a failed statement violated, or `undefined`. */
export function violatedConstraint(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === '23505' || code === '23514' ? (error as { constraint?: string }).constraint : undefined
}

const reconnectDelayMs = 500

class Listener {
  #client: pg.Client | undefined
  #closed = false
  readonly settings: pg.ClientConfig
  readonly channel: string
  readonly heard: (payload: string | undefined) => void

  constructor(settings: pg.ClientConfig, channel: string, heard: (payload: string | undefined) => void) {
    this.settings = settings
    this.channel = channel
    this.heard = heard
  }

  async connect(): Promise<void> {
    const client = new pg.Client(this.settings)
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', (notification) => this.heard(notification.payload))
    this.#client = client
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(this.channel)}`)
    this.heard(undefined)
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    setTimeout(() => {
      if (!this.#closed) this.connect().catch(() => this.#reconnect(this.#client!))
    }, reconnectDelayMs).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end()
  }
}
