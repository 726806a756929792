import { startStopwatch } from '../platform/stopwatch.ts'

/**
 * How long after the start of the transaction that makes it `submitting` a request may leave, if nothing has to
 * be fetched first. Later queries use this to tell when nothing can be in flight any more.
 */
export const fenceMs = 5_000 // limit: time from the transaction that commits `submitting` until its request may leave, excluding tokens and keys fetched first

/** Whether a request may still leave, checked right before its bytes are sent. */
export type Fence = () => boolean

/**
 * Opens a fence. Call it in the transaction that commits `submitting`, before the statement that reads the
 * database's time, so that a late commit, a stopped process or a suspended machine uses up the fence.
 *
 * See docs/decisions/0036-submit-fence.md.
 *
 * @param preparationMs extra time beyond `fenceMs`, for a rail that needs a token or a key first; whatever
 * leaves at the end must finish within the longest call, counted from `fenceMs`
 */
export function openFence(preparationMs = 0): Fence {
  const elapsedMs = startStopwatch()
  return () => elapsedMs() < fenceMs + preparationMs
}
