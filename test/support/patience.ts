/**
 * Waits until it is time to check a condition again: briefly at first, later for an eighth of the time already
 * waited, and for at most 100 ms. In this way, a long wait does not take CPU time from the work that the test
 * waits for.
 *
 * @param since when the wait began, as returned by `performance.now()`
 */
export const waitBeforeNextCheck = (since: number): Promise<void> =>
  new Promise((resolve) =>
    setTimeout(resolve, Math.min(longestMs, Math.max(shortestMs, (performance.now() - since) / 8))),
  )

const shortestMs = 10
const longestMs = 100
