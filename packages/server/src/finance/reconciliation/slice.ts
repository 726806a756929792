import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { FindReconciled } from './jobs.ts'

type ReconciliationParts = Platform & { catalogue: Catalogue; findReconciled: FindReconciled }
type OperatorParts = Omit<ReconciliationParts, 'catalogue'> & { rails(): Promise<{ catalogue: Catalogue }> }

export const slice = {
  folder: 'finance/reconciliation',
  tables: [
    ...['statements', 'statement_lines', 'open_clearing_lines', 'item_closings', 'closed_days'],
    ...['clearing_days', 'clearing_tallies'],
  ],
  functions: [
    'counted_id',
    'statement_details',
    'closed_day_details',
    'reopened_day_details',
    'item_closing_details',
  ],
  tags: { reconciliation: 'Your books compared with provider statements.' },
  routes: async (parts: ReconciliationParts) => (await import('./routes.ts')).reconciliationRoutes(parts),
  operatorRoutes: {
    statements: async (parts: OperatorParts) =>
      (await import('./statement-routes.ts')).statementRoutes({ ...parts, ...(await parts.rails()) }),
    'open-items': async (parts: OperatorParts) =>
      (await import('./operator-routes.ts')).openItemRoutes({ ...parts, ...(await parts.rails()) }),
    reconciliation: async (parts: OperatorParts) =>
      (await import('./report-routes.ts')).reportRoutes({ ...parts, ...(await parts.rails()) }),
    'closed-days': async (parts: OperatorParts) =>
      (await import('./operator-routes.ts')).closedDayRoutes({ ...parts, ...(await parts.rails()) }),
  },
  jobs: async (parts: ReconciliationParts, stopping: AbortSignal) =>
    (await import('./jobs.ts')).reconciliationJobs(parts, stopping),
  // Rows of the job table contain this name, which is older than the slice that now runs the job.
  calendar: { '51 * * * *': 'overview.tally' },
  checks: async () => [
    ...(await import('./checks.ts')).reconciliationChecks,
    ...(await import('./clearing-day-checks.ts')).clearingDayChecks,
  ],
}
