/**
 * Data that a rail publishes about itself, read in the background. Callers do not wait for the data, which may
 * be missing.
 */
export type BackgroundCache<T> = {
  /** Returns the last value; starts reading again if it is old. */
  current(): T | undefined
  /** Like `current`, but waits for the first read, for callers that need a value. */
  loaded(): Promise<T | undefined>
  /** Reads again now, unless a read was just attempted. */
  renew(): void
}

const freshMs = 600_000
const pauseMs = 60_000

/**
 * @param read never rejects; `undefined` keeps the current value
 * @param nowMs milliseconds on a monotonic clock
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
