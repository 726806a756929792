/** A fair semaphore: `atOnce` pieces of work run at one time; the others wait, first come, first served. */
export function createSemaphore(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // Whoever waits takes this one's place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
