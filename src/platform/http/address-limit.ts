import type { FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import { callerAt } from './caller.ts'
import { type RateLimiter, tooManyRequests } from './rate-limits.ts'

/** Counts a request that is no call of the API for its address; throws when that has had its share. */
export async function limitAddress(
  { settings, limiter, metrics }: Platform & { limiter: RateLimiter },
  name: string,
  perSecond: number,
  { ip }: FastifyRequest,
): Promise<void> {
  if (settings.rateLimits === 'off') return
  const exceeded = await limiter.take([{ name, key: `${name} ${callerAt(ip)}`, perSecond }], Date.now())
  if (!exceeded) return
  metrics.rateLimited.inc({ limit: name })
  throw tooManyRequests(exceeded)
}
