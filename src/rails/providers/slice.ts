import type { Gauge } from '../../platform/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { Numbers } from './numbers.ts'
import type { Providers } from './providers.ts'
import { type ProviderSettings, settings } from './settings.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_connections_paused',
    help: 'Number of connection pauses in effect. A pause stops new payments, or new payouts and refunds, through a connection.',
    read: async (db) => (await (await import('./pauses.ts')).selectPauses(db)).length,
  },
  {
    name: 'pesewa_connections_resting',
    help: 'Number of circuit breakers that are open on any node because of ambiguous responses. A connection has one for each provider and kind of instruction.',
    read: async (db) => (await (await import('./open-breakers.ts')).selectOpenBreakers(db)).length,
  },
]

export const slice = {
  folder: 'rails/providers',
  tables: ['connection_pauses', 'connection_rests', 'connection_tallies'],
  counters: () => import('./metrics.ts'),
  settings,
  gauges,
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
    const { providerLogoRoute } = await import('./tiles.ts')
    return [
      ...providerRoutes(parts),
      ...kycRoutes(parts),
      ...numberRoutes(parts),
      providerLogoRoute(parts.catalogue),
    ]
  },
}
