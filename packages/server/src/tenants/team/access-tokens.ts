import { must } from '@pesewa/values'
import ipaddr from 'ipaddr.js'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { parseDuration } from '../../platform/duration.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { showId } from '../../platform/ids.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import { writeAuditEntry } from '../spaces/audit.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { admitsSpace, sessionRights, type TokenRights } from '../spaces/permissions.ts'
import { tokenIds } from '../spaces/resources.ts'
import { createToken, revokeToken } from '../spaces/spaces.ts'
import { markReplaced, selectToken } from '../spaces/store.ts'
import { isAdministrator } from './roles.ts'
import { countWorkingTokens, lockUser, type MemberToken, selectMemberToken } from './token-store.ts'

// Tokens belong to a user. Through the API of a Space, the calling user can create tokens that are valid in
// that Space only.

export const maxTokens = 50 // limit: active access tokens per user and environment
export const maxLife = '3650d' // limit: lifetime of an access token that expires

type Caller = Pick<Call, 'scope' | 'userId' | 'tokenId' | 'session' | 'may'>

/**
 * The properties of a requested token. By default, `networks` are those of the caller. `duration` is, for example, `90d` or
 * `never`.
 */
export type NewAccessToken = {
  name: string
  scopes: string[]
  networks?: string[] | undefined
  duration?: string | undefined
}

/** A token, with its text if it has just been created. */
export type ShownToken = MemberToken & { text?: string }

/** Returns the rights of the caller's token or session. */
const rightsOf = async (db: Reader, { session, tokenId }: Caller): Promise<TokenRights> =>
  session ? sessionRights : must(await selectToken(db, tokenId), 'token of a caller')

/**
 * Creates a token for the caller that is valid in this Space and environment.
 *
 * @throws Refusal `arguments_invalid`, also if the token would exceed the caller's rights; `state_conflict` if
 * the caller has too many tokens
 */
export async function issueToken(tx: HomeTx, caller: Caller, request: NewAccessToken): Promise<ShownToken> {
  const rights = await rightsOf(tx, caller)
  const issues = new Issues()
  validateNewToken(caller, rights, request, issues)
  issues.refuse()
  await checkRoom(tx, caller, maxTokens)
  const { name, scopes, networks = rights.networks && [...rights.networks], duration = '90d' } = request
  const { spaceId, environment } = caller.scope
  const lifeMs = parseDuration(duration) ?? null
  const fields = { userId: caller.userId, environment, name, scopes, spaceIds: [spaceId], networks, lifeMs }
  const { token, text } = await createToken(tx, fields)
  await note(tx, caller, 'token.create', token.id, 'new token', { name, scopes, networks })
  return { ...(await own(tx, caller, token.id)), text }
}

export async function validateTokenRequest(
  db: Reader,
  caller: Caller,
  request: Partial<NewAccessToken>,
  issues: Issues,
) {
  validateNewToken(caller, await rightsOf(db, caller), request, issues)
}

function validateNewToken(
  { may }: Pick<Caller, 'may'>,
  rights: TokenRights,
  { scopes = [], networks }: Partial<NewAccessToken>,
  issues: Issues,
): void {
  for (const scope of scopes)
    if (scope === '*' ? !rights.scopes.includes('*') : !may(scope))
      issues.add('scopes', `"${scope}" exceeds your permissions in this Space`)
  for (const network of networks ?? [])
    if (!ipaddr.isValidCIDR(network))
      issues.add('networks', `"${network}" is not a valid network; use CIDR notation, such as 10.0.0.0/8`)
    else if (rights.networks?.every((outer) => !isPartOf(network, outer)))
      issues.add('networks', `"${network}" is outside your own token’s networks`)
}

function isPartOf(inner: string, outer: string): boolean {
  const [[address, bits], [base, baseBits]] = [ipaddr.parseCIDR(inner), ipaddr.parseCIDR(outer)]
  return address.kind() === base.kind() && bits >= baseBits && address.match([base, baseBits])
}

async function checkRoom(tx: HomeTx, { userId, scope: { environment } }: Caller, max: number): Promise<void> {
  await lockUser(tx, userId)
  if ((await countWorkingTokens(tx, userId, environment, new Date())) >= max)
    throw new Refusal('state_conflict', {
      message: `You can have at most ${max} active access tokens. Revoke one first.`,
    })
}

/**
 * Replaces one of the caller's tokens with a new one that has the same name, rights and lifetime. The old one
 * works for another `overlapMs`, but not longer than its own lifetime.
 *
 * @throws Refusal `not_found`; `access_denied` if the token exceeds the caller's rights or belongs to another
 * user; `state_conflict` if it no longer works or has already been replaced
 */
export async function rollToken(
  tx: HomeTx,
  caller: Caller,
  id: string,
  overlapMs: number,
): Promise<ShownToken> {
  // The limit is doubled, so that a user who has reached it can still roll a token. Because the user is locked,
  // two concurrent requests cannot replace the same token.
  await checkRoom(tx, caller, 2 * maxTokens)
  const old = existing(await findAccessToken(tx, caller, id))
  checkRollable(caller, await rightsOf(tx, caller), old)
  const { userId, environment, name, scopes, spaceIds, networks, createdAt, expiresAt } = old
  const now = new Date()
  const lifeMs = expiresAt && expiresAt.getTime() - createdAt.getTime()
  const fields = { userId, environment, name, scopes, spaceIds, networks, lifeMs }
  const { token, text } = await createToken(tx, fields)
  await markReplaced(tx, id, token.id, new Date(now.getTime() + overlapMs))
  await note(tx, caller, 'token.roll', id, 'rolled', {
    name,
    replacedBy: showId(tokenIds, token.id),
    overlapMs,
  })
  return { ...(await own(tx, caller, token.id)), text }
}

function checkRollable(
  { userId, tokenId, session, may }: Caller,
  rights: TokenRights,
  old: MemberToken,
): void {
  if (old.userId !== userId)
    throw new Refusal('access_denied', { message: 'Only the owner of a token can roll it.' })
  const conflict = isWorking(old, new Date())
    ? old.replacedBy
      ? 'has already been rolled'
      : ''
    : 'is no longer active'
  if (conflict) throw new Refusal('state_conflict', { message: `This token ${conflict}. Create a new one.` })
  // A token can roll itself, because the new one has the same rights. A session has all of its user's rights.
  if (!session && old.id !== tokenId && !covers(rights, old, may))
    throw new Refusal('access_denied', {
      message:
        'This token has more permissions than the one you are using. Roll it with the token itself, or in the console.',
    })
}

/** Returns whether a caller with these rights could have created the token. */
const covers = (rights: TokenRights, token: TokenRights, may: Caller['may']): boolean => {
  const issues = new Issues()
  validateNewToken(
    { may },
    rights,
    { scopes: [...token.scopes], networks: [...(token.networks ?? [])] },
    issues,
  )
  const isInside = token.spaceIds
    ? token.spaceIds.every((id) => admitsSpace(rights, id))
    : rights.spaceIds === null
  return issues.list.length === 0 && isInside && (rights.networks === null || token.networks !== null)
}

export const isWorking = (
  { revokedAt, expiresAt }: Pick<MemberToken, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)

/**
 * Revokes a token. This takes effect on every node within a second. Repeating the call has no effect.
 *
 * @throws Refusal `not_found`; `state_conflict` if it belongs to another user and is also valid in other Spaces
 */
export async function revokeVisibleToken(tx: HomeTx, caller: Caller, id: string): Promise<void> {
  const token = existing(await findAccessToken(tx, caller, id))
  if (token.userId !== caller.userId && !isForOneSpace(token))
    throw new Refusal('state_conflict', {
      message:
        'This token is also valid in other Spaces. Only its owner can revoke it. Remove the member to block it in this Space.',
    })
  if (token.revokedAt) return
  await revokeToken(tx, id)
  await note(tx, caller, 'token.revoke', id, 'no longer needed', { name: token.name, email: token.email })
}

export const isForOneSpace = ({ spaceIds }: Pick<MemberToken, 'spaceIds'>) => spaceIds?.length === 1

/**
 * Returns the id of the user whose tokens a caller can see, which is the caller's own id. Returns `undefined`
 * for owners and admins, who can see everyone's tokens.
 */
export const visibleOwnerId = async (
  db: Reader,
  { scope: { spaceId }, userId }: Caller,
): Promise<string | undefined> => ((await isAdministrator(db, { spaceId, userId })) ? undefined : userId)

export const findAccessToken = async (db: Reader, caller: Caller, id: string) =>
  selectMemberToken(db, caller.scope, await visibleOwnerId(db, caller), id)

const own = async (tx: HomeTx, { scope, userId }: Caller, id: string) =>
  must(await selectMemberToken(tx, scope, userId, id), 'token that was made')

async function note(tx: HomeTx, caller: Caller, action: string, id: string, reason: string, details: object) {
  const decider = await deciderOf(tx, caller, reason)
  await writeAuditEntry(tx, caller.scope, decider, { action, objectType: 'token', objectId: id, details })
}
