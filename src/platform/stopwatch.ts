import { uptime } from 'node:os'

/** Milliseconds since it was started. */
export type Stopwatch = () => number

/**
 * Each misses something: the first stands still while the machine sleeps, the second is the machine's own in some
 * containers, the third may be set back.
 */
const realClocks = [() => performance.now(), () => uptime() * 1000, () => Date.now()]

/**
 * Believes the clock on which most time has passed, so that whatever stops (the process, the machine) or is set, the time
 * is never too short.
 *
 * @param clocks each in milliseconds
 */
export function startStopwatch(clocks: (() => number)[] = realClocks): Stopwatch {
  const started = clocks.map((clock) => ({ clock, atMs: clock() }))
  return () => Math.max(...started.map(({ clock, atMs }) => clock() - atMs))
}
