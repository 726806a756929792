import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { type Permission, readAndWrite } from '../../tenants/spaces/permissions.ts'
import { resources } from './resources.ts'

type OperatorParts = Platform & { rails(): Promise<Providers> }

// Admins and finance book settlements. Developers can only read them.
const permissions: Permission[] = readAndWrite('settlements', 'money').map((permission) =>
  permission.name === 'settlements:write'
    ? { ...permission, roles: permission.roles.filter((role) => role !== 'developer') }
    : permission,
)

export const slice = {
  folder: 'finance/settlements',
  counters: () => import('./metrics.ts'),
  tables: ['settlements', 'connection_floats'],
  settlementColumns: { settlement: 'settled' as const },
  resources,
  permissions,
  tags: {
    settlements: 'Money moved between a provider and a bank: payouts of collected money, and float top-ups.',
  },
  routes: async (parts: Platform & { catalogue: Catalogue }) =>
    (await import('./routes.ts')).settlementRoutes(parts),
  operatorRoutes: {
    spaces: async (parts: OperatorParts) =>
      (await import('./operator-routes.ts')).spaceSettlementRoutes(parts),
    settlements: async () => (await import('./operator-routes.ts')).reversingRoutes(),
    float: async (parts: OperatorParts) => (await import('./operator-routes.ts')).floatRoutes(parts),
    owed: async (parts: Platform) => (await import('./operator-routes.ts')).owedRoutes(parts),
  },
  checks: async () => (await import('./checks.ts')).settlementChecks,
  postings: async () => [(await import('./checks.ts')).settlementPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledSettlements],
}
