/** What a rail publishes of itself, read in the background: nobody waits for it, and it may be missing. */
export type BackgroundCache<T> = {
  /** As it was read last; reads it again when that is long ago. */
  current(): T | undefined
  /** The same, for whoever cannot do without: waits while it is read for the first time. */
  loaded(): Promise<T | undefined>
  /** Reads it again now, unless that was tried a moment ago. */
  renew(): void
}

const freshMs = 600_000
const pauseMs = 60_000

/**
 * @param read never rejects; `undefined` leaves what was there
 * @param nowMs milliseconds of a clock that only goes ahead
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
