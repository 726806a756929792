import { createCache } from './cache.ts'

/**
 * Counts per key in this process's memory. A key's window starts with its first count; when the window ends,
 * the key is removed. Beyond `maxKeys`, the least recently used keys are removed earlier.
 */
export function createWindowCounter(limit: number, windowMs: number, maxKeys: number) {
  const counts = createCache<string, { count: number }>({ max: maxKeys, ttl: windowMs })
  return {
    /** Milliseconds until the window of a key at the limit ends; 0 for other keys. */
    waitMs: (key: string) => ((counts.get(key)?.count ?? 0) < limit ? 0 : counts.getRemainingTTL(key)),
    count(key: string) {
      const current = counts.get(key)
      if (current) current.count++
      else counts.set(key, { count: 1 })
    },
    /** Reverts one count. */
    forgive(key: string) {
      const current = counts.get(key)
      if (current && current.count > 0) current.count--
    },
  }
}
