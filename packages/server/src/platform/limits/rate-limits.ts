import { Refusal } from '../refusals.ts'

/**
 * A rate limit. It allows `atMost` requests in a burst, and this many again, evenly distributed, in every `perMs`
 * milliseconds. `key` says what is limited and identifies the limit among all others.
 */
export type Limit = { name: string; key: string; atMost: number; perMs: number }
/** The exceeded limit with the longest wait. */
export type Exceeded = { name: string; waitMs: number }

type Answer = Exceeded | undefined

/** Counts requests against limits. The results are promises if nodes have to agree first. */
export type RateLimiter = {
  /**
   * Checks several limits atomically. If all of them allow the request, it is counted against each. Otherwise it is
   * counted against none, and the exceeded limit with the longest wait is returned (the first of them if waits are
   * equal).
   */
  take(limits: Limit[]): Answer | Promise<Answer>
  /** Like `take`, but does not count the request. */
  check(limits: Limit[]): Answer | Promise<Answer>
  /** Counts something that has happened, even if the limit is exceeded. With -1, takes a count back. */
  count(limit: Limit, times?: 1 | -1): void
}

/** Returns the refusal with the name of the limit and the number of seconds after which a retry can succeed. */
export const tooManyRequests = ({ name, waitMs }: Exceeded, message?: string) =>
  new Refusal('too_many_requests', {
    ...(message && { message }),
    headers: { 'service-rate-limit': name, 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })

/** Returns a limit per second of what `key` identifies among all that has this limit, such as an IP address. */
export const perSecond = (name: string, key: string, atMost: number): Limit => ({
  name,
  key: `${name} ${key}`,
  atMost,
  perMs: 1_000,
})

/** Returns the limit with the longer wait: the first one if the waits are equal, and none if there is no wait. */
export const worse = (worst: Answer, other: Exceeded): Answer =>
  other.waitMs > (worst?.waitMs ?? 0) + forgivenMs ? other : worst

/** Returns the current time in milliseconds. It continues from where it was if the system's clock is set back. */
export function monotonicClock(): () => number {
  let [latest, setBackMs] = [0, 0]
  return () => {
    const now = Date.now()
    if (now + setBackMs < latest) setBackMs = latest - now
    latest = now + setBackMs
    return latest
  }
}

const sweepEveryMs = 10_000
// Allows for the floating-point error in a sum of intervals. Smaller waits and differences are ignored.
const forgivenMs = 1e-6
const maxKeys = 100_000 // keys for which a node counts requests; the oldest ones are forgotten first

export type MemoryRateLimiter = ReturnType<typeof createMemoryRateLimiter>

/**
 * Implements GCRA in the memory of this process. For each key, it stores one number: the time up to which the
 * allowance has been used (in GCRA, the theoretical arrival time). Keys are removed once this time has passed.
 */
export function createMemoryRateLimiter(clock = monotonicClock()) {
  const arrival = new Map<string, number>()
  let startedAt: number | undefined
  let sweptAt = 0
  // Times are measured from the first request, because only small numbers are precise enough to represent
  // fractions of a millisecond.
  const since = (time: number) => {
    startedAt ??= time
    return time - startedAt
  }
  const usedUntil = (limit: Limit, now: number) => Math.max(arrival.get(limit.key) ?? now, now)
  const add = (limit: Limit, now: number, times: number) => {
    arrival.set(limit.key, usedUntil(limit, now) + (times * limit.perMs) / limit.atMost)
    if (arrival.size > maxKeys) forgetOldest()
  }
  const forgetOldest = () => {
    for (const oldest of arrival.keys()) {
      arrival.delete(oldest)
      return
    }
  }
  const check = (limits: Limit[], time = clock()): Answer => {
    const now = since(time)
    let worst: Answer
    for (const limit of limits) {
      const waitMs = usedUntil(limit, now) + limit.perMs / limit.atMost - limit.perMs - now
      worst = worse(worst, { name: limit.name, waitMs })
    }
    return worst
  }
  return {
    check,
    take(limits: Limit[], time = clock()): Answer {
      const now = since(time)
      if (now - sweptAt > sweepEveryMs) {
        for (const [key, until] of arrival) if (until <= now) arrival.delete(key)
        sweptAt = now
      }
      const worst = check(limits, time)
      if (!worst) for (const limit of limits) add(limit, now, 1)
      return worst
    },
    count: (limit: Limit, times: 1 | -1 = 1, time = clock()) => add(limit, since(time), times),
    /** Forgets what was counted, and returns how many requests of the burst were used. */
    release(limit: Limit, time = clock()): number {
      const now = since(time)
      const used = ((usedUntil(limit, now) - now) * limit.atMost) / limit.perMs
      arrival.delete(limit.key)
      return used
    },
  } satisfies RateLimiter & Record<string, unknown>
}
