import type { Platform } from '../platform/platform.ts'
import { readAndWrite } from '../spaces/permissions.ts'
import type { Providers } from './providers.ts'
import { type ProviderSettings, settings } from './settings.ts'

export const slice = {
  name: 'providers',
  tables: ['connection_pauses', 'connection_rests'],
  counters: () => import('./metrics.ts'),
  settings,
  permissions: readAndWrite('provider-kyc', 'money'),
  async routes(parts: Platform<ProviderSettings> & Providers) {
    const { providerRoutes } = await import('./routes.ts')
    const { kycRoutes } = await import('./kyc-routes.ts')
    return [...providerRoutes(parts), ...kycRoutes(parts)]
  },
}
