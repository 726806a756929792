import { must } from '@pesewa/values'
import { createCache } from '../../platform/cache.ts'
import type { Access, Caller, Gate } from '../../platform/http/admission/gate.ts'
import { readId } from '../../platform/ids.ts'
import { outsideSpaces } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type CachedRow, cachedMs, createCredentials, maxCached } from './credentials.ts'
import { trackLastUse } from './last-use.ts'
import { createLookUps, type LookUps } from './look-ups.ts'
import {
  admitsAddress,
  admitsSpace,
  permits,
  seesPersonalData,
  sessionRights,
  type TokenRights,
} from './permissions.ts'
import { spaceIds } from './resources.ts'
import { markSessionsSeen, selectFreshUntil } from './session-store.ts'
import { hasSessionEnded, isSessionSecret } from './sessions.ts'
import type { SpaceSettings } from './settings.ts'
import { type MemberRole, markTokensUsed, type Token } from './store.ts'
import { isToken } from './tokens.ts'

const suspended = 'This Space is suspended. Contact the operator of this service.'

type SpacesGate = Gate & { stop(): Promise<void> }

export function createGate(parts: Platform<SpaceSettings>): SpacesGate {
  const { db, home, log } = parts
  const lookUps = createLookUps(db)
  const finderOf = createCredentials(parts)
  const findToken = finderOf({
    hasSecretForm: isToken,
    lookUp: async (hash) => {
      const token = await lookUps.tokenOf(hash)
      return token?.revokedAt ? undefined : token
    },
  })
  const findSession = finderOf({
    hasSecretForm: isSessionSecret,
    lookUp: async (hash) => {
      const session = await lookUps.sessionOf(hash)
      return session && hasSessionEnded(session, new Date()) ? undefined : session
    },
  })
  const { roleOf, isOperator } = cacheRights(lookUps)
  const tokenUse = trackLastUse(home, log, markTokensUsed)
  const sessionUse = trackLastUse(home, log, markSessionsSeen)

  /** Returns the row of a valid token, regardless of the token's permissions. */
  async function tokenOf(authorization: string | undefined, address: string): Promise<Token> {
    if (!authorization) throw new Refusal('token_missing')
    const token = await findToken(/^Bearer +(\S+) *$/i.exec(authorization)?.[1], address)
    if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) throw new Refusal('token_expired')
    return token
  }

  const rights = new WeakMap<Caller, TokenRights>()
  return {
    async authenticate(credentials, address): Promise<Caller> {
      if ('sessionSecret' in credentials) {
        const { id, userId, freshUntil } = await findSession(credentials.sessionSecret, address)
        sessionUse.note(id)
        const caller = { tokenId: id, userId, environment: credentials.environment, session: { freshUntil } }
        rights.set(caller, sessionRights)
        return caller
      }
      const token = await tokenOf(credentials.authorization, address)
      if (!admitsAddress(token, address)) throw new Refusal('access_denied')
      tokenUse.note(token.id)
      const caller = { tokenId: token.id, userId: token.userId, environment: token.environment }
      rights.set(caller, token)
      return caller
    },

    async enter(caller, shownSpaceId, address): Promise<Access> {
      const spaceId = readId(spaceIds, shownSpaceId)
      if (!spaceId) throw new Refusal('space_id_invalid')
      const token = must(rights.get(caller), 'token of a caller')
      if (!admitsSpace(token, spaceId)) throw new Refusal('access_denied')
      const membership = await roleOf(spaceId, caller.userId)
      if (!membership) throw new Refusal('access_denied')
      if (membership.isSuspended) throw new Refusal('access_denied', { message: suspended })
      const { role } = membership
      return {
        scope: { spaceId, environment: caller.environment },
        may: (permission) => permits(token, { spaceId, address, role }, permission),
        seesPersonalData: seesPersonalData(role),
      }
    },

    async isFresh({ tokenId, session }) {
      if (!session || session.freshUntil.getTime() > Date.now()) return true
      // The cached value may be half a second old, and the user may have stepped up since then.
      return (await selectFreshUntil(db, tokenId)).getTime() > Date.now()
    },

    async enterInstallation(caller, address): Promise<Access> {
      const { userId, environment } = caller
      const token = must(rights.get(caller), 'token of a caller')
      const approach = { spaceId: null, address, environment, isOperator: await isOperator(userId) }
      return {
        scope: { spaceId: outsideSpaces.spaceId, environment },
        may: (permission) => permits(token, approach, permission),
        seesPersonalData: true,
      }
    },

    stop: async () => {
      await tokenUse.stop()
      await sessionUse.stop()
    },
  }
}

/** Returns look-ups that cache members' roles and operator rights. */
function cacheRights(lookUps: LookUps) {
  const memberships = createCache<string, CachedRow<MemberRole>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (key) => {
      const [spaceId = '', userId = ''] = key.split(' ')
      return { value: await lookUps.roleOf({ spaceId, userId }) }
    },
  })
  const operators = createCache<string, CachedRow<boolean>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (userId) => ({ value: await lookUps.isOperator(userId) }),
  })
  return {
    async roleOf(spaceId: string, userId: string): Promise<MemberRole | undefined> {
      const key = `${spaceId} ${userId}`
      return (memberships.get(key) ?? (await memberships.fetch(key)))?.value
    },
    isOperator: async (userId: string): Promise<boolean> =>
      (operators.get(userId) ?? (await operators.fetch(userId)))?.value ?? false,
  }
}
