import type { Platform } from '../platform/platform.ts'
import { installationPermissions, type Permission, readAndWrite } from './permissions.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

const permissions: Permission[] = [
  ...readAndWrite('access-tokens'),
  ...readAndWrite('members', 'people'),
  { name: 'audit:read', roles: ['owner', 'admin', 'finance'] },
  ...installationPermissions,
]

export const slice = {
  name: 'spaces',
  tables: [
    'spaces',
    'users',
    'members',
    'tokens',
    'sessions',
    'invitations',
    'audit_entries',
    'unchained',
    'brands',
    'logos',
  ],
  settings,
  resources,
  permissions,
  routes: async (parts: Platform) => [
    ...(await import('./me.ts')).meRoutes(parts),
    ...(await import('./session-routes.ts')).sessionRoutes(parts),
    ...(await import('./access-token-routes.ts')).accessTokenRoutes(parts),
    ...(await import('./member-routes.ts')).memberRoutes(parts),
    ...(await import('./invitation-routes.ts')).invitationRoutes(parts),
    ...(await import('./audit-routes.ts')).auditRoutes(parts),
  ],
  jobs: async (parts: Platform) => ({
    ...(await import('./expiry-warnings.ts')).expiryJobs(parts),
    ...(await import('./invitation-jobs.ts')).invitationJobs(parts),
  }),
  calendar: { '33 * * * *': 'tokens.warn-of-expiry' },
}
