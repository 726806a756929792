import type { Log } from './log.ts'

/** Stops repeating after the current run. */
export type StopRepeating = () => Promise<void>

// Repeated failures must not flood the log or the database.
const afterFailureMs = 1_000

/**
 * Runs `work` every `ms`, never concurrently, until stopped. If it returns `true`, there is more work, and it
 * runs again immediately.
 */
export const repeat = (ms: number, log: Log, work: () => Promise<unknown>): StopRepeating =>
  startRounds({ everyMs: ms, log }, work).stop

export type Rounds = {
  /** Signals that there may be work. */
  wake(): void
  stop: StopRepeating
}

/**
 * Runs `work` when woken, and at the latest after `everyMs`. Runs never overlap and are at least `gapMs` apart,
 * so that work arriving in between is done together. If it returns `true` (more work), it runs again
 * immediately; if it returns a number, after that many milliseconds. Failures are logged, and the rounds
 * continue.
 */
export function startRounds(
  { everyMs, gapMs = 0, log }: { everyMs: number; gapMs?: number; log: Log },
  work: () => Promise<unknown>,
): Rounds {
  let isStopped = false
  let isWoken = false
  let end = () => {}
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const loop = async () => {
    while (!isStopped) {
      isWoken = false
      let [restMs, waitMs] = [gapMs, everyMs]
      try {
        const next = await work()
        if (next === true) continue
        if (typeof next === 'number') waitMs = Math.min(next, everyMs)
      } catch (err) {
        log.error({ err }, 'periodic task failed')
        restMs = afterFailureMs
      }
      isResting = true
      if (restMs > 0 && !isStopped) await pause(restMs)
      isResting = false
      if (!isWoken && !isStopped && waitMs > restMs) await pause(waitMs - restMs)
    }
  }
  let isResting = false
  const ended = loop()
  return {
    wake() {
      isWoken = true
      if (!isResting) end()
    },
    stop() {
      isStopped = true
      end()
      return ended
    },
  }
}
