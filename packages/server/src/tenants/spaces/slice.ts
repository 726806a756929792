import type { Platform } from '../../platform/platform.ts'
import { installationPermissions } from './permissions.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'

export const slice = {
  folder: 'tenants/spaces',
  tables: ['audit_entries', 'unchained', 'brands', 'logos'],
  homeTables: ['spaces', 'users', 'members', 'tokens', 'sessions'],
  functions: ['mark_rules'],
  settings,
  resources,
  permissions: installationPermissions,
  tags: {
    me: 'The caller and their permissions in each Space.',
    sessions: 'The user’s console sessions. API tokens cannot call these endpoints.',
  },
  routes: async (parts: Platform) => [
    ...(await import('./me.ts')).meRoutes(parts),
    ...(await import('./session-routes.ts')).sessionRoutes(parts),
  ],
}
