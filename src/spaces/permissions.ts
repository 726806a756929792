import { isWithin } from '../platform/http/caller.ts'

/**
 * Who may do what. A permission is `<resource>:read`, `<resource>:write`, `balances:read` or `payouts:approve`.
 * Effective rights are the token's scopes ∩ the user's role in the Space; the allow-lists stand before both.
 */
const resources = [
  'checkout-sessions',
  'payment-codes',
  'payments',
  'payouts',
  'internal-transfers',
  'financial-accounts',
  'financial-transactions',
  'ussd-otps',
  'webhooks',
  'events',
  'receipts',
  'refunds',
  'provider-kyc',
  'access-tokens',
  'members',
] as const

export const permissions: readonly string[] = [
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  'balances:read',
  'payouts:approve',
]

/** What a token may be given: any permission, or all. */
export const scopes: readonly string[] = [...permissions, '*']

const moneyResources = [
  'checkout-sessions',
  'payment-codes',
  'payments',
  'payouts',
  'internal-transfers',
  'financial-accounts',
  'financial-transactions',
  'receipts',
  'refunds',
  'provider-kyc',
]
const resourceOf = (permission: string) => permission.replace(/:.*/, '')

export const roles = {
  owner: permissions,
  admin: permissions,
  developer: permissions.filter((p) => resourceOf(p) !== 'members' && p !== 'payouts:approve'),
  finance: permissions.filter((p) => moneyResources.includes(resourceOf(p)) || p === 'balances:read'),
  viewer: permissions.filter((p) => p.endsWith(':read') && p !== 'balances:read'),
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof roles
export const isRole = (text: string): text is Role => Object.hasOwn(roles, text)

/** Whether a token with these scopes, in the hand of a member with this role, has a permission. */
export function allows(tokenScopes: readonly string[], role: Role, permission: string): boolean {
  return roles[role].includes(permission) && grantedBy(tokenScopes, permission)
}

/** `write` includes `read`; `*` is all. */
function grantedBy(tokenScopes: readonly string[], permission: string): boolean {
  if (tokenScopes.includes('*') || tokenScopes.includes(permission)) return true
  return permission.endsWith(':read') && tokenScopes.includes(permission.replace(/:read$/, ':write'))
}

/** What a token says of itself: its scopes, and where it may be used (`null`: everywhere). */
export type TokenRights = {
  scopes: readonly string[]
  spaceIds: readonly string[] | null
  networks: readonly string[] | null
}

/** From where to where a call goes. `role` is the caller's in that Space, if any. */
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
