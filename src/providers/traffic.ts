import { createBreaker, type Rest } from './breaker.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connection } from './connections.ts'
import type { Submitted } from './connector.ts'
import { type Lane, nameOf } from './lane.ts'

/** How much a rail bears now, of each kind. Each node keeps it for itself, in memory. */
export type Traffic = {
  roomOf(lane: Lane): Room
  /** Begins a call for which there is room. Its end takes the answer, or nothing when nothing was sent after all. */
  begin(lane: Lane): (answer?: Submitted) => void
}

/** How many may be sent now; where that is none, after how long it is worth asking again. */
export type Room = {
  calls: number
  waitMs: number
  /** The rail gave no clear answers, and is not asked for a while. */
  isResting: boolean
}

/** Of one node: calls under way at once, begun in any second, and how long the breaker rests. */
type Pace = { maxAtOnce: number; maxPerSecond: number; rest: Rest | 'never' }

const rest: Rest = { firstMs: 10_000, longestMs: 300_000 } // limit: how long a rail that gives no clear answers is left alone, doubling each time
/** A payer waits for a collection, so that they go out as they come; nobody waits for a payout by the second. */
const defaultPaces: Record<Lane['kind'], Pace> = {
  collect: { maxAtOnce: 1_000, maxPerSecond: 1_000, rest }, // limit: collecting through one provider, on a node
  disburse: { maxAtOnce: 16, maxPerSecond: 50, rest }, // limit: disbursing through one provider, on a node
}
/** There, an account's digits make outcomes unknown, not a rail that is down; nobody is to suffer from another's tests. */
const testRests = { collect: 'never', disburse: { firstMs: 1_000, longestMs: 1_000 } } as const // limit: how long a simulated rail is left alone
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
  const of = (lane: Lane) => {
    const name = nameOf(lane)
    const known = byName.get(name)
    if (known) return known
    const opened = openOne(paceOf(lane, catalogue, isTestPaced), nowMs)
    byName.set(name, opened)
    return opened
  }
  return { roomOf: (lane) => of(lane).room(), begin: (lane) => of(lane).begin() }
}

function paceOf(
  { kind, environment, providerId }: Lane,
  catalogue: Pick<Catalogue, 'connectionOf'>,
  isTestPaced: boolean,
): Pace {
  const standard = defaultPaces[kind]
  if (environment === 'test')
    return { ...standard, ...(isTestPaced ? {} : unpaced[kind]), rest: testRests[kind] }
  return { ...standard, ...givenPace(catalogue.connectionOf(providerId), kind) }
}

function givenPace(connection: Connection | undefined, kind: Lane['kind']) {
  if (!connection) return {}
  const given =
    kind === 'collect' ? connection.collections : connection.protocol === 'acquirer' ? undefined : connection
  return {
    ...(given?.maxAtOnce !== undefined && { maxAtOnce: given.maxAtOnce }),
    ...(given?.maxPerSecond !== undefined && { maxPerSecond: given.maxPerSecond }),
  }
}

function openOne({ maxAtOnce, maxPerSecond, rest }: Pace, nowMs: () => number) {
  const breaker = rest === 'never' ? undefined : createBreaker(rest)
  const rate = createRate(maxPerSecond)
  let atOnce = 0
  return {
    room(): Room {
      const now = nowMs()
      const { room, waitMs } = breaker?.look(now) ?? { room: Number.POSITIVE_INFINITY, waitMs: 0 }
      const calls = Math.min(room, rate.room(now), maxAtOnce - atOnce)
      const wait = Math.max(waitMs, rate.waitMs(now), atOnce < maxAtOnce ? 0 : fullWaitMs)
      return { calls, waitMs: calls > 0 ? 0 : wait, isResting: room === 0 }
    },
    begin() {
      rate.count(nowMs())
      atOnce++
      const endCall = breaker?.begin()
      let hasEnded = false
      return (answer?: Submitted) => {
        if (hasEnded) return
        hasEnded = true
        atOnce--
        endCall?.(nowMs(), answer?.outcome)
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
    waitMs: (now: number) => (lastMs.length < maxPerSecond ? 0 : Math.max(0, lastMs[0]! + 1_000 - now)),
    count: (now: number) => void lastMs.push(now),
  }
}
