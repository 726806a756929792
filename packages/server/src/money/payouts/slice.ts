import { type Permission, readAndWrite } from '../../tenants/spaces/permissions.ts'
import { resources } from './resources.ts'
import type { PayoutRouteParts } from './routes.ts'

const permissions: Permission[] = [
  ...readAndWrite('payouts', 'money'),
  { name: 'payouts:approve', roles: ['owner', 'admin', 'finance'] },
]

export const slice = {
  folder: 'money/payouts',
  tables: ['payouts'],
  functions: ['payout_terms', 'payout_outcome', 'payout_seal', 'payout_approvals_above_terms'],
  resources,
  permissions,
  tags: {
    payouts: 'Payouts to a phone, a bank account or a wallet.',
  },
  routes: async (parts: PayoutRouteParts) => (await import('./routes.ts')).payoutRoutes(parts),
  checks: async () => (await import('./checks.ts')).payoutChecks,
  postings: async () => [(await import('./checks.ts')).payoutPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledPayouts],
  personalData: async () => ({ records: [(await import('./personal-data.ts')).payeeRecords] }),
  settlementColumns: { payout: 'paidOut' as const },
}
