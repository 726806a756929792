import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { type Permission, readAndWrite } from '../spaces/permissions.ts'
import { resources } from './resources.ts'

// What stands in a bank's statement is for who administers and for finance; whoever develops may read it.
const permissions: Permission[] = readAndWrite('settlements', 'money').map((permission) =>
  permission.name === 'settlements:write'
    ? { ...permission, roles: permission.roles.filter((role) => role !== 'developer') }
    : permission,
)

export const slice = {
  name: 'settlements',
  counters: () => import('./metrics.ts'),
  tables: ['settlements', 'connection_floats'],
  settlementColumns: { settlement: 'settled' as const },
  resources,
  permissions,
  tags: {
    settlements:
      'Money between a provider and a bank: what it paid out of what it collected, and float that was topped up.',
  },
  routes: async (parts: Platform & { catalogue: Catalogue }) =>
    (await import('./routes.ts')).settlementRoutes(parts),
  checks: async () => (await import('./checks.ts')).settlementChecks,
  postings: async () => [(await import('./checks.ts')).settlementPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledSettlements],
}
