import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../errors.ts'
import { must } from '../must.ts'
import { createAdmission } from './admission.ts'
import { refuseWhenAway } from './failures.ts'
import { createListener } from './listener.ts'
import { objectsOf, type Row, types } from './rows.ts'
import { Sql, sql } from './sql.ts'
import { createWakes, type Heard, type Wakes } from './wakes.ts'

export type { Row } from './rows.ts'

/** What can be read from: the database itself, or an open transaction. */
export type Reader = {
  /** Rows are those of the tables whose columns are spliced in, unless a caller names others. */
  query<R = Row>(statement: Sql<R>): Promise<R[]>
  /** The first row, or `undefined`. */
  one<R = Row>(statement: Sql<R>): Promise<R | undefined>
  /** The one row of a statement that always has one. */
  only<R = Row>(statement: Sql<R>): Promise<R>
}

/** An open transaction. Whatever writes takes one; nothing talks to the network while it is open. */
export type Tx = Reader & {
  /** Runs a statement that writes, and returns how many rows it touched. */
  run(statement: Sql): Promise<number>
  /** Leaves these rows to be written right before the commit, in one statement with all others for the same `write`. */
  gather<Row>(write: (rows: Row[]) => Sql, rows: Row[]): void
  /** Wakes who waits for this channel, on every node, once the transaction has committed. `about`: what is new there. */
  wake(channel: string, about?: string): void
  /** Calls back once this transaction has ended. Of one whose commit got no answer nobody knows: that is no commit. */
  onEnd(ended: (hasCommitted: boolean) => void): void
}

/** How long a statement, and its wait for a lock, may take, where that is less than for everybody. */
export type Bounds = { lockTimeoutMs?: number; statementTimeoutMs?: number }

export type Database = Reader & {
  transaction<T>(work: (tx: Tx) => T | Promise<T>, bounds?: Bounds): Promise<T>
  /** One statement that writes, committed by itself. A deadlock's victim is run again. */
  write(statement: Sql, bounds?: Bounds): Promise<void>
  /** Reads as of one moment, however long it takes; nothing can be written. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>
  /** The same on several connections at once, all of which see one moment: `work` is called for each of them. */
  snapshots(count: number, work: (db: Reader) => Promise<void>): Promise<void>
  /** All that `work` does is done for this Space, which has its share of the connections and no more. */
  within<T>(spaceId: string, work: () => T): T
  /** The same at once: for what has been committed already. */
  wake: Tx['wake']
  /**
   * Calls back when this channel is woken, by this node or another, and with nothing when something may have been missed.
   * Whoever waits also polls: a notification may be lost. Returns how to stop that.
   */
  onWake(channel: string, heard: Heard): Promise<() => void>
  /** This node's number. While it lives it holds an advisory lock of that number, `alivenessLock`. */
  readonly node: number
  readonly pool: pg.Pool
  close(): Promise<void>
}

const maxNode = 2 ** 31 // limit: the number of a node
const statementTimeoutMs = 15_000 // limit: time that a statement takes
const lockTimeoutMs = 10_000 // limit: time that a statement waits for a lock

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
    connectionTimeoutMillis: 5_000, // limit: time to wait for a connection from the pool
    idleTimeoutMillis: 60_000,
    statement_timeout: usual.statementTimeoutMs,
    lock_timeout: usual.lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000, // limit: time that a transaction may be idle
    application_name: 'pesewa',
  }
  let isClosing = false
  const pool = openPool(settings, (error) => {
    // The pool's end does not wait for its connections to be gone; what happens to them then is no loss.
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
    async write(statement, bounds) {
      const begin = beginWith(bounds, usual)
      if (begin === plainBegin) await admission.admit(() => retryDeadlocks(() => run(pool, statement)))
      else await admission.admit(() => transaction(pool, (tx) => tx.run(statement), { begin }))
    },
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

/** A pool that survives the loss of any of its connections, idle or in use. */
function openPool(settings: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(settings)
  pool.on('error', onIdleError)
  // While a connection is in use its loss fails the statement under way, which reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const deadlockOrSerialization = new Set(['40P01', '40001'])
const maxTries = 3 // limit: runs of a transaction that is a deadlock’s victim
const retryDelayMs = 50

/** Runs `work` in one transaction: all of it commits, or none. A deadlock's victim is run again. */
const transaction = <T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  how: { begin: string; wake?: Wakes['wake'] },
): Promise<T> => retryDeadlocks(() => transactionOnce(pool, work, how))

/** Runs it again, a moment later, when PostgreSQL has undone it as the victim of a deadlock. */
async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxTries || !deadlockOrSerialization.has(codeOf(error))) throw error
      // At once, it would take its first lock again before the survivor has woken up, and be the victim again.
      await sleep(retryDelayMs * (attempt - Math.random() / 2))
    }
  }
}

async function transactionOnce<T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  { begin = plainBegin, wake = () => {} }: { begin?: string; wake?: Wakes['wake'] },
): Promise<T> {
  const client = await pool.connect().catch(refuseWhenAway)
  const woken: Parameters<Wakes['wake']>[] = []
  const ends: ((hasCommitted: boolean) => void)[] = []
  const gathered: Gathered = new Map()
  let broken: Error | undefined
  let hasCommitted = false
  try {
    await client.query(begin).catch(refuseWhenAway)
    const answer = await work(
      txOf(client, {
        wake: (...what) => void woken.push(what),
        onEnd: (ended) => void ends.push(ended),
        gathered,
      }),
    )
    for (const [write, rows] of gathered) await run(client, write(rows))
    const { command } = await client.query('commit').catch(refuseWhenAway)
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    hasCommitted = true
    for (const what of woken) wake(...what)
    return answer
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
    for (const ended of ends) ended(hasCommitted)
  }
}

const plainBegin = 'begin'

/** In one message. A bound that is longer than the usual one changes nothing. */
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
 * The first exports what it sees, and ends no sooner than the others have adopted it. Each ends with its own work: one
 * that waited for the others would be closed as idle.
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
            // No parameter may stand here; what PostgreSQL made has hexadecimal digits and hyphens.
            await other.run(new Sql(`set transaction snapshot '${id}'`, []))
            adopted.resolve()
            await work(other)
          },
          { begin: beginSnapshot },
        )
        // Heard below, also when the first fails before that.
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
  { gathered, ...hooks }: Pick<Tx, 'wake' | 'onEnd'> & { gathered: Gathered },
): Tx {
  return {
    ...hooks,
    gather(write, rows) {
      const batch = gathered.get(write) ?? []
      gathered.set(write, batch)
      // Of one `write`, all rows are those that it takes.
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
  return client
    .query({ ...named(statement), text: statement.text, values: statement.values, rowMode: 'array', types })
    .catch(refuseWhenAway)
}
