import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'money/pending-approvals',
  routes: async (parts: Pick<Platform, 'db'>) => (await import('./routes.ts')).approvalRoutes(parts),
  jobs: async (parts: Platform) => (await import('./jobs.ts')).approvalJobs(parts),
}
