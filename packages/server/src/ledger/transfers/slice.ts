import type { Platform } from '../../platform/platform.ts'
import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import { resources } from './resources.ts'

export const slice = {
  folder: 'ledger/transfers',
  tables: ['internal_transfers'],
  functions: ['internal_transfer_terms', 'internal_transfer_outcome'],
  resources,
  permissions: readAndWrite('internal-transfers', 'money'),
  tags: {
    'internal-transfers': 'Transfers between two accounts of one Space, immediately or at a scheduled time.',
  },
  routes: async (parts: Platform) => (await import('./routes.ts')).transferRoutes(parts),
  jobs: async (parts: Platform) => (await import('./jobs.ts')).transferJobs(parts),
  checks: async () => (await import('./checks.ts')).transferChecks,
  postings: async () => [(await import('./checks.ts')).transferPostings],
}
