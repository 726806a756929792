import { fenceMs } from './fence.ts'

/** Ages of a submit in real time, read from its row before the rail is queried. */
export type SubmitAges = {
  /** Time since the instruction became `submitting`; nothing was sent before. */
  submittingMs: number
  /** Time since the end of the call was recorded; `null` while the call may still be running. */
  callEndedMs: number | null
  /** Time since the submit by the Space's clock. After a test clock was moved, the submit may be in the future. */
  submittedMs: number
}

/**
 * Time from the end of a call until `missing` is trusted, because a rail may need time to index what it
 * received.
 */
const defaultQuietMs = 60_000 // time until a rail's "missing" is trusted
/** One second each for the rail's clock and ours. */
const clockMarginMs = 2_000 // clock margin added to the send deadline and the longest call

/**
 * Returns whether `missing` proves that the rail has not received the request and never will. Uses real time,
 * which no node's clock or test clock can shorten: while the call may still be running, the fence and the
 * longest call must have passed. Moving a test clock shortens only the time the rail has to index what it
 * received.
 *
 * See docs/decisions/0036-submit-fence.md.
 *
 * @param ages read before the rail was queried
 * @param aheadMs how far the Space's clock is ahead of real time
 * @param longestCallMs the connector's longest call, from its first message to the end of its last
 * @param quietMs how long the rail may take to index what it received
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
