import type { FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import { callerAt } from './caller.ts'
import { type Exceeded, type RateLimiter, tooManyRequests } from './rate-limits.ts'

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
  parts: LimitParts,
  name: string,
  perSecond: number,
  key: string,
): Promise<void> {
  const exceeded = await exceedsLimit(parts, name, perSecond, key)
  if (exceeded) throw tooManyRequests(exceeded)
}

/** The same, where going beyond it is no refusal: returns the limit that `key` is beyond. */
export async function exceedsLimit(
  { settings, limiter, metrics }: LimitParts,
  name: string,
  perSecond: number,
  key: string,
): Promise<Exceeded | undefined> {
  if (settings.rateLimits === 'off') return undefined
  const exceeded = await limiter.take([{ name, key: `${name} ${key}`, perSecond }], Date.now())
  if (exceeded) metrics.rateLimited.inc({ limit: name })
  return exceeded
}

/** Counts a look at a page that anybody may see. */
export const limitViews = (parts: LimitParts, request: FastifyRequest): Promise<void> =>
  limitAddress(parts, 'view-limit', parts.settings.viewLimit, request)
