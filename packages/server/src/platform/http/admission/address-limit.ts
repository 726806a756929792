import type { FastifyRequest } from 'fastify'
import { requireLimits } from '../../limits/limits.ts'
import { perSecond } from '../../limits/rate-limits.ts'
import type { Platform } from '../../platform.ts'
import { callerKey } from './caller.ts'

/**
 * Counts a request outside the API against the rate limit of the client's IP address. Throws if the limit is
 * exceeded.
 */
export const enforceAddressLimit = (
  parts: Platform,
  name: string,
  atMost: number,
  { ip }: FastifyRequest,
): Promise<void> => enforceLimit(parts, name, atMost, callerKey(ip))

/** Counts a request from any sender against the limit per second of `key`. Throws if the limit is exceeded. */
export async function enforceLimit(
  parts: Platform,
  name: string,
  atMost: number,
  key: string,
): Promise<void> {
  if (parts.settings.rateLimits === 'on') await requireLimits(parts, perSecond(name, key, atMost))
}

/** Counts a view of a public page against the rate limit of the client's IP address. */
export const enforceViewLimit = (parts: Platform, request: FastifyRequest): Promise<void> =>
  enforceAddressLimit(parts, 'view-limit', parts.settings.viewLimit, request)
