import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { type Database, openPool } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { enqueueDue, type JobPayload } from './queue.ts'

/** What happens later: a name and what to do. Jobs run at least once, so each tolerates running again. */
export type Jobs = Record<string, (payload: JobPayload) => Promise<void>>
/** Jobs of the machine's calendar, in cron form: `{ '0 * * * *': 'idempotency-keys.forget' }`. */
export type Calendar = Record<string, string>

export type Worker = { stop(): Promise<void> }

const sweepEveryMs = 200
const recoverEveryMs = 2_000
const reconnectDelayMs = 500
const endingLimitMs = 2_000
const alivenessLock = 715_002

/** Brings the queue's own tables to the version of its library. */
export async function migrateQueue(connection: pg.ClientConfig): Promise<void> {
  const pool = openPool({ ...connection, max: 1 }, () => {})
  try {
    await runMigrations({ pgPool: pool, logger: quiet })
  } finally {
    await pool.end()
  }
}

type Options = { concurrency: number; log: Log; metrics: Metrics }

export async function startWorker(
  db: Database,
  connection: pg.ClientConfig,
  jobs: Jobs,
  calendar: Calendar,
  options: Options,
): Promise<Worker> {
  const { log } = options
  const stopRunning = await keepRunning(log, () => openRunner(db, connection, jobs, calendar, options))
  const stopSweep = repeat(sweepEveryMs, log, () => db.transaction((tx) => enqueueDue(tx, new Date())))
  const stopRecovery = repeat(recoverEveryMs, log, () => recoverAbandoned(db))
  return {
    async stop() {
      await Promise.all([stopSweep(), stopRecovery()])
      await stopRunning()
    },
  }
}

type Running = { lost: Promise<unknown>; stop(): Promise<void> }

/**
 * Replaces the library's runner whenever it loses the database. It gives up by itself when it could not record a
 * job's end or a minute of the calendar; and when it could not ask for a job it may have been given one without
 * hearing of it, or go on failing for ever. The old one ends its jobs beside the new one; what it still holds then is
 * recovered as a dead worker's.
 */
async function keepRunning(log: Log, open: () => Promise<Running>): Promise<() => Promise<void>> {
  const stop = Promise.withResolvers<'stop'>()
  const openAgain = async (): Promise<Running | 'stop'> =>
    open().catch(async (err) => {
      log.error({ err }, 'the queue could not be started again')
      return (await Promise.race([stop.promise, sleep(reconnectDelayMs)])) ?? openAgain()
    })
  const loop = async (first: Running) => {
    const ending = new Set<Promise<void>>()
    for (let running: Running | 'stop' = first; running !== 'stop'; ) {
      const asked: unknown = await Promise.race([stop.promise, running.lost])
      const end = running.stop().finally(() => ending.delete(end))
      ending.add(end)
      if (asked === 'stop') break
      log.warn('the queue lost the database and is started again')
      running = await openAgain()
    }
    await Promise.all(ending)
  }
  const ended = loop(await open())
  return () => {
    stop.resolve('stop')
    return ended
  }
}

async function openRunner(
  db: Database,
  connection: pg.ClientConfig,
  jobs: Jobs,
  calendar: Calendar,
  { concurrency, log, metrics }: Options,
): Promise<Running> {
  const alive = new Aliveness(connection)
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => void alive.show(workerPool.id).catch((err) => log.error({ err }, 'aliveness')))
  events.on('job:error', ({ job, error }) =>
    log.error({ job: job.task_identifier, jobId: job.id, attempt: job.attempts, err: error }, 'job failed'),
  )
  const failed = new Promise<void>((resolve) => {
    for (const event of ['worker:getJob:error', 'pool:fatalError'] as const) events.once(event, () => resolve())
  })
  const working = new Set<unknown>()
  events.on('job:start', ({ job }) => working.add(job.id))
  events.on('job:complete', ({ job }) => working.delete(job.id))
  const runner = await run({
    pgPool: releasedOnce(db.pool),
    taskList: mapJobs(jobs, metrics),
    parsedCronItems: parseCronItems(Object.entries(calendar).map(([match, task]) => ({ match, task }))),
    noHandleSignals: true,
    logger: quiet,
    events,
    // Without batches the library leaves a job's end that fails to be recorded as an unhandled rejection.
    preset: { worker: { concurrentJobs: concurrency, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }).catch(async (error) => {
    await alive.end()
    throw error
  })
  const ended = runner.promise.catch(() => {})
  return {
    lost: Promise.race([failed, ended]),
    async stop() {
      // Refuses when it has stopped by itself; and never ends when two jobs' ends could not be recorded.
      const stopped = runner.stop().then(
        () => ended,
        () => ended,
      )
      let look: NodeJS.Timeout | undefined
      const isQuiet = new Promise<void>((resolve) => {
        look = setInterval(() => working.size === 0 && resolve(), endingLimitMs)
      })
      await Promise.race([stopped, isQuiet])
      clearInterval(look)
      await alive.end()
    },
  }
}

/**
 * The pool as the library may use it: when the database goes away while it stops, it gives its listening connection
 * back twice, which the pool answers with an error that nobody would catch.
 */
function releasedOnce(pool: pg.Pool): pg.Pool {
  type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>
  const connect = (listener?: (...connected: Connected) => void) => {
    if (!listener) return pool.connect()
    return pool.connect((error, client, release) => {
      let isReleased = false
      listener(error, client, (failure) => {
        if (!isReleased) release(failure)
        isReleased = true
      })
    })
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function mapJobs(jobs: Jobs, metrics: Metrics): TaskList {
  const timed = Object.entries(jobs).map(([name, work]) => [
    name,
    async (payload: unknown) => {
      const end = metrics.jobs.startTimer({ job: name })
      try {
        await work(payload as JobPayload)
        end({ outcome: 'done' })
      } catch (error) {
        end({ outcome: 'failed' })
        throw error
      }
    },
  ])
  return Object.fromEntries(timed)
}

const quiet = new Logger(() => () => {})

/**
 * Graphile Worker gives up on a job's owner only after four hours. Ours shows that it lives by holding an advisory
 * lock on a connection of its own: PostgreSQL drops the lock when the process dies, and whoever notices first
 * returns the dead one's jobs to the queue.
 */
class Aliveness {
  readonly connection: pg.ClientConfig
  #client: pg.Client | undefined
  #ended = false

  constructor(connection: pg.ClientConfig) {
    this.connection = connection
  }

  async show(poolId: string): Promise<void> {
    const client = new pg.Client(this.connection)
    this.#client = client
    const again = () => {
      if (this.#ended || this.#client !== client) return
      this.#client = undefined
      setTimeout(() => {
        // A connection that does not come to hold the lock is ended, and its end comes here again.
        if (!this.#ended) this.show(poolId).catch(() => this.#client?.end())
      }, reconnectDelayMs).unref()
    }
    client.on('error', again)
    client.on('end', again)
    await client.connect()
    await client.query('select pg_advisory_lock($1, hashtext($2))', [alivenessLock, poolId])
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#client?.end().catch(() => {})
  }
}

async function recoverAbandoned(db: Database): Promise<void> {
  // every space: the queue's own bookkeeping. The two seconds let a new owner take its lock first.
  await db.query(sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_at < now() - interval '2 seconds' and not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and classid = ${alivenessLock}::oid and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and objid = (hashtext(locked_by)::bigint & 4294967295)::oid)
    having count(*) > 0`)
}

/** Does `work` every `ms`, never twice at once, until stopped. A failure is logged and the next round comes. */
function repeat(ms: number, log: Log, work: () => Promise<unknown>): () => Promise<void> {
  let stopped = false
  let wake = () => {}
  const loop = async () => {
    while (!stopped) {
      await work().catch((err) => log.error({ err }, 'a periodic task failed'))
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, ms).unref()
      })
    }
  }
  const ended = loop()
  return () => {
    stopped = true
    wake()
    return ended
  }
}
