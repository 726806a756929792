import type { Platform } from '../platform/platform.ts'
import { type Permission, roleNames } from '../spaces/permissions.ts'

const permissions: Permission[] = [
  { name: 'settings:read', roles: roleNames },
  { name: 'settings:write', roles: ['owner', 'admin'] },
]

export const slice = {
  name: 'space-settings',
  permissions,
  tags: {
    settings: 'What a Space sets for itself, in each environment apart.',
  },
  async routes(parts: Platform) {
    const { settingsRoutes } = await import('./routes.ts')
    const { logoRoute } = await import('./logo-route.ts')
    return [...settingsRoutes(parts), logoRoute(parts)]
  },
}
