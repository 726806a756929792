import type { AccountHolder, RailKind, RailOutcome, SubmitOutcome } from '@pesewa/connector-kit'
import type { Platform } from '../../platform/platform.ts'
import { inSpan } from '../../platform/tracing/spans.ts'
import { providerCalls } from './metrics.ts'

/**
 * Calls a rail and measures the duration. Logs unknown outcomes, and refusals that require action by an
 * operator.
 */
export async function measureCall<T extends SubmitOutcome | RailOutcome | AccountHolder>(
  { metrics, log }: Pick<Platform, 'metrics' | 'log'>,
  provider: string,
  call: RailKind | 'query' | 'verify' | 'code',
  work: () => Promise<T>,
): Promise<T> {
  const end = providerCalls(metrics).startTimer({ provider, call })
  const result = await inSpan(
    { name: `rail ${call}`, kind: 'client', attributes: { provider } },
    async (span) => {
      const result = await work()
      span?.set({ outcome: result.outcome })
      // A payer's refusal is an outcome. A call fails if its outcome is unknown, or if the rail rejected our request.
      if (result.outcome === 'unknown' || 'alert' in result) span?.fail()
      return result
    },
  )
  end({ outcome: result.outcome })
  if (result.outcome === 'unknown')
    log.warn(
      { provider, call, why: result.why, ...(result.isSecurity && { security: true }) },
      'received an ambiguous response from a provider',
    )
  if (result.outcome === 'refused' && 'alert' in result)
    log.warn(
      { provider, call, alert: result.alert },
      'a provider rejected our request; operator action required',
    )
  return result
}
