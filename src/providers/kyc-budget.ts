import { LRUCache } from 'lru-cache'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Scope } from '../platform/scope.ts'
import type { ProviderSettings } from './settings.ts'

/** Names are for paying people whose accounts one knows, not for collecting them. */
export type KycBudget = {
  /**
   * Counts a look-up, or refuses it, having counted nothing.
   *
   * @throws Refusal `too_many_requests`
   */
  spend(scope: Scope, tokenId: string): void
  /** Counts an account that does not exist: whoever tries numbers finds many. */
  countMissing(scope: Scope): void
}

const hourMs = 3_600_000
const missingWindowMs = 600_000

type Limits = Pick<ProviderSettings, 'kycLimit' | 'kycTokenLimit' | 'kycMissingLimit'>

/** Of this node, in real time: a Space's clock does not make strangers' names cheaper. */
export function openKycBudget(settings: Limits, metrics: Pick<Metrics, 'rateLimited'>): KycBudget {
  const spaces = createCount('kyc-space-limit', settings.kycLimit, hourMs)
  const tokens = createCount('kyc-token-limit', settings.kycTokenLimit, hourMs)
  const missing = createCount('kyc-missing-limit', settings.kycMissingLimit, missingWindowMs)
  const spaceOf = ({ environment, spaceId }: Scope) => `${environment} ${spaceId}`
  return {
    spend(scope, tokenId) {
      const space = spaceOf(scope)
      const [worst] = [spaces.wait(space), tokens.wait(tokenId), missing.wait(space)].toSorted(
        (a, b) => b.waitMs - a.waitMs,
      )
      if (worst && worst.waitMs > 0) {
        metrics.rateLimited.inc({ limit: worst.name })
        throw tooManyRequests(worst)
      }
      spaces.add(space)
      tokens.add(tokenId)
    },
    countMissing: (scope) => missing.add(spaceOf(scope)),
  }
}

const maxCounted = 10_000

/** Counted from the first on, and forgotten when its window ends. */
function createCount(name: string, limit: number, windowMs: number) {
  const counts = new LRUCache<string, { count: number }>({ max: maxCounted, ttl: windowMs })
  return {
    wait(key: string) {
      const { count } = counts.get(key) ?? { count: 0 }
      return { name, waitMs: count < limit ? 0 : counts.getRemainingTTL(key) }
    },
    add(key: string) {
      const counted = counts.get(key)
      if (counted) counted.count++
      else counts.set(key, { count: 1 })
    },
  }
}
