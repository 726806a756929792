import { Gauge, type Registry } from 'prom-client'
import type { Database, Reader } from './db/database.ts'
import { sql } from './db/sql.ts'
import type { Log } from './log.ts'
import { repeat, type StopRepeating } from './repeat.ts'

/** Compares this node's clock with the database's clock, which all nodes share. */
export type ClockWatch = {
  /** Starts watching. Resolves after the first comparison, even if it failed. */
  start(): Promise<void>
  /** Returns false if the clocks differ by more than a second or have not been compared yet. */
  isCorrect(): boolean
  /**
   * Returns true if the watch has been started and the node must not begin any work, because it would write
   * incorrect times.
   */
  isWrong(): boolean
  stop(): Promise<void>
}

const judgeEveryMs = 1_000 // interval between checks of a node’s clock
/** The clock is compared with the database's on every fifth check. */
const judgedBetween = 5 // checks of a node’s clock per comparison with the database’s
const mostDifferenceMs = 1_000 // limit: difference between the clocks of a node and the database
/** A comparison that takes longer is too imprecise, so it does not replace the result of an earlier one. */
const longestMeasureMs = 2_000

/** The database's time at the moment when `performance.now()` was zero, accurate to within `uncertaintyMs`. */
type Anchor = { databaseMs: number; uncertaintyMs: number }

export function createClockWatch(
  db: Database,
  log: Log,
  registry: Registry,
  maxDifferenceMs = mostDifferenceMs,
): ClockWatch {
  let anchor: Anchor | undefined
  let wasSound = true
  let stopMeasuring: StopRepeating | undefined

  // Based on the monotonic clock, so that a change to the system clock is noticed immediately. If the machine
  // was suspended, this is noticed at the next check.
  const differenceMs = ({ databaseMs }: Anchor) => Date.now() - (databaseMs + performance.now())
  const isCorrect = () =>
    anchor !== undefined && Math.abs(differenceMs(anchor)) <= maxDifferenceMs + anchor.uncertaintyMs
  const measure = async () => {
    const measured = await measureOnce(db)
    if (!anchor || measured.uncertaintyMs * 2 <= longestMeasureMs) anchor = measured
  }
  const judge = () => {
    if (!anchor || isCorrect() === wasSound) return
    wasSound = !wasSound
    const differenceSeconds = differenceMs(anchor) / 1000
    if (wasSound)
      log.info(
        { differenceSeconds },
        'the clock is correct again; this node has resumed accepting changes and running jobs',
      )
    else log.error({ differenceSeconds }, wrongClock)
  }
  new Gauge({
    name: 'pesewa_clock_difference_seconds',
    help: 'Time by which the node’s clock is ahead of the database’s, negative if it is behind. If they differ by more than 1 second, the node stops accepting changes and running jobs.',
    aggregator: 'average',
    registers: [registry],
    collect() {
      if (anchor) this.set(differenceMs(anchor) / 1000)
    },
  })
  return {
    async start() {
      const first = Promise.withResolvers<void>()
      let judged = 0
      stopMeasuring = repeat(judgeEveryMs, log, async () => {
        if (judged++ % judgedBetween === 0) await measure().finally(first.resolve)
        judge()
      })
      await first.promise
    },
    isCorrect,
    isWrong: () => stopMeasuring !== undefined && !isCorrect(),
    stop: async () => stopMeasuring?.(),
  }
}

const wrongClock =
  'this node’s clock differs from the database’s by more than a second; this node has stopped accepting changes and running jobs'

/**
 * Measures by how many whole milliseconds this node's clock is ahead of the database's. The result is accurate
 * to within `uncertaintyMs`.
 */
export async function measureDifference(db: Reader): Promise<{ aheadMs: number; uncertaintyMs: number }> {
  const { databaseMs, uncertaintyMs } = await measureOnce(db)
  const aheadMs = Date.now() - (databaseMs + performance.now())
  return { aheadMs: Math.round(aheadMs), uncertaintyMs: Math.ceil(uncertaintyMs) }
}

async function measureOnce(db: Reader): Promise<Anchor> {
  const askedMs = performance.now()
  const { nowMs } = await db.only<{ nowMs: number }>(sql`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`)
  const answeredMs = performance.now()
  return {
    databaseMs: nowMs - (askedMs + answeredMs) / 2,
    uncertaintyMs: (answeredMs - askedMs) / 2,
  }
}
