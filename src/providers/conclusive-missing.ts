import { fenceMs } from './fence.ts'

/** The ages of a submit, read from its row before the rail is queried. Real time. */
export type SubmitAges = {
  /** Since it became `submitting`: nothing left before. */
  submittingMs: number
  /** Since the end of the call was recorded; null while the call may still go on. */
  callEndedMs: number | null
  /** Since its time by the Space's clock, which may be in the future after a test clock was moved. */
  submittedMs: number
}

/** How long after the end of a call `missing` is believed: a rail may need time to find what it has received. */
const defaultQuietMs = 60_000 // limit: time until a rail’s "never heard of it" is believed
/** A second for each side's clock. */
const clockMarginMs = 2_000 // limit: what is added to fence and longest call, for clocks

/**
 * Whether a rail's `missing` means that nothing was received, nor will be. Counted in real time, which no clock of a node
 * or a test can shorten: while the call may go on, its fence and its longest time must have passed. Only the time that a
 * rail has to find what it received is shorter where a test clock was moved.
 *
 * @param ages read before the rail was queried
 * @param aheadMs how far the Space's clock is ahead of real time
 * @param longestCallMs of the connector: from its first message to the end of its last
 * @param quietMs how long the rail may need to find what it has received
 */
export function isConclusive(
  { submittingMs, callEndedMs, submittedMs }: SubmitAges,
  aheadMs: number,
  longestCallMs: number,
  quietMs = defaultQuietMs,
): boolean {
  const movedMs = aheadMs > 0 ? Math.max(0, submittedMs + aheadMs - submittingMs) : 0
  if (callEndedMs !== null) return callEndedMs + movedMs >= quietMs
  return submittingMs >= fenceMs + longestCallMs + clockMarginMs && submittingMs + movedMs >= quietMs
}
