import type { Log } from './log.ts'

/** Ends a repetition, once what is under way is done. */
export type StopRepeating = () => Promise<void>

// What fails now may fail for a while: neither the log nor the database is to be flooded.
const afterFailureMs = 1_000

/** Does `work` every `ms`, never twice at once, until stopped; at once again when it returns `true`: there is more. */
export const repeat = (ms: number, log: Log, work: () => Promise<unknown>): StopRepeating =>
  startRounds({ everyMs: ms, log }, work).stop

export type Rounds = {
  /** There may be something to do. */
  wake(): void
  stop: StopRepeating
}

/**
 * Does `work` when it is woken, and after `everyMs` at the latest; never twice at once, and not again before `gapMs` have
 * passed, so that what comes meanwhile is done together. At once again when it returns `true`: there is more; and after
 * as many milliseconds as it returns. A failure is logged and the next round comes.
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
        log.error({ err }, 'a periodic task failed')
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
