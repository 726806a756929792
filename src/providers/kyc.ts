import { createCache } from '../platform/cache.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import type { AccountHolder, Connector, UnknownOutcome } from './connector.ts'
import { measureCall } from './measured-call.ts'

/** A clear answer of a rail about an account. */
export type KnownHolder = Exclude<AccountHolder, UnknownOutcome>

export type Verify = NonNullable<Connector['verifyAccount']>

export type HolderLookup = { holder: KnownHolder; isCached: boolean }

const cachedMs = 60_000 // limit: how long an account holder’s name is remembered
const maxCached = 10_000 // limit: account holders’ names that a node remembers
const timeLimitMs = 5_000 // limit: time for the look-up of an account holder
/** A rail's connections are for payments: look-ups use a few of them. */
const maxAtOnce = 8 // limit: look-ups of account holders at once with one rail, on a node

/** Looks account holders up at their rails. Their names stay in this node's memory for a minute, and nowhere else. */
export function openKyc(parts: Pick<Platform, 'metrics' | 'log'>, limitMs = timeLimitMs) {
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

  const names = createCache<string, KnownHolder, () => Promise<KnownHolder>>({
    max: maxCached,
    ttl: cachedMs,
    // Otherwise a name would stay until its place is needed.
    ttlAutopurge: true,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: work }) => work(),
  })
  return {
    /**
     * Returns the holder of an account, as the rail has it now or had it within the last minute.
     *
     * @throws Refusal `service_unavailable` when the rail has no clear answer within five seconds
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
      const holder = await within(limitMs, fetched)
      if (!holder) throw away()
      return { holder, isCached }
    },
  }
}

/** A later answer is for the next look-up. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

const away = () =>
  new Refusal('service_unavailable', {
    message: 'The provider gives no clear answer right now; try again later.',
    headers: { 'retry-after': '5' },
  })
