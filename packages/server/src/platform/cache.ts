import { LRUCache } from 'lru-cache'

type Options<K extends {}, V extends {}, C> = Omit<LRUCache.Options<K, V, C>, 'max'> & { max: number }

/**
 * Creates a cache of at most `max` entries that allocates memory as it fills. If lru-cache is given `max`
 * directly, it allocates every slot immediately. For a dozen caches of 100,000 entries, this allocation took a
 * quarter of the start-up time and 20 MB. If an entry is evicted or deleted while it is being fetched,
 * callers that wait for it still get the value, but it is not cached.
 */
export const createCache = <K extends {}, V extends {}, C = unknown>({
  max,
  ...options
}: Options<K, V, C>): LRUCache<K, V, C> =>
  new LRUCache<K, V, C>({ ignoreFetchAbort: true, ...options, maxSize: max, sizeCalculation: () => 1 })
