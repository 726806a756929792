import type { Platform } from '../platform/platform.ts'

export const slice = {
  name: 'console',
  tables: ['sign_in_links'],
  routes: async (parts: Platform) => [
    ...(await import('./routes.ts')).consoleRoutes(),
    ...(await import('./sign-in-routes.ts')).signInRoutes(parts),
  ],
  jobs: async (parts: Platform) => (await import('./jobs.ts')).consoleJobs(parts),
}
