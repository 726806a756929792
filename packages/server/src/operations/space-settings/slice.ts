import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { type Permission, roleNames } from '../../tenants/spaces/permissions.ts'

const permissions: Permission[] = [
  { name: 'settings:read', roles: roleNames },
  { name: 'settings:write', roles: ['owner', 'admin'] },
]

export const slice = {
  folder: 'operations/space-settings',
  permissions,
  tags: {
    settings: 'Settings of a Space, which are separate for each environment.',
  },
  async routes(parts: Platform & { catalogue: Catalogue }) {
    const { settingsRoutes } = await import('./routes.ts')
    const { logoRoute } = await import('./logo-route.ts')
    return [...settingsRoutes(parts), logoRoute(parts)]
  },
}
