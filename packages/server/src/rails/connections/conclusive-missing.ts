import { fenceMs } from '@pesewa/connector-kit'

/**
 * How long ago the steps of a submit took place, in milliseconds, as read from the instruction's row before the
 * rail is queried. Measured in wall-clock time unless stated otherwise.
 */
export type SubmitAges = {
  /** Time since the instruction became `submitting`. Nothing was sent before then. */
  submittingMs: number
  /** Time since the end of the call was recorded, or `null` while the call may still be running. */
  callEndedMs: number | null
  /**
   * Time since the submit, measured by the Space's clock. It may be negative if a test clock was moved after
   * the submit.
   */
  submittedMs: number
}

/**
 * Default time from the end of a call until `missing` is trusted, because a rail may need time to index the
 * requests that it receives.
 */
const defaultQuietMs = 60_000 // default time until a rail's "missing" is trusted
/** Allows for an error of one second in the rail's clock and of one second in ours. */
const clockMarginMs = 2_000 // clock margin added to the send deadline and the longest call

/**
 * Returns whether `missing` proves that the rail has not received the request and never will. While the call
 * may still be running, the fence's time limit plus the duration of the longest call must have passed in
 * wall-clock time. Neither a node's clock nor a test clock can shorten this time. Moving a test clock shortens
 * only the time that the rail has for indexing requests.
 *
 * See docs/decisions/0036-submit-fence.md.
 *
 * @param ages read before the rail was queried
 * @param aheadMs how far the Space's clock is ahead of wall-clock time
 * @param longestCallMs the connector's longest call, from the start of its first message to the end of its last
 * @param quietMs how long the rail may take to index the requests that it receives
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
