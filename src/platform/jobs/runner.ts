import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { type Database, openPool } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Aliveness } from './aliveness.ts'
import type { JobPayload } from './queue.ts'

/** What happens later: a name and what to do. Jobs run at least once, so each tolerates running again. */
export type Jobs = Record<string, (payload: JobPayload) => Promise<void>>
/** Jobs of the machine's calendar, in cron form: `{ '0 * * * *': 'idempotency-keys.forget' }`. */
export type Calendar = Record<string, string>

export type RunnerOptions = { concurrency: number; log: Log }

const reconnectDelayMs = 500
const endingLimitMs = 2_000

type Running = { lost: Promise<unknown>; stop(): Promise<void> }

/**
 * Replaces the library's runner whenever it loses the database. It gives up by itself when it could not record a
 * job's end or a minute of the calendar; and when it could not ask for a job it may have been given one without
 * hearing of it, or go on failing for ever. The old one ends its jobs beside the new one; what it still holds then is
 * recovered as a dead worker's.
 */
export async function keepRunning(log: Log, open: () => Promise<Running>): Promise<() => Promise<void>> {
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

export async function openRunner(
  db: Database,
  connection: pg.ClientConfig,
  jobs: Jobs,
  calendar: Calendar,
  { concurrency, log }: RunnerOptions,
): Promise<Running> {
  const alive = new Aliveness(connection)
  const events: WorkerEvents = new EventEmitter()
  events.on(
    'pool:create',
    ({ workerPool }) => void alive.show(workerPool.id).catch((err) => log.error({ err }, 'aliveness')),
  )
  events.on('job:error', ({ job, error }) =>
    log.error({ job: job.task_identifier, jobId: job.id, attempt: job.attempts, err: error }, 'job failed'),
  )
  const failed = new Promise<void>((resolve) => {
    for (const event of ['worker:getJob:error', 'pool:fatalError'] as const)
      events.once(event, () => resolve())
  })
  const working = new Set<unknown>()
  events.on('job:start', ({ job }) => working.add(job.id))
  events.on('job:complete', ({ job }) => working.delete(job.id))
  const runner = await run({
    pgPool: releasedOnce(db.pool),
    taskList: jobs as TaskList,
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

/** The same jobs, measured. */
export function timeJobs(jobs: Jobs, metrics: Metrics): Jobs {
  const timed = Object.entries(jobs).map(([name, work]) => [
    name,
    async (payload: JobPayload) => {
      const end = metrics.jobs.startTimer({ job: name })
      try {
        await work(payload)
        end({ outcome: 'done' })
      } catch (error) {
        end({ outcome: 'failed' })
        throw error
      }
    },
  ])
  return Object.fromEntries(timed)
}

/** Brings the queue's own tables to the version of its library. */
export async function migrateQueue(connection: pg.ClientConfig): Promise<void> {
  const pool = openPool({ ...connection, max: 1 }, () => {})
  try {
    await runMigrations({ pgPool: pool, logger: quiet })
  } finally {
    await pool.end()
  }
}

const quiet = new Logger(() => () => {})
