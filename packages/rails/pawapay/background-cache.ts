/**
 * Caches data that a rail publishes about itself, and reads it in the background. Callers do not wait for the
 * data, so it may be missing.
 */
export type BackgroundCache<T> = {
  /** Returns the latest value, or `undefined` if there is none. If the value is stale, starts reading it again. */
  current(): T | undefined
  /** Like `current`, but waits until the value has been read for the first time. */
  loaded(): Promise<T | undefined>
  /** Starts reading the value again, unless this was just attempted. */
  renew(): void
}

const freshMs = 600_000
const pauseMs = 60_000

/**
 * Creates a cache that reads the value when it is first needed.
 *
 * @param read reads the value and never rejects; if it returns `undefined`, the current value is kept
 * @param nowMs returns the time of a monotonic clock, in milliseconds
 */
export function createBackgroundCache<T>(
  read: () => Promise<T | undefined>,
  nowMs = () => performance.now(),
): BackgroundCache<T> {
  let value: T | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const reload = async () => {
    const seen = await read()
    if (seen === undefined) return
    value = seen
    readAtMs = nowMs()
  }
  const renew = () => {
    if (nowMs() - triedAtMs < pauseMs) return
    triedAtMs = nowMs()
    reading = reload()
  }
  const current = () => {
    if (nowMs() - readAtMs >= freshMs) renew()
    return value
  }
  return {
    current,
    async loaded() {
      if (current() === undefined) await reading
      return value
    },
    renew,
  }
}
