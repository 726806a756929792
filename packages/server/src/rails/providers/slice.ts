import type { Platform } from '../../platform/platform.ts'
import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { Numbers } from './numbers.ts'
import type { Providers } from './providers.ts'
import { type ProviderSettings, settings } from './settings.ts'

export const slice = {
  folder: 'rails/providers',
  settings,
  permissions: readAndWrite('provider-kyc', 'money'),
  tags: {
    momos: 'Mobile money providers and what they support.',
    banks: 'Banks and what they support.',
    wallets: 'Wallets and what they support.',
    'provider-kyc': 'Look up the holder of an account before you send money.',
    'phone-numbers': 'Find the mobile money provider of a phone number.',
  },
  async routes(parts: Platform<ProviderSettings> & Providers & { numbers: Numbers }) {
    const { providerRoutes } = await import('./routes.ts')
    const { kycRoutes } = await import('./kyc-routes.ts')
    const { numberRoutes } = await import('./number-routes.ts')
    return [...providerRoutes(parts), ...kycRoutes(parts), ...numberRoutes(parts)]
  },
}
