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
  tags: {
    'sign-in': 'How people sign in at the console. Only its own page calls these.',
    'step-up':
      'Showing once more who one is, before what needs a fresh sign-in. Only the console calls these.',
    passkeys: 'A person’s passkeys. No token can call these.',
    totp: 'A person’s authenticator app. No token can call these.',
    'recovery-codes': 'Codes that sign in where the authenticator app is lost. No token can call these.',
    'sign-out': 'The end of a session.',
    'sign-ins': 'Who signed in as the caller, or tried to.',
  },
  routes: async (parts: OwnRouteParts) => (await import('./routes.ts')).signInRoutes(parts),
  jobs: async (parts: OwnRouteParts) => (await import('./jobs.ts')).signInJobs(parts),
  calendar: { '27 * * * *': 'sign-in.forget' },
}
