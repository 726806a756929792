import assert from 'node:assert/strict'
import { isWithin } from '../platform/http/caller.ts'

export const roleNames = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const
export type Role = (typeof roleNames)[number]
export const isRole = (text: string): text is Role => roleNames.some((name) => name === text)

/** What a route requires, `<resource>:read`, `<resource>:write` or another as `payouts:approve`; and the roles that have it. */
export type Permission = { name: string; roles: readonly Role[] }

/** Money is for finance too, and people only for who administers the Space; viewers read everything. */
export function readAndWrite(resource: string, kind?: 'money' | 'people'): Permission[] {
  const roles: Role[] = [
    'owner',
    'admin',
    ...(kind === 'people' ? [] : (['developer'] as const)),
    ...(kind === 'money' ? (['finance'] as const) : []),
  ]
  return [
    { name: `${resource}:read`, roles: [...roles, 'viewer'] },
    { name: `${resource}:write`, roles },
  ]
}

const registered = new Map<string, Permission>()

/** `src/slices.ts` registers those of all slices as soon as it is loaded. */
export function registerPermissions(more: readonly Permission[]): void {
  for (const permission of more) {
    assert(!registered.has(permission.name), `two slices have the permission ${permission.name}`)
    registered.set(permission.name, permission)
  }
}

export const permissions = (): string[] => [...registered.keys()]

/** The scopes that a token may have: any permission, or all. */
export const scopes = (): string[] => [...permissions(), '*']

export const roleHas = (role: Role, permission: string): boolean =>
  registered.get(permission)?.roles.includes(role) ?? false

/** Whether a token with these scopes, of a member with this role, has a permission. */
export function allows(tokenScopes: readonly string[], role: Role, permission: string): boolean {
  return roleHas(role, permission) && grantedBy(tokenScopes, permission)
}

/** `write` includes `read`; `*` is all. */
function grantedBy(tokenScopes: readonly string[], permission: string): boolean {
  if (tokenScopes.includes('*') || tokenScopes.includes(permission)) return true
  return permission.endsWith(':read') && tokenScopes.includes(permission.replace(/:read$/, ':write'))
}

/** A token's scopes, and where it may be used (`null`: everywhere). */
export type TokenRights = {
  scopes: readonly string[]
  spaceIds: readonly string[] | null
  networks: readonly string[] | null
}

/** The Space that a call is for, and where it comes from. `role` is the caller's in that Space, if any. */
export type Approach = { spaceId: string; address: string; role: Role | undefined }

/** Effective rights: the token's scopes ∩ the user's role in the Space ∩ the token's allow-lists. */
export function permits(
  token: TokenRights,
  { spaceId, address, role }: Approach,
  permission: string,
): boolean {
  return (
    role !== undefined &&
    admitsSpace(token, spaceId) &&
    admitsAddress(token, address) &&
    allows(token.scopes, role, permission)
  )
}

export const admitsSpace = ({ spaceIds }: Pick<TokenRights, 'spaceIds'>, spaceId: string) =>
  spaceIds === null || spaceIds.includes(spaceId)

/** Whether a token may be used from an address. */
export const admitsAddress = ({ networks }: Pick<TokenRights, 'networks'>, address: string) =>
  networks === null || isWithin(networks, address)
