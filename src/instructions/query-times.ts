import { isOpen } from './states.ts'
import type { Instruction } from './store.ts'

const firstGapMs = 5_000 // limit: time from a submit to its first query; the gap doubles with each query
const longestGapMs = 3_600_000 // limit: time between two queries

/**
 * Returns when to send the first query, by the Space's clock.
 *
 * @param afterMs earliest time at which the rail can be queried
 */
export const firstQueryAt = (submittedAt: Date, afterMs = firstGapMs) =>
  new Date(submittedAt.getTime() + Math.max(afterMs, firstGapMs))

/**
 * Returns when the next query is due: 5 s after the submit, then after gaps of 10 s, 20 s, … up to an hour, and
 * when the delay event is due. For an instruction that has ended, returns an hour from now, in case this query
 * brings no outcome.
 */
export function nextQueryAt(
  { state, submittedAt, delayedAt }: Pick<Instruction, 'state' | 'submittedAt' | 'delayedAt'>,
  at: Date,
  delayedAfterMs = Number.POSITIVE_INFINITY,
): Date {
  if (!isOpen(state) || !submittedAt) return new Date(at.getTime() + longestGapMs)
  const ageMs = Math.max(0, at.getTime() - submittedAt.getTime())
  const nextMs = ageMs + Math.min(ageMs + firstGapMs, longestGapMs)
  const isDelayNext = delayedAt === null && ageMs < delayedAfterMs && delayedAfterMs < nextMs
  return new Date(submittedAt.getTime() + (isDelayNext ? delayedAfterMs : nextMs))
}
