// How often, and when, the tests here kill at any moment: seldom in `npm test`; `npm run crash` says otherwise.

export const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

/** The same moments each time, so that a run can be had again; what happens then is up to the machine. */
let state = Number(process.env.CRASH_SEED ?? 1)

/** A whole number from `min` on and below `max` (mulberry32). */
export function draw(min: number, max: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min))
}

/** Of what takes long `npm test` has so many, others each day; `npm run crash` has all. */
export function someOfDay<T>(all: T[], count: number): T[] {
  if (process.env.CRASH_ROUNDS !== undefined) return all
  const first = Math.floor(Date.now() / dayMs) * count
  return Array.from({ length: count }, (_, i) => all.at((first + i) % all.length)).filter(
    (one) => one !== undefined,
  )
}

const dayMs = 86_400_000
