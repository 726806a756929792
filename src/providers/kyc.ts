import { LRUCache } from 'lru-cache'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import type { AccountHolder, Connector, UnknownOutcome } from './connector.ts'
import { measureCall } from './measured-call.ts'

/** What a rail clearly says of an account. */
export type KnownHolder = Exclude<AccountHolder, UnknownOutcome>

export type Verify = NonNullable<Connector['verifyAccount']>

export type Kyc = {
  /**
   * Returns the holder of an account, as the rail says it now or said within the last minute.
   *
   * @throws Refusal `service_unavailable` when the rail has no clear answer within five seconds
   */
  find(providerId: string, environment: Environment, verify: Verify, account: string): Promise<HolderLookup>
}

export type HolderLookup = { holder: KnownHolder; isCached: boolean }

const cachedMs = 60_000
const maxCached = 10_000
const timeLimitMs = 5_000
/** A rail's connections are for payments: look-ups take a few of them. */
const maxAtOnce = 8

/** Looks account holders up at their rails. The names are in this node's memory for a minute, and nowhere else. */
export function openKyc(parts: Pick<Platform, 'metrics' | 'log'>, limitMs = timeLimitMs): Kyc {
  const inFlight = new Map<string, number>()

  async function lookUp(
    rail: string,
    provider: string,
    verify: Verify,
    account: string,
  ): Promise<KnownHolder> {
    const others = inFlight.get(rail) ?? 0
    if (others >= maxAtOnce) throw away()
    inFlight.set(rail, others + 1)
    const holder = await measureCall(parts, provider, 'verify', () => verify(account)).finally(() =>
      inFlight.set(rail, (inFlight.get(rail) ?? 1) - 1),
    )
    if (holder.outcome === 'unknown') throw away()
    return holder
  }

  const names = new LRUCache<string, KnownHolder, () => Promise<KnownHolder>>({
    max: maxCached,
    ttl: cachedMs,
    // A name is not kept until somebody happens to need its place.
    ttlAutopurge: true,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: work }) => work(),
  })
  return {
    async find(providerId, environment, verify, account) {
      const rail = `${environment} ${providerId}`
      const key = `${rail} ${account}`
      const isCached = names.get(key) !== undefined
      const fetched = names.fetch(key, { context: () => lookUp(rail, providerId, verify, account) })
      const holder = await within(limitMs, fetched)
      if (!holder) throw away()
      return { holder, isCached }
    },
  }
}

/** What comes later is for the next look-up. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

const away = () =>
  new Refusal('service_unavailable', {
    message: 'The provider gives no clear answer right now; ask again later.',
    headers: { 'retry-after': '5' },
  })
