import type { Environment } from '../platform/clock.ts'
import { createBreaker, type Rest } from './breaker.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connection } from './connections.ts'
import type { Submitted } from './connector.ts'

/** Whether a rail may be asked to pay out now. Each node keeps it for itself, in memory. */
export type Traffic = {
  /** Asks to send one disbursement. */
  admit(providerId: string, environment: Environment): Admission
}

export type Admission =
  /** Not now: worth asking again after so long. */
  | { waitMs: number }
  /**
   * One may be sent. `end` must be called once it was, with the answer; or without one when nothing was sent after all.
   * Until then it counts as under way.
   */
  | { end(answer?: Submitted): void }

/** Of one node: disbursements under way at once, begun in any second, and how long the breaker rests. */
type Pace = { maxAtOnce: number; maxPerSecond: number; rest: Rest }

const defaultPace: Pace = { maxAtOnce: 16, maxPerSecond: 50, rest: { firstMs: 10_000, longestMs: 300_000 } }
/** There, an account's digits make outcomes unknown, not a rail that is down; nobody is to wait for another's tests. */
const testPace: Pace = { ...defaultPace, rest: { firstMs: 1_000, longestMs: 1_000 } }
/** For benchmarks: as many as the connections to a rail allow, and more than it can begin. */
const boundless = { ...testPace, maxAtOnce: 32, maxPerSecond: 10_000 }
const fullWaitMs = 100

/**
 * A pace and a breaker for each provider and environment: a rail that is slow or gives no clear answer neither gets
 * more than it bears nor leaves more payouts unknown than it must.
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
  const byKey = new Map<string, () => Admission>()
  return {
    admit(providerId, environment) {
      const key = `${environment} ${providerId}`
      const known = byKey.get(key)
      if (known) return known()
      const pace =
        environment === 'live'
          ? paceOf(catalogue.connectionOf(providerId))
          : isTestPaced
            ? testPace
            : boundless
      const admit = admissionsAt(pace, nowMs)
      byKey.set(key, admit)
      return admit()
    },
  }
}

function paceOf(connection: Connection | undefined): Pace {
  if (!connection || connection.protocol === 'acquirer') return defaultPace
  const { maxAtOnce = defaultPace.maxAtOnce, maxPerSecond = defaultPace.maxPerSecond } = connection
  return { ...defaultPace, maxAtOnce, maxPerSecond }
}

function admissionsAt({ maxAtOnce, maxPerSecond, rest }: Pace, nowMs: () => number): () => Admission {
  const breaker = createBreaker(rest)
  const rate = createRate(maxPerSecond)
  let atOnce = 0
  return () => {
    const now = nowMs()
    const waitMs = Math.max(breaker.waitMs(now), rate.waitMs(now), atOnce < maxAtOnce ? 0 : fullWaitMs)
    if (waitMs > 0) return { waitMs }
    rate.count(now)
    atOnce++
    const endCall = breaker.begin()
    let hasEnded = false
    return {
      end(answer) {
        if (hasEnded) return
        hasEnded = true
        atOnce--
        endCall(nowMs(), answer?.outcome)
      },
    }
  }
}

/** Never more than so many in any second: not even at the turn of one. */
function createRate(maxPerSecond: number) {
  const lastMs: number[] = []
  return {
    waitMs: (now: number) => (lastMs.length < maxPerSecond ? 0 : Math.max(0, lastMs[0]! + 1_000 - now)),
    count(now: number) {
      lastMs.push(now)
      if (lastMs.length > maxPerSecond) lastMs.shift()
    },
  }
}
