import { Gauge, type Registry } from 'prom-client'
import type { Database, Reader } from './db/database.ts'
import { sql } from './db/sql.ts'
import type { Log } from './log.ts'
import { repeat, type StopRepeating } from './repeat.ts'

/** Compares this node's clock with the database's, the one clock that all nodes have in common. */
export type ClockWatch = {
  /** Begins to watch; the first comparison has been tried when it returns. */
  start(): Promise<void>
  /** Not when the clocks differ by more than a second, nor before they were compared. */
  isSound(): boolean
  /** Whether the node watches, and must begin nothing: what it writes would have the wrong time. */
  isAmiss(): boolean
  stop(): Promise<void>
}

const judgeEveryMs = 1_000 // limit: time between two checks of a node’s clock
/** Times of judging from one comparison to the next. */
const judgedBetween = 5 // limit: checks of a node’s clock from one comparison with the database’s to the next
const mostDifferenceMs = 1_000 // limit: how far a node’s clock may be from the database’s
/** A comparison that took longer says little: the one before counts on, if there is one. */
const longestMeasureMs = 2_000

/** What the database's clock showed, on the scale of `performance.now()`. The truth is at most so far away. */
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

  // On the monotonic clock, so that a clock that is set is noticed at once, and a machine that slept at the next check.
  const differenceMs = ({ databaseMs }: Anchor) => Date.now() - (databaseMs + performance.now())
  const isSound = () =>
    anchor !== undefined && Math.abs(differenceMs(anchor)) <= maxDifferenceMs + anchor.uncertaintyMs
  const measure = async () => {
    const measured = await measureOnce(db)
    if (!anchor || measured.uncertaintyMs * 2 <= longestMeasureMs) anchor = measured
  }
  const judge = () => {
    if (!anchor || isSound() === wasSound) return
    wasSound = !wasSound
    const differenceSeconds = differenceMs(anchor) / 1000
    if (wasSound)
      log.info({ differenceSeconds }, 'the clock is right again: this node writes and submits again')
    else log.error({ differenceSeconds }, wrongClock)
  }
  new Gauge({
    name: 'pesewa_clock_difference_seconds',
    help: 'How far the clock of a node is ahead of the database’s; beyond 1 it takes no writes and submits nothing.',
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
    isSound,
    isAmiss: () => stopMeasuring !== undefined && !isSound(),
    stop: async () => stopMeasuring?.(),
  }
}

const wrongClock =
  'the clock differs from the database’s by more than a second: this node takes no writes and submits nothing'

/** How far the clock of this node is ahead of the database’s now, in whole milliseconds; the truth is at most so far away. */
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
