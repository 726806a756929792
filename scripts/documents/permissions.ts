import { permissions, roles } from '../../src/spaces/permissions.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** `docs/reference/permissions.md` */
export function writePermissions(): string {
  const names = Object.keys(roles) as (keyof typeof roles)[]
  const rows = permissions.map((permission) => [
    code(permission),
    ...names.map((role) => (roles[role].includes(permission) ? '✓' : '')),
  ])
  return page(
    writtenByCode('src/spaces/permissions.ts'),
    '# Permissions',
    'A token may do what both its scopes and its user’s role in the Space allow. A scope is any permission below, or `*` for all; `…:write` includes `…:read`. A token’s lists of Spaces and networks, where it has them, stand before both.',
    table(['Permission', ...names], rows),
  )
}
