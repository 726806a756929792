import { createCache } from './cache.ts'

/**
 * Counts by key in this process's memory. A key's window begins with its first count, and ends with the key forgotten.
 * Of more than `maxKeys` those that were not seen for longest are forgotten before.
 */
export function createWindowCounter(limit: number, windowMs: number, maxKeys: number) {
  const counts = createCache<string, { count: number }>({ max: maxKeys, ttl: windowMs })
  return {
    /** How long until the window of a key ends that has reached the limit; of any other, 0. */
    waitMs: (key: string) => ((counts.get(key)?.count ?? 0) < limit ? 0 : counts.getRemainingTTL(key)),
    count(key: string) {
      const current = counts.get(key)
      if (current) current.count++
      else counts.set(key, { count: 1 })
    },
    /** Takes one back that was counted. */
    forgive(key: string) {
      const current = counts.get(key)
      if (current && current.count > 0) current.count--
    },
  }
}
