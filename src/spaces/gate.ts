import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import type { Access, Caller, Gate } from '../platform/http/gate.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import { readId } from '../platform/ids.ts'
import { ofNoSpace } from '../platform/jobs/queue.ts'
import type { Log } from '../platform/log.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { createSemaphore } from '../platform/semaphore.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import { createLookUps } from './look-ups.ts'
import { admitsAddress, admitsSpace, permits } from './permissions.ts'
import { spaceIds } from './resources.ts'
import type { SpaceSettings } from './settings.ts'
import { type MemberRole, markTokensUsed, type Token } from './store.ts'
import { hashToken, isToken } from './tokens.ts'

// A revocation must act within a second on every node: half of that is for the copy of a token.
const cachedMs = 500 // limit: how long a node believes what it has read of a token or a membership
const maxCached = 10_000 // limit: tokens and memberships that a node remembers
const saveLastUseEveryMs = 30_000
const windowMs = 1_000
/** A token that was good here within a day is never refused for what else comes from its address. */
const knownGoodMs = 86_400_000 // limit: how long a token counts as good at this node
/** Tokens never seen good here that one node looks up at once: strangers get no more of the database. */
const maxStrangersAtOnce = 8 // limit: tokens never seen good here that a node looks up at once
const limitName = 'failed-authentication-limit'

const suspended =
  'This Space is suspended by the operator of the service; whoever runs the service can say why.'

/** What the database said: also that there is no such row. */
type Cached<T> = { value: T | undefined }
type SpacesGate = Gate & { stop(): Promise<void> }

export function createGate({ db, log, metrics, settings }: Platform<SpaceSettings>): SpacesGate {
  // By hash. Only good ones enter: nobody who guesses can push them out.
  const knownGood = new LRUCache<string, true>({ max: maxCached, ttl: knownGoodMs })
  const lookUps = createLookUps(db)
  const tokens = new LRUCache<string, Cached<Token>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (text) => {
      const hash = hashToken(text)
      const value = await lookUps.tokenOf(hash)
      if (value && !value.revokedAt) knownGood.set(hash.toString('base64'), true)
      else knownGood.delete(hash.toString('base64'))
      return { value }
    },
  })
  const memberships = new LRUCache<string, Cached<MemberRole>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (key) => {
      const [spaceId = '', userId = ''] = key.split(' ')
      return { value: await lookUps.roleOf({ spaceId, userId }) }
    },
  })
  const operators = new LRUCache<string, Cached<boolean>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (userId) => ({ value: await lookUps.isOperator(userId) }),
  })
  const failures = createWindowCounter(settings.failedAuthenticationLimit, windowMs, maxCached)
  const strangers = createSemaphore(maxStrangersAtOnce)
  const lastUse = trackLastUse(db, log)

  const checkFailures = (counter: string) => {
    const waitMs = failures.waitMs(counter)
    if (waitMs === 0) return
    metrics.rateLimited.inc({ limit: limitName })
    throw tooManyRequests({ name: limitName, waitMs })
  }
  const fail = (counter: string): never => {
    failures.count(counter)
    throw new Refusal('token_invalid')
  }

  /** The row of a valid token, whatever it may do. */
  async function findToken(authorization: string | undefined, address: string): Promise<Token> {
    if (!authorization) throw new Refusal('token_missing')
    const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    const cached = text === undefined ? undefined : tokens.get(text)?.value
    const token = cached && !cached.revokedAt ? cached : await fetchToken(text, address)
    if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) throw new Refusal('token_expired')
    return token
  }

  /** A token that this node holds no good copy of, from the database. */
  async function fetchToken(text: string | undefined, address: string): Promise<Token> {
    const caller = callerAt(address)
    if (text === undefined || !isToken(text)) {
      // Counted apart: what costs no query takes none from the others at its address.
      checkFailures(`malformed ${caller}`)
      return fail(`malformed ${caller}`)
    }
    const fromDatabase = async () => {
      const token = (await tokens.fetch(text))?.value
      return !token || token.revokedAt ? fail(caller) : token
    }
    const isKnownGood = knownGood.has(hashToken(text).toString('base64'))
    if (isKnownGood) return fromDatabase()
    return strangers(() => {
      checkFailures(caller)
      return fromDatabase()
    })
  }

  const rights = new WeakMap<Caller, Token>()
  return {
    async authenticate(authorization, address): Promise<Caller> {
      const token = await findToken(authorization, address)
      if (!admitsAddress(token, address)) throw new Refusal('access_denied')
      lastUse.note(token.id)
      const caller = { tokenId: token.id, userId: token.userId, environment: token.environment }
      rights.set(caller, token)
      return caller
    },

    async enter(caller, shownSpaceId, address): Promise<Access> {
      const spaceId = readId(spaceIds, shownSpaceId)
      if (!spaceId) throw new Refusal('space_id_invalid')
      const token = must(rights.get(caller), 'token of a caller')
      if (!admitsSpace(token, spaceId)) throw new Refusal('access_denied')
      const member = `${spaceId} ${caller.userId}`
      const membership = (memberships.get(member) ?? (await memberships.fetch(member)))?.value
      if (!membership) throw new Refusal('access_denied')
      if (membership.isSuspended) throw new Refusal('access_denied', { message: suspended })
      const { role } = membership
      return {
        scope: { spaceId, environment: caller.environment },
        may: (permission) => permits(token, { spaceId, address, role }, permission),
      }
    },

    async enterInstallation(caller, address): Promise<Access> {
      const { userId, environment } = caller
      const token = must(rights.get(caller), 'token of a caller')
      const isOperator = (operators.get(userId) ?? (await operators.fetch(userId)))?.value ?? false
      return {
        scope: { spaceId: ofNoSpace.spaceId, environment },
        may: (permission) => permits(token, { spaceId: null, address, environment, isOperator }, permission),
      }
    },

    stop: lastUse.stop,
  }
}

/** Remembers which tokens were used and saves it now and then: no request waits for that. */
function trackLastUse(db: Database, log: Log) {
  let used = new Set<string>()
  const write = async () => {
    if (used.size === 0) return
    const ids = [...used]
    used = new Set()
    await db
      .transaction((tx) => markTokensUsed(tx, ids, new Date()))
      .catch((err) => log.warn({ err }, 'last use of tokens was not saved'))
  }
  const timer = setInterval(() => void write(), saveLastUseEveryMs)
  timer.unref()
  return {
    note: (id: string) => void used.add(id),
    stop: async () => {
      clearInterval(timer)
      await write()
    },
  }
}
