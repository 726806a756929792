import { uptime } from 'node:os'

/** Returns the milliseconds since the stopwatch was started. */
export type Stopwatch = () => number

/**
 * Each of these clocks has a weakness: the first stops while the machine sleeps, the second is the host's clock
 * in some containers, and the third may be set back.
 */
const realClocks = [() => performance.now(), () => uptime() * 1000, () => Date.now()]

/**
 * Starts a stopwatch that shows the longest time measured by any of the clocks, so that its time is never too
 * short, even if the process or the machine sleeps or a clock is changed.
 * @param clocks functions that return milliseconds
 */
export function startStopwatch(clocks: (() => number)[] = realClocks): Stopwatch {
  const started = clocks.map((clock) => ({ clock, atMs: clock() }))
  return () => Math.max(...started.map(({ clock, atMs }) => clock() - atMs))
}
