import type { Scope } from '../platform/clock.ts'
import type { Platform } from '../platform/platform.ts'
import { unknown } from './answers.ts'
import { isConclusive, type Submit } from './conclusive.ts'
import type { AccountHolder, Connector, Outcome, Submitted } from './connector.ts'
import type { Connectors } from './connectors.ts'

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

/** What was submitted, as its row was before the rail is asked. */
export type Asked = Submit & { providerId: string; railReference: string }

/** Asks a rail what became of a submit. That it never heard of it is an answer only once nothing can be on its way. */
export async function askWhatBecame(
  parts: Pick<Platform, 'metrics' | 'log' | 'clock'> & { connectors: Connectors },
  scope: Scope,
  asked: Asked,
  queryOf: (connector: Connector) => Connector['queryDisbursement'],
): Promise<Outcome> {
  const connector = parts.connectors.connectorOf(asked.providerId, scope.environment)
  const query = connector && queryOf(connector)
  if (!query) return unknown('the provider is not connected')
  const aheadMs = parts.clock.aheadMs(scope)
  const outcome = await askRail(parts, asked.providerId, 'query', () => query(asked.railReference))
  return outcome.outcome !== 'missing' || isConclusive(asked, aheadMs, connector.longestCallMs)
    ? outcome
    : unknown('the request may be on its way')
}

const firstQueryAfterMs = 5_000
const longestQueryGapMs = 3_600_000

/** How long after a submit, or after the query before, a rail is asked what became of it: 5 s, 10 s, … up to an hour. */
export const queryGapMs = (round: number) =>
  Math.min(firstQueryAfterMs * 2 ** Math.min(round, 20), longestQueryGapMs)

/** Why something failed that the rail has never heard of, well after it was submitted. */
export const neverReceived = { code: 'unknown', message: 'The provider never received the request.' } as const

/** Whether the fence kept a request from leaving: nothing was submitted, and nobody need be told. */
export const isTooLate = (answer: Submitted) => answer.outcome === 'unknown' && answer.isTooLate === true
