import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/providers/catalogue.ts'

export const slice = {
  folder: 'finance/overview',
  tables: ['clearing_days', 'clearing_tallies'],
  tags: {
    overview: 'Today’s totals, success rates and objects without an outcome.',
    reconciliation: 'Your books compared with provider statements.',
  },
  routes: async (parts: Platform & { settlementColumns: SettlementColumns; catalogue: Catalogue }) => [
    ...(await import('./routes.ts')).overviewRoutes(parts),
    ...(await import('./reconciliation-routes.ts')).reconciliationRoutes(parts),
  ],
  async jobs({ db }: Platform, stopping: AbortSignal) {
    const { sumNewLinesOfAllSpaces } = await import('./summing.ts')
    return { 'overview.tally': () => sumNewLinesOfAllSpaces(db, stopping) }
  },
  calendar: { '51 * * * *': 'overview.tally' },
  checks: async () => (await import('./checks.ts')).overviewChecks,
}
