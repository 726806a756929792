import { createCache } from '../platform/cache.ts'
import { callerAt } from '../platform/http/caller.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { createSemaphore } from '../platform/semaphore.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import type { SpaceSettings } from './settings.ts'
import { hashSecret } from './tokens.ts'

// A revocation must act within a second on every node: half of that is for the copy of a row.
export const cachedMs = 500 // limit: how long a node believes what it has read of a token, a session or a membership
export const maxCached = 10_000 // limit: tokens, sessions and memberships that a node remembers
const windowMs = 1_000
/** A secret that was good here within a day is never refused for what else comes from its address. */
const knownGoodMs = 86_400_000 // limit: how long a token or a session counts as good at this node
/** Secrets never seen good here that one node looks up at once: strangers get no more of the database. */
const maxStrangersAtOnce = 8 // limit: tokens and sessions never seen good here that a node looks up at once
const limitName = 'failed-authentication-limit'

/** A kind of secret that stands for a row: a token, or the cookie of a session. */
type SecretKind<Row> = {
  /** Whether a text has the form of one: of any other the database need not be asked. */
  isFormed(text: string): boolean
  /** The row, only while it is good. */
  lookUp(hash: Buffer): Promise<Row | undefined>
}

/** Finds what a secret stands for. @throws Refusal `token_invalid`, and `too_many_requests` where an address was wrong too often */
export type FindHolder<Row> = (text: string | undefined, address: string) => Promise<Row>

/** What the database said: also that there is no such row. */
export type CachedRow<T> = { value: T | undefined }

/** Finders of secrets that count together how often those of an address are wrong, whatever their kind. */
export function createCredentials({ metrics, settings }: Platform<SpaceSettings>) {
  const failures = createWindowCounter(settings.failedAuthenticationLimit, windowMs, maxCached)
  const strangers = createSemaphore(maxStrangersAtOnce)

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

  return function finderOf<Row extends object>({ isFormed, lookUp }: SecretKind<Row>): FindHolder<Row> {
    const { rows, isKnownGood } = cacheRows(lookUp)
    return async (text, address) => {
      const cached = text === undefined ? undefined : rows.get(text)?.value
      if (cached) return cached
      const caller = callerAt(address)
      if (text === undefined || !isFormed(text)) {
        // Counted apart: what costs no query takes none from the others at its address.
        checkFailures(`malformed ${caller}`)
        return fail(`malformed ${caller}`)
      }
      const fromDatabase = async () => (await rows.fetch(text))?.value ?? fail(caller)
      if (isKnownGood(text)) return fromDatabase()
      return strangers(() => {
        checkFailures(caller)
        return fromDatabase()
      })
    }
  }
}

/** The rows of secrets for half a second, and which of them were good here within a day. */
function cacheRows<Row extends object>(lookUp: SecretKind<Row>['lookUp']) {
  // By hash. Only good ones enter: nobody who guesses can push them out.
  const knownGood = createCache<string, true>({ max: maxCached, ttl: knownGoodMs })
  const rows = createCache<string, CachedRow<Row>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: async (text) => {
      const hash = hashSecret(text)
      const value = await lookUp(hash)
      if (value) knownGood.set(hash.toString('base64'), true)
      else knownGood.delete(hash.toString('base64'))
      return { value }
    },
  })
  return { rows, isKnownGood: (text: string) => knownGood.has(hashSecret(text).toString('base64')) }
}
