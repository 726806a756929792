import type { OwnRouteParts } from './own-route.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

export const slice = {
  folder: 'tenants/sign-in',
  homeTables: [
    'sign_in_links',
    'sign_in_attempts',
    'sign_in_challenges',
    'passkeys',
    'totp_secrets',
    'recovery_codes',
    'sign_in_second_steps',
    'mailed_codes',
    'oidc_identities',
    'oidc_tries',
    'roles_by_group',
  ],
  settings,
  resources,
  tags: {
    'sign-in': 'Signing in to the console. Only the console’s sign-in page calls these endpoints.',
    'step-up':
      'Confirming one’s identity again before a sensitive action. Only the console calls these endpoints.',
    passkeys: 'The user’s passkeys. API tokens cannot call these endpoints.',
    totp: 'The user’s authenticator app. API tokens cannot call these endpoints.',
    'recovery-codes':
      'Single-use codes for a user who has lost their authenticator app. API tokens cannot call these endpoints.',
    'sign-out': 'Signing out.',
    'sign-ins': 'The user’s recent sign-in attempts.',
  },
  routes: async (parts: OwnRouteParts) => (await import('./routes.ts')).signInRoutes(parts),
  jobs: async (parts: OwnRouteParts) => (await import('./jobs.ts')).signInJobs(parts),
  calendar: { '27 * * * *': 'sign-in.forget' },
}
