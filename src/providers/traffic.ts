import { type BreakerRest, createBreaker } from './breaker.ts'
import type { Catalogue } from './catalogue.ts'
import type { SubmitOutcome } from './connector.ts'
import { nameOf, type RailLane } from './lane.ts'

/** How much a rail bears now, of each kind. Each node keeps it for itself, in memory. */
export type Traffic = {
  roomOf(lane: RailLane): Room
  /** Begins a call for which there is room. Returns what ends it, with the outcome, or without when nothing was sent after all. */
  begin(lane: RailLane): (outcome?: SubmitOutcome) => void
}

/** How many may be sent now; where that is none, after how long it is worth looking again. */
export type Room = {
  calls: number
  waitMs: number
  /** The rail gave no clear answers, and is left alone for a while. */
  isResting: boolean
}

/** Of one node: calls under way at once, begun in any second, and how long the breaker rests. */
type Pace = { maxAtOnce: number; maxPerSecond: number; rest: BreakerRest | 'never' }

const rest: BreakerRest = { firstMs: 10_000, longestMs: 300_000 }
/** A payer waits for a collection, so that they go out as they come; nobody waits for a payout by the second. */
const defaultPaces: Record<RailLane['kind'], Pace> = {
  collect: { maxAtOnce: 1_000, maxPerSecond: 1_000, rest },
  disburse: { maxAtOnce: 16, maxPerSecond: 50, rest },
}
/** There, an account's digits make outcomes unknown, not a rail that is down; nobody is to suffer from another's tests. */
const testRests = { collect: 'never', disburse: { firstMs: 1_000, longestMs: 1_000 } } as const
/**
 * For benchmarks: payouts as fast as can be, with no more under way than a node can answer that plays the rails as well.
 * Collections go out as they come anyway.
 */
const unpaced = { collect: {}, disburse: { maxAtOnce: 64, maxPerSecond: 100_000 } } as const
const fullWaitMs = 100

/**
 * A pace and a breaker for each provider, environment and kind: a rail that is slow or gives no clear answer neither gets
 * more than it bears nor leaves more unknown than it must.
 *
 * @param options.nowMs milliseconds of a clock that only goes ahead
 * @param options.isTestPaced whether the simulated rails have a pace
 */
export function openTraffic(
  catalogue: Pick<Catalogue, 'connectionOf'>,
  {
    nowMs = () => performance.now(),
    isTestPaced = true,
  }: { nowMs?: () => number; isTestPaced?: boolean } = {},
): Traffic {
  const byName = new Map<string, ReturnType<typeof openOne>>()
  const of = (lane: RailLane) => {
    const name = nameOf(lane)
    const existing = byName.get(name)
    if (existing) return existing
    const opened = openOne(paceOf(lane, catalogue, isTestPaced), nowMs)
    byName.set(name, opened)
    return opened
  }
  return { roomOf: (lane) => of(lane).room(), begin: (lane) => of(lane).begin() }
}

function paceOf(
  { kind, environment, providerId }: RailLane,
  catalogue: Pick<Catalogue, 'connectionOf'>,
  isTestPaced: boolean,
): Pace {
  const standard = defaultPaces[kind]
  if (environment === 'test')
    return { ...standard, ...(isTestPaced ? {} : unpaced[kind]), rest: testRests[kind] }
  const connection = catalogue.connectionOf(providerId)
  const { maxAtOnce = standard.maxAtOnce, maxPerSecond = standard.maxPerSecond } =
    (kind === 'collect' ? connection?.collections : connection) ?? {}
  return { ...standard, maxAtOnce, maxPerSecond }
}

function openOne({ maxAtOnce, maxPerSecond, rest }: Pace, nowMs: () => number) {
  const breaker = rest === 'never' ? undefined : createBreaker(rest)
  const rate = createRate(maxPerSecond)
  let atOnce = 0
  return {
    room(): Room {
      const now = nowMs()
      const { room, waitMs } = breaker?.stateAt(now) ?? { room: Number.POSITIVE_INFINITY, waitMs: 0 }
      const calls = Math.min(room, rate.room(now), maxAtOnce - atOnce)
      const wait = Math.max(waitMs, rate.waitMs(now), atOnce < maxAtOnce ? 0 : fullWaitMs)
      return { calls, waitMs: calls > 0 ? 0 : wait, isResting: room === 0 }
    },
    begin() {
      rate.count(nowMs())
      atOnce++
      const endCall = breaker?.begin()
      let hasEnded = false
      return (outcome?: SubmitOutcome) => {
        if (hasEnded) return
        hasEnded = true
        atOnce--
        endCall?.(nowMs(), outcome?.outcome)
      }
    },
  }
}

/** Never more than so many in any second: not even at the turn of one. */
function createRate(maxPerSecond: number) {
  const lastMs: number[] = []
  const forget = (now: number) => {
    const kept = lastMs.findIndex((ms) => ms > now - 1_000)
    lastMs.splice(0, kept < 0 ? lastMs.length : kept)
  }
  return {
    room(now: number) {
      forget(now)
      return maxPerSecond - lastMs.length
    },
    waitMs(now: number) {
      const [firstMs = 0] = lastMs
      return lastMs.length < maxPerSecond ? 0 : Math.max(0, firstMs + 1_000 - now)
    },
    count: (now: number) => void lastMs.push(now),
  }
}
