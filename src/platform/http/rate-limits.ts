import { Refusal } from '../refusals.ts'

/**
 * A rate limit: at most `perSecond` requests in any second, with bursts up to that number. `key`: who or what
 * is limited.
 */
export type Limit = { name: string; key: string; perSecond: number }
/** The exceeded limit with the longest wait. */
export type Exceeded = { name: string; waitMs: number }

/**
 * Checks several limits atomically. Either all are charged, or none is and the one with the longest wait is
 * returned (on ties, the first). Returns a promise when nodes share the state.
 */
export type RateLimiter = {
  take(limits: Limit[], now: number): Exceeded | undefined | Promise<Exceeded | undefined>
}

/** Refuses with the name of the limit and the seconds until a retry can succeed. */
export const tooManyRequests = ({ name, waitMs }: Exceeded, message?: string) =>
  new Refusal('too_many_requests', {
    ...(message && { message }),
    headers: { 'service-rate-limit': name, 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })

const sweepEveryMs = 10_000
// Floating-point error in a sum of intervals; smaller waits and differences are ignored.
const forgivenMs = 1e-6

/**
 * GCRA in this process's memory. Stores one number per key, the theoretical arrival time, up to which the
 * allowance is spent. Keys whose time has passed are removed.
 */
export function createMemoryRateLimiter() {
  const arrival = new Map<string, number>()
  let startedAt: number | undefined
  let sweptAt = 0
  return {
    take(limits: Limit[], time: number): Exceeded | undefined {
      // Times are counted from the first request, because small numbers are precise enough for fractions of a
      // millisecond.
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
