import type { ProbeStep, RailOutcome } from './connector.ts'

/**
 * Queries a reference that no rail can know. The query is harmless and shows whether the URL and the
 * credentials are correct.
 */
export async function probeMissing(step: string, query: Promise<RailOutcome>): Promise<ProbeStep> {
  const answer = await query
  if (answer.outcome === 'missing')
    return { step, outcome: 'ok', detail: 'the rail has no record of it, as expected' }
  if (answer.outcome !== 'unknown')
    return {
      step,
      outcome: 'failed',
      detail: `the rail reports ${answer.outcome} for a reference it never received`,
    }
  // A 4xx response is a definite answer: the URL or the credentials are wrong.
  return { step, outcome: /^4\d\d\b/.test(answer.why) ? 'failed' : 'unknown', detail: answer.why }
}
