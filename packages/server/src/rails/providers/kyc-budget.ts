import { requireFree, requireLimits } from '../../platform/limits/limits.ts'
import type { Limit } from '../../platform/limits/rate-limits.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import type { ProviderSettings } from './settings.ts'

const hourMs = 3_600_000
const missingWindowMs = 600_000 // time for which a look-up of a non-existent account counts

type KycParts = Pick<Platform, 'limiter' | 'metrics'> & {
  settings: Pick<ProviderSettings, 'kycLimit' | 'kycTokenLimit' | 'kycMissingLimit'>
}

/**
 * Limits look-ups of account holders, which are meant for checking a payee and not for collecting names. Limits are
 * in wall-clock time, so moving a Space's clock does not allow more look-ups.
 */
export function openKycBudget({ settings, ...parts }: KycParts) {
  const spaceOf = ({ environment, spaceId }: Scope) => `${environment} ${spaceId}`
  const missingIn = (scope: Scope): Limit => ({
    name: 'kyc-missing-limit',
    key: `missing ${spaceOf(scope)}`,
    atMost: settings.kycMissingLimit,
    perMs: missingWindowMs,
  })
  return {
    /**
     * Counts a look-up. If a limit has been reached, refuses the look-up without counting it.
     *
     * @throws Refusal `too_many_requests`
     */
    async spend(scope: Scope, tokenId: string): Promise<void> {
      const limits = [
        { name: 'kyc-space-limit', key: `kyc ${spaceOf(scope)}`, atMost: settings.kycLimit, perMs: hourMs },
        { name: 'kyc-token-limit', key: `kyc ${tokenId}`, atMost: settings.kycTokenLimit, perMs: hourMs },
      ]
      await requireFree(parts, ...limits, missingIn(scope))
      await requireLimits(parts, ...limits)
    },
    /**
     * Counts a look-up of an account that does not exist, because a caller who guesses numbers makes many such
     * look-ups.
     */
    countMissing: (scope: Scope) => parts.limiter.count(missingIn(scope)),
  }
}
