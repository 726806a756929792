import type { OwnRouteParts } from './own-route.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

export const slice = {
  name: 'sign-in',
  tables: [
    'sign_in_links',
    'sign_in_attempts',
    'sign_in_challenges',
    'passkeys',
    'totp_secrets',
    'recovery_codes',
    'sign_in_second_steps',
    'oidc_identities',
    'oidc_tries',
    'roles_by_group',
  ],
  settings,
  resources,
  routes: async (parts: OwnRouteParts) => (await import('./routes.ts')).signInRoutes(parts),
  jobs: async (parts: OwnRouteParts) => (await import('./jobs.ts')).signInJobs(parts),
  calendar: { '27 * * * *': 'sign-in.forget' },
}
