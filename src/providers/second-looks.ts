import type { Outcome, Submitted } from './connector.ts'

/**
 * After a failure the rail is asked again, an hour and a day later by the Space's clock: its word that money moved after
 * all may have been lost.
 */
export type SecondLook = { look: 'hour' | 'day'; afterMs: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const lookMs: Record<SecondLook['look'], number> = { hour: hourMs, day: dayMs } // limit: time from a submit to the queries after its failure

export const firstLook: SecondLook = { look: 'hour', afterMs: hourMs }

/** Which look follows, if any: the same one again until its answer is clear. */
export function lookAfter(
  look: SecondLook['look'],
  { outcome }: Outcome | Submitted,
): SecondLook | undefined {
  const isClear = outcome !== 'unknown' && outcome !== 'pending' && outcome !== 'asked'
  if (!isClear) return { look, afterMs: look === 'hour' ? hourMs : dayMs }
  return look === 'hour' ? { look: 'day', afterMs: dayMs - hourMs } : undefined
}
