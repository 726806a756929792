import { createCache } from '../../platform/cache.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import { requireFree } from '../../platform/limits/limits.ts'
import { perSecond } from '../../platform/limits/rate-limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import type { SpaceSettings } from './settings.ts'
import { hashSecret } from './tokens.ts'

// A revocation must take effect within a second on every node, so rows are cached for half of that.
export const cachedMs = 500 // limit: how long a node caches a token, a session or a membership
export const maxCached = 10_000 // maximum number of tokens, sessions and memberships cached by a node
/**
 * If a secret was valid on this node within the last day, it is never refused because of other requests from
 * the same IP address.
 */
const knownGoodMs = 86_400_000 // how long a node remembers that a token or session was valid
/** Concurrent look-ups of unknown secrets are limited, to protect the database from attempts to guess secrets. */
const maxStrangersAtOnce = 8 // maximum number of unknown tokens and sessions that a node looks up concurrently

/** A kind of secret that identifies a row: a token or a session cookie. */
type SecretKind<Row> = {
  /** Returns whether a text has the form of such a secret. If it does not, the database is not queried. */
  hasSecretForm(text: string): boolean
  /** Returns the row, or `undefined` if there is none or it is not valid. */
  lookUp(hash: Buffer): Promise<Row | undefined>
}

/**
 * Returns the row that a secret identifies.
 * @throws Refusal `token_invalid`; `too_many_requests` after too many failures from one IP address
 */
export type FindBySecret<Row> = (text: string | undefined, address: string) => Promise<Row>

/** A cached result. `value` is undefined if the row does not exist. */
export type CachedRow<T> = { value: T | undefined }

/**
 * Returns a function that creates finders. All finders share one count of failures per IP address, whatever the
 * kind of secret.
 */
export function createCredentials(parts: Platform<SpaceSettings>) {
  const strangers = createSemaphore(maxStrangersAtOnce)
  const failuresOf = (counter: string) =>
    perSecond('failed-authentication-limit', counter, parts.settings.failedAuthenticationLimit)
  const checkFailures = (counter: string) => requireFree(parts, failuresOf(counter))
  const fail = (counter: string): never => {
    parts.limiter.count(failuresOf(counter))
    throw new Refusal('token_invalid')
  }

  return function finderOf<Row extends object>({
    hasSecretForm,
    lookUp,
  }: SecretKind<Row>): FindBySecret<Row> {
    const { rows, isKnownGood } = cacheRows(lookUp)
    return async (text, address) => {
      const cached = text === undefined ? undefined : rows.get(text)?.value
      if (cached) return cached
      const caller = callerKey(address)
      if (text === undefined || !hasSecretForm(text)) {
        // Malformed secrets are counted separately. They cost no query, so they do not use up the look-ups that
        // the address is allowed.
        await checkFailures(`malformed ${caller}`)
        return fail(`malformed ${caller}`)
      }
      const fromDatabase = async () => (await rows.fetch(text))?.value ?? fail(caller)
      if (isKnownGood(text)) return fromDatabase()
      return strangers(async () => {
        await checkFailures(caller)
        return fromDatabase()
      })
    }
  }
}

/** Returns a cache that keeps rows for half a second, and remembers for a day which secrets were valid. */
function cacheRows<Row extends object>(lookUp: SecretKind<Row>['lookUp']) {
  // The keys are hashes. Only valid secrets are stored, so attempts to guess secrets cannot evict them.
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
