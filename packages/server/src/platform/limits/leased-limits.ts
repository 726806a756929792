import { AsyncLocalStorage } from 'node:async_hooks'
import { createCache } from '../cache.ts'
import type { Lease, LeaseRequest } from './lease-store.ts'
import {
  createMemoryRateLimiter,
  type Exceeded,
  type Limit,
  monotonicClock,
  type RateLimiter,
  worse,
} from './rate-limits.ts'

/** What a rate limiter needs to know of the other nodes, and how it agrees with them. */
export type Agreement = {
  /** Returns the number of living nodes, including this one. */
  nodes(): number
  /** Returns a hash, in base64url, by which all nodes identify a limit. */
  hashOf(key: string): string
  grant(requests: LeaseRequest[]): Promise<Lease[]>
  /** Tells the other nodes that they must count this limit together with this node for a while. */
  announce(hash: string): void
  /** Called if leases could not be granted. This node then applies limits on its own for a second. */
  failed(error: unknown): void
}

export type LeasedRateLimiter = RateLimiter & {
  /** Handles the announcement of another node. `undefined` may concern any limit. */
  heard(hash: string | undefined): void
}

/** The part of a limit that the nodes together may allow without leases. Each may allow an equal share of it. */
const unleasedPart = 0.5
/** A lease is for the requests that are expected in this time. */
const leaseMs = 200
const fewestMs = 10 // shortest time for which requests are counted to estimate how many to expect
/** The largest lease, as a part of the limit. What a node does not use of it is lost to the others. */
const largestPart = 0.05
/** How long a limit is counted together after a node has used its share. */
const sharedMs = 2_000
/** The least time after which a node asks again for a limit that was used up. */
const fewestWaitMs = 100
const retryMs = 1_000 // time for which a node applies limits on its own after leases could not be granted
const maxShared = 10_000 // limits that a node counts together with others
const maxAsked = 500 // leases in one statement
const maxOwed = 1_000_000 // requests that a node reports at once
const maxTries = 3 // leases that a request waits for

/** A limit that this node counts together with the others. */
type Shared = {
  limit: Limit
  key: Buffer
  sharedUntil: number
  announcedAt: number
  /** Requests that this node may allow until `expiresAt`. Negative if it has counted more than it had leased. */
  left: number
  expiresAt: number
  /** Requests that this node allowed before it counted them together with the others. */
  owed: number
  /** The time until which the limit is used up. */
  blockedUntil: number
  /** `requests` counts those since `askedAt`, the time of the last lease; `waiting` counts those that need the next one. */
  requests: number
  askedAt: number
  waiting: number
}

/**
 * Applies rate limits across nodes. A node allows a share of each limit on its own. Once it needs more, it announces
 * the limit, and all nodes lease what they allow: some requests at a time, in one statement for all limits. A request
 * waits for a lease only if none is left. A single node needs no leases.
 */
export function createLeasedRateLimiter(
  { nodes, hashOf, grant, announce, failed }: Agreement,
  nowMs = monotonicClock(),
): LeasedRateLimiter {
  const own = createMemoryRateLimiter() // requests that are not leased
  const allowed = createMemoryRateLimiter() // all requests, to compare them with this node's share
  const shared = createCache<string, Shared>({ max: maxShared })
  const heard = createCache<string, true>({ max: maxShared, ttl: sharedMs })
  const hashes = createCache<string, string>({ max: maxShared })
  let allHeardUntil = 0
  let failedUntil = 0

  const hashFor = (key: string): string => {
    const known = hashes.get(key) ?? hashOf(key)
    hashes.set(key, known)
    return known
  }
  const isAlone = (now: number) => nodes() <= 1 || now < failedUntil
  const isHeard = (key: string, now: number) =>
    now < allHeardUntil || (heard.size > 0 && heard.has(hashFor(key)))

  /** Returns the limit that applies to this node without leases, or `undefined` if it cannot allow any request. */
  function shareOf(limit: Limit): Limit | undefined {
    const share = (limit.atMost * unleasedPart) / nodes()
    if (share >= 1) return { ...limit, atMost: share }
    return limit.atMost >= nodes() ? { ...limit, atMost: 1, perMs: limit.perMs / share } : undefined
  }

  /** Returns how a limit is counted together with the others, or `undefined` if this node may decide on its own. */
  function sharedOf(limit: Limit, now: number): Shared | undefined {
    const { key } = limit
    const known = shared.get(key)
    const share = shareOf(limit)
    const exceedsShare = !share || allowed.check([share], now) !== undefined
    if (!exceedsShare && !isHeard(key, now) && (!known || isOver(known, now))) {
      if (known) shared.delete(key)
      return undefined
    }
    const one = known ?? begin(limit, now)
    one.owed += own.release(limit, now)
    if (exceedsShare) {
      one.sharedUntil = now + sharedMs
      if (now > one.announcedAt + sharedMs / 2) {
        one.announcedAt = now
        announce(hashFor(key))
      }
    }
    if (now > one.expiresAt) one.left = Math.min(one.left, 0)
    return one
  }

  const isOver = ({ sharedUntil, left, expiresAt }: Shared, now: number) =>
    now > sharedUntil && left >= 0 && (left < 1 || now > expiresAt)

  function begin(limit: Limit, now: number): Shared {
    const one = {
      ...{ limit, key: Buffer.from(hashFor(limit.key), 'base64url'), sharedUntil: 0, announcedAt: 0 },
      ...{ left: 0, expiresAt: 0, owed: 0, blockedUntil: 0, requests: 0, askedAt: now - leaseMs, waiting: 0 },
    }
    shared.set(limit.key, one)
    return one
  }

  function decide(limits: Limit[], isTaken: boolean, tries: number): ReturnType<RateLimiter['take']> {
    const now = nowMs()
    if (isAlone(now)) return isTaken ? own.take(limits, now) : own.check(limits, now)
    let worst: Exceeded | undefined
    const lacking: Shared[] = []
    const found = limits.map((limit) => sharedOf(limit, now))
    for (const one of found) {
      if (!one) continue
      if (tries === maxTries) one.requests++
      if (one.left >= 1) continue
      const { name } = one.limit
      if (now < one.blockedUntil) worst = worse(worst, { name, waitMs: one.blockedUntil - now })
      else if (tries === 0) worst = worse(worst, { name, waitMs: fewestWaitMs })
      else lacking.push(one)
    }
    if (worst) return worst
    if (lacking.length > 0) return ask(lacking, 1).then(() => decide(limits, isTaken, tries - 1))
    if (isTaken) for (const [i, limit] of limits.entries()) add(limit, found[i], 1, now)
    return undefined
  }

  function add(limit: Limit, one: Shared | undefined, times: 1 | -1, now: number): void {
    if (one) one.left -= times
    else own.count(limit, times, now)
    const share = shareOf(limit)
    if (share) allowed.count(share, times, now)
  }

  // Leases of all Spaces must not wait for the connection share of the one that asked first.
  const outsideAnySpace = AsyncLocalStorage.snapshot()
  let asking = new Set<Shared>()
  let next = Promise.withResolvers<void>()
  let isAsking = false

  /** Queues leases for the next statement, which starts when the current one has finished. */
  function ask(ones: Shared[], waiting: 0 | 1): Promise<void> {
    for (const one of ones) {
      one.waiting += waiting
      asking.add(one)
    }
    const { promise } = next
    if (!isAsking) {
      isAsking = true
      setImmediate(() => void outsideAnySpace(askAll))
    }
    return promise
  }

  async function askAll(): Promise<void> {
    while (asking.size > 0) {
      const batch = [...asking]
      const done = next
      asking = new Set()
      next = Promise.withResolvers<void>()
      try {
        for (let first = 0; first < batch.length; first += maxAsked)
          await lease(batch.slice(first, first + maxAsked))
      } catch (error) {
        failedUntil = nowMs() + retryMs
        failed(error)
      }
      done.resolve()
    }
    isAsking = false
  }

  async function lease(ones: Shared[]): Promise<void> {
    const now = nowMs()
    const leases = await grant(ones.map((one) => requestFor(one, now)))
    const then = nowMs()
    ones.forEach((one, i) => {
      const { granted = 0, waitMs = 0 } = leases[i] ?? {}
      one.left += granted
      if (granted > 0) one.expiresAt = then + one.limit.perMs
      one.blockedUntil = waitMs > 0 ? then + Math.max(waitMs, fewestWaitMs) : 0
    })
  }

  function requestFor(one: Shared, now: number): LeaseRequest {
    const { limit, key, requests, waiting } = one
    const expected = Math.ceil((requests * leaseMs) / Math.max(fewestMs, now - one.askedAt))
    const largest = Math.max(1, Math.floor(limit.atMost * largestPart))
    const owed = Math.min(one.owed + Math.max(0, -one.left), maxOwed)
    Object.assign(one, { owed: 0, left: Math.max(0, one.left), requests: 0, askedAt: now, waiting: 0 })
    return {
      ...{ key, atMost: limit.atMost, perMs: limit.perMs, owedThousandths: Math.ceil(owed * 1000) },
      wanted: waiting === 0 ? 0 : Math.max(waiting, Math.min(expected, largest)),
    }
  }

  return {
    take: (limits) => decide(limits, true, maxTries),
    check: (limits) => decide(limits, false, maxTries),
    count(limit, times = 1) {
      const now = nowMs()
      if (isAlone(now)) return own.count(limit, times, now)
      const one = sharedOf(limit, now)
      add(limit, one, times, now)
      // What was counted beyond a lease is reported without waiting for a request.
      if (one && one.left < 0) void ask([one], 0)
    },
    heard(hash) {
      if (hash === undefined) allHeardUntil = nowMs() + sharedMs
      else heard.set(hash, true)
    },
  }
}
