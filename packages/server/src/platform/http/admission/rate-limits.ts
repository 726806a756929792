import { Refusal } from '../../refusals.ts'

/**
 * A rate limit, which allows at most `perSecond` requests in any second, including bursts of that size. `key`
 * identifies what is limited.
 */
export type Limit = { name: string; key: string; perSecond: number }
/** The exceeded limit with the longest wait. */
export type Exceeded = { name: string; waitMs: number }

/**
 * Checks several limits atomically. If all of them allow the request, it is counted against each. Otherwise it
 * is counted against none, and the exceeded limit with the longest wait is returned (the first of them if waits
 * are equal). The result is a promise if nodes share the state.
 */
export type RateLimiter = {
  take(limits: Limit[], now: number): Exceeded | undefined | Promise<Exceeded | undefined>
}

/** Returns the refusal with the name of the limit and the number of seconds after which a retry can succeed. */
export const tooManyRequests = ({ name, waitMs }: Exceeded, message?: string) =>
  new Refusal('too_many_requests', {
    ...(message && { message }),
    headers: { 'service-rate-limit': name, 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })

const sweepEveryMs = 10_000
// Allows for the floating-point error in a sum of intervals. Smaller waits and differences are ignored.
const forgivenMs = 1e-6

/**
 * Implements GCRA in the memory of this process. For each key, it stores one number: the time up to which the
 * allowance has been used (in GCRA, the theoretical arrival time). Keys are removed once this time has passed.
 */
export function createMemoryRateLimiter() {
  const arrival = new Map<string, number>()
  let startedAt: number | undefined
  let sweptAt = 0
  return {
    take(limits: Limit[], time: number): Exceeded | undefined {
      // Times are measured from the first request, because only small numbers are precise enough to represent
      // fractions of a millisecond.
      startedAt ??= time
      const now = time - startedAt
      if (now - sweptAt > sweepEveryMs) {
        for (const [key, until] of arrival) if (until <= now) arrival.delete(key)
        sweptAt = now
      }
      let worst: Exceeded | undefined
      for (const { name, key, perSecond } of limits) {
        const spacingMs = 1000 / perSecond
        const waitMs = Math.max(arrival.get(key) ?? now, now) + spacingMs - 1000 - now
        if (waitMs > (worst?.waitMs ?? 0) + forgivenMs) worst = { name, waitMs }
      }
      if (worst) return worst
      for (const { key, perSecond } of limits)
        arrival.set(key, Math.max(arrival.get(key) ?? now, now) + 1000 / perSecond)
      return undefined
    },
  } satisfies RateLimiter
}
