import type { Platform } from '../../platform/platform.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { resources } from './resources.ts'

export const slice = {
  folder: 'money/payout-batches',
  tables: ['payout_batches', 'payout_batch_rows'],
  functions: ['payout_batch_terms', 'payout_batch_outcome', 'payout_batch_seal'],
  resources,
  tags: {
    'payout-batches': 'Payouts that are checked, approved and created together.',
  },
  routes: async (parts: PayoutParts) => (await import('./routes.ts')).batchRoutes(parts),
  jobs: async (parts: Platform) => (await import('./jobs.ts')).batchJobs(parts),
  checks: async () => (await import('./checks.ts')).batchChecks,
  personalData: async () => ({ records: [(await import('./personal-data.ts')).batchRowRecords] }),
}
