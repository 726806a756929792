import { uptime } from 'node:os'

/** Milliseconds since the start. */
export type Stopwatch = () => number

/**
 * Each clock can fail: the first stops while the machine sleeps, in some containers the second is the host's,
 * and the third may be set back.
 */
const realClocks = [() => performance.now(), () => uptime() * 1000, () => Date.now()]

/**
 * Starts a stopwatch that uses the clock on which most time has passed, so that its time is never too short,
 * even if the process or the machine sleeps or a clock is set.
 * @param clocks in milliseconds
 */
export function startStopwatch(clocks: (() => number)[] = realClocks): Stopwatch {
  const started = clocks.map((clock) => ({ clock, atMs: clock() }))
  return () => Math.max(...started.map(({ clock, atMs }) => clock() - atMs))
}
