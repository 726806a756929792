import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Rounds, repeat, startRounds } from '../repeat.ts'
import { createRecovery } from './aliveness.ts'
import { type Calendar, planCalendar, planNext } from './calendar.ts'
import {
  type DueJob,
  giveBackJobs,
  selectDueJobs,
  selectMovedWork,
  selectTaken,
  takeInLine,
  takeInOrder,
  takeJobs,
  takeOfSpace,
} from './job-store.ts'
import { jobsChannel, lookEveryMs } from './queue.ts'
import { createRunner, type Jobs, type Runner, timeJobs } from './runner.ts'

export type Worker = { stop(): Promise<void> }

type WorkerOptions = { concurrency: number; clock: Clock; log: Log; metrics: Metrics }

/** What is enqueued meanwhile is taken together. */
const lookGapMs = 10
const recoverEveryMs = 3_000

/** Takes jobs and does them, some at once, until it is stopped. */
export async function startWorker(
  db: Database,
  given: Jobs,
  calendar: Calendar,
  { concurrency, clock, log, metrics }: WorkerOptions,
): Promise<Worker> {
  const jobs = timeJobs(given, metrics)
  let rounds: Rounds | undefined
  const wake = () => rounds?.wake()
  const runner = createRunner(jobs, {
    db,
    concurrency,
    log,
    done: (job) => planNext(db, calendar, job),
    ended: () => look.mayBeMore() && wake(),
  })
  const look = createLook({ db, clock, runner, concurrency, names: Object.keys(jobs) })
  await planCalendar(db, calendar, new Date())
  // From here on others see that this node lives; only then does it take anything.
  const stopHearing = await db.onWake(jobsChannel, wake)
  clock.onMoved(wake)
  rounds = startRounds({ everyMs: lookEveryMs, gapMs: lookGapMs, log }, look.round)
  const stopRecovery = repeat(recoverEveryMs, log, createRecovery(db))
  return {
    async stop() {
      stopHearing()
      // At once: a round that is under way may take a while to end.
      runner.beginNothing()
      await Promise.all([rounds.stop(), stopRecovery()])
      await runner.settled()
    },
  }
}

type LookParts = Pick<WorkerOptions, 'clock' | 'concurrency'> & {
  db: Database
  runner: Runner
  names: string[]
}

/** Jobs of one Space that are taken at once to be done one after the other. */
const maxInOrder = 50 // limit: jobs of a Space with a moved clock taken at once
const maxStrays = 1_000 // limit: jobs of Spaces with a moved clock that one look takes

/** Looks for what is due, which is a plain read, and takes it, by statements that name the rows or one Space. */
function createLook({ db, clock, runner, concurrency, names }: LookParts) {
  let mayBeMore = true
  let hasFailed = false
  // While some run as many wait for their turn, so that those are taken together, too.
  const room = () => 2 * concurrency - runner.inHand() // limit: jobs taken and not ended: twice `JOB_CONCURRENCY`

  async function takeDue(found: DueJob[]): Promise<void> {
    const single = found.filter(({ line }) => line === null)
    if (single.length > 0) for (const job of await takeJobs(db, db.node, single)) runner.run([job])
    for (const job of firstOfLines(found)) runner.run(await takeInLine(db, db.node, job))
  }

  async function takeMoved({ spaceId, timing }: { spaceId: string; timing: string }): Promise<void> {
    const wanted = { spaceId, names, now: clock.now({ spaceId, environment: 'test' }) }
    if (timing === 'in_order') runner.run(await takeInOrder(db, db.node, { ...wanted, limit: maxInOrder }))
    else for (const job of await takeOfSpace(db, db.node, { ...wanted, limit: room() })) runner.run([job])
  }

  /** What a take that failed may have taken all the same. */
  async function returnStrays(): Promise<void> {
    const strays = (await selectTaken(db, db.node, maxStrays)).filter(({ id }) => !runner.holds(id))
    if (strays.length > 0) await giveBackJobs(db, db.node, strays)
  }

  return {
    mayBeMore: () => mayBeMore && room() >= concurrency,
    /** Returns after how many milliseconds the next will be due; `true`: there is more. */
    async round(): Promise<number | true> {
      mayBeMore = true
      const limit = room()
      if (limit < concurrency) return lookEveryMs
      if (hasFailed) await returnStrays()
      hasFailed = true
      const wanted = { names, now: new Date(), horizonMs: lookEveryMs }
      const moved = clock.moved()
      const found = await selectDueJobs(db, wanted, moved, limit)
      const due = found.filter(isDue)
      await takeDue(due)
      const movedWork = moved.length > 0 ? await selectMovedWork(db, wanted, moved) : []
      for (const work of movedWork.filter(isDue)) if (room() > 0) await takeMoved(work)
      hasFailed = false
      mayBeMore = due.length === limit || due.some(({ line }) => line !== null) || movedWork.some(isDue)
      if (due.length === limit && room() >= concurrency) return true
      const waits = [...found, ...movedWork].filter((one) => !isDue(one)).map(({ waitMs }) => waitMs)
      return Math.min(lookEveryMs, ...waits)
    },
  }
}

const isDue = ({ waitMs }: { waitMs: number }) => waitMs <= 0

function firstOfLines(found: DueJob[]): DueJob[] {
  const firsts = new Map<string, DueJob>()
  for (const job of found) if (job.line !== null && !firsts.has(job.line)) firsts.set(job.line, job)
  return [...firsts.values()]
}
