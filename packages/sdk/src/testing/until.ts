import { wait } from '../delays.ts'

const firstPauseMs = 50
const longestPauseMs = 1_000

export type UntilOptions = {
  /** Time after which `until` throws, in milliseconds. Default: 30,000. */
  timeoutMs?: number
  signal?: AbortSignal
}

/**
 * Polls until a condition holds: `until(() => pesewa.payouts.retrieve(id), ({ status }) => status ===
 * 'completed')`.
 *
 * @param read returns the current value
 * @param isDone returns true once the condition holds
 * @throws Error with the last value if the condition does not hold in time
 */
export async function until<T>(
  read: () => T | PromiseLike<T>,
  isDone: (value: T) => boolean,
  { timeoutMs = 30_000, signal }: UntilOptions = {},
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const value = await read()
    if (isDone(value)) return value
    if (Date.now() + pauseMs > end)
      throw new Error(
        `The condition was not met within ${timeoutMs} ms. Last value: ${JSON.stringify(value)}`,
      )
    await wait(pauseMs, signal)
  }
}
