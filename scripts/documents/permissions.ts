import { permissions, roleHas, roleNames } from '../../packages/server/src/tenants/spaces/permissions.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** Writes `docs/reference/permissions.md`. */
export function writePermissions(): string {
  const rows = permissions().map((permission) => [
    code(permission),
    ...roleNames.map((role) => (roleHas(role, permission) ? '✓' : '')),
  ])
  return page(
    writtenByCode('packages/server/src/**/slice.ts'),
    '# Permissions',
    'A token has the permissions that both its scopes and its user’s role in the Space allow. A scope is any permission below, or `*` for all; `…:write` includes `…:read`. If a token is limited to certain Spaces or networks, those limits apply first.',
    table(['Permission', ...roleNames], rows),
  )
}
