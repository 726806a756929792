import { startStopwatch } from '../platform/stopwatch.ts'

/**
 * Time from the start of the transaction that makes an instruction `submitting` until its request must be sent,
 * if nothing has to be fetched first. Later queries rely on this limit to tell when nothing can still be in
 * flight.
 */
export const fenceMs = 5_000 // time from the transaction that commits `submitting` until its request must be sent, excluding tokens and keys fetched first

/** Whether a request may still be sent. Checked right before its bytes are sent. */
export type Fence = () => boolean

/**
 * Opens a fence. Call it in the transaction that commits `submitting`, before the statement that reads the
 * database's time, so that a late commit, a stopped process or a suspended machine uses up the fence.
 *
 * See docs/decisions/0036-submit-fence.md.
 *
 * @param preparationMs extra time beyond `fenceMs`, for a rail that needs a token or a key first; a request
 * sent at the very end must still finish within the longest call, counted from `fenceMs`
 */
export function openFence(preparationMs = 0): Fence {
  const elapsedMs = startStopwatch()
  return () => elapsedMs() < fenceMs + preparationMs
}
