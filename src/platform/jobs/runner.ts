import { setTimeout as sleep } from 'node:timers/promises'
import { createBatches } from '../batches.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { must } from '../must.ts'
import { createTurns } from '../turns.ts'
import { deleteJobs, type GivenBack, giveBackJobs, type TakenJob } from './job-store.ts'
import type { JobPayload } from './queue.ts'

/** What happens later: a name and what to do. Jobs run at least once, so each tolerates running again. */
export type Jobs = Record<string, (payload: JobPayload) => Promise<void>>

/** Does what this node has taken, some jobs at once, and keeps what became of each. */
export type Runner = {
  /** Does these one after the other. One that fails is tried again later, and the others go on. */
  run(taken: TakenJob[]): void
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
  /** After a job was done, before that is kept. */
  done(job: TakenJob): Promise<void>
  /** Something that was in hand has ended. */
  ended(): void
}

export function createRunner(jobs: Jobs, { db, concurrency, log, done, ended }: RunnerOptions): Runner {
  const inTurn = createTurns(concurrency)
  const inHand = new Map<TakenJob[], Promise<void>>()
  const ids = new Set<bigint>()
  const keep = createKeeping(db, log, () => isStopping)
  let isStopping = false

  async function runOne(taken: TakenJob): Promise<Result> {
    if (isStopping) return { place: taken, outcome: 'not begun' }
    try {
      await must(jobs[taken.job], 'job of that name')(taken.payload)
      await done(taken)
      return { place: taken, outcome: 'done' }
    } catch (err) {
      const { id, job, attempts } = taken
      log.error({ job, jobId: String(id), attempt: attempts + 1, err }, 'job failed')
      return { place: { ...taken, error: String(err) }, outcome: 'failed' }
    }
  }
  async function runEach(taken: TakenJob[]): Promise<void> {
    const kept: Promise<void>[] = []
    for (const one of taken) kept.push(keep(await runOne(one)))
    await Promise.all(kept)
  }
  return {
    run(taken) {
      if (taken.length === 0) return
      for (const { id } of taken) ids.add(id)
      const work = inTurn(() => runEach(taken)).finally(() => {
        for (const { id } of taken) ids.delete(id)
        inHand.delete(taken)
        ended()
      })
      inHand.set(taken, work)
    },
    inHand: () => inHand.size,
    holds: (id) => ids.has(id),
    beginNothing: () => {
      isStopping = true
    },
    settled: async () => void (await Promise.all(inHand.values())),
  }
}

type Result = { place: GivenBack; outcome: 'done' | 'failed' | 'not begun' }

const keepAgainMs = 500

/** Keeps what became of jobs, of all that end at about the same time together, and tries until it has. */
function createKeeping(db: Database, log: Log, isStopping: () => boolean): (result: Result) => Promise<void> {
  const batches = createBatches<Result, void>({
    run: async (results) => {
      const [done, back] = [results.filter(isDone), results.filter((result) => !isDone(result))]
      const placesOf = (some: Result[]) => some.map(({ place }) => place)
      if (done.length > 0) await deleteJobs(db, db.node, placesOf(done))
      if (back.length > 0) await giveBackJobs(db, db.node, placesOf(back))
      return results.map(() => ({ answer: undefined }))
    },
  })
  return async (result) => {
    for (let tries = 1; ; tries++)
      try {
        return await batches.submit('', result)
      } catch (err) {
        if (tries === 1) log.warn({ err }, 'the end of a job could not be kept, and is tried again')
        // Others find that this node has gone, and do it again.
        if (isStopping()) return
        await sleep(keepAgainMs, undefined, { ref: false })
      }
  }
}

const isDone = ({ outcome }: Result) => outcome === 'done'

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
