// Delays between retries.

const firstWaitMs = 500
const longestWaitMs = 8_000

/**
 * Returns the delay after the given number of failures, in milliseconds. It doubles with each failure, up to a
 * limit, and has jitter, so that clients that fail together do not retry together.
 */
export const backOff = (failures: number) =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)

/**
 * Converts `Retry-After`, which is a number of seconds or a date, to milliseconds. Returns 0 if it is missing
 * or invalid.
 */
export function parseRetryAfter(retryAfter: string | null): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now()
  return ms > 0 ? ms : 0
}

/** Waits for the given time. @throws the reason of `signal` if the signal is aborted during the wait */
export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
