import { createCache } from './cache.ts'

/**
 * Creates a counter per key in the memory of this process. The window of a key starts with its first count, and
 * the key is removed when the window ends. If there are more than `maxKeys`, the least recently used keys are
 * removed earlier.
 */
export function createWindowCounter(limit: number, windowMs: number, maxKeys: number) {
  const counts = createCache<string, { count: number }>({ max: maxKeys, ttl: windowMs })
  return {
    /**
     * If a key has reached the limit, returns the milliseconds until its window ends. For all other keys,
     * returns 0.
     */
    waitMs: (key: string) => ((counts.get(key)?.count ?? 0) < limit ? 0 : counts.getRemainingTTL(key)),
    count(key: string) {
      const current = counts.get(key)
      if (current) current.count++
      else counts.set(key, { count: 1 })
    },
    /** Decrements the count of a key. */
    forgive(key: string) {
      const current = counts.get(key)
      if (current && current.count > 0) current.count--
    },
  }
}
