import type { FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import { callerAt } from './caller.ts'
import { type RateLimiter, tooManyRequests } from './rate-limits.ts'

/** Counts a request that is no call of the API for its address; throws when that has had its share. */
export const limitAddress = (
  parts: LimitParts,
  name: string,
  perSecond: number,
  { ip }: FastifyRequest,
): Promise<void> => limitWhoever(parts, name, perSecond, callerAt(ip))

type LimitParts = Platform & { limiter: RateLimiter }

/** Counts a request for whatever `key` names, whoever sent it; throws when that has had its share. */
export async function limitWhoever(
  { settings, limiter, metrics }: LimitParts,
  name: string,
  perSecond: number,
  key: string,
): Promise<void> {
  if (settings.rateLimits === 'off') return
  const exceeded = await limiter.take([{ name, key: `${name} ${key}`, perSecond }], Date.now())
  if (!exceeded) return
  metrics.rateLimited.inc({ limit: name })
  throw tooManyRequests(exceeded)
}
