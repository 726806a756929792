import type { Log } from './log.ts'

/** Ends a repetition, once what is under way is done. */
export type StopRepeating = () => Promise<void>

// What fails now may fail for a while: neither the log nor the database is to be flooded.
const afterFailureMs = 1_000

/**
 * Does `work` every `ms`, never twice at once, until stopped; at once again when it answers `true`: there is more. A
 * failure is logged and the next round comes.
 */
export function repeat(ms: number, log: Log, work: () => Promise<unknown>): StopRepeating {
  let stopped = false
  let wake = () => {}
  const loop = async () => {
    while (!stopped) {
      let waitMs = ms
      try {
        if ((await work()) === true) continue
      } catch (err) {
        log.error({ err }, 'a periodic task failed')
        waitMs = Math.max(ms, afterFailureMs)
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, waitMs).unref()
      })
    }
  }
  const ended = loop()
  return () => {
    stopped = true
    wake()
    return ended
  }
}
