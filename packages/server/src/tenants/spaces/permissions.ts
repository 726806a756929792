import assert from 'node:assert/strict'
import { isWithin } from '../../platform/http/admission/caller.ts'
import type { Environment } from '../../platform/scope.ts'

export const roleNames = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer'] as const
export type Role = (typeof roleNames)[number]
export const isRole = (text: string): text is Role => roleNames.some((name) => name === text)

/**
 * A permission that routes require, such as `payments:read`, `payments:write` or `payouts:approve`, and the
 * roles that have it.
 */
export type Permission = { name: string; roles: readonly Role[] }

/**
 * Returns the read and write permissions for a resource. Finance has them only for the kinds `money` and `money
 * in`, and developers have them for every kind except `people`. Viewers can read everything. Support can read
 * resources of the kind `money in`, because payers ask about them and they show no full phone numbers.
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
 * Permissions of operators, who run the installation. No role in a Space grants them. Changes require the live
 * environment, so test tokens cannot make any.
 */
export const installationPermissions: Permission[] = [
  { name: 'installation:read', roles: [] },
  { name: 'installation:write', roles: [] },
]

const registered = new Map<string, Permission>()

/** Registers permissions. When `src/slices.ts` is loaded, it registers those of all slices. */
export function registerPermissions(more: readonly Permission[]): void {
  for (const permission of more) {
    assert(!registered.has(permission.name), `two slices have the permission ${permission.name}`)
    registered.set(permission.name, permission)
  }
}

export const permissions = (): string[] => [...registered.keys()]

/** Returns the scopes that a token can have: each permission, and `*` for all of them. */
export const scopes = (): string[] => [...permissions(), '*']

export const roleHas = (role: Role, permission: string): boolean =>
  registered.get(permission)?.roles.includes(role) ?? false

/**
 * Returns whether a role sees personal data of payers and payees in full. Support sees it masked. This does not
 * depend on scopes: a token sees what its user sees.
 */
export const seesPersonalData = (role: Role) => role !== 'support'

/** Returns whether a token with these scopes has a permission if its user has this role. */
export function allows(tokenScopes: readonly string[], role: Role, permission: string): boolean {
  return roleHas(role, permission) && includesPermission(tokenScopes, permission)
}

/**
 * Returns whether the scopes include a permission. `write` includes `read` and the narrower write permissions,
 * and `*` includes everything.
 */
function includesPermission(tokenScopes: readonly string[], permission: string): boolean {
  if (tokenScopes.includes('*') || tokenScopes.includes(permission)) return true
  return tokenScopes.includes(permission.replace(/:(?:read|propose|resend|send)$/, ':write'))
}

/**
 * The scopes of a token, the Spaces in which it can be used, and the networks from which it can be used. `null`
 * stands for all of them.
 */
export type TokenRights = {
  scopes: readonly string[]
  spaceIds: readonly string[] | null
  networks: readonly string[] | null
}

/** Rights of console sessions, which include everything that the user's roles allow. */
export const sessionRights: TokenRights = { scopes: ['*'], spaceIds: null, networks: null }

/**
 * The origin and the target of a call. The target is either a Space, in which the caller may have a `role`, or
 * the installation, for which the caller may be an operator.
 */
export type CallContext = { address: string } & (
  | { spaceId: string; role: Role | undefined }
  | { spaceId: null; isOperator: boolean; environment: Environment }
)

/**
 * Returns whether a call is permitted. In a Space, the permission must be among the token's scopes and be
 * granted by the user's role, and the token's allow-lists must include the Space and the IP address. In the
 * installation, the user must be an operator, and a token that is restricted to certain Spaces has no rights.
 */
export function permits(token: TokenRights, approach: CallContext, permission: string): boolean {
  // Addresses are compared last, because this takes longest.
  return isGranted(token, approach, permission) && admitsAddress(token, approach.address)
}

function isGranted(token: TokenRights, approach: CallContext, permission: string): boolean {
  if (approach.spaceId === null)
    return (
      approach.isOperator &&
      token.spaceIds === null &&
      isInstallationPermission(permission) &&
      includesPermission(token.scopes, permission) &&
      (permission.endsWith(':read') || approach.environment === 'live')
    )
  const { spaceId, role } = approach
  return role !== undefined && admitsSpace(token, spaceId) && allows(token.scopes, role, permission)
}

export const isInstallationPermission = (permission: string) =>
  installationPermissions.some(({ name }) => name === permission)

export const admitsSpace = ({ spaceIds }: Pick<TokenRights, 'spaceIds'>, spaceId: string) =>
  spaceIds === null || spaceIds.includes(spaceId)

/** Returns whether a token can be used from an IP address. */
export const admitsAddress = ({ networks }: Pick<TokenRights, 'networks'>, address: string) =>
  networks === null || isWithin(networks, address)
