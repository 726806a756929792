// How often, and at which moments, the crash tests kill the program: a few times in `npm run test:all`, and as
// often as requested in `npm run crash`.

export const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

/**
 * The random state. The same seed chooses the same moments, so that a run can be repeated; what happens at them
 * depends on the machine.
 */
let state = Number(process.env.CRASH_SEED ?? 1)

/** Returns an integer from `min` (inclusive) to `max` (exclusive), using mulberry32. */
export function draw(min: number, max: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min))
}

/**
 * Returns some of the slow tests, different ones each day, for `npm run test:all`; all of them for `npm run
 * crash`.
 */
export function someOfDay<T>(all: T[], count: number): T[] {
  if (process.env.CRASH_ROUNDS !== undefined) return all
  const first = Math.floor(Date.now() / dayMs) * count
  return Array.from({ length: count }, (_, i) => all.at((first + i) % all.length)).filter(
    (one) => one !== undefined,
  )
}

const dayMs = 86_400_000
