import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Permission, roleNames } from '../../tenants/spaces/permissions.ts'

// Each count is 0 unless the caller may read or decide what it counts.
const permissions: Permission[] = [{ name: 'attention:read', roles: roleNames }]

export const slice = {
  folder: 'finance/overview',
  permissions,
  tags: {
    attention: 'Counts of what needs a decision or a repair.',
    overview: 'Today’s totals, success rates and objects without an outcome.',
  },
  routes: async (parts: Platform & { settlementColumns: SettlementColumns }) =>
    (await import('./routes.ts')).overviewRoutes(parts),
}
