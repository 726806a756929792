import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, must } from '@pesewa/values'
import pg from 'pg'
import { Refusal } from '../refusals.ts'
import { currentSpan } from '../tracing/spans.ts'
import { createAdmission } from './admission.ts'
import { type Encryption, KeyedValue, MissingKeysError, withKeys, withoutKeyedValues } from './encryption.ts'
import { refuseIfUnavailable } from './failures.ts'
import { createListener } from './listener.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { objectsOf, type Row, types } from './rows.ts'
import {
  type Connection,
  createClient,
  destroy,
  PrimaryClient,
  StaleServerError,
  sessionOf,
} from './servers.ts'
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

/** An open transaction, at home or in a cell. Make no network calls while it is open. */
export type AnyTx = Reader & {
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

declare const place: unique symbol

/** A transaction in the cell of the Spaces that it writes. It may read home's tables, but not write or lock them. */
export type Tx = AnyTx & { readonly [place]: 'cell' }

/**
 * A transaction at home, where users, Spaces and everything else is written that is not part of one Space's business. It does
 * not read or write what belongs to cells. See docs/decisions/0261-home-and-cells.md.
 */
export type HomeTx = AnyTx & { readonly [place]: 'home' }

/** Timeouts for statements and locks. Values longer than the defaults are ignored. */
export type Bounds = { lockTimeoutMs?: number; statementTimeoutMs?: number }

/** A database whose transactions are of the type `T`. */
export type DatabaseOf<T extends AnyTx> = Reader & {
  /** Reads from the primary, even within `fromReplicas`. Needed for what only the primary knows, such as its locks. */
  readonly primary: Reader
  /**
   * Runs `work`, whose reads outside transactions replicas may answer. Each read sees everything that was committed
   * before it, on any node. Without replicas, or if none has caught up, the primary answers.
   */
  fromReplicas<Result>(work: () => Result): Result
  /** The replicas that are configured; `undefined` if there are none. */
  readonly replicas: Pick<Replicas, 'counts' | 'states'> | undefined
  transaction<Result>(work: (tx: T) => Result | Promise<Result>, bounds?: Bounds): Promise<Result>
  /** Runs and commits one statement that writes, and retries it after a deadlock. */
  write(statement: Sql): Promise<void>
  /**
   * Returns a condition for a statement that is run by `write`. It is always true; from the moment it is evaluated,
   * the statement waits for locks only this long. A transaction with these bounds would take two more round trips.
   */
  limitLocks(bounds: Pick<Bounds, 'lockTimeoutMs'>): Sql
  /** Runs `work` on a single read-only snapshot, without a time limit. */
  snapshot<Result>(work: (db: Reader) => Promise<Result>): Promise<Result>
  /**
   * Opens the same read-only snapshot on several connections, and calls the work that `open` returns once for each
   * connection. `open` is called again if a replica fails.
   */
  snapshots(count: number, open: () => (db: Reader) => Promise<void>): Promise<void>
  /**
   * Runs `work` unless another node is running it with the same lock. PostgreSQL releases the lock if the node dies.
   */
  alone(lock: number, work: () => Promise<void>): Promise<void>
  /** Runs `work` on behalf of this Space, within its share of the connections. */
  within<Result>(spaceId: string, work: () => Result): Result
  /** Like `Tx.wake`, but takes effect immediately. Used for changes that have already been committed. */
  wake: AnyTx['wake']
  /**
   * Calls `heard` whenever a node wakes this channel, and calls it with `undefined` if a notification may have
   * been missed. Listeners must also poll, because notifications can be lost. Returns a function that
   * unsubscribes.
   */
  onWake(channel: string, heard: Heard): Promise<() => void>
  /** Encrypts personal data; `undefined` if the database was opened without its keys. */
  readonly encryption: Encryption | undefined
  /** This node's number. While the node is alive, it holds the advisory lock (`alivenessLock`, `node`). */
  readonly node: number
  readonly pool: pg.Pool
  close(): Promise<void>
}

export type Database = DatabaseOf<Tx>
export type HomeDatabase = DatabaseOf<HomeTx>

/** Returns home, which is the same database as the only cell. */
export function homeOf(db: Database): HomeDatabase {
  // The two types differ only in what their transactions may write.
  return db as unknown as HomeDatabase
}

/** Connections that a node opens outside its pool. */
const connectionsBesidePool = 2

/** Returns the number of connections to PostgreSQL that a node needs at most, besides those of a pooler. */
export const connectionsOf = ({
  databasePoolSize,
  databaseSessionUrl,
}: {
  databasePoolSize: number
  databaseSessionUrl?: string | undefined
}): number => (databaseSessionUrl === undefined ? databasePoolSize : 0) + connectionsBesidePool

const longWaitMs = 5_000 // time for which a long read waits for a replica to catch up
const maxNode = 2 ** 31 // highest node number
const statementTimeoutMs = 15_000
const lockTimeoutMs = 10_000 // time for which a statement waits for a lock
/**
 * Time for which a commit is awaited. PostgreSQL's own time limits do not apply to a commit that waits for a
 * synchronous standby.
 */
const commitLimitMs = 20_000
const idleTransactionTimeoutMs = 30_000
const planCacheMode = 'force_generic_plan' // see docs/decisions/0250-one-plan-per-statement.md

/**
 * The settings of our connections, as PostgreSQL shows them. Behind a transaction pooler, the database user must have them, because a client of
 * the pooler cannot set them. See docs/decisions/0012-nodes-coordinate-through-postgres.md.
 */
export const connectionSettings = {
  statement_timeout: `${statementTimeoutMs / 1_000}s`,
  lock_timeout: `${lockTimeoutMs / 1_000}s`,
  idle_in_transaction_session_timeout: `${idleTransactionTimeoutMs / 1_000}s`,
  plan_cache_mode: planCacheMode,
}

export function openDatabase(
  connection: Connection,
  options: {
    maxConnections: number
    statementTimeoutMs?: number
    lockTimeoutMs?: number
    commitLimitMs?: number
    /** Without it, statements that read or write encrypted columns fail. */
    encryption?: Encryption
    onIdleError: (error: Error) => void
  },
): Database {
  const { encryption } = options
  const usual = {
    statementTimeoutMs: options.statementTimeoutMs ?? statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs ?? lockTimeoutMs,
    commitLimitMs: options.commitLimitMs ?? commitLimitMs,
  }
  const common: pg.PoolConfig = {
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000, // time for which a statement waits for a connection from the pool
    idleTimeoutMillis: 60_000,
    // A statement is sent without waiting for the response to the previous one.
    pipeline: true,
    application_name: 'pesewa',
  }
  const limits: pg.ClientConfig = {
    statement_timeout: usual.statementTimeoutMs,
    lock_timeout: usual.lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  }
  let isClosing = false
  const open = (settings: pg.PoolConfig & Connection) =>
    openPool({ ...common, ...settings }, (error) => {
      // `pool.end` does not wait until all connections are closed. Errors that occur after it are harmless.
      if (!isClosing) options.onIdleError(error)
    })
  const pool = open({ ...connection, ...(!connection.session && limits) })
  const session = { ...sessionOf(connection), ...common, ...limits }
  const replicas =
    connection.replicas &&
    createReplicas(
      connection.replicas,
      // A server that has vanished does not limit its statements.
      (replica) => open({ ...limits, ...replica, query_timeout: 2 * usual.statementTimeoutMs }),
      // So that reads do not wait until the pool has a free connection.
      open({ ...sessionOf(connection), ...limits, max: 1 }),
    )
  const admission = createAdmission(options.maxConnections)
  const node = randomInt(1, maxNode)
  const wakes = createWakes(node, (payload) => listener.send(payload))
  const listener = createListener(session, node, { heard: wakes.receive, opened: wakes.receiveAnything })

  const primary = readerOf(encryption, (statement) => admission.admit(() => run(pool, statement)))
  const readAnywhere = (statement: Sql, from: Replicas) =>
    from.read(
      async (replica, check) => {
        const result = await run(replica, statement)
        check()
        return result
      },
      () => run(pool, statement),
    )

  return {
    node,
    pool,
    encryption,
    primary,
    replicas,
    fromReplicas: (work) => (replicas ? replicas.within(work) : work()),
    ...(replicas
      ? readerOf(encryption, (statement) =>
          admission.admit(() =>
            replicas.isReading() ? readAnywhere(statement, replicas) : run(pool, statement),
          ),
        )
      : primary),
    transaction: (work, bounds) =>
      admission.admit(() =>
        transaction(pool, work, { ...usual, encryption, begin: beginWith(bounds, usual), wake: wakes.wake }),
      ),
    async write(statement) {
      await sendWithKeys(statement, encryption, (ready) =>
        admission.admit(() => retryDeadlocks(() => confirmed(run(pool, ready), usual.commitLimitMs))),
      )
    },
    limitLocks: ({ lockTimeoutMs = Infinity }) =>
      lockTimeoutMs < usual.lockTimeoutMs
        ? // As a subquery, it is evaluated once, and not for each row.
          sql`(select set_config('lock_timeout', ${String(Math.trunc(lockTimeoutMs))}, true)) is not null`
        : sql`true`,
    snapshot: (work) =>
      admission.admit(() => {
        const how = { encryption, begin: beginSnapshot }
        const readPrimary = () => transactionOnce(pool, work, how)
        if (!replicas?.isReading()) return readPrimary()
        return replicas.read(
          (replica, check) => transactionOnce(replica, checked(check, work), how),
          readPrimary,
        )
      }),
    async snapshots(count, open) {
      const readPrimary = () => snapshots(pool, encryption, count, open())
      if (!replicas?.isReading()) return readPrimary()
      await replicas.read(
        (replica, check) => snapshots(replica, encryption, count, checked(check, open())),
        readPrimary,
        {
          waitMs: longWaitMs,
        },
      )
    },
    alone: (lock, work) => alone(session, lock, work),
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
      await Promise.all([pool.end(), replicas?.close()])
    },
  }
}

/** SQLSTATE of a statement that writes, on a server that has become a standby. */
const readOnlyState = '25006'

/** Calls `check` first, when the transaction has its connection. */
const checked =
  <T>(check: () => void, work: (db: Reader) => Promise<T>) =>
  (db: Reader): Promise<T> => {
    check()
    return work(db)
  }

/** Opens a pool that survives the loss of any connection, idle or in use. */
function openPool(settings: pg.PoolConfig & Connection, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...settings, ...(settings.servers && { Client: PrimaryClient }) })
  const idle = new Set<pg.PoolClient>()
  pool.on('error', onIdleError)
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => {
    if (!error) idle.add(client)
    // An address that used to lead to the primary leads to a standby now, and the other connections do, too.
    else if (codeOf(error) === readOnlyState) for (const other of idle) destroy(other)
  })
  pool.on('connect', (client) => {
    // If a connection is lost while it is in use, the running statement fails and reports the error.
    client.on('error', () => {})
    if (!settings.session) client.query(`set plan_cache_mode = ${planCacheMode}`).catch(() => {})
  })
  return pool
}

async function alone(session: Connection, lock: number, work: () => Promise<void>): Promise<void> {
  const client = createClient(session)
  // If the connection is lost, another node may begin. The work must allow for that.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_free', [lock])
    if (rows[0].is_free) await work()
  } catch (error) {
    refuseIfUnavailable(error)
  } finally {
    await client.end()
  }
}

const deadlockOrSerialization = new Set(['40P01', '40001'])
const maxTries = 3 // attempts of a transaction after deadlocks
const retryDelayMs = 50

/** Runs `work` in one transaction and retries the transaction after a deadlock. */
const transaction = <T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  how: Pick<TransactionOptions, 'begin' | 'wake' | 'commitLimitMs' | 'encryption'>,
): Promise<T> =>
  withKeys(how.encryption, () =>
    retryDeadlocks(() => transactionOnce(pool, work, { ...how, isRepeated: true })),
  )

type TransactionOptions = {
  begin?: string
  wake?: Wakes['wake']
  commitLimitMs?: number
  encryption: Encryption | undefined
  /** Whether the caller repeats the transaction if keys cannot be loaded within it. */
  isRepeated?: boolean
}

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

/** Opens or reuses a connection. If the known primary is one no more, the second attempt finds the new one. */
const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error) => {
    if (error instanceof StaleServerError) return pool.connect().catch(refuseIfUnavailable)
    return refuseIfUnavailable(error)
  })

async function transactionOnce<T>(
  pool: pg.Pool,
  work: (tx: Tx) => T | Promise<T>,
  {
    begin = plainBegin,
    wake = () => {},
    commitLimitMs: limitMs = commitLimitMs,
    encryption,
    isRepeated = false,
  }: TransactionOptions,
): Promise<T> {
  const client = await connect(pool)
  const woken: Parameters<Wakes['wake']>[] = []
  const ends: ((hasCommitted: boolean) => void)[] = []
  const gathered: Gathered = new Map()
  const sent: Promise<unknown>[] = []
  const send = (statement: Sql) => {
    assertEncoded(statement)
    // Throws if keys are missing. They are then loaded, and the transaction is repeated.
    const running = run(client, readyOf(statement, encryption))
    sent.push(running)
    // The failure is reported below. This line prevents an unhandled rejection.
    running.catch(() => {})
  }
  let broken: Error | undefined
  let hasCommitted = false
  let unconfirmed: Promise<unknown> | undefined
  try {
    await client.query(begin).catch(refuseIfUnavailable)
    const answer = await work(
      txOf(client, {
        wake: (...what) => void woken.push(what),
        onEnd: (ended) => void ends.push(ended),
        send,
        gathered,
        encryption,
        isInTransaction: isRepeated,
      }),
    )
    for (const statement of [...gathered].map(([write, rows]) => write(rows))) send(statement)
    // Sent behind the writes without waiting for them. If one of them fails, PostgreSQL rolls back instead.
    const committing = client.query('commit')
    unconfirmed = committing
    const confirming = confirmed(committing.catch(refuseIfUnavailable), limitMs)
    const span = currentSpan()?.child({ name: 'commit' })
    const { command } = await (span ? span.until(confirming) : confirming)
    unconfirmed = undefined
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    hasCommitted = true
    for (const what of woken) wake(...what)
    return answer
  } catch (error) {
    if (error instanceof UnconfirmedError) throw error
    unconfirmed = undefined
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    const failure = (await firstFailure(sent)) ?? error
    broken ??= readOnlyErrorOf(failure)
    throw failure
  } finally {
    // PostgreSQL cannot be made to forget a commit, so the connection is in use until the response arrives.
    if (unconfirmed)
      void unconfirmed.then(
        () => {
          client.release()
          for (const what of woken) wake(...what)
        },
        (error) => client.release(error),
      )
    else client.release(broken)
    for (const ended of ends) ended(hasCommitted)
  }
}

/**
 * Thrown if a commit was sent and is not confirmed. It may take effect at any time, so the same request must be
 * repeated with the same idempotency key.
 */
class UnconfirmedError extends Refusal {
  constructor() {
    super('service_unavailable', {
      headers: { 'retry-after': '1' },
      cause: new Error('the commit was not confirmed in time: is a synchronous standby missing?'),
    })
  }
}

/** Waits for the response to a commit. */
function confirmed<T>(committing: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new UnconfirmedError()), limitMs)
    committing.then(resolve, reject).finally(() => clearTimeout(limit))
  })
}

/** Throws if a value would be encoded only while it is sent, which can fail. */
function assertEncoded({ values }: Sql): void {
  for (const value of values)
    assert.ok(
      typeof value !== 'object' ||
        value === null ||
        Buffer.isBuffer(value) ||
        value instanceof Date ||
        value instanceof KeyedValue,
      'a value of a statement that is sent without waiting must be encoded',
    )
}

/** Returns the driver's error if a statement failed because the server is a standby. */
function readOnlyErrorOf(failure: unknown): Error | undefined {
  const error = failure instanceof Refusal ? failure.cause : failure
  return error instanceof Error && codeOf(error) === readOnlyState ? error : undefined
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
async function snapshots(
  pool: pg.Pool,
  encryption: Encryption | undefined,
  count: number,
  work: (db: Reader) => Promise<void>,
): Promise<void> {
  const how = { encryption, begin: beginSnapshot }
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
          how,
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
    how,
  )
  await Promise.all(ends)
}

type Gathered = Map<(rows: never[]) => Sql, never[]>

function txOf(
  client: pg.PoolClient,
  {
    gathered,
    encryption,
    isInTransaction,
    ...hooks
  }: Pick<Tx, 'wake' | 'onEnd' | 'send'> & {
    gathered: Gathered
    encryption: Encryption | undefined
    isInTransaction: boolean
  },
): Tx {
  const tx: AnyTx = {
    ...hooks,
    gather(write, rows) {
      const batch = gathered.get(write) ?? []
      gathered.set(write, batch)
      // All rows collected for one `write` have the type that this function accepts.
      for (const row of rows) batch.push(row as never)
    },
    ...readerOf(encryption, (statement) => run(client, statement), { isInTransaction }),
    run: async (statement) =>
      (await sendWithKeys(statement, encryption, (ready) => run(client, ready), { isInTransaction }))
        .rowCount ?? 0,
  }
  // Home and cells differ only in what they may write.
  return tx as Tx
}

function readerOf(
  encryption: Encryption | undefined,
  execute: (statement: Sql) => Promise<pg.QueryArrayResult>,
  options?: { isInTransaction?: boolean },
): Reader {
  const query = async <R>(statement: Sql) => {
    const result = await sendWithKeys(statement, encryption, execute, options)
    try {
      return objectsOf<R>(result, encryption)
    } catch (error) {
      if (!(error instanceof MissingKeysError)) throw error
      return withKeys(encryption, () => objectsOf<R>(result, encryption), options)
    }
  }
  const one = async <R>(statement: Sql) => (await query<R>(statement))[0]
  return { query, one, only: async <R>(statement: Sql) => must(await one<R>(statement), 'row') }
}

/** Sends a statement at once if its keys are in memory, so that statements keep their order; otherwise, loads them first. */
function sendWithKeys<T>(
  statement: Sql,
  encryption: Encryption | undefined,
  send: (ready: Sql) => Promise<T>,
  options?: { isInTransaction?: boolean },
): Promise<T> {
  try {
    return send(readyOf(statement, encryption))
  } catch (error) {
    if (!(error instanceof MissingKeysError) || !encryption) throw error
    const { spaceIds } = error
    return encryption
      .load(spaceIds, options)
      .then(() => withKeys(encryption, () => send(readyOf(statement, encryption)), options))
  }
}

const isReady = ({ values }: Sql) => !values.some((value) => value instanceof KeyedValue)

/** Returns the statement with the values that depend on keys. Throws a `MissingKeysError` if they are not in memory. */
const readyOf = (statement: Sql, encryption: Encryption | undefined): Sql =>
  isReady(statement) ? statement : new Sql(statement.text, withoutKeyedValues(statement.values, encryption))

const named = ({ name }: Sql) => (name === undefined ? {} : { name })

function run(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<pg.QueryArrayResult> {
  const { text, values } = statement
  const query = { ...named(statement), text, values, rowMode: 'array' as const, types }
  const running = client.query(query).catch((error) => {
    // Nothing was sent, so the next attempt connects to the new primary.
    if (error instanceof StaleServerError) return client.query(query).catch(refuseIfUnavailable)
    return refuseIfUnavailable(error)
  })
  const by = currentSpan()
  if (!by) return running
  const summary = statementSummary(statement.text)
  const span = by.child({ name: summary, kind: 'client', attributes: { statement: summary } })
  return span ? span.until(running) : running
}
