import assert from 'node:assert/strict'
import { isWithin } from '../platform/http/caller.ts'
import type { Environment } from '../platform/scope.ts'

export const roleNames = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer'] as const
export type Role = (typeof roleNames)[number]
export const isRole = (text: string): text is Role => roleNames.some((name) => name === text)

/**
 * A permission that routes require, such as `payments:read`, `payments:write` or `payouts:approve`, and the
 * roles that have it.
 */
export type Permission = { name: string; roles: readonly Role[] }

/**
 * Returns the read and write permissions of a resource. Finance can write `money`; only owners and admins can
 * write `people`; viewers can read everything. Support can also read `money in`, which payers ask about and
 * which shows no full phone numbers.
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
 * Permissions of operators, who run the installation. No role or Space grants them. Changes require the live
 * environment, so test tokens cannot make any.
 */
export const installationPermissions: Permission[] = [
  { name: 'installation:read', roles: [] },
  { name: 'installation:write', roles: [] },
]

const registered = new Map<string, Permission>()

/** Registers permissions; `src/slices.ts` registers those of all slices when it loads. */
export function registerPermissions(more: readonly Permission[]): void {
  for (const permission of more) {
    assert(!registered.has(permission.name), `two slices have the permission ${permission.name}`)
    registered.set(permission.name, permission)
  }
}

export const permissions = (): string[] => [...registered.keys()]

/** Returns the scopes that a token can have: each permission, and `*` for all. */
export const scopes = (): string[] => [...permissions(), '*']

export const roleHas = (role: Role, permission: string): boolean =>
  registered.get(permission)?.roles.includes(role) ?? false

/**
 * Returns true if a role sees personal data of payers and payees. Support sees it masked. This is not a scope:
 * a token sees what its user sees.
 */
export const seesPersonalData = (role: Role) => role !== 'support'

/** Returns true if a token with these scopes, of a member with this role, has a permission. */
export function allows(tokenScopes: readonly string[], role: Role, permission: string): boolean {
  return roleHas(role, permission) && includesPermission(tokenScopes, permission)
}

/**
 * Returns true if the scopes include a permission. `write` includes `read` and the narrower write permissions;
 * `*` includes everything.
 */
function includesPermission(tokenScopes: readonly string[], permission: string): boolean {
  if (tokenScopes.includes('*') || tokenScopes.includes(permission)) return true
  return tokenScopes.includes(permission.replace(/:(?:read|propose|resend|send)$/, ':write'))
}

/** A token's scopes, and the Spaces and networks where it can be used (`null`: all). */
export type TokenRights = {
  scopes: readonly string[]
  spaceIds: readonly string[] | null
  networks: readonly string[] | null
}

/** Rights of console sessions: everything that the user's roles allow. */
export const sessionRights: TokenRights = { scopes: ['*'], spaceIds: null, networks: null }

/**
 * Target and origin of a call. The target is a Space, where the caller may have a `role`, or the installation,
 * where the caller may be an operator.
 */
export type CallContext = { address: string } & (
  | { spaceId: string; role: Role | undefined }
  | { spaceId: null; isOperator: boolean; environment: Environment }
)

/**
 * Returns true if a call is permitted: the token's scopes ∩ the user's role in the Space ∩ the token's
 * allow-lists. For the installation, being an operator replaces the role, and tokens restricted to Spaces have
 * no rights.
 */
export function permits(token: TokenRights, approach: CallContext, permission: string): boolean {
  if (!admitsAddress(token, approach.address)) return false
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

const isInstallationPermission = (permission: string) =>
  installationPermissions.some(({ name }) => name === permission)

export const admitsSpace = ({ spaceIds }: Pick<TokenRights, 'spaceIds'>, spaceId: string) =>
  spaceIds === null || spaceIds.includes(spaceId)

/** Returns true if a token can be used from an address. */
export const admitsAddress = ({ networks }: Pick<TokenRights, 'networks'>, address: string) =>
  networks === null || isWithin(networks, address)
