import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../semaphore.ts'

/** While other calls arrive, an export pauses this many times as long as it worked. */
const restPerWork = 3
const quietAfterMs = 250

export type ExportPace = {
  /** Records that a call arrived. */
  noteCall(): void
  /**
   * Runs one piece of an export when its turn comes: one at a time per node, yielding to the event loop after
   * each.
   */
  run<T>(piece: () => T): Promise<T>
}

/**
 * Keeps exports out of the way of other calls: they run in short pieces, take turns across the node, and pause
 * between pieces while other calls arrive. On a quiet node, they do not pause.
 */
export function createExportPace(now = () => performance.now()): ExportPace {
  const oneAtATime = createSemaphore(1)
  let lastCallAt = Number.NEGATIVE_INFINITY
  return {
    noteCall() {
      lastCallAt = now()
    },
    run: (piece) =>
      oneAtATime(async () => {
        const begin = now()
        try {
          return piece()
        } finally {
          const end = now()
          if (end - lastCallAt < quietAfterMs) await sleep(Math.ceil((end - begin) * restPerWork))
          // Timers fire before the event loop polls for new I/O.
          await nextTurn()
        }
      }),
  }
}
