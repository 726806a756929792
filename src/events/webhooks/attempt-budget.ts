import { laneOf } from '../../platform/batches.ts'
import type { PlatformSettings } from '../../platform/config.ts'
import { createMemoryRateLimiter } from '../../platform/http/rate-limits.ts'
import type { Scope } from '../../platform/scope.ts'
import type { EventSettings } from '../settings.ts'

/** An attempt that fails costs us more than it is worth: another connection, and a row that is written in vain. */
const failingPerSecond = 50 // limit: attempts a second to failing endpoints of one Space and environment, from one node

export type AttemptBudget = ReturnType<typeof createAttemptBudget>

/**
 * What one node sends for one Space and environment in a second, to all of its endpoints together, so that none takes the
 * node for itself. `take` returns 0 when an attempt may be made, which it then counts, or after how long to ask again.
 */
export function createAttemptBudget(
  settings: Pick<PlatformSettings & EventSettings, 'webhookLimit' | 'rateLimits'>,
) {
  const limiter = createMemoryRateLimiter()
  return {
    take(scope: Scope, isFailing: boolean, nowMs: number): number {
      if (settings.rateLimits === 'off') return 0
      const limits = [{ name: 'webhooks', key: laneOf(scope), perSecond: settings.webhookLimit }]
      if (isFailing)
        limits.push({ name: 'failing', key: `failing ${laneOf(scope)}`, perSecond: failingPerSecond })
      return limiter.take(limits, nowMs)?.waitMs ?? 0
    },
  }
}
