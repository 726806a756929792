import type { Platform } from '../../platform/platform.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { type Permission, readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { RefundParts } from './refunds.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

const permissions: Permission[] = [
  ...readAndWrite('refunds', 'money in'),
  // Every refund by a user who has only this permission needs another user's approval.
  { name: 'refunds:propose', roles: ['owner', 'admin', 'developer', 'finance', 'support'] },
  { name: 'refunds:approve', roles: ['owner', 'admin', 'finance'] },
]

export const slice = {
  folder: 'money/refunds',
  tables: ['refunds', 'refund_policies'],
  functions: [
    'refund_terms',
    'refund_outcome',
    'refund_seal',
    'refund_approvals_above_terms',
    'refund_policies_terms',
  ],
  settings,
  resources,
  permissions,
  tags: {
    refunds: 'Money returned from a payment to its payer, and to no other account.',
  },
  routes: async (parts: Platform & RefundParts & Providers) =>
    (await import('./routes.ts')).refundRoutes(parts),
  operatorRoutes: {
    cases: async (parts: Omit<RefundParts, 'queues' | 'connectors'> & { rails(): Promise<Providers> }) =>
      (await import('./late-routes.ts')).lateRefundRoutes(parts),
  },
  jobs: async (parts: Platform & RefundParts) => (await import('./queue.ts')).refundJobs(parts),
  settlementColumns: { refund: 'refunded' as const },
  personalData: async () => ({ records: [(await import('./personal-data.ts')).refundRecords] }),
  calendar: { '* * * * *': 'refunds.take-up' },
  checks: async () => (await import('./checks.ts')).refundChecks,
  postings: async () => [(await import('./checks.ts')).refundPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledRefunds],
}
