import { startStopwatch } from '../platform/stopwatch.ts'

/**
 * For so long after the transaction that made it `submitting` began, a request may begin to leave. Whoever finds it
 * `submitting` later and queries the rail knows from this when nothing can be on its way any more.
 */
export const fenceMs = 5_000

/** Whether a request may still leave, checked right before its bytes do. */
export type Fence = () => boolean

/**
 * To be opened in the transaction that commits `submitting`, before the statement that takes the database's time: a
 * commit that is confirmed late uses it up, and so does whatever stops the process or the machine.
 */
export function openFence(): Fence {
  const elapsedMs = startStopwatch()
  return () => elapsedMs() < fenceMs
}
