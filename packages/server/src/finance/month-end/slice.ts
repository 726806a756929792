import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'

export const slice = {
  folder: 'finance/month-end',
  tags: { 'month-end': 'What is left to do before a month can be closed, and its statements and reports.' },
  routes: async (parts: Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }) =>
    (await import('./routes.ts')).monthEndRoutes(parts),
  operatorRoutes: {
    'month-end': async (parts: Platform & { rails(): Promise<{ catalogue: Catalogue }> }) =>
      (await import('./operator-routes.ts')).installationMonthEndRoutes({
        ...parts,
        ...(await parts.rails()),
      }),
  },
}
