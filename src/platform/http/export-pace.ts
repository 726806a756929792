import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../semaphore.ts'

/** While others call, exports rest so many times as long as they worked. */
const restPerWork = 3
const quietAfterMs = 250

export type ExportPace = {
  /** Notes that somebody calls. */
  noteCall(): void
  /** Runs a piece of an export once it is its turn: one of the node at a time, each followed by a turn of the event loop. */
  run<T>(piece: () => T): Promise<T>
}

/**
 * Exports write in the time that others leave: each is cut into short pieces, all of a node take turns, and while
 * anybody else calls they rest between the pieces. On a quiet node they do not.
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
          // Timers fire before the event loop takes what has come in.
          await nextTurn()
        }
      }),
  }
}
