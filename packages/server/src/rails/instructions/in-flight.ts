import { setTimeout as sleep } from 'node:timers/promises'
import type { RailQueue } from '@pesewa/connector-kit'
import type { Platform } from '../../platform/platform.ts'

/** Keeps track of the calls to one rail whose outcomes have not been recorded yet. */
export function createInFlight(log: Platform['log'], queue: RailQueue, stopping: AbortSignal) {
  const inFlight = new Set<Promise<void>>()
  return {
    add(work: Promise<void>): void {
      const tracked = work
        .catch((err) => log.error({ err, ...queue }, 'failed to record the outcome of a provider call'))
        .finally(() => inFlight.delete(tracked))
      inFlight.add(tracked)
    },
    /** Waits for `ms` milliseconds, or until a call has finished. */
    async pause(ms: number): Promise<void> {
      const over = new AbortController()
      const signal = AbortSignal.any([stopping, over.signal])
      await Promise.race([sleep(ms, undefined, { signal, ref: false }).catch(() => {}), ...inFlight])
      over.abort()
    },
    settled: async () => void (await Promise.all(inFlight)),
  }
}
