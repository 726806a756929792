import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { monthEnd, monthQuery } from './shapes.ts'
import { readSpaceMonth } from './space-month.ts'

type Parts = Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }

/** The route that shows the open steps before a month can be closed, and downloads its documents. */
export const monthEndRoutes = (parts: Parts): Route[] => [
  read({
    url: '/v1/month-end',
    permission: 'balances:read',
    summary: 'Retrieve the state of a month',
    about:
      'Shows the open steps before the month can be closed. As `application/zip`, downloads its account statements and reports in one file.',
    query: monthQuery,
    result: monthEnd,
    read: (call) => readSpaceMonth(parts.db, call),
    files: {
      'application/zip': {
        open: async (call, acceptLanguage) =>
          (await import('./archive.ts')).openArchive(parts, call, acceptLanguage),
      },
    },
  }),
]
