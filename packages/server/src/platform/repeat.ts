import type { Log } from './log.ts'

/** Stops the repetition once the current run has finished. */
export type StopRepeating = () => Promise<void>

// The delay after a failure prevents repeated failures from flooding the log or the database.
const afterFailureMs = 1_000

/**
 * Runs `work` every `ms` milliseconds until stopped. Runs never overlap. If `work` returns `true` because there
 * is more to do, it runs again immediately.
 */
export const repeat = (ms: number, log: Log, work: () => Promise<unknown>): StopRepeating =>
  startRounds({ everyMs: ms, log }, work).stop

export type Rounds = {
  /** Signals that there may be work. */
  wake(): void
  stop: StopRepeating
}

/**
 * Runs `work` whenever it is woken, and otherwise every `everyMs`. Runs never overlap, and there are at least
 * `gapMs` between them, so that work that arrives in the meantime is done together. If `work` returns `true`
 * because there is more to do, it runs again immediately. If it returns a number, it runs again after that many
 * milliseconds. Failures are logged, and the repetition continues.
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
