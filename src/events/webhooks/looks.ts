import type { Scope } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

/** Looks for what is due: one at a time, and many wishes of one Space are one look. */
export type Looks = {
  /** Of a Space, or of all. */
  soon(scope: Scope | undefined): void
  /** Of a Space, when real time comes to this. */
  at(scope: Scope, realTimeMs: number): void
  stop(): Promise<void>
}

const everything = ''

export function createLooks(look: (scope: Scope | undefined) => Promise<void>, log: Log): Looks {
  const wanted = new Map<string, Scope | undefined>()
  const timers = new Map<string, { realTimeMs: number; timer: NodeJS.Timeout }>()
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
      const name = nameOf(scope)
      const known = timers.get(name)
      if (isStopped || (known && known.realTimeMs <= realTimeMs)) return
      clearTimeout(known?.timer)
      // What is later than a timer can hold is found by the sweep.
      const waitMs = Math.min(Math.max(realTimeMs - Date.now(), 0), maxTimerMs)
      const timer = setTimeout(() => {
        timers.delete(name)
        soon(scope)
      }, waitMs).unref()
      timers.set(name, { realTimeMs, timer })
    },
    async stop() {
      isStopped = true
      for (const { timer } of timers.values()) clearTimeout(timer)
      await underWay
    },
  }
}

const maxTimerMs = 2 ** 31 - 1

const nameOf = ({ spaceId, environment }: Scope) => `${environment} ${spaceId}`
