import { startStopwatch } from '@pesewa/values'

/**
 * The maximum time from the start of the transaction that makes an instruction `submitting` until its request
 * is sent, if no token or key has to be fetched first. Later queries rely on this limit to tell when the
 * request can no longer be in flight.
 */
export const fenceMs = 5_000 // maximum time from the start of the transaction that commits `submitting` until its request is sent, without the time for fetching tokens and keys

/** Returns whether a request may still be sent. Called immediately before its bytes are sent. */
export type Fence = () => boolean

/**
 * Opens a fence, which prevents a request from being sent too late. Call this function in the transaction that
 * commits `submitting`, before the statement that reads the database's time, so that the time limit also covers
 * a late commit, a stopped process or a suspended machine.
 *
 * See docs/decisions/0036-submit-fence.md.
 *
 * @param preparationMs time allowed in addition to `fenceMs` if the rail needs a token or a key first; it must
 * be so short that even a request that is sent at the last moment finishes within `fenceMs` plus the duration
 * of the longest call
 */
export function openFence(preparationMs = 0): Fence {
  const elapsedMs = startStopwatch()
  return () => elapsedMs() < fenceMs + preparationMs
}
