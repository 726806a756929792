import { tooManyRequests } from '../../platform/http/admission/rate-limits.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Scope } from '../../platform/scope.ts'
import { createWindowCounter } from '../../platform/window-counter.ts'
import type { ProviderSettings } from './settings.ts'

const hourMs = 3_600_000
const missingWindowMs = 600_000 // how long a look-up of a non-existent account is counted

const maxCounted = 10_000 // maximum number of Spaces or tokens whose look-ups of account holders a node counts

type Limits = Pick<ProviderSettings, 'kycLimit' | 'kycTokenLimit' | 'kycMissingLimit'>

/**
 * Limits look-ups of account holders, which are meant for checking a payee and not for collecting names. Each
 * node counts in wall-clock time, so moving a Space's clock does not allow more look-ups.
 */
export function openKycBudget(settings: Limits, metrics: Pick<Metrics, 'rateLimited'>) {
  const spaces = createWindowCounter(settings.kycLimit, hourMs, maxCounted)
  const tokens = createWindowCounter(settings.kycTokenLimit, hourMs, maxCounted)
  const missing = createWindowCounter(settings.kycMissingLimit, missingWindowMs, maxCounted)
  const spaceOf = ({ environment, spaceId }: Scope) => `${environment} ${spaceId}`
  return {
    /**
     * Counts a look-up. If a limit has been reached, refuses the look-up without counting it.
     *
     * @throws Refusal `too_many_requests`
     */
    spend(scope: Scope, tokenId: string): void {
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
    /**
     * Counts a look-up of an account that does not exist, because a caller who guesses numbers makes many such
     * look-ups.
     */
    countMissing: (scope: Scope) => missing.count(spaceOf(scope)),
  }
}
