import type { RailOutcome, SubmitOutcome } from './connector.ts'

/**
 * After a failure, the rail is queried again an hour and a day later by the Space's clock, because its report
 * that money did move may have been lost.
 */
export type FollowUp = { look: 'hour' | 'day'; afterMs: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Minimum time between the submit and each follow-up. */
export const followUpMs: Record<FollowUp['look'], number> = { hour: hourMs, day: dayMs } // time from a submit to the queries after its failure

export const firstFollowUp: FollowUp = { look: 'hour', afterMs: hourMs }

/** The next follow-up, if any. The same one is repeated until its outcome is clear. */
export function followUpAfter(
  look: FollowUp['look'],
  { outcome }: RailOutcome | SubmitOutcome,
): FollowUp | undefined {
  const isClear = outcome !== 'unknown' && outcome !== 'pending' && outcome !== 'asked'
  if (!isClear) return { look, afterMs: look === 'hour' ? hourMs : dayMs }
  return look === 'hour' ? { look: 'day', afterMs: dayMs - hourMs } : undefined
}
