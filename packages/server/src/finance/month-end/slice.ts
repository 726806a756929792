import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'

export const slice = {
  folder: 'finance/month-end',
  tags: { 'month-end': 'The open work of a month, and its statements and reports as one file.' },
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
