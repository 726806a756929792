import { createClockWatch } from './platform/clock-watch.ts'
import { homeOf } from './platform/db/database.ts'
import { createMemoryRateLimiter } from './platform/limits/rate-limits.ts'
import { followLivingNodes } from './platform/living-nodes.ts'
import { createMetrics } from './platform/metrics.ts'
import { baseUrlOf, type Platform } from './platform/platform.ts'
import { createReadiness } from './platform/readiness.ts'
import { showReplicas } from './platform/replica-metrics.ts'
import { createSeals } from './platform/seals.ts'
import { readSecretKey } from './platform/secret-key.ts'
import { openSiblings, type Siblings } from './platform/siblings.ts'
import { createVault } from './platform/vault.ts'
import type { Settings } from './slices.ts'

type Opened = Pick<Platform, 'log' | 'db' | 'clock'> & { settings: Settings }

/** Opens the parts of the platform that do not need the database, or that use it only later. */
export function openPlatformOn(
  { settings, log, db, clock }: Opened,
  opened: AsyncDisposableStack,
  {
    secretKey = readSecretKey(settings),
    maxClockDifferenceMs,
    siblings = openSiblings({ isAlone: true }),
  }: { secretKey?: string; maxClockDifferenceMs?: number | undefined; siblings?: Siblings } = {},
): Platform & { settings: Settings } {
  const metrics = createMetrics({ isTraced: settings.traceEndpoint !== undefined })
  showReplicas(db, metrics.registry)
  const clockWatch = createClockWatch(db, log, metrics.registry, maxClockDifferenceMs)
  opened.defer(() => clockWatch.stop())
  siblings.onAsked('clocks', () => clock.follow())
  const nodes = followLivingNodes({ db, log })
  opened.defer(() => nodes.stop())
  return {
    ...{ settings, db, home: homeOf(db), clock, clockWatch, log, metrics, siblings, nodes },
    limiter: createMemoryRateLimiter(),
    baseUrl: baseUrlOf(settings),
    seals: createSeals(secretKey),
    vault: createVault(secretKey),
    readiness: createReadiness(),
  }
}
