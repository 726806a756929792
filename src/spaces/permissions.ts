import assert from 'node:assert/strict'
import { isWithin } from '../platform/http/caller.ts'
import type { Environment } from '../platform/scope.ts'

export const roleNames = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer'] as const
export type Role = (typeof roleNames)[number]
export const isRole = (text: string): text is Role => roleNames.some((name) => name === text)

/** What a route requires, `<resource>:read`, `<resource>:write` or another as `payouts:approve`; and the roles that have it. */
export type Permission = { name: string; roles: readonly Role[] }

/**
 * Money is for finance too, and people only for who administers the Space; viewers read everything. What payers ask about,
 * `money in`, support reads as well: nothing there shows whole phone numbers.
 */
export function readAndWrite(resource: string, kind?: 'money' | 'money in' | 'people'): Permission[] {
  const roles: Role[] = [
    'owner',
    'admin',
    ...(kind === 'people' ? [] : (['developer'] as const)),
    ...(kind?.startsWith('money') ? (['finance'] as const) : []),
  ]
  return [
    {
      name: `${resource}:read`,
      roles: [...roles, ...(kind === 'money in' ? (['support'] as const) : []), 'viewer'],
    },
    { name: `${resource}:write`, roles },
  ]
}

/**
 * What operators may do, who run the installation: no role has them, and no Space. Changes act on live, so that no caller of
 * test makes any.
 */
export const installationPermissions: Permission[] = [
  { name: 'installation:read', roles: [] },
  { name: 'installation:write', roles: [] },
]

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

/**
 * Returns whether a role sees who payers and payees are. Support recognises them by less. It is no scope: a token sees
 * what its user does.
 */
export const seesPersonalData = (role: Role) => role !== 'support'

/** Whether a token with these scopes, of a member with this role, has a permission. */
export function allows(tokenScopes: readonly string[], role: Role, permission: string): boolean {
  return roleHas(role, permission) && grantedBy(tokenScopes, permission)
}

/** `write` includes `read` and the lesser ways of writing; `*` is all. */
function grantedBy(tokenScopes: readonly string[], permission: string): boolean {
  if (tokenScopes.includes('*') || tokenScopes.includes(permission)) return true
  return tokenScopes.includes(permission.replace(/:(?:read|propose|resend|send)$/, ':write'))
}

/** A token's scopes, and where it may be used (`null`: everywhere). */
export type TokenRights = {
  scopes: readonly string[]
  spaceIds: readonly string[] | null
  networks: readonly string[] | null
}

/** Whoever is signed in at the console may do all that their roles allow. */
export const ofSessions: TokenRights = { scopes: ['*'], spaceIds: null, networks: null }

/**
 * What a call is for, and where it comes from: a Space, where the caller has that `role`, if any; or the installation, of
 * which the caller is an operator, or is not.
 */
export type Approach = { address: string } & (
  | { spaceId: string; role: Role | undefined }
  | { spaceId: null; isOperator: boolean; environment: Environment }
)

/**
 * Effective rights: the token's scopes ∩ the user's role in the Space ∩ the token's allow-lists. In the installation being its
 * operator stands for the role, and a token that is bound to Spaces has no rights there.
 */
export function permits(token: TokenRights, approach: Approach, permission: string): boolean {
  if (!admitsAddress(token, approach.address)) return false
  if (approach.spaceId === null)
    return (
      approach.isOperator &&
      token.spaceIds === null &&
      isOfInstallation(permission) &&
      grantedBy(token.scopes, permission) &&
      (permission.endsWith(':read') || approach.environment === 'live')
    )
  const { spaceId, role } = approach
  return role !== undefined && admitsSpace(token, spaceId) && allows(token.scopes, role, permission)
}

const isOfInstallation = (permission: string) =>
  installationPermissions.some(({ name }) => name === permission)

export const admitsSpace = ({ spaceIds }: Pick<TokenRights, 'spaceIds'>, spaceId: string) =>
  spaceIds === null || spaceIds.includes(spaceId)

/** Whether a token may be used from an address. */
export const admitsAddress = ({ networks }: Pick<TokenRights, 'networks'>, address: string) =>
  networks === null || isWithin(networks, address)
