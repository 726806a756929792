import type { Gauge } from '../../platform/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Permission, readAndWrite } from '../../tenants/spaces/permissions.ts'
import { resources } from './resources.ts'
import type { StatementParts } from './statement-files.ts'

const permissions: Permission[] = [
  ...readAndWrite('financial-accounts', 'money'),
  ...readAndWrite('financial-transactions', 'money'),
  { name: 'balances:read', roles: ['owner', 'admin', 'developer', 'finance'] },
]

const gauges: Gauge[] = [
  {
    name: 'pesewa_cases_open',
    help: 'Number of open cases, counted up to ten thousand.',
    labelNames: ['environment'],
    readEach: async (db) => (await import('./case-store.ts')).countOpenCases(db),
  },
]

export const slice = {
  folder: 'ledger/accounts',
  tables: [
    'ledger_accounts',
    'financial_accounts',
    'ledger_lines',
    'ledger_holds',
    'ledger_cases',
    'carried_balances',
  ],
  functions: [
    'ledger_post',
    'ledger_reference_start',
    'ledger_reference_end',
    'ledger_seq_near',
    'first_seq',
    'balance_after_line',
  ],
  resources,
  permissions,
  gauges,
  tags: {
    'financial-accounts': 'Accounts that hold a Space’s money, each in a single currency.',
    'financial-transactions':
      'Ledger lines: every credit and debit of an account, with the balance after it.',
    cases: 'Money held because a rail contradicted the reported outcome. An operator decides on each case.',
  },
  async routes(parts: Platform & StatementParts) {
    const { holdRoutes, ledgerRoutes } = await import('./routes.ts')
    const { caseRoutes } = await import('./case-routes.ts')
    const { statementRoutes } = await import('./statement-routes.ts')
    return [...ledgerRoutes(parts), ...caseRoutes(parts), ...statementRoutes(parts), ...holdRoutes(parts)]
  },
  operatorRoutes: {
    cases: async (parts: Platform) => (await import('./case-routes.ts')).operatorCaseRoutes(parts),
  },
  jobs: async (parts: Platform) => (await import('./jobs.ts')).ledgerJobs(parts),
  checks: async () => (await import('./checks.ts')).ledgerChecks,
  personalData: async () => ({ obligations: [(await import('./personal-data.ts')).openCaseObligation] }),
}
