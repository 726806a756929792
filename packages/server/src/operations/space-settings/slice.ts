import { type Permission, roleNames } from '../../tenants/spaces/permissions.ts'
import type { PreviewParts } from './preview-route.ts'

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
  async routes(parts: PreviewParts) {
    const { settingsRoutes } = await import('./routes.ts')
    const { logoRoute } = await import('./logo-route.ts')
    const { previewRoutes } = await import('./preview-route.ts')
    return [...settingsRoutes(parts), logoRoute(parts), ...previewRoutes(parts)]
  },
}
