import type { Platform } from '../platform/platform.ts'

export const slice = {
  name: 'sign-in',
  tables: ['sign_in_links'],
  routes: async (parts: Platform) => (await import('./link-routes.ts')).linkRoutes(parts),
  jobs: async (parts: Platform) => (await import('./jobs.ts')).signInJobs(parts),
  calendar: { '27 * * * *': 'sign-in.forget' },
}
