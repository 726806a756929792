import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, must } from '@pesewa/values'
import pg from 'pg'
import { currentSpan } from '../tracing/spans.ts'
import { createAdmission } from './admission.ts'
import { refuseIfUnavailable } from './failures.ts'
import { createListener } from './listener.ts'
import { objectsOf, type Row, types } from './rows.ts'
import { Sql, sql, statementSummary } from './sql.ts'
import { createWakes, type Heard, type Wakes } from './wakes.ts'

export type { Row } from './rows.ts'

/** Reads from the database, inside or outside a transaction. */
export type Reader = {
  /**
   * Runs a statement and returns its rows. Their type is that of the table columns spliced into the statement,
   * unless the caller specifies another type.
   */
  query<R = Row>(statement: Sql<R>): Promise<R[]>
  /** Returns the first row, or `undefined` if there is none. */
  one<R = Row>(statement: Sql<R>): Promise<R | undefined>
  /** Returns the first row of a statement that always returns one. */
  only<R = Row>(statement: Sql<R>): Promise<R>
}

/** An open transaction, required for writes. Make no network calls while it is open. */
export type Tx = Reader & {
  /** Runs a statement that writes, and returns the number of affected rows. */
  run(statement: Sql): Promise<number>
  /**
   * Sends a statement that writes, without waiting for its result, which saves a round trip. If it fails, the
   * transaction fails with its error. Later statements see what it has written. Its arrays must be encoded: if the
   * driver failed to encode a value, the transaction would commit without this statement.
   */
  send(statement: Sql): void
  /**
   * Collects rows. Right before the commit, they are written together with all other rows that were collected
   * for the same `write`.
   */
  gather<Row>(write: (rows: Row[]) => Sql, rows: Row[]): void
  /**
   * Wakes the listeners of a channel on every node after the commit. `about` identifies what is new on the
   * channel.
   */
  wake(channel: string, about?: string): void
  /**
   * Registers a callback for the end of the transaction. If the response to the commit is lost, the transaction
   * counts as not committed.
   */
  onEnd(ended: (hasCommitted: boolean) => void): void
}

/** Timeouts for statements and locks. Values longer than the defaults are ignored. */
export type Bounds = { lockTimeoutMs?: number; statementTimeoutMs?: number }

export type Database = Reader & {
  transaction<T>(work: (tx: Tx) => T | Promise<T>, bounds?: Bounds): Promise<T>
  /** Runs and commits one statement that writes, and retries it after a deadlock. */
  write(statement: Sql): Promise<void>
  /**
   * Returns a condition for a statement that is run by `write`. It is always true; from the moment it is evaluated,
   * the statement waits for locks only this long. A transaction with these bounds would take two more round trips.
   */
  limitLocks(bounds: Pick<Bounds, 'lockTimeoutMs'>): Sql
  /** Runs `work` on a single read-only snapshot, without a time limit. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>
  /** Opens the same read-only snapshot on several connections, and calls `work` once for each connection. */
  snapshots(count: number, work: (db: Reader) => Promise<void>): Promise<void>
  /** Runs `work` on behalf of this Space, within its share of the connections. */
  within<T>(spaceId: string, work: () => T): T
  /** Like `Tx.wake`, but takes effect immediately. Used for changes that have already been committed. */
  wake: Tx['wake']
  /**
   * Calls `heard` whenever a node wakes this channel, and calls it with `undefined` if a notification may have
   * been missed. Listeners must also poll, because notifications can be lost. Returns a function that
   * unsubscribes.
   */
  onWake(channel: string, heard: Heard): Promise<() => void>
  /** This node's number. While the node is alive, it holds the advisory lock (`alivenessLock`, `node`). */
  readonly node: number
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Connections that a node opens outside its pool. */
const connectionsBesidePool = 2

/** Returns the number of connections that a node needs at most. */
export const connectionsOf = ({ databasePoolSize }: { databasePoolSize: number }): number =>
  databasePoolSize + connectionsBesidePool

const maxNode = 2 ** 31 // highest node number
const statementTimeoutMs = 15_000
const lockTimeoutMs = 10_000 // time for which a statement waits for a lock

export function openDatabase(
  connection: pg.ClientConfig,
  options: {
    maxConnections: number
    statementTimeoutMs?: number
    lockTimeoutMs?: number
    onIdleError: (error: Error) => void
  },
): Database {
  const usual = {
    statementTimeoutMs: options.statementTimeoutMs ?? statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs ?? lockTimeoutMs,
  }
  const settings: pg.PoolConfig = {
    ...connection,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000, // time for which a statement waits for a connection from the pool
    idleTimeoutMillis: 60_000,
    statement_timeout: usual.statementTimeoutMs,
    lock_timeout: usual.lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    // A statement is sent without waiting for the response to the previous one.
    pipeline: true,
    application_name: 'pesewa',
  }
  let isClosing = false
  const pool = openPool(settings, (error) => {
    // `pool.end` does not wait until all connections are closed. Errors that occur after it are harmless.
    if (!isClosing) options.onIdleError(error)
  })
  const admission = createAdmission(options.maxConnections)
  const node = randomInt(1, maxNode)
  const wakes = createWakes(node, (payload) => listener.send(payload))
  const listener = createListener(settings, node, { heard: wakes.receive, opened: wakes.receiveAnything })

  return {
    node,
    pool,
    ...readerOf((statement) => admission.admit(() => run(pool, statement))),
    transaction: (work, bounds) =>
      admission.admit(() => transaction(pool, work, { begin: beginWith(bounds, usual), wake: wakes.wake })),
    async write(statement) {
      await admission.admit(() => retryDeadlocks(() => run(pool, statement)))
    },
    limitLocks: ({ lockTimeoutMs = Infinity }) =>
      lockTimeoutMs < usual.lockTimeoutMs
        ? // As a subquery, it is evaluated once, and not for each row.
          sql`(select set_config('lock_timeout', ${String(Math.trunc(lockTimeoutMs))}, true)) is not null`
        : sql`true`,
    snapshot: (work) => admission.admit(() => transactionOnce(pool, work, { begin: beginSnapshot })),
    snapshots: (count, work) => snapshots(pool, count, work),
    within: admission.within,
    wake: wakes.wake,
    async onWake(channel, heard) {
      const stop = wakes.on(channel, heard)
      await listener.open()
      return stop
    },
    async close() {
      isClosing = true
      await listener.close()
      await pool.end()
    },
  }
}

/** Opens a pool that survives the loss of any connection, idle or in use. */
function openPool(settings: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(settings)
  pool.on('error', onIdleError)
  pool.on('connect', (client) => {
    // If a connection is lost while it is in use, the running statement fails and reports the error.
    client.on('error', () => {})
    // See docs/decisions/0250-one-plan-per-statement.md.
    client.query('set plan_cache_mode = force_generic_plan').catch(() => {})
  })
  return pool
}

const deadlockOrSerialization = new Set(['40P01', '40001'])
const maxTries = 3 // attempts of a transaction after deadlocks
const retryDelayMs = 50

/** Runs `work` in one transaction and retries the transaction after a deadlock. */
const transaction = <T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  how: { begin: string; wake?: Wakes['wake'] },
): Promise<T> => retryDeadlocks(() => transactionOnce(pool, work, how))

/** Retries a transaction, after a short delay, if PostgreSQL rolled it back because of a deadlock. */
async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxTries || !deadlockOrSerialization.has(codeOf(error))) throw error
      // Without the delay, the retry would acquire its first lock again before the surviving transaction wakes
      // up, and the two would deadlock again.
      await sleep(retryDelayMs * (attempt - Math.random() / 2))
    }
  }
}

async function transactionOnce<T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  { begin = plainBegin, wake = () => {} }: { begin?: string; wake?: Wakes['wake'] },
): Promise<T> {
  const client = await pool.connect().catch(refuseIfUnavailable)
  const woken: Parameters<Wakes['wake']>[] = []
  const ends: ((hasCommitted: boolean) => void)[] = []
  const gathered: Gathered = new Map()
  const sent: Promise<unknown>[] = []
  const send = (statement: Sql) => {
    assertEncoded(statement)
    const running = run(client, statement)
    sent.push(running)
    // The failure is reported below. This line prevents an unhandled rejection.
    running.catch(() => {})
  }
  let broken: Error | undefined
  let hasCommitted = false
  try {
    await client.query(begin).catch(refuseIfUnavailable)
    const answer = await work(
      txOf(client, {
        wake: (...what) => void woken.push(what),
        onEnd: (ended) => void ends.push(ended),
        send,
        gathered,
      }),
    )
    for (const statement of [...gathered].map(([write, rows]) => write(rows))) send(statement)
    // Sent behind the writes without waiting for them. If one of them fails, PostgreSQL rolls back instead.
    const committing = client.query('commit').catch(refuseIfUnavailable)
    const span = currentSpan()?.child({ name: 'commit' })
    const { command } = await (span ? span.until(committing) : committing)
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    hasCommitted = true
    for (const what of woken) wake(...what)
    return answer
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw (await firstFailure(sent)) ?? error
  } finally {
    client.release(broken)
    for (const ended of ends) ended(hasCommitted)
  }
}

/** Throws if a value would be encoded only while it is sent, which can fail. */
function assertEncoded({ values }: Sql): void {
  for (const value of values)
    assert.ok(
      typeof value !== 'object' || value === null || Buffer.isBuffer(value) || value instanceof Date,
      'a value of a statement that is sent without waiting must be encoded',
    )
}

async function firstFailure(sent: Promise<unknown>[]): Promise<unknown> {
  return (await Promise.allSettled(sent)).find((one) => one.status === 'rejected')?.reason
}

const plainBegin = 'begin'

/**
 * Returns one query string that begins a transaction and sets its timeouts. Timeouts longer than the defaults
 * are ignored.
 */
const beginWith = (
  { lockTimeoutMs = Infinity, statementTimeoutMs = Infinity }: Bounds = {},
  usual: Required<Bounds>,
) =>
  [
    plainBegin,
    ...(lockTimeoutMs < usual.lockTimeoutMs ? [`set local lock_timeout = ${Math.trunc(lockTimeoutMs)}`] : []),
    ...(statementTimeoutMs < usual.statementTimeoutMs
      ? [`set local statement_timeout = ${Math.trunc(statementTimeoutMs)}`]
      : []),
  ].join('; ')

const beginSnapshot = 'begin isolation level repeatable read, read only'

/**
 * Runs `work` in several transactions that share a snapshot. The first transaction exports the snapshot and
 * stays open until the others have adopted it. Each transaction ends when its own work is done, because waiting
 * for the others could exceed the idle timeout.
 */
async function snapshots(pool: pg.Pool, count: number, work: (db: Reader) => Promise<void>): Promise<void> {
  const ends: Promise<void>[] = []
  await transactionOnce(
    pool,
    async (first) => {
      const { id } = await first.only<{ id: string }>(sql`select pg_export_snapshot() as id`)
      const others = Array.from({ length: count - 1 }, () => {
        const adopted = Promise.withResolvers<void>()
        const ended = transactionOnce(
          pool,
          async (other) => {
            // `set transaction snapshot` accepts no parameters. The ids of PostgreSQL's snapshots contain only
            // hexadecimal digits and hyphens.
            await other.run(new Sql(`set transaction snapshot '${id}'`, []))
            adopted.resolve()
            await work(other)
          },
          { begin: beginSnapshot },
        )
        // The promise is awaited below. This line prevents an unhandled rejection if the first transaction
        // fails before that.
        ended.catch(() => {})
        ends.push(ended)
        return Promise.race([adopted.promise, ended])
      })
      await Promise.all(others)
      await work(first)
    },
    { begin: beginSnapshot },
  )
  await Promise.all(ends)
}

type Gathered = Map<(rows: never[]) => Sql, never[]>

function txOf(
  client: pg.PoolClient,
  { gathered, ...hooks }: Pick<Tx, 'wake' | 'onEnd' | 'send'> & { gathered: Gathered },
): Tx {
  return {
    ...hooks,
    gather(write, rows) {
      const batch = gathered.get(write) ?? []
      gathered.set(write, batch)
      // All rows collected for one `write` have the type that this function accepts.
      for (const row of rows) batch.push(row as never)
    },
    ...readerOf((statement) => run(client, statement)),
    run: async (statement) => (await run(client, statement)).rowCount ?? 0,
  }
}

function readerOf(execute: (statement: Sql) => Promise<pg.QueryArrayResult>): Reader {
  const query = async <R>(statement: Sql) => objectsOf<R>(await execute(statement))
  const one = async <R>(statement: Sql) => (await query<R>(statement))[0]
  return { query, one, only: async <R>(statement: Sql) => must(await one<R>(statement), 'row') }
}

const named = ({ name }: Sql) => (name === undefined ? {} : { name })

function run(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<pg.QueryArrayResult> {
  const running = client
    .query({ ...named(statement), text: statement.text, values: statement.values, rowMode: 'array', types })
    .catch(refuseIfUnavailable)
  const by = currentSpan()
  if (!by) return running
  const summary = statementSummary(statement.text)
  const span = by.child({ name: summary, kind: 'client', attributes: { statement: summary } })
  return span ? span.until(running) : running
}
