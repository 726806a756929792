import { findCountry } from '@pesewa/values'
import ipaddr from 'ipaddr.js'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import { newId } from '../../platform/ids.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import { isEnvironment } from '../../platform/scope.ts'
import { hiddenCharactersError, hidesCharacters, isVisible } from '../../platform/text-rules.ts'
import { scopes as allScopes, isRole } from './permissions.ts'
import { endSessionsOf } from './session-store.ts'
import {
  deleteMember,
  insertSpace,
  insertToken,
  insertUser,
  type Membership,
  revokeToken as markRevoked,
  revokeTokensOf,
  revokeTokensOfSpace,
  type Space,
  selectSpace,
  selectUser,
  type Token,
  type User,
  updateOperator,
  upsertMember,
} from './store.ts'
import { hashSecret, newToken } from './tokens.ts'

// Spaces, users and tokens belong to the operator, and their times are wall-clock times.

export async function createSpace(
  tx: HomeTx,
  { name, country }: { name: string; country: string },
): Promise<Space> {
  checkSpace({ name, country })
  const createdAt = new Date()
  const space = { id: newId(createdAt), name, country, createdAt }
  await insertSpace(tx, space)
  return { ...space, suspendedAt: null, suspendedBy: null, suspensionReason: null }
}

/** @throws Refusal `arguments_invalid` if a Space cannot have this name or country */
export function checkSpace({ name, country }: { name: string; country: string }): void {
  const issues = new Issues()
  checkName(name, issues)
  if (!findCountry(country))
    issues.add('country', 'is not a supported country; use a two-letter code, such as SL')
  issues.refuse()
}

function checkName(name: string, issues: Issues): void {
  // Code points are counted, as in the API's schemas.
  if (name.length < 1 || [...name].length > 100) issues.add('name', 'must be 1 to 100 characters')
  else if (!isVisible(name)) issues.add('name', 'must contain a visible character')
  else if (hidesCharacters(name)) issues.add('name', hiddenCharactersError)
}

export const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)

export async function addUser(tx: HomeTx, email: string, { isOperator = false } = {}): Promise<User> {
  const issues = new Issues()
  if (!isEmail(email)) issues.add('email', 'must be an email address')
  issues.refuse()
  const createdAt = new Date()
  const user = { id: newId(createdAt), email, isOperator, createdAt }
  try {
    await insertUser(tx, user)
  } catch (error) {
    if (violatedConstraint(error) === 'users_email')
      throw new Refusal('reference_in_use', { message: 'A user with this email address already exists.' })
    throw error
  }
  return user
}

/**
 * Grants or revokes a user's operator rights. This takes effect on every node within a second. Repeating the
 * call has no effect.
 */
export async function setOperator(tx: HomeTx, userId: string, isOperator: boolean): Promise<User> {
  await updateOperator(tx, userId, isOperator)
  const user = await selectUser(tx, userId)
  if (!user) throw new Refusal('not_found', { message: 'There is no such user.' })
  return user
}

export async function setMember(
  tx: HomeTx,
  member: { spaceId: string; userId: string; role: string },
): Promise<void> {
  const issues = new Issues()
  if (!isRole(member.role)) issues.add('role', 'must be owner, admin, developer, finance, support or viewer')
  if (!(await selectSpace(tx, member.spaceId))) issues.add('space', 'does not exist')
  if (!(await selectUser(tx, member.userId))) issues.add('user', 'does not exist')
  issues.refuse()
  if (isRole(member.role)) await upsertMember(tx, member.spaceId, member.userId, member.role)
}

/**
 * Removes a member and revokes the member's tokens that are valid only in this Space, so that the tokens do not
 * work again if the member returns.
 */
export async function endMembership(tx: HomeTx, { spaceId, userId }: Membership): Promise<void> {
  await deleteMember(tx, spaceId, userId)
  await revokeTokensOfSpace(tx, spaceId, userId, new Date())
}

/**
 * Revokes all access of a user: tokens, sessions and operator rights. This takes effect on every node within a
 * second.
 */
export async function endAccess(tx: HomeTx, userId: string): Promise<{ tokens: number; sessions: number }> {
  await updateOperator(tx, userId, false)
  const at = new Date()
  return { tokens: await revokeTokensOf(tx, userId, at), sessions: await endSessionsOf(tx, userId, at) }
}

/** Number of characters that are shown to tell tokens apart. They are part of the checksum. */
const shownCharacters = 4

/** A token to be created. `lifeMs` is its lifetime, or `null` if it never expires. */
export type NewToken = Pick<Token, 'userId' | 'environment' | 'name' | 'scopes' | 'spaceIds' | 'networks'> & {
  lifeMs: number | null
}

/** Creates a token and returns it with its text, of which only the hash is stored. */
export async function createToken(tx: HomeTx, request: NewToken): Promise<{ token: Token; text: string }> {
  await checkToken(tx, request)
  const createdAt = new Date()
  const text = newToken(request.environment)
  const { lifeMs, ...fields } = request
  const token: Token = {
    ...fields,
    id: newId(createdAt),
    expiresAt: lifeMs === null ? null : new Date(createdAt.getTime() + lifeMs),
    revokedAt: null,
    lastUsedAt: null,
    createdAt,
    lastCharacters: text.slice(-shownCharacters),
    replacedBy: null,
  }
  await insertToken(tx, token, hashSecret(text))
  return { token, text }
}

async function checkToken(db: Reader, request: NewToken): Promise<void> {
  const issues = new Issues()
  if (!isEnvironment(request.environment)) issues.add('environment', 'must be test or live')
  checkName(request.name, issues)
  for (const scope of request.scopes)
    if (!allScopes().includes(scope)) issues.add('scopes', `"${scope}" is not a scope`)
  if (request.scopes.length === 0) issues.add('scopes', 'must include at least one scope')
  for (const network of request.networks ?? [])
    if (!ipaddr.isValidCIDR(network))
      issues.add('ips', `"${network}" is not a valid network; use CIDR notation, such as 10.0.0.0/8`)
  for (const spaceId of request.spaceIds ?? [])
    if (!(await selectSpace(db, spaceId))) issues.add('spaces', 'includes a Space that does not exist')
  if (!(await selectUser(db, request.userId))) issues.add('user', 'does not exist')
  issues.refuse()
}

/** Revokes a token. This takes effect on every node within a second. Repeating the call has no effect. */
export async function revokeToken(tx: HomeTx, id: string): Promise<void> {
  if ((await markRevoked(tx, id, new Date())) === 0)
    throw new Refusal('not_found', { message: 'There is no such token.' })
}
