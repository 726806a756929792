import { type BreakerRest, createBreaker } from './breaker.ts'
import type { Catalogue } from './catalogue.ts'
import type { SubmitOutcome } from './connector.ts'
import { type ConnectionQueue, queueName } from './queues.ts'

/** How many calls a rail can take now, by kind. Kept in each node's memory. */
export type Traffic = {
  /** @param atMost maximum calls in flight, if the connection currently takes fewer */
  roomOf(queue: ConnectionQueue, atMost?: number): Room
  /**
   * Starts a call; check for room first. Returns the function that ends it, to be called without an outcome if
   * nothing was sent.
   */
  begin(queue: ConnectionQueue): (outcome?: SubmitOutcome) => void
  /** Live connections with an open breaker, and for how long. */
  openBreakers(): (ConnectionQueue & { restsForMs: number })[]
}

/** How many calls may start now, or how long to wait if none may. */
export type Room = {
  calls: number
  waitMs: number
  /** The rail gave no clear answers, so the breaker is open. */
  isBreakerOpen: boolean
}

type Paced = Exclude<ConnectionQueue['kind'], 'refund'>

/** Limits of one node: calls in flight, calls started per second, and how long the breaker stays open. */
type Pace = { maxAtOnce: number; maxPerSecond: number; rest: BreakerRest | 'never' }

const rest: BreakerRest = { firstMs: 10_000, longestMs: 300_000 } // limit: how long the breaker of a rail without clear responses stays open; doubles each time
/** Collections are sent immediately because a payer is waiting; payouts are paced because seconds do not matter. */
const defaultPaces: Record<Paced, Pace> = {
  collect: { maxAtOnce: 1_000, maxPerSecond: 1_000, rest }, // limit: calls to collect through one provider, per node
  disburse: { maxAtOnce: 16, maxPerSecond: 50, rest }, // limit: calls to disburse through one provider, per node
}
/**
 * In test, account digits produce unknown outcomes although no rail is down, and one tester should not slow
 * down another.
 */
const testRests = { collect: 'never', disburse: { firstMs: 1_000, longestMs: 1_000 } } as const // how long the breaker of a simulated rail stays open
/**
 * For benchmarks: payouts are sent as fast as possible, with no more in flight than a node that also simulates
 * the rails can handle.
 */
const unpaced = { collect: {}, disburse: { maxAtOnce: 64, maxPerSecond: 100_000 } } as const
const fullWaitMs = 100

/**
 * Opens a pace and a breaker for each connection, provider, environment and kind, so that a rail that is slow
 * or gives no clear responses is not overloaded and leaves few outcomes unknown.
 *
 * @param options.nowMs milliseconds on a monotonic clock
 * @param options.isTestPaced whether simulated rails are paced
 */
export function openTraffic(
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  {
    nowMs = () => performance.now(),
    isTestPaced = true,
  }: { nowMs?: () => number; isTestPaced?: boolean } = {},
): Traffic {
  const byName = new Map<string, ReturnType<typeof openOne> & { queue: ConnectionQueue }>()
  const of = (queue: ConnectionQueue) => {
    // Rails count refunds together with payouts, so both share a pace.
    const paced = { ...queue, kind: queue.kind === 'refund' ? 'disburse' : queue.kind } as const
    const name = `${queueName(paced)} ${queue.connection}`
    const existing = byName.get(name)
    if (existing) return existing
    const opened = { ...openOne(paceOf(paced, catalogue, isTestPaced), nowMs), queue: paced }
    byName.set(name, opened)
    return opened
  }
  return {
    roomOf: (queue, atMost) => of(queue).room(atMost),
    begin: (queue) => of(queue).begin(),
    openBreakers: () =>
      [...byName.values()].flatMap(({ queue, room }) => {
        const { isBreakerOpen, waitMs } = room()
        return isBreakerOpen && queue.environment === 'live' ? [{ ...queue, restsForMs: waitMs }] : []
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

/** Limits the number of calls in any sliding window of one second. */
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
