/** Random choices that are the same on every run, so that every demo has the same month. */
export type Dice = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number
  /** Returns a whole number from `low` to `high`, both inclusive. */
  between(low: number, high: number): number
  /** Returns one of the items. Without weights, all are equally likely. */
  pick<T>(items: readonly T[], weightOf?: (item: T) => number): T
}

/** Returns dice with the given seed (mulberry32). */
export function rollDice(seed: number): Dice {
  let state = seed
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    between: (low, high) => low + ((fraction() * (high - low + 1)) >>> 0),
    pick<T>(items: readonly T[], weightOf: (item: T) => number = () => 1): T {
      let left = fraction() * items.reduce((sum, item) => sum + weightOf(item), 0)
      const picked = items.find((item) => {
        left -= weightOf(item)
        return left < 0
      })
      const [last] = items.slice(-1)
      const choice = picked ?? last
      if (choice === undefined) throw new RangeError('there is nothing to pick')
      return choice
    },
  }
}
