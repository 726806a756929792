import { type BreakerRest, createBreaker } from './breaker.ts'
import type { Catalogue } from './catalogue.ts'
import type { SubmitOutcome } from './connector.ts'
import { nameOf, type RoadLane } from './lane.ts'

/** How many calls a rail can take now, of each kind. Each node has its own, in memory. */
export type Traffic = {
  /** @param atMost calls in flight at once, where the connection takes fewer for now */
  roomOf(lane: RoadLane, atMost?: number): Room
  /** Begins a call for which there is room. Returns the function that ends it, without an outcome where nothing was sent. */
  begin(lane: RoadLane): (outcome?: SubmitOutcome) => void
  /** Which live lanes rest, and for how long. */
  resting(): (RoadLane & { restsForMs: number })[]
}

/** How many calls may begin now; where that is none, how long to wait. */
export type Room = {
  calls: number
  waitMs: number
  /** The rail gave no clear answers: the breaker is open. */
  isResting: boolean
}

type Paced = Exclude<RoadLane['kind'], 'refund'>

/** Of one node: calls in flight at once, begun in any second, and how long the breaker rests. */
type Pace = { maxAtOnce: number; maxPerSecond: number; rest: BreakerRest | 'never' }

const rest: BreakerRest = { firstMs: 10_000, longestMs: 300_000 } // limit: how long a rail that gives no clear responses is left alone, doubling each time
/** A payer waits for a collection, so they leave as they come; nobody waits for a payout by the second. */
const defaultPaces: Record<Paced, Pace> = {
  collect: { maxAtOnce: 1_000, maxPerSecond: 1_000, rest }, // limit: collecting through one provider, on a node
  disburse: { maxAtOnce: 16, maxPerSecond: 50, rest }, // limit: disbursing through one provider, on a node
}
/** There an account's digits make outcomes unknown, and no rail is down; nobody should suffer from another's tests. */
const testRests = { collect: 'never', disburse: { firstMs: 1_000, longestMs: 1_000 } } as const // limit: how long a simulated rail is left alone
/** For benchmarks: payouts as fast as possible, with no more in flight than a node that also plays the rails can respond to. */
const unpaced = { collect: {}, disburse: { maxAtOnce: 64, maxPerSecond: 100_000 } } as const
const fullWaitMs = 100

/**
 * A pace and a breaker for each connection, provider, environment and kind: a rail that is slow or gives no clear responses gets no more
 * than it can take, and leaves no more unknown than it must.
 *
 * @param options.nowMs milliseconds of a clock that only goes ahead
 * @param options.isTestPaced whether the simulated rails have a pace
 */
export function openTraffic(
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  {
    nowMs = () => performance.now(),
    isTestPaced = true,
  }: { nowMs?: () => number; isTestPaced?: boolean } = {},
): Traffic {
  const byName = new Map<string, ReturnType<typeof openOne> & { lane: RoadLane }>()
  const of = (lane: RoadLane) => {
    // What goes back to payers goes out like what is paid out, and the rail counts both.
    const paced = { ...lane, kind: lane.kind === 'refund' ? 'disburse' : lane.kind } as const
    const name = `${nameOf(paced)} ${lane.connection}`
    const existing = byName.get(name)
    if (existing) return existing
    const opened = { ...openOne(paceOf(paced, catalogue, isTestPaced), nowMs), lane: paced }
    byName.set(name, opened)
    return opened
  }
  return {
    roomOf: (lane, atMost) => of(lane).room(atMost),
    begin: (lane) => of(lane).begin(),
    resting: () =>
      [...byName.values()].flatMap(({ lane, room }) => {
        const { isResting, waitMs } = room()
        return isResting && lane.environment === 'live' ? [{ ...lane, restsForMs: waitMs }] : []
      }),
  }
}

function paceOf(
  { kind, environment, providerId, connection: name }: RoadLane & { kind: Paced },
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  isTestPaced: boolean,
): Pace {
  const standard = defaultPaces[kind]
  if (environment === 'test')
    return { ...standard, ...(isTestPaced ? {} : unpaced[kind]), rest: testRests[kind] }
  const connection = catalogue.connectionsOf(providerId).find((each) => each.name === name)
  const { maxAtOnce = standard.maxAtOnce, maxPerSecond = standard.maxPerSecond } =
    (kind === 'collect' ? connection?.collections : connection) ?? {}
  return { ...standard, maxAtOnce, maxPerSecond }
}

function openOne({ maxAtOnce, maxPerSecond, rest }: Pace, nowMs: () => number) {
  const breaker = rest === 'never' ? undefined : createBreaker(rest)
  const rate = createRate(maxPerSecond)
  let atOnce = 0
  return {
    room(atMost = maxAtOnce): Room {
      const now = nowMs()
      const free = Math.max(0, Math.min(maxAtOnce, atMost) - atOnce)
      const { room, waitMs } = breaker?.stateAt(now) ?? { room: Number.POSITIVE_INFINITY, waitMs: 0 }
      const calls = Math.min(room, rate.room(now), free)
      const wait = Math.max(waitMs, rate.waitMs(now), free > 0 ? 0 : fullWaitMs)
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

/** Never more than so many in any second: the window slides. */
function createRate(maxPerSecond: number) {
  const lastMs: number[] = []
  const forget = (now: number) => {
    const firstRecent = lastMs.findIndex((ms) => ms > now - 1_000)
    lastMs.splice(0, firstRecent < 0 ? lastMs.length : firstRecent)
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
