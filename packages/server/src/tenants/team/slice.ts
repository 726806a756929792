import type { Platform } from '../../platform/platform.ts'
import { type Permission, readAndWrite } from '../spaces/permissions.ts'
import { resources } from './resources.ts'

const permissions: Permission[] = [
  ...readAndWrite('access-tokens'),
  ...readAndWrite('members', 'people'),
  { name: 'audit:read', roles: ['owner', 'admin', 'finance'] },
]

export const slice = {
  folder: 'tenants/team',
  homeTables: ['invitations'],
  resources,
  permissions,
  tags: {
    'access-tokens':
      'Access tokens for the API. Each belongs to a member and never has more permissions than that member.',
    members: 'Members of a Space and their roles.',
    invitations: 'Invitations to a Space, sent by email and valid for 7 days.',
    'audit-entries':
      'Decisions made by people: approvals, roles, tokens, settings, cases. Entries cannot be changed.',
  },
  routes: async (parts: Platform) => [
    ...(await import('./access-token-routes.ts')).accessTokenRoutes(parts),
    ...(await import('./member-routes.ts')).memberRoutes(parts),
    ...(await import('./invitation-routes.ts')).invitationRoutes(parts),
    ...(await import('./audit-routes.ts')).auditRoutes(parts),
  ],
  operatorRoutes: {
    users: async (parts: Platform) => (await import('./operator-routes.ts')).userRoutes(parts),
    spaces: async (parts: Platform) => (await import('./operator-routes.ts')).operatorMemberRoutes(parts),
    tokens: async (parts: Platform) =>
      (await import('./operator-token-routes.ts')).operatorTokenRoutes(parts),
  },
  jobs: async (parts: Platform) => (await import('./jobs.ts')).teamJobs(parts),
  calendar: { '33 * * * *': 'tokens.warn-of-expiry' },
}
