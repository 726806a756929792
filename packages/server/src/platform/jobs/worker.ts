import type { Clock } from '../clock.ts'
import type { ClockWatch } from '../clock-watch.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Rounds, repeat, startRounds } from '../repeat.ts'
import type { Tracing } from '../trace-export/tracing.ts'
import { createRecovery } from './aliveness.ts'
import { type Calendar, planCalendar, planNext } from './calendar.ts'
import * as store from './job-store.ts'
import { jobsChannel, pollEveryMs } from './queue.ts'
import { createRunner, type Jobs, type Runner, timeJobs } from './runner.ts'

export type Worker = { stop(): Promise<void> }

type WorkerOptions = {
  concurrency: number
  clock: Clock
  clockWatch: Pick<ClockWatch, 'isWrong'>
  log: Log
  metrics: Metrics
  tracing?: Tracing | undefined
}

/** Jobs that are enqueued within this time are claimed together. */
const pollGapMs = 10
const recoverEveryMs = 3_000

/** Claims and runs jobs, several at a time, until it is stopped. */
export async function startWorker(
  db: Database,
  untimed: Jobs,
  calendar: Calendar,
  { concurrency, clock, clockWatch, log, metrics, tracing }: WorkerOptions,
): Promise<Worker> {
  const jobs = timeJobs(untimed, metrics)
  let rounds: Rounds | undefined
  const wake = () => rounds?.wake()
  const runner = createRunner(jobs, {
    db,
    concurrency,
    log,
    tracing,
    done: (job) => planNext(db, calendar, job),
    ended: () => poll.mayBeMore() && wake(),
  })
  const poll = createPoll({ db, clock, clockWatch, runner, concurrency, names: Object.keys(jobs) })
  await planCalendar(db, calendar, new Date())
  // From now on, other nodes can see that this node is alive. It must not claim any jobs before that.
  const stopHearing = await db.onWake(jobsChannel, wake)
  clock.onMoved(wake)
  rounds = startRounds({ everyMs: pollEveryMs, gapMs: pollGapMs, log }, poll.round)
  const stopRecovery = repeat(recoverEveryMs, log, createRecovery(db))
  return {
    async stop() {
      stopHearing()
      // The runner must stop starting jobs immediately, because waiting for the current round may take a while.
      runner.stopStarting()
      await Promise.all([rounds.stop(), stopRecovery()])
      await runner.settled()
    },
  }
}

type PollOptions = Pick<WorkerOptions, 'clock' | 'clockWatch' | 'concurrency'> & {
  db: Database
  runner: Runner
  names: string[]
}

/** Maximum number of jobs of one Space that are claimed together to run in order. */
const maxInOrder = 50 // jobs of a Space with a moved clock that are claimed together
const maxStrays = 1_000 // jobs from a failed claim that are released in one poll

/**
 * Reads the due jobs without locking them, then claims them with statements that refer to specific rows or to
 * one Space.
 */
function createPoll({ db, clock, clockWatch, runner, concurrency, names }: PollOptions) {
  let mayBeMore = true
  let hasFailed = false
  // Besides the running jobs, the node claims as many waiting ones, so that they, too, can be claimed in
  // batches.
  const room = () => 2 * concurrency - runner.unfinished() // claimed but unfinished jobs: twice `JOB_CONCURRENCY`
  const runEach = (jobs: store.ClaimedJob[]) => {
    for (const job of jobs) runner.run([job])
  }

  async function claimDue(due: store.DueJob[]): Promise<void> {
    const single = due.filter(({ line }) => line === null)
    if (single.length > 0) runEach(await store.claimJobs(db, db.node, single))
    for (const job of firstOfLines(due)) runner.run(await store.claimInLine(db, db.node, job))
  }

  async function claimMoved({ spaceId, timing }: store.MovedWork): Promise<void> {
    const due = { spaceId, names, now: clock.now({ spaceId, environment: 'test' }) }
    if (timing === 'in_order')
      runner.run(await store.claimInOrder(db, db.node, { ...due, limit: maxInOrder }))
    else runEach(await store.claimOfSpace(db, db.node, { ...due, limit: room() }))
  }

  /** Releases jobs that were claimed even though the claim seemed to fail. */
  async function returnStrays(): Promise<void> {
    const claimed = await store.selectClaimed(db, db.node, maxStrays)
    const strays = claimed.filter(({ id }) => !runner.holds(id))
    if (strays.length > 0) await store.releaseJobs(db, db.node, strays)
  }

  return {
    mayBeMore: () => mayBeMore && room() >= concurrency,
    /**
     * Claims due jobs. Returns the number of milliseconds until the next job is due, or `true` if more jobs are
     * due now.
     */
    async round(): Promise<number | true> {
      // If its clock is wrong, this node would misjudge which jobs are due and write wrong times. Other nodes
      // take over its work.
      mayBeMore = !clockWatch.isWrong()
      if (!mayBeMore) return pollEveryMs
      const limit = room()
      if (limit < concurrency) return pollEveryMs
      if (hasFailed) await returnStrays()
      hasFailed = true
      const horizon = { names, now: new Date(), horizonMs: pollEveryMs }
      const moved = clock.moved()
      const jobs = await store.selectDueJobs(db, horizon, moved, limit)
      const due = jobs.filter(isDue)
      await claimDue(due)
      const movedWork = moved.length > 0 ? await store.selectMovedWork(db, horizon, moved) : []
      for (const work of movedWork.filter(isDue)) if (room() > 0) await claimMoved(work)
      hasFailed = false
      mayBeMore = due.length === limit || due.some(({ line }) => line !== null) || movedWork.some(isDue)
      if (due.length === limit && room() >= concurrency) return true
      const later = [...jobs, ...movedWork].filter((one) => !isDue(one))
      return Math.min(pollEveryMs, ...later.map(({ waitMs }) => waitMs))
    },
  }
}

const isDue = ({ waitMs }: { waitMs: number }) => waitMs <= 0

const firstOfLines = (due: store.DueJob[]): store.DueJob[] =>
  [...Map.groupBy(due, ({ line }) => line)].flatMap(([line, jobs]) => (line === null ? [] : jobs.slice(0, 1)))
