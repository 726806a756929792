import { laneOf } from '../../platform/batches.ts'
import type { Log } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'

export type PollSchedule = ReturnType<typeof createPollSchedule>

const everySpace = ''

/** When to poll for deliveries that are due. Polls run one at a time, and requests for one Space are merged. */
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
      .catch((err) => log.error({ err }, 'deliveries that are due were not found'))
      .finally(() => {
        running = undefined
        // Requested after the last poll had begun to end.
        if (requested.size > 0 && !isStopped) begin()
      })
  }
  const soon = (scope: Scope | undefined) => {
    requested.set(scope ? laneOf(scope) : everySpace, scope)
    begin()
  }
  return {
    /** Polls a Space, or all, as soon as no other poll is under way. */
    soon,
    /** Polls a Space at this real time: no request is lost, and none is early. */
    at(scope: Scope, realTimeMs: number) {
      const nowMs = Date.now()
      const slot = Math.ceil((realTimeMs + earlyMs) / slotMs)
      const name = `${laneOf(scope)} ${slot}`
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

/** Times of a Space that are so close share a poll, so that a Space has few timers however much fails there. */
const slotMs = 50
/** A timer may fire so much before its time. */
const earlyMs = 2
/** What is later is found by the sweep: waits of minutes vary by more than the time between sweeps. */
const maxTimedMs = 60_000 // limit: time for which a poll for deliveries is planned ahead
