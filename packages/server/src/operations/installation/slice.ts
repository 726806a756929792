import type { Platform } from '../../platform/platform.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { ProviderSettings } from '../../rails/providers/settings.ts'

type InstallationParts = Platform<ProviderSettings> & { rails(): Promise<Providers> }

export const slice = {
  folder: 'operations/installation',
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
