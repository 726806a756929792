import { fenceMs } from './fence.ts'

/** What the rail was asked for, as its row tells before the rail is asked what became of it. Real time. */
export type Submit = {
  /** How long ago it became `submitting`: nothing left before. */
  submittingMs: number
  /** How long ago the end of the call was recorded; none while that may still go on. */
  callEndedMs: number | null
  /** How long ago its time by the Space's clock was; after a test clock was moved, that may be still to come. */
  submittedMs: number
}

/** How long after the end of a call "never heard of it" is believed: a rail may need time to find what it took in. */
const quietMs = 60_000 // limit: time until a rail’s "never heard of it" is believed
/** A second for each side's clock. */
const clockMarginMs = 2_000 // limit: what is added to fence and longest call, for clocks

/**
 * Whether a rail's "never heard of it" means that nothing was received, nor will be. Real time counts, so that no clock
 * of a node or a test makes a request arrive: while the call may go on, its fence and its longest time must have passed.
 * Only how long a rail is given to find what it took in is shorter where a test clock was moved.
 *
 * @param submit read before the rail was asked
 * @param aheadMs how far the Space's clock is ahead of real time
 * @param longestCallMs of the connector: from its first message to the end of its last
 */
export function isConclusive(
  { submittingMs, callEndedMs, submittedMs }: Submit,
  aheadMs: number,
  longestCallMs: number,
): boolean {
  const movedMs = aheadMs > 0 ? Math.max(0, submittedMs + aheadMs - submittingMs) : 0
  if (callEndedMs !== null) return callEndedMs + movedMs >= quietMs
  return submittingMs >= fenceMs + longestCallMs + clockMarginMs && submittingMs + movedMs >= quietMs
}
