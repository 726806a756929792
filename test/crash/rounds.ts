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
