import { permissions, roleHas, roleNames } from '../../src/spaces/permissions.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** `docs/reference/permissions.md` */
export function writePermissions(): string {
  const rows = permissions().map((permission) => [
    code(permission),
    ...roleNames.map((role) => (roleHas(role, permission) ? '✓' : '')),
  ])
  return page(
    writtenByCode('src/*/slice.ts'),
    '# Permissions',
    'A token may do what both its scopes and its user’s role in the Space allow. A scope is any permission below, or `*` for all; `…:write` includes `…:read`. A token’s lists of Spaces and networks, where it has them, stand before both.',
    table(['Permission', ...roleNames], rows),
  )
}
