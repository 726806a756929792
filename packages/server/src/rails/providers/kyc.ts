import type { AccountHolder, Connector, UnknownOutcome } from '@pesewa/connector-kit'
import { createCache } from '../../platform/cache.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { measureCall } from '../connections/measured-call.ts'

/**
 * A definite answer from a rail: either it returned the holder of the account, or it reported that the account
 * does not exist.
 */
export type ClearHolderAnswer = Exclude<AccountHolder, UnknownOutcome>

export type Verify = NonNullable<Connector['verifyAccount']>

export type HolderLookup = { holder: ClearHolderAnswer; isCached: boolean }

const cachedMs = 60_000 // how long an account holder’s name is cached
const maxCached = 10_000 // number of account holders’ names that a node caches
const timeLimitMs = 5_000 // limit: time for looking up an account holder
/** Look-ups may use only a few of the sockets to a rail, because the others are needed for payments. */
const maxAtOnce = 8 // maximum number of concurrent look-ups of account holders with one rail, per node

/**
 * Looks up account holders by querying their rails. Names are kept in this node's memory for a minute and are
 * not stored anywhere else.
 */
export function openKyc(parts: Pick<Platform, 'metrics' | 'log'>, limitMs = timeLimitMs) {
  const inFlight = new Map<string, number>()

  async function lookUp(
    rail: string,
    provider: string,
    verify: Verify,
    account: string,
  ): Promise<ClearHolderAnswer> {
    const others = inFlight.get(rail) ?? 0
    if (others >= maxAtOnce) throw holderUnavailable()
    inFlight.set(rail, others + 1)
    const holder = await measureCall(parts, provider, 'verify', () => verify(account)).finally(() =>
      inFlight.set(rail, (inFlight.get(rail) ?? 1) - 1),
    )
    if (holder.outcome === 'unknown') throw holderUnavailable()
    return holder
  }

  const names = createCache<string, ClearHolderAnswer, () => Promise<ClearHolderAnswer>>({
    max: maxCached,
    ttl: cachedMs,
    // Without this, a name would stay in memory until its slot is reused.
    ttlAutopurge: true,
    fetchMethod: (_key, _stale, { context: work }) => work(),
  })
  return {
    /**
     * Returns the holder of an account, as reported by the rail now or within the last minute.
     *
     * @throws Refusal `service_unavailable` if the rail does not give a definite answer within five seconds
     */
    async find(
      providerId: string,
      environment: Environment,
      verify: Verify,
      account: string,
    ): Promise<HolderLookup> {
      const rail = `${environment} ${providerId}`
      const key = `${rail} ${account}`
      const isCached = names.get(key) !== undefined
      const fetched = names.fetch(key, { context: () => lookUp(rail, providerId, verify, account) })
      const holder = await withTimeLimit(limitMs, fetched)
      if (!holder) throw holderUnavailable()
      return { holder, isCached }
    },
  }
}

/**
 * Returns the result of the work, or `undefined` if it takes longer than the limit. The work then continues, so
 * the next look-up may find its result in the cache.
 */
export async function withTimeLimit<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

const holderUnavailable = () =>
  new Refusal('service_unavailable', {
    message: 'The provider did not give a clear answer. Try again later.',
    headers: { 'retry-after': '5' },
  })
