import type { FastifyRequest } from 'fastify'
import type { Platform } from '../../platform.ts'
import { callerKey } from './caller.ts'
import { type Exceeded, type RateLimiter, tooManyRequests } from './rate-limits.ts'

/**
 * Counts a request outside the API against the rate limit of the client's IP address. Throws if the limit is
 * exceeded.
 */
export const enforceAddressLimit = (
  parts: LimitParts,
  name: string,
  perSecond: number,
  { ip }: FastifyRequest,
): Promise<void> => enforceLimit(parts, name, perSecond, callerKey(ip))

type LimitParts = Platform & { limiter: RateLimiter }

/** Counts a request from any sender against the rate limit of `key`. Throws if the limit is exceeded. */
export async function enforceLimit(
  parts: LimitParts,
  name: string,
  perSecond: number,
  key: string,
): Promise<void> {
  const exceeded = await checkLimit(parts, name, perSecond, key)
  if (exceeded) throw tooManyRequests(exceeded)
}

/** Counts a request like `enforceLimit`, but returns the exceeded limit instead of throwing an error. */
export async function checkLimit(
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

/** Counts a view of a public page against the rate limit of the client's IP address. */
export const enforceViewLimit = (parts: LimitParts, request: FastifyRequest): Promise<void> =>
  enforceAddressLimit(parts, 'view-limit', parts.settings.viewLimit, request)
