import type { Platform } from '../platform/platform.ts'
import type { Providers } from '../providers/providers.ts'
import type { ProviderSettings } from '../providers/settings.ts'

export const slice = {
  name: 'installation',
  async routes(parts: Platform<ProviderSettings> & Providers) {
    const { spaceRoutes } = await import('./space-routes.ts')
    const { feeRoutes } = await import('./fee-routes.ts')
    const { healthRoutes } = await import('./health-routes.ts')
    const { connectionRoutes } = await import('./connection-routes.ts')
    return [...spaceRoutes(parts), ...feeRoutes(parts), ...healthRoutes(parts), ...connectionRoutes(parts)]
  },
}
