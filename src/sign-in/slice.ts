import type { OwnRouteParts } from './own-route.ts'
import { resources } from './resources.ts'

export const slice = {
  name: 'sign-in',
  tables: ['sign_in_links', 'sign_in_attempts'],
  resources,
  routes: async (parts: OwnRouteParts) => [
    ...(await import('./link-routes.ts')).linkRoutes(parts),
    ...(await import('./own-sign-ins.ts')).ownSignInRoutes(parts),
  ],
  jobs: async (parts: OwnRouteParts) => (await import('./jobs.ts')).signInJobs(parts),
  calendar: { '27 * * * *': 'sign-in.forget' },
}
