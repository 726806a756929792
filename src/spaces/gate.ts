import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import type { Access, Caller, Gate } from '../platform/http/gate.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import { readId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import { createSemaphore } from '../platform/semaphore.ts'
import { createLookUps } from './look-ups.ts'
import { admitsAddress, admitsSpace, permits, type Role } from './permissions.ts'
import { spaceIds } from './resources.ts'
import { markTokensUsed, type Token } from './store.ts'
import { hashToken, isToken } from './tokens.ts'

// A revocation must act within a second on every node: what is known of a token is believed for half of that.
const believedMs = 500 // limit: how long a node believes what it knows of a token or a membership
const maxRemembered = 10_000 // limit: tokens and memberships that a node remembers
const noteUseEveryMs = 30_000
const windowMs = 1_000
/** A token that was good here within a day is never refused for what else comes from its address. */
const knownGoodMs = 86_400_000 // limit: how long a token counts as good at this node
/** Tokens never seen good here that one node looks up at once: strangers get no more of the database. */
const maxStrangersAtOnce = 8 // limit: tokens never seen good here that a node looks up at once
const limitName = 'failed-authentication-limit'

export type GateParts = {
  db: Database
  log: Log
  metrics: Pick<Metrics, 'rateLimited'>
  failedAuthenticationLimit: number
}

type Known<T> = { value: T | undefined }
type SpacesGate = Gate & { stop(): Promise<void> }

export function createGate({ db, log, metrics, failedAuthenticationLimit }: GateParts): SpacesGate {
  // By hash. Only good ones enter: nobody who guesses can push them out.
  const knownGood = new LRUCache<string, true>({ max: maxRemembered, ttl: knownGoodMs })
  const lookUps = createLookUps(db)
  const tokens = new LRUCache<string, Known<Token>>({
    max: maxRemembered,
    ttl: believedMs,
    fetchMethod: async (text) => {
      const hash = hashToken(text)
      const value = await lookUps.tokenOf(hash)
      if (value && !value.revokedAt) knownGood.set(hash.toString('base64'), true)
      else knownGood.delete(hash.toString('base64'))
      return { value }
    },
  })
  const memberships = new LRUCache<string, Known<Role>>({
    max: maxRemembered,
    ttl: believedMs,
    fetchMethod: async (key) => {
      const [spaceId = '', userId = ''] = key.split(' ')
      return { value: await lookUps.roleOf({ spaceId, userId }) }
    },
  })
  // Counted from the first failure on, and forgotten a second later.
  const failures = new LRUCache<string, { count: number }>({ max: maxRemembered, ttl: windowMs })
  const strangers = createSemaphore(maxStrangersAtOnce)
  const noted = createUseNotes(db, log)

  const checkFailures = (counter: string) => {
    if ((failures.get(counter)?.count ?? 0) < failedAuthenticationLimit) return
    metrics.rateLimited.inc({ limit: limitName })
    throw tooManyRequests({ name: limitName, waitMs: failures.getRemainingTTL(counter) })
  }
  const fail = (counter: string): never => {
    const known = failures.get(counter)
    if (known) known.count++
    else failures.set(counter, { count: 1 })
    throw new Refusal('token_invalid')
  }

  /** The row of a valid token, whatever it may do. */
  async function findToken(authorization: string | undefined, address: string): Promise<Token> {
    if (!authorization) throw new Refusal('token_missing')
    const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    const believed = text === undefined ? undefined : tokens.get(text)?.value
    const token = believed && !believed.revokedAt ? believed : await look(text, address)
    if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) throw new Refusal('token_expired')
    return token
  }

  /** What the database says of a token that this node does not believe in. */
  async function look(text: string | undefined, address: string): Promise<Token> {
    const caller = callerAt(address)
    if (text === undefined || !isToken(text)) {
      // Counted apart: what costs no look-up takes none from the others at its address.
      checkFailures(`malformed ${caller}`)
      return fail(`malformed ${caller}`)
    }
    const fetch = async () => {
      const token = (await tokens.fetch(text))?.value
      return !token || token.revokedAt ? fail(caller) : token
    }
    const isKnownGood = knownGood.has(hashToken(text).toString('base64'))
    if (isKnownGood) return fetch()
    return strangers(() => {
      checkFailures(caller)
      return fetch()
    })
  }

  const rights = new WeakMap<Caller, Token>()
  return {
    async authenticate(authorization, address): Promise<Caller> {
      const token = await findToken(authorization, address)
      if (!admitsAddress(token, address)) throw new Refusal('access_denied')
      noted.note(token.id)
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
      const role = (memberships.get(member) ?? (await memberships.fetch(member)))?.value
      if (!role) throw new Refusal('access_denied')
      return {
        scope: { spaceId, environment: caller.environment },
        may: (permission) => permits(token, { spaceId, address, role }, permission),
      }
    },

    stop: noted.stop,
  }
}

/** Remembers which tokens were used and writes it down now and then: no request waits for that. */
function createUseNotes(db: Database, log: Log) {
  let used = new Set<string>()
  const write = async () => {
    if (used.size === 0) return
    const ids = [...used]
    used = new Set()
    await db
      .transaction((tx) => markTokensUsed(tx, ids, new Date()))
      .catch((err) => log.warn({ err }, 'last use of tokens was not noted'))
  }
  const timer = setInterval(() => void write(), noteUseEveryMs)
  timer.unref()
  return {
    note: (id: string) => void used.add(id),
    stop: async () => {
      clearInterval(timer)
      await write()
    },
  }
}
