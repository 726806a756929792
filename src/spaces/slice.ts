import type { Platform } from '../platform/platform.ts'
import { installationPermissions, type Permission, readAndWrite } from './permissions.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

const permissions: Permission[] = [
  ...readAndWrite('access-tokens'),
  ...readAndWrite('members', 'people'),
  ...installationPermissions,
]

export const slice = {
  name: 'spaces',
  tables: ['spaces', 'users', 'members', 'tokens', 'sessions', 'invitations', 'audit_entries', 'unchained'],
  settings,
  resources,
  permissions,
  routes: async (parts: Platform) => [
    ...(await import('./me.ts')).meRoutes(parts),
    ...(await import('./session-routes.ts')).sessionRoutes(parts),
    ...(await import('./access-token-routes.ts')).accessTokenRoutes(parts),
  ],
}
