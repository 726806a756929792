import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import { createBatches } from '../batches.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createSemaphore } from '../semaphore.ts'
import type { Tracing } from '../trace-export/tracing.ts'
import { inTrace, type TraceStart } from '../tracing/spans.ts'
import { type ClaimedJob, deleteJobs, type ReleasedJob, releaseJobs } from './job-store.ts'
import type { JobPayload } from './queue.ts'

/** Background jobs by name. Each job runs at least once, so running it again must be harmless. */
export type Jobs = Record<string, (payload: JobPayload) => Promise<void>>

/** Runs the jobs that this node has claimed, several at a time, and records their outcomes. */
export type Runner = {
  /** Runs these jobs one after the other. If one fails, it is retried later, and the others still run. */
  run(claimed: ClaimedJob[]): void
  /** Returns the number of `run` calls that are still waiting or running. */
  unfinished(): number
  holds(id: bigint): boolean
  /** Stops starting jobs, and releases those that have not been started. */
  stopStarting(): void
  /** Resolves when all jobs have finished. */
  settled(): Promise<void>
}

type RunnerOptions = {
  db: Database
  concurrency: number
  log: Log
  tracing?: Tracing | undefined
  /** Called after a job has succeeded, before its outcome is recorded. */
  done(job: ClaimedJob): Promise<void>
  /** Called when a call to `run` has finished. */
  ended(): void
}

export function createRunner(
  jobs: Jobs,
  { db, concurrency, log, tracing, done, ended }: RunnerOptions,
): Runner {
  const semaphore = createSemaphore(concurrency)
  const inHand = new Map<ClaimedJob[], Promise<void>>()
  const ids = new Set<bigint>()
  const record = createRecorder(db, log, () => isStopping)
  let isStopping = false

  async function runOne(job: ClaimedJob): Promise<Result> {
    if (isStopping) return { place: job, isDone: false }
    try {
      // The trace is not a part of the job, and must not be passed on when the job schedules its successor.
      const { trace, ...payload } = job.payload
      await inTrace(
        tracing,
        () => traceStartOf(job, trace),
        async () => {
          await must(jobs[job.job], 'job of this name')(payload)
          await done(job)
        },
      )
      return { place: job, isDone: true }
    } catch (err) {
      log.error({ job: job.job, jobId: String(job.id), attempt: job.attempts + 1, err }, 'job failed')
      return { place: { ...job, error: String(err) }, isDone: false }
    }
  }
  async function runEach(claimed: ClaimedJob[]): Promise<void> {
    const recorded: Promise<void>[] = []
    for (const one of claimed) recorded.push(record(await runOne(one)))
    await Promise.all(recorded)
  }
  return {
    run(claimed) {
      if (claimed.length === 0) return
      for (const { id } of claimed) ids.add(id)
      const work = semaphore(() => runEach(claimed)).finally(() => {
        for (const { id } of claimed) ids.delete(id)
        inHand.delete(claimed)
        ended()
      })
      inHand.set(claimed, work)
    },
    unfinished: () => inHand.size,
    holds: (id) => ids.has(id),
    stopStarting: () => {
      isStopping = true
    },
    settled: async () => void (await Promise.all(inHand.values())),
  }
}

const traceStartOf = (
  { job, attempts, spaceId, environment }: ClaimedJob,
  parent: string | undefined,
): TraceStart => ({
  name: `job ${job}`,
  kind: 'consumer',
  parent,
  attributes: { job, attempt: attempts + 1, spaceId, environment },
})

type Result = { place: ReleasedJob; isDone: boolean }

const recordAgainMs = 500

/**
 * Returns a function that records the outcomes of jobs. Outcomes that arrive at the same time are recorded
 * together, and recording is retried until it succeeds.
 */
function createRecorder(
  db: Database,
  log: Log,
  isStopping: () => boolean,
): (result: Result) => Promise<void> {
  const batches = createBatches<Result, void>({
    run: async (results) => {
      const places = (isDone: boolean) =>
        results.filter((result) => result.isDone === isDone).map(({ place }) => place)
      const [done, back] = [places(true), places(false)]
      if (done.length > 0) await deleteJobs(db, db.node, done)
      if (back.length > 0) await releaseJobs(db, db.node, back)
      return results.map(() => ({ answer: undefined }))
    },
  })
  return async (result) => {
    for (let tries = 1; ; tries++)
      try {
        return await batches.submit('', result)
      } catch (err) {
        if (tries === 1) log.warn({ err }, "failed to record a job's outcome; retrying")
        // Other nodes will notice that this node is gone and run the job again.
        if (isStopping()) return
        await sleep(recordAgainMs, undefined, { ref: false })
      }
  }
}

/** Wraps jobs so that their durations are recorded as a metric. */
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
