import { setTimeout as sleep } from 'node:timers/promises'
import { createBatches } from '../batches.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { must } from '../must.ts'
import { createSemaphore } from '../semaphore.ts'
import { type ClaimedJob, deleteJobs, type GivenBack, giveBackJobs } from './job-store.ts'
import type { JobPayload } from './queue.ts'

/** What happens later: a name and what to do. Jobs run at least once, so each tolerates running again. */
export type Jobs = Record<string, (payload: JobPayload) => Promise<void>>

/** Does what this node has claimed, some jobs at once, and records the outcome of each. */
export type Runner = {
  /** Does these one after the other. One that fails is tried again later, and the others go on. */
  run(claimed: ClaimedJob[]): void
  /** How many `run` has that have not ended: under way, or waiting for a turn. */
  inHand(): number
  holds(id: bigint): boolean
  /** From here on what has not begun is given back. */
  beginNothing(): void
  /** Waits for all that is in hand. */
  settled(): Promise<void>
}

type RunnerOptions = {
  db: Database
  concurrency: number
  log: Log
  /** After a job was done, before that is recorded. */
  done(job: ClaimedJob): Promise<void>
  /** Something that was in hand has ended. */
  ended(): void
}

export function createRunner(jobs: Jobs, { db, concurrency, log, done, ended }: RunnerOptions): Runner {
  const semaphore = createSemaphore(concurrency)
  const inHand = new Map<ClaimedJob[], Promise<void>>()
  const ids = new Set<bigint>()
  const record = createRecorder(db, log, () => isStopping)
  let isStopping = false

  async function runOne(job: ClaimedJob): Promise<Result> {
    if (isStopping) return { place: job, isDone: false }
    try {
      await must(jobs[job.job], 'job of that name')(job.payload)
      await done(job)
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
    inHand: () => inHand.size,
    holds: (id) => ids.has(id),
    beginNothing: () => {
      isStopping = true
    },
    settled: async () => void (await Promise.all(inHand.values())),
  }
}

type Result = { place: GivenBack; isDone: boolean }

const recordAgainMs = 500

/** Records how jobs ended, of all that end at about the same time together, and tries until it has. */
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
      if (back.length > 0) await giveBackJobs(db, db.node, back)
      return results.map(() => ({ answer: undefined }))
    },
  })
  return async (result) => {
    for (let tries = 1; ; tries++)
      try {
        return await batches.submit('', result)
      } catch (err) {
        if (tries === 1) log.warn({ err }, 'the end of a job could not be recorded, and is tried again')
        // Others find that this node has gone, and do it again.
        if (isStopping()) return
        await sleep(recordAgainMs, undefined, { ref: false })
      }
  }
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
