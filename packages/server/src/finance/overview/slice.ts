import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'finance/overview',
  tags: {
    overview: 'Today’s totals, success rates and objects without an outcome.',
  },
  routes: async (parts: Platform & { settlementColumns: SettlementColumns }) =>
    (await import('./routes.ts')).overviewRoutes(parts),
}
