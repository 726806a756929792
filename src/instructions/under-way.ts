import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../platform/platform.ts'
import type { RailLane } from '../providers/lane.ts'

/** What is on its way to a rail, or comes from it. */
export type UnderWay = {
  add(work: Promise<void>): void
  /** Until so long has passed, or something under way has ended. */
  pause(ms: number): Promise<void>
  settled(): Promise<void>
}

export function createUnderWay(log: Platform['log'], lane: RailLane, stopping: AbortSignal): UnderWay {
  const underWay = new Set<Promise<void>>()
  return {
    add(work) {
      const tracked = work
        .catch((err) => log.error({ err, ...lane }, 'what a rail said was not recorded'))
        .finally(() => underWay.delete(tracked))
      underWay.add(tracked)
    },
    async pause(ms) {
      const over = new AbortController()
      const signal = AbortSignal.any([stopping, over.signal])
      await Promise.race([sleep(ms, undefined, { signal, ref: false }).catch(() => {}), ...underWay])
      over.abort()
    },
    settled: async () => void (await Promise.all(underWay)),
  }
}
