import { isOpen } from './states.ts'
import type { Instruction } from './store.ts'

const firstGapMs = 5_000 // limit: time from a submit to its first query; the gap doubles with each query
const longestGapMs = 3_600_000 // limit: longest time between two queries

/**
 * Returns the time of the first query, by the Space's clock.
 *
 * @param afterMs time after the submit before the rail can be queried, in milliseconds
 */
export const firstQueryAt = (submittedAt: Date, afterMs = firstGapMs) =>
  new Date(submittedAt.getTime() + Math.max(afterMs, firstGapMs))

/**
 * Returns the time of the next query. The first query is due 5 s after the submit, and the others after gaps of
 * 10 s, 20 s and so on, up to an hour. A query is also due at the time of the delay event. For an instruction
 * that has an outcome, returns an hour from now, in case the current query returns nothing new.
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
