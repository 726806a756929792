/**
 * How long to wait between two looks at what must become so by itself: short at first, then an eighth of the time already
 * waited, up to a tenth of a second. A test that waits long is not to take the processor from what it waits for.
 *
 * @param since of `performance.now()`
 */
export const nextLook = (since: number): Promise<void> =>
  new Promise((resolve) =>
    setTimeout(resolve, Math.min(longestMs, Math.max(shortestMs, (performance.now() - since) / 8))),
  )

const shortestMs = 10
const longestMs = 100
