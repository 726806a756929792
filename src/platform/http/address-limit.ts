import type { FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import { callerAt } from './caller.ts'
import { type Exceeded, type RateLimiter, tooManyRequests } from './rate-limits.ts'

/** Counts a non-API request against the limit of its address; throws when the limit is exceeded. */
export const limitAddress = (
  parts: LimitParts,
  name: string,
  perSecond: number,
  { ip }: FastifyRequest,
): Promise<void> => limitWhoever(parts, name, perSecond, callerAt(ip))

type LimitParts = Platform & { limiter: RateLimiter }

/** Counts a request against the limit of `key`, from any sender; throws when the limit is exceeded. */
export async function limitWhoever(
  parts: LimitParts,
  name: string,
  perSecond: number,
  key: string,
): Promise<void> {
  const exceeded = await exceedsLimit(parts, name, perSecond, key)
  if (exceeded) throw tooManyRequests(exceeded)
}

/** Counts a request like `limitWhoever`, but returns the exceeded limit instead of throwing. */
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

/** Counts a view of a public page. */
export const limitViews = (parts: LimitParts, request: FastifyRequest): Promise<void> =>
  limitAddress(parts, 'view-limit', parts.settings.viewLimit, request)
