import type { Platform } from '../platform/platform.ts'
import { type Permission, readAndWrite } from '../spaces/permissions.ts'
import { resources } from './resources.ts'

const permissions: Permission[] = [
  ...readAndWrite('access-tokens'),
  ...readAndWrite('members', 'people'),
  { name: 'audit:read', roles: ['owner', 'admin', 'finance'] },
]

export const slice = {
  name: 'team',
  tables: ['invitations'],
  resources,
  permissions,
  tags: {
    'access-tokens': 'Tokens that call the API: each is owned by a member, and allows no more than they may.',
    members: 'Who works in a Space, and in which role.',
    invitations: 'Invitations to a Space, sent by mail and good for 7 days.',
    'audit-entries':
      'What people decided: approvals, roles, tokens, settings, cases. Nothing in it can be altered.',
  },
  routes: async (parts: Platform) => [
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
