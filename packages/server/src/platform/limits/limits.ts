import type { Database } from '../db/database.ts'
import type { LivingNodes } from '../living-nodes.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Seals } from '../seals.ts'
import { grantLeases } from './lease-store.ts'
import { createLeasedRateLimiter } from './leased-limits.ts'
import { type Exceeded, type Limit, type RateLimiter, tooManyRequests } from './rate-limits.ts'

const channel = 'rate-limits'

/**
 * Opens the rate limiter of a node, which all nodes share: through Redis if there is one, otherwise through leases
 * from PostgreSQL. See docs/decisions/0251-shared-limits.md.
 */
export async function openRateLimiter(
  {
    db,
    nodes,
    seals,
    log,
    redisUrl,
  }: { db: Database; nodes: LivingNodes; seals: Seals; log: Log; redisUrl: string | undefined },
  opened: AsyncDisposableStack,
): Promise<RateLimiter> {
  const hashOf = (key: string) => seals.tag('rate limit', key)
  const leased = createLeasedRateLimiter({
    nodes: nodes.count,
    hashOf,
    grant: (requests) => grantLeases(db, requests),
    announce: (hash) => db.wake(channel, hash),
    failed: (err) => log.warn({ err }, 'failed to lease rate limits; this node applies them on its own'),
  })
  opened.defer(await db.onWake(channel, leased.heard))
  if (redisUrl === undefined) return leased
  const { openRedisRateLimiter } = await import('./redis-limits.ts')
  const limiter = await openRedisRateLimiter(redisUrl, { fallback: leased, hashOf, log })
  opened.defer(() => limiter.close())
  return limiter
}

type LimitParts = { limiter: RateLimiter; metrics: Pick<Metrics, 'rateLimited'> }

/**
 * Counts a request against these limits, even if `RATE_LIMITS` is off.
 *
 * @throws Refusal `too_many_requests`
 */
export const requireLimits = async (parts: LimitParts, ...limits: Limit[]): Promise<void> =>
  refuse(parts, await parts.limiter.take(limits))

/**
 * Like `requireLimits`, but does not count the request.
 *
 * @throws Refusal `too_many_requests`
 */
export const requireFree = async (parts: LimitParts, ...limits: Limit[]): Promise<void> =>
  refuse(parts, await parts.limiter.check(limits))

function refuse({ metrics }: LimitParts, exceeded: Exceeded | undefined): void {
  if (!exceeded) return
  metrics.rateLimited.inc({ limit: exceeded.name })
  throw tooManyRequests(exceeded)
}
