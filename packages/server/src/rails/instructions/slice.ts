import type { Gauge } from '../../platform/metrics.ts'
import type { Seals } from '../../platform/seals.ts'
import type { ResolvingParts } from './operator-routes.ts'
import type { InstructionParts } from './parts.ts'
import { settings } from './settings.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_payouts_delayed',
    help: 'Number of payouts for which the provider has not reported an outcome within ten minutes, counted up to ten thousand.',
    read: async (db) => (await import('./resolving.ts')).delayedPayouts(db),
  },
  {
    name: 'pesewa_outcomes_unknown',
    help: 'Live payments, payouts and refunds whose outcome the provider has not reported for at least this long (10m, 1h or 24h), counted among the oldest ten thousand.',
    labelNames: ['type', 'age'],
    readEach: async (db) => (await import('./outcome-age-store.ts')).readOutcomeAges(db),
  },
]

export const slice = {
  folder: 'rails/instructions',
  tables: ['instructions'],
  counters: () => import('./metrics.ts'),
  settings,
  gauges,
  routes: async (parts: InstructionParts) => (await import('./callbacks.ts')).callbackRoutes(parts),
  operatorRoutes: {
    'unknown-outcomes': async (parts: ResolvingParts) =>
      (await import('./operator-routes.ts')).resolvingRoutes(parts),
  },
  personalData: async () => ({ obligations: [(await import('./personal-data.ts')).openInstructions] }),
  checks: async (seals?: Seals) => (await import('./checks.ts')).instructionChecks(seals),
}
