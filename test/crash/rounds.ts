// How often, and when, these tests kill at any moment: a few times in `npm run test:all`; `npm run crash` overrides it.

export const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

/** The same moments each time, so that a run can be repeated; what happens then depends on the machine. */
let state = Number(process.env.CRASH_SEED ?? 1)

/** Returns an integer from `min` to below `max` (mulberry32). */
export function draw(min: number, max: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min))
}

/** `npm run test:all` runs only some of the slow ones, others each day; `npm run crash` runs all. */
export function someOfDay<T>(all: T[], count: number): T[] {
  if (process.env.CRASH_ROUNDS !== undefined) return all
  const first = Math.floor(Date.now() / dayMs) * count
  return Array.from({ length: count }, (_, i) => all.at((first + i) % all.length)).filter(
    (one) => one !== undefined,
  )
}

const dayMs = 86_400_000
