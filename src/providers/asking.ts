import type { Platform } from '../platform/platform.ts'
import type { AccountHolder, Outcome, Submitted } from './connector.ts'

/** Calls a rail, measures it, and logs why an outcome is not known. */
export async function askRail<T extends Submitted | Outcome | AccountHolder>(
  { metrics, log }: Pick<Platform, 'metrics' | 'log'>,
  provider: string,
  call: 'collect' | 'disburse' | 'query' | 'verify',
  work: () => Promise<T>,
): Promise<T> {
  const end = metrics.providerCalls.startTimer({ provider, call })
  const answer = await work()
  end({ outcome: answer.outcome })
  if (answer.outcome === 'unknown')
    log.warn(
      { provider, call, why: answer.why, ...(answer.isSecurity && { security: true }) },
      'a provider gave no clear answer',
    )
  return answer
}

const firstQueryAfterMs = 5_000
const longestQueryGapMs = 3_600_000

/** How long after a submit, or after the query before, a rail is asked what became of it: 5 s, 10 s, … up to an hour. */
export const queryGapMs = (round: number) =>
  Math.min(firstQueryAfterMs * 2 ** Math.min(round, 20), longestQueryGapMs)

/** Why something failed that the rail has never heard of, well after it was submitted. */
export const neverReceived = { code: 'unknown', message: 'The provider never received the request.' } as const
