import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Scope } from '../platform/scope.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
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
const missingWindowMs = 600_000 // limit: how long an account that does not exist counts against look-ups

const maxCounted = 10_000 // limit: Spaces and tokens whose look-ups of account holders a node counts

type Limits = Pick<ProviderSettings, 'kycLimit' | 'kycTokenLimit' | 'kycMissingLimit'>

/** Of this node, in real time: a Space's clock does not make strangers' names cheaper. */
export function openKycBudget(settings: Limits, metrics: Pick<Metrics, 'rateLimited'>): KycBudget {
  const spaces = createWindowCounter(settings.kycLimit, hourMs, maxCounted)
  const tokens = createWindowCounter(settings.kycTokenLimit, hourMs, maxCounted)
  const missing = createWindowCounter(settings.kycMissingLimit, missingWindowMs, maxCounted)
  const spaceOf = ({ environment, spaceId }: Scope) => `${environment} ${spaceId}`
  return {
    spend(scope, tokenId) {
      const space = spaceOf(scope)
      const [worst] = [
        { name: 'kyc-space-limit', waitMs: spaces.waitMs(space) },
        { name: 'kyc-token-limit', waitMs: tokens.waitMs(tokenId) },
        { name: 'kyc-missing-limit', waitMs: missing.waitMs(space) },
      ].toSorted((a, b) => b.waitMs - a.waitMs)
      if (worst && worst.waitMs > 0) {
        metrics.rateLimited.inc({ limit: worst.name })
        throw tooManyRequests(worst)
      }
      spaces.count(space)
      tokens.count(tokenId)
    },
    countMissing: (scope) => missing.count(spaceOf(scope)),
  }
}
