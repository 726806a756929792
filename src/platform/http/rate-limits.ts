import { Refusal } from '../refusals.ts'

/** A limit: at most `perSecond` in any second, up to all of them at once. `key` says of whom. */
export type Limit = { name: string; key: string; perSecond: number }
/** The limit that makes the caller wait longest, and for how long. */
export type Exceeded = { name: string; waitMs: number }

/**
 * Tests several limits atomically: either each is charged, or none is and the one with the longest wait is returned
 * (ties: the first of the list); as a promise where the state is shared between nodes.
 */
export type RateLimiter = {
  take(limits: Limit[], now: number): Exceeded | undefined | Promise<Exceeded | undefined>
}

/** Names the limit, and after how many seconds it is worth trying again. */
export const tooManyRequests = ({ name, waitMs }: Exceeded, message?: string) =>
  new Refusal('too_many_requests', {
    ...(message && { message }),
    headers: { 'service-rate-limit': name, 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })

const sweepEveryMs = 10_000
// What floating point adds to a sum of spacings: neither a wait nor a difference between two.
const forgivenMs = 1e-6

/**
 * GCRA in this process's memory. Per key one number: the theoretical arrival time, up to which the allowance is
 * already spent. A key whose time has passed is as good as new and is swept.
 */
export function createMemoryRateLimiter() {
  const arrival = new Map<string, number>()
  let startedAt: number | undefined
  let sweptAt = 0
  return {
    take(limits: Limit[], time: number): Exceeded | undefined {
      // Counted from the first request: so near to zero a number has the digits for exact fractions of a millisecond.
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
