import type { Gauge } from '../../platform/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { ProviderSettings } from '../../rails/providers/settings.ts'

type InstallationParts = Platform<ProviderSettings> & { rails(): Promise<Providers> }

const gauges: Gauge[] = [
  {
    name: 'pesewa_standbys_synchronous',
    help: 'Connected standbys for which commits wait.',
    read: async (db) => (await (await import('./health-store.ts')).selectStandbyState(db))?.synchronous,
  },
  {
    name: 'pesewa_standby_lag_seconds',
    help: 'Largest number of seconds by which a connected standby is behind.',
    read: async (db) => (await (await import('./health-store.ts')).selectStandbyState(db))?.lagSeconds,
  },
]

export const slice = {
  folder: 'operations/installation',
  gauges,
  tags: {
    installation:
      'For operators: Spaces, fees, provider connections, statements and the health of the installation.',
  },
  operatorRoutes: {
    spaces: async (parts: InstallationParts) => [
      ...(await import('./space-routes.ts')).spaceRoutes(parts),
      ...(await import('./space-rules.ts')).spaceRuleRoutes(),
      ...(await import('./fee-preview.ts')).feePreviewRoutes(parts),
    ],
    health: async (parts: InstallationParts) =>
      (await import('./health-routes.ts')).healthRoutes({ ...parts, ...(await parts.rails()) }),
    providers: async (parts: InstallationParts) =>
      (await import('./connection-routes.ts')).connectionRoutes({ ...parts, ...(await parts.rails()) }),
  },
}
