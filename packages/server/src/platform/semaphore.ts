/**
 * Creates a fair semaphore, which runs up to `atOnce` tasks at a time. The other tasks wait in their order of
 * arrival.
 */
export function createSemaphore(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // A waiting task takes over this one's slot.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
