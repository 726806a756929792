import type { Platform } from '../../platform/platform.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { ProviderSettings } from '../../rails/providers/settings.ts'

type InstallationParts = Platform<ProviderSettings> & Providers

export const slice = {
  folder: 'operations/installation',
  tags: {
    installation:
      'For operators: Spaces, fees, provider connections, statements and the health of the installation.',
  },
  async routes(parts: InstallationParts) {
    const { spaceRoutes } = await import('./space-routes.ts')
    const { healthRoutes } = await import('./health-routes.ts')
    const { connectionRoutes } = await import('./connection-routes.ts')
    const { feePreviewRoutes } = await import('./fee-preview.ts')
    return [
      ...spaceRoutes(parts),
      ...feePreviewRoutes(parts),
      ...healthRoutes(parts),
      ...connectionRoutes(parts),
    ]
  },
}
