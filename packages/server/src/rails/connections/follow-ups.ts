import type { RailOutcome, SubmitOutcome } from '@pesewa/connector-kit'

/**
 * Additional queries after a failure. The rail is queried again an hour and a day later, measured by the
 * Space's clock. The rail may have reported that the money was moved after all, and that report may have been
 * lost.
 */
export type FollowUp = { look: 'hour' | 'day'; afterMs: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Minimum time from the submit to each follow-up, in milliseconds. */
export const followUpMs: Record<FollowUp['look'], number> = { hour: hourMs, day: dayMs } // time from a submit to the queries after its failure

export const firstFollowUp: FollowUp = { look: 'hour', afterMs: hourMs }

/**
 * Returns the next follow-up, or `undefined` if there is none. A follow-up is repeated until it has a definite
 * outcome.
 */
export function followUpAfter(
  look: FollowUp['look'],
  { outcome }: RailOutcome | SubmitOutcome,
): FollowUp | undefined {
  const isClear = outcome !== 'unknown' && outcome !== 'pending' && outcome !== 'asked'
  if (!isClear) return { look, afterMs: look === 'hour' ? hourMs : dayMs }
  return look === 'hour' ? { look: 'day', afterMs: dayMs - hourMs } : undefined
}
