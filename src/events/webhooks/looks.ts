import type { Log } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'

/** Looks for what is due: one at a time, and many wishes of one Space are one look. */
export type Looks = {
  /** Of a Space, or of all. */
  soon(scope: Scope | undefined): void
  /** Of a Space, as soon as real time has come to this; each time that is asked for has its look. */
  at(scope: Scope, realTimeMs: number): void
  stop(): Promise<void>
}

const everything = ''

export function createLooks(look: (scope: Scope | undefined) => Promise<void>, log: Log): Looks {
  const wanted = new Map<string, Scope | undefined>()
  const timers = new Map<string, NodeJS.Timeout>()
  let underWay: Promise<void> | undefined
  let isStopped = false

  const lookAll = async () => {
    while (wanted.size > 0 && !isStopped) {
      const scopes = wanted.has(everything) ? [undefined] : [...wanted.values()]
      wanted.clear()
      for (const scope of scopes) await look(scope)
    }
  }
  const begin = () => {
    underWay ??= lookAll()
      .catch((err) => log.error({ err }, 'deliveries that are due were not found'))
      .finally(() => {
        underWay = undefined
        // Wished for after the last look had begun to end.
        if (wanted.size > 0 && !isStopped) begin()
      })
  }
  const soon = (scope: Scope | undefined) => {
    wanted.set(scope ? nameOf(scope) : everything, scope)
    begin()
  }
  return {
    soon,
    at(scope, realTimeMs) {
      const nowMs = Date.now()
      const slot = Math.ceil((realTimeMs + earlyMs) / slotMs)
      const name = `${nameOf(scope)} ${slot}`
      if (isStopped || timers.has(name) || realTimeMs - nowMs > maxTimedMs) return
      const timer = setTimeout(
        () => {
          timers.delete(name)
          soon(scope)
        },
        slot * slotMs - nowMs,
      ).unref()
      timers.set(name, timer)
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await underWay
    },
  }
}

/** Times of a Space that are so close share a look, so that a Space has few timers however much fails there. */
const slotMs = 50
/** A timer may fire so much before its time. */
const earlyMs = 2
/** What is later is found by the sweep: waits of minutes vary by more than that takes to come round. */
const maxTimedMs = 60_000 // limit: time for which a look at deliveries is planned ahead

const nameOf = ({ spaceId, environment }: Scope) => `${environment} ${spaceId}`
