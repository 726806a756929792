import { batchKeyOf } from '../../platform/batches.ts'
import type { Log } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'

export type PollSchedule = ReturnType<typeof createPollSchedule>

const everySpace = ''

/**
 * Creates a schedule of polls for due deliveries. Polls run one at a time, and requests for the same Space are
 * combined.
 */
export function createPollSchedule(poll: (scope: Scope | undefined) => Promise<void>, log: Log) {
  const requested = new Map<string, Scope | undefined>()
  const timers = new Map<string, NodeJS.Timeout>()
  let running: Promise<void> | undefined
  let isStopped = false

  const pollRequested = async () => {
    while (requested.size > 0 && !isStopped) {
      const scopes = requested.has(everySpace) ? [undefined] : [...requested.values()]
      requested.clear()
      for (const scope of scopes) await poll(scope)
    }
  }
  const begin = () => {
    running ??= pollRequested()
      .catch((err) => log.error({ err }, 'failed to poll for due deliveries'))
      .finally(() => {
        running = undefined
        // A poll was requested while the last one was finishing.
        if (requested.size > 0 && !isStopped) begin()
      })
  }
  const soon = (scope: Scope | undefined) => {
    requested.set(scope ? batchKeyOf(scope) : everySpace, scope)
    begin()
  }
  return {
    /** Polls for due deliveries of one Space, or of all Spaces, as soon as no other poll is running. */
    soon,
    /** Polls for due deliveries of a Space at this wall-clock time or shortly afterwards, but never earlier. */
    at(scope: Scope, realTimeMs: number) {
      const nowMs = Date.now()
      const slot = Math.ceil((realTimeMs + earlyMs) / slotMs)
      const name = `${batchKeyOf(scope)} ${slot}`
      if (isStopped || timers.has(name) || realTimeMs - nowMs > maxTimedMs) return
      const fire = () => {
        timers.delete(name)
        soon(scope)
      }
      timers.set(name, setTimeout(fire, slot * slotMs - nowMs).unref())
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await running
    },
  }
}

/**
 * Polls of the same Space that are planned within this interval are combined, so that a Space has few timers
 * even if it has many failures.
 */
const slotMs = 50
/** Longest time by which a timer may fire early. */
const earlyMs = 2
/**
 * Later times are left to the periodic polls, because waits of several minutes vary by more than the interval
 * between these polls.
 */
const maxTimedMs = 60_000 // time for which a poll for deliveries is planned ahead
