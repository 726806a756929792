import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../../semaphore.ts'

/**
 * While other calls arrive, an export pauses after each piece. The pause lasts this many times as long as the
 * work on the piece.
 */
const restPerWork = 3
const quietAfterMs = 250

export type ExportPace = {
  /** Records that another call has arrived. */
  noteCall(): void
  /**
   * Runs one piece of an export when it is its turn. The node runs one piece at a time and yields to the event
   * loop after each.
   */
  run<T>(piece: () => T): Promise<T>
}

/**
 * Prevents exports from slowing down other calls. Exports run in short pieces, take turns on the node, and
 * pause between pieces while other calls arrive. If no other calls arrive, they do not pause.
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
          // Sleeping is not enough, because timers run before the event loop polls for new I/O.
          await nextTurn()
        }
      }),
  }
}
