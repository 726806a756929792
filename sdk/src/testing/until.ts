import { wait } from '../pause.ts'

const firstPauseMs = 50
const longestPauseMs = 1_000

export type UntilOptions = {
  /** After so long it throws; 30 000. */
  timeoutMs?: number
  signal?: AbortSignal
}

/**
 * Reads something again and again until it is as it should be: `until(() => pesewa.payouts.retrieve(id), ({ status }) => status === 'completed')`.
 *
 * @param read what is read
 * @param isSo whether it is as it should be
 * @throws Error with what was read last, where it is not so in time
 */
export async function until<T>(
  read: () => T | PromiseLike<T>,
  isSo: (value: T) => boolean,
  { timeoutMs = 30_000, signal }: UntilOptions = {},
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const value = await read()
    if (isSo(value)) return value
    if (Date.now() + pauseMs > end)
      throw new Error(`Still not so after ${timeoutMs} ms: ${JSON.stringify(value)}`)
    await wait(pauseMs, signal)
  }
}
