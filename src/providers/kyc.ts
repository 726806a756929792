import { LRUCache } from 'lru-cache'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import { askRail } from './asking.ts'
import type { AccountHolder, Connector, Unknown } from './connector.ts'

/** What a rail says clearly of an account. */
export type Told = Exclude<AccountHolder, Unknown>

export type Verify = NonNullable<Connector['verifyAccount']>

export type Kyc = {
  /**
   * Whose account it is, and whether the rail was asked or had said so within the last minute.
   *
   * @throws Refusal `service_unavailable` when the rail has no clear answer within five seconds
   */
  find(providerId: string, environment: Environment, verify: Verify, account: string): Promise<Found>
}

export type Found = { told: Told; isRemembered: boolean }

const rememberedMs = 60_000 // limit: how long an account holder’s name is remembered
const maxRemembered = 10_000 // limit: account holders’ names that a node remembers
const timeLimitMs = 5_000 // limit: time for the look-up of an account holder
/** A rail's connections are for payments: whoever only looks takes a few of them. */
const maxAtOnce = 8 // limit: look-ups of account holders at once with one rail, on a node

/** Asks rails whose account it is. The names are in this node's memory for a minute, and nowhere else. */
export function openKyc(parts: Pick<Platform, 'metrics' | 'log'>, limitMs = timeLimitMs): Kyc {
  const underWay = new Map<string, number>()

  async function ask(rail: string, provider: string, verify: Verify, account: string): Promise<Told> {
    const others = underWay.get(rail) ?? 0
    if (others >= maxAtOnce) throw away()
    underWay.set(rail, others + 1)
    const told = await askRail(parts, provider, 'verify', () => verify(account)).finally(() =>
      underWay.set(rail, underWay.get(rail)! - 1),
    )
    if (told.outcome === 'unknown') throw away()
    return told
  }

  const names = new LRUCache<string, Told, () => Promise<Told>>({
    max: maxRemembered,
    ttl: rememberedMs,
    // A name is not kept until somebody happens to need its place.
    ttlAutopurge: true,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: work }) => work(),
  })
  return {
    async find(providerId, environment, verify, account) {
      const rail = `${environment} ${providerId}`
      const key = `${rail} ${account}`
      const isRemembered = names.get(key) !== undefined
      const asked = names.fetch(key, { context: () => ask(rail, providerId, verify, account) })
      const told = await within(limitMs, asked)
      if (!told) throw away()
      return { told, isRemembered }
    },
  }
}

/** What comes later is for whoever asks next. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
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
