import { startStopwatch } from '../platform/stopwatch.ts'

/**
 * How long after the begin of the transaction that makes it `submitting` a request may leave, where nothing has to be
 * fetched for it first. Whoever queries the rail later knows from this when nothing can be on its way any more.
 */
export const fenceMs = 5_000 // limit: time from the transaction that commits `submitting` until its request may leave, beside what has to be fetched first

/** Whether a request may still leave, checked right before its bytes do. */
export type Fence = () => boolean

/**
 * Open it in the transaction that commits `submitting`, before the statement that reads the database's time: a late commit
 * uses it up, and so does whatever stops the process or the machine.
 *
 * @param preparationMs how long it is open beyond `fenceMs`, for a rail that wants a token or a key first; what leaves at
 *   its end must be over when the longest call is, counted from `fenceMs`
 */
export function openFence(preparationMs = 0): Fence {
  const elapsedMs = startStopwatch()
  return () => elapsedMs() < fenceMs + preparationMs
}
