import { batchKeyOf } from '../../platform/batches.ts'
import type { PlatformSettings } from '../../platform/config.ts'
import { createMemoryRateLimiter, perSecond } from '../../platform/limits/rate-limits.ts'
import type { Scope } from '../../platform/scope.ts'
import type { EventSettings } from '../settings.ts'

/** Failed attempts are expensive: each opens a connection and writes a row for nothing. */
const failingPerSecond = 50 // attempts per second from one node to the failing endpoints of one Space and environment

export type AttemptBudget = ReturnType<typeof createAttemptBudget>

/**
 * Limits how many attempts one node makes per second for all endpoints of one Space and environment, so that no
 * Space monopolizes the node. If an attempt is allowed now, `take` counts it and returns 0. Otherwise, `take`
 * returns how long to wait.
 */
export function createAttemptBudget(
  settings: Pick<PlatformSettings & EventSettings, 'webhookLimit' | 'rateLimits'>,
) {
  const limiter = createMemoryRateLimiter()
  return {
    take(scope: Scope, isFailing: boolean, nowMs: number): number {
      if (settings.rateLimits === 'off') return 0
      const limits = [perSecond('webhooks', batchKeyOf(scope), settings.webhookLimit)]
      if (isFailing) limits.push(perSecond('failing', batchKeyOf(scope), failingPerSecond))
      return limiter.take(limits, nowMs)?.waitMs ?? 0
    },
  }
}
