import ipaddr from 'ipaddr.js'
import type { Reader, Tx } from '../platform/db/database.ts'
import { parseDuration } from '../platform/duration.ts'
import type { Call } from '../platform/http/route.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import { writeAuditEntry } from '../spaces/audit.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { admitsSpace, ofSessions, type TokenRights } from '../spaces/permissions.ts'
import { tokenIds } from '../spaces/resources.ts'
import { createToken, findToken, markReplaced, revokeToken } from '../spaces/spaces.ts'
import { isAdministrator } from './roles.ts'
import { countWorkingTokens, lockUser, type MemberToken, selectMemberToken } from './token-store.ts'

// Tokens are a person's. The API of a Space makes those that are good there alone, of the caller's own.

export const maxTokens = 50 // limit: access tokens of a person that work, in each environment
export const maxLife = '3650d' // limit: how long a token works, unless it is for ever

type Caller = Pick<Call, 'scope' | 'userId' | 'tokenId' | 'session' | 'may'>

/** `networks`: where it may be used from; left out: from wherever the caller may be. `duration`: `90d`, or `never`. */
export type NewAccessToken = {
  name: string
  scopes: string[]
  networks?: string[] | undefined
  duration?: string | undefined
}

/** A token, and its text where it was made just now. */
export type ShownToken = MemberToken & { text?: string }

/** The token's own rights, or all that the person has. */
const rightsOf = async (db: Reader, { session, tokenId }: Caller): Promise<TokenRights> =>
  session ? ofSessions : must(await findToken(db, tokenId), 'token of a caller')

/**
 * Makes a token of the caller's own that is good in this Space and environment.
 *
 * @throws Refusal `arguments_invalid`, also where it would have more rights than the caller; `state_conflict` at the limit
 */
export async function issueToken(tx: Tx, caller: Caller, request: NewAccessToken): Promise<ShownToken> {
  const rights = await rightsOf(tx, caller)
  const faults = new Faults()
  judgeNewToken(caller, rights, request, faults)
  faults.refuse()
  await checkRoom(tx, caller, maxTokens)
  const { name, scopes, networks = rights.networks && [...rights.networks], duration = '90d' } = request
  const { spaceId, environment } = caller.scope
  const lifeMs = parseDuration(duration) ?? null
  const fields = { userId: caller.userId, environment, name, scopes, spaceIds: [spaceId], networks, lifeMs }
  const { token, text } = await createToken(tx, fields)
  await note(tx, caller, 'token.create', token.id, 'a new token', { name, scopes, networks })
  return { ...(await own(tx, caller, token.id)), text }
}

export async function judgeRequest(
  db: Reader,
  caller: Caller,
  request: Partial<NewAccessToken>,
  faults: Faults,
) {
  judgeNewToken(caller, await rightsOf(db, caller), request, faults)
}

function judgeNewToken(
  { may }: Pick<Caller, 'may'>,
  rights: TokenRights,
  { scopes = [], networks }: Partial<NewAccessToken>,
  faults: Faults,
): void {
  for (const scope of scopes)
    if (scope === '*' ? !rights.scopes.includes('*') : !may(scope))
      faults.add('scopes', `"${scope}" is more than you may do here`)
  for (const network of networks ?? [])
    if (!ipaddr.isValidCIDR(network)) faults.add('networks', `"${network}" is not a network like 10.0.0.0/8`)
    else if (rights.networks?.every((outer) => !isPartOf(network, outer)))
      faults.add('networks', `"${network}" is outside the networks of your own token`)
}

function isPartOf(inner: string, outer: string): boolean {
  const [[address, bits], [base, baseBits]] = [ipaddr.parseCIDR(inner), ipaddr.parseCIDR(outer)]
  return address.kind() === base.kind() && bits >= baseBits && address.match([base, baseBits])
}

async function checkRoom(tx: Tx, { userId, scope: { environment } }: Caller, max: number): Promise<void> {
  await lockUser(tx, userId)
  if ((await countWorkingTokens(tx, userId, environment, new Date())) >= max)
    throw new Refusal('state_conflict', { message: `A person has at most ${max} tokens that work.` })
}

/**
 * Makes a token in place of another of the caller's own, with the same name, rights and life. The other works for
 * `overlapMs` more, and no longer than it would have.
 *
 * @throws Refusal `not_found`; `access_denied` where it can do more than the caller, or is somebody else's; `state_conflict`
 * where it does not work any more, or was replaced before
 */
export async function rollToken(tx: Tx, caller: Caller, id: string, overlapMs: number): Promise<ShownToken> {
  // At the limit a token can be rolled still. Two at once would both replace it: they go one after the other.
  await checkRoom(tx, caller, 2 * maxTokens)
  const old = await findAccessToken(tx, caller, id)
  if (!old) throw new Refusal('not_found')
  checkRollable(caller, await rightsOf(tx, caller), old)
  const { userId, environment, name, scopes, spaceIds, networks, createdAt, expiresAt } = old
  const now = new Date()
  const lifeMs = expiresAt && expiresAt.getTime() - createdAt.getTime()
  const fields = { userId, environment, name, scopes, spaceIds, networks, lifeMs }
  const { token, text } = await createToken(tx, fields)
  await markReplaced(tx, id, token.id, new Date(now.getTime() + overlapMs))
  await note(tx, caller, 'token.roll', id, 'a new text', {
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
    throw new Refusal('access_denied', { message: 'Only the person whose token it is can roll it.' })
  const conflict = isWorking(old, new Date())
    ? old.replacedBy
      ? 'was rolled before'
      : ''
    : 'does not work any more'
  if (conflict) throw new Refusal('state_conflict', { message: `This token ${conflict}: create another.` })
  // A token may roll itself: what it makes can do what it can. A person has all that their tokens have.
  if (!session && old.id !== tokenId && !covers(rights, old, may))
    throw new Refusal('access_denied', {
      message: 'This token may do more than you may: it rolls itself, or its person does.',
    })
}

/** Whether whoever has these rights could have made the token. */
const covers = (rights: TokenRights, token: TokenRights, may: Caller['may']): boolean => {
  const faults = new Faults()
  judgeNewToken({ may }, rights, { scopes: [...token.scopes], networks: [...(token.networks ?? [])] }, faults)
  const isInside = token.spaceIds
    ? token.spaceIds.every((id) => admitsSpace(rights, id))
    : rights.spaceIds === null
  return faults.list.length === 0 && isInside && (rights.networks === null || token.networks !== null)
}

export const isWorking = ({ revokedAt, expiresAt }: MemberToken, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

/**
 * Ends a token, within a second on every node. Repeated, the same.
 *
 * @throws Refusal `not_found`; `state_conflict` where it is somebody else's and good in other Spaces, too
 */
export async function endToken(tx: Tx, caller: Caller, id: string): Promise<void> {
  const token = await findAccessToken(tx, caller, id)
  if (!token) throw new Refusal('not_found')
  if (token.userId !== caller.userId && !isOfOneSpace(token))
    throw new Refusal('state_conflict', {
      message:
        'It is good in other Spaces, too: only its person can revoke it. Remove the member to keep it out of this one.',
    })
  if (token.revokedAt) return
  await revokeToken(tx, id)
  await note(tx, caller, 'token.revoke', id, 'not needed any more', { name: token.name, email: token.email })
}

export const isOfOneSpace = ({ spaceIds }: Pick<MemberToken, 'spaceIds'>) => spaceIds?.length === 1

/** Whose tokens a caller is shown: all of the Space's where they administer it, else (their id) their own. */
export const shownTo = async (
  db: Reader,
  { scope: { spaceId }, userId }: Caller,
): Promise<string | undefined> => ((await isAdministrator(db, { spaceId, userId })) ? undefined : userId)

export const findAccessToken = async (db: Reader, caller: Caller, id: string) =>
  selectMemberToken(db, caller.scope, await shownTo(db, caller), id)

const own = async (tx: Tx, { scope, userId }: Caller, id: string) =>
  must(await selectMemberToken(tx, scope, userId, id), 'token that was made')

async function note(tx: Tx, caller: Caller, action: string, id: string, reason: string, details: object) {
  const decider = await deciderOf(tx, caller.userId, reason)
  await writeAuditEntry(tx, caller.scope, decider, { action, objectType: 'token', objectId: id, details })
}
