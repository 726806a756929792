import { type ConnectionQueue, queueName, type SubmitOutcome } from '@pesewa/connector-kit'
import type { Catalogue } from '../connections/catalogue.ts'
import { type BreakerTimes, createBreaker } from './breaker.ts'

/**
 * Keeps track of how many calls of each kind a rail can take. The state is kept in each node's memory, and each node
 * has a share of the limits.
 */
export type Traffic = {
  /** @param atMost maximum number of calls in flight, if the connection currently takes fewer than configured */
  roomOf(queue: ConnectionQueue, atMost?: number): Room
  /**
   * Starts a call. The caller must have checked that there is room. Returns a function that ends the call and
   * expects the call's outcome; the outcome must be omitted if nothing was sent.
   */
  begin(queue: ConnectionQueue): (outcome?: SubmitOutcome) => void
  /** Returns the live connections with an open breaker and how long each breaker will stay open. */
  openBreakers(): (ConnectionQueue & { openForMs: number })[]
}

/** The number of calls that may start now; if it is 0, `waitMs` is the time to wait. */
export type Room = {
  calls: number
  waitMs: number
  /** Whether the breaker is open because the rail gave no definite answers. */
  isBreakerOpen: boolean
}

type Paced = Exclude<ConnectionQueue['kind'], 'refund'>

/** The limits of calls in flight and calls started per second, and how long a node's breaker stays open. */
type Pace = { maxAtOnce: number; maxPerSecond: number; breaker: BreakerTimes | 'never' }

const breaker: BreakerTimes = { firstMs: 10_000, longestMs: 300_000 } // limit: how long a circuit breaker stays open after ambiguous responses from a rail; doubles each time
/**
 * Collections are sent immediately because a payer is waiting; payouts are paced because a delay of a few
 * seconds does not matter.
 */
const defaultPaces: Record<Paced, Pace> = {
  collect: { maxAtOnce: 1_000, maxPerSecond: 1_000, breaker }, // limit: calls to collect through one provider
  disburse: { maxAtOnce: 16, maxPerSecond: 50, breaker }, // limit: calls to disburse through one provider
}
/**
 * In the test environment, breakers stay open only briefly or do not open at all. Some account digits produce
 * unknown outcomes although no rail is down, and one tester must not slow down another.
 */
const testBreakers = { collect: 'never', disburse: { firstMs: 1_000, longestMs: 1_000 } } as const // how long the breaker of a simulated rail stays open
/**
 * Used by benchmarks: payouts are sent as fast as possible, but with no more in flight than a node that also
 * simulates the rails can handle.
 */
const unpaced = { collect: {}, disburse: { maxAtOnce: 64, maxPerSecond: 100_000 } } as const
const fullWaitMs = 100

/**
 * Limits the pace of calls and opens a breaker, separately for each connection, provider, environment and kind.
 * A rail that is slow or gives no definite answers is therefore not overloaded and leaves only a few outcomes
 * unknown.
 *
 * @param options.nowMs returns the time of a monotonic clock, in milliseconds
 * @param options.isTestPaced whether the pace of calls to simulated rails is limited
 * @param options.shareOf returns this node's share of a limit that all nodes share
 */
export function openTraffic(
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  {
    nowMs = () => performance.now(),
    isTestPaced = true,
    shareOf = (total) => total,
  }: { nowMs?: () => number; isTestPaced?: boolean; shareOf?: (total: number) => number } = {},
): Traffic {
  const byName = new Map<string, ReturnType<typeof openOne> & { queue: ConnectionQueue }>()
  const of = (queue: ConnectionQueue) => {
    // Rails count refunds as payouts, so both share the same limits.
    const paced = { ...queue, kind: queue.kind === 'refund' ? 'disburse' : queue.kind } as const
    const name = `${queueName(paced)} ${queue.connection}`
    const existing = byName.get(name)
    if (existing) return existing
    const opened = { ...openOne(paceOf(paced, catalogue, isTestPaced), nowMs, shareOf), queue: paced }
    byName.set(name, opened)
    return opened
  }
  return {
    roomOf: (queue, atMost) => of(queue).room(atMost),
    begin: (queue) => of(queue).begin(),
    openBreakers: () =>
      [...byName.values()].flatMap(({ queue, room }) => {
        const { isBreakerOpen, waitMs } = room()
        return isBreakerOpen && queue.environment === 'live' ? [{ ...queue, openForMs: waitMs }] : []
      }),
  }
}

function paceOf(
  { kind, environment, providerId, connection: name }: ConnectionQueue & { kind: Paced },
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  isTestPaced: boolean,
): Pace {
  const standard = defaultPaces[kind]
  if (environment === 'test')
    return { ...standard, ...(isTestPaced ? {} : unpaced[kind]), breaker: testBreakers[kind] }
  const connection = catalogue.connectionsOf(providerId).find((each) => each.name === name)
  const { maxAtOnce = standard.maxAtOnce, maxPerSecond = standard.maxPerSecond } =
    (kind === 'collect' ? connection?.collections : connection) ?? {}
  return { ...standard, maxAtOnce, maxPerSecond }
}

function openOne(
  { maxAtOnce, maxPerSecond, breaker: times }: Pace,
  nowMs: () => number,
  shareOf: (total: number) => number,
) {
  const breaker = times === 'never' ? undefined : createBreaker(times)
  const rate = createRate(() => shareOf(maxPerSecond))
  let atOnce = 0
  return {
    room(atMost = maxAtOnce): Room {
      const now = nowMs()
      const free = Math.max(0, shareOf(Math.min(maxAtOnce, atMost)) - atOnce)
      const { room, waitMs } = breaker?.stateAt(now) ?? { room: Number.POSITIVE_INFINITY, waitMs: 0 }
      const calls = Math.min(room, rate.room(now), free)
      const wait = Math.max(waitMs, rate.waitMs(now), free > 0 ? 0 : fullWaitMs)
      return { calls, waitMs: calls > 0 ? 0 : wait, isBreakerOpen: room === 0 }
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

/** Limits the number of calls in any sliding window of one second. The limit changes when nodes start or stop. */
function createRate(maxPerSecond: () => number) {
  const lastMs: number[] = []
  const forget = (now: number) => {
    const firstRecent = lastMs.findIndex((ms) => ms > now - 1_000)
    lastMs.splice(0, firstRecent < 0 ? lastMs.length : firstRecent)
  }
  return {
    room(now: number) {
      forget(now)
      return Math.max(0, maxPerSecond() - lastMs.length)
    },
    waitMs(now: number) {
      const [firstMs = now] = lastMs
      return lastMs.length < maxPerSecond() ? 0 : Math.max(0, firstMs + 1_000 - now)
    },
    count: (now: number) => void lastMs.push(now),
  }
}
