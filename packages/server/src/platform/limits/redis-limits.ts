import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import type { Exceeded, Limit, RateLimiter } from './rate-limits.ts'

// A request waits for Redis this long at most, and is then counted by the fallback.
const commandTimeoutMs = 200
const retryMs = 1_000 // time for which the fallback counts after a failure
const reconnectMs = 500
const connectLimitMs = 2_000 // time for which a starting node waits for Redis

/**
 * GCRA, as in `createMemoryRateLimiter`, in microseconds of the clock of Redis. Keys expire when they have no effect any
 * more. Arguments: what to do (`take`, `check`, or how many requests to count), then `atMost` and `perMs` of each key.
 * Returns the number of the exceeded limit with the longest wait, and the wait; or 0.
 */
const script = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local used, spacing, worst, longest = {}, {}, 0, 0
for i, key in ipairs(KEYS) do
  local window = ARGV[2 * i + 1] * 1000
  spacing[i] = window / ARGV[2 * i]
  used[i] = math.max(tonumber(redis.call('get', key) or now), now)
  local wait = used[i] + spacing[i] - window - now
  if wait > longest + 1 then worst, longest = i, wait end
end
local times = tonumber(ARGV[1])
if ARGV[1] == 'take' and worst == 0 then times = 1 end
if times then
  for i, key in ipairs(KEYS) do
    local until_ = used[i] + times * spacing[i]
    redis.call('set', key, string.format('%.3f', until_), 'px', math.max(1, math.ceil((until_ - now) / 1000)))
  end
end
return { worst, math.ceil(longest) }`

/** All limits are in one slot, so that a cluster can check several limits of a request in one script. */
const prefix = '{pesewa-limits} '

type WithScript = { takeLimits(keys: number, ...args: (string | number)[]): Promise<[number, number]> }

export type RedisRateLimiter = RateLimiter & { close(): void }

/**
 * Counts requests in Redis or Valkey, exactly for all nodes. While it does not respond, `fallback` counts them.
 *
 * @param url the server, or several nodes of a cluster, separated by commas
 * @param options.hashOf hides what is limited, such as IP addresses
 */
export async function openRedisRateLimiter(
  url: string,
  { fallback, hashOf, log }: { fallback: RateLimiter; hashOf(key: string): string; log: Log },
): Promise<RedisRateLimiter> {
  const client = connect(url)
  let failedUntil = 0
  let isDown = false
  client.on('error', () => {}) // Each failed command is handled below.
  // A cluster without a majority accepts connections but never becomes ready.
  await Promise.race([client.connect().catch(() => {}), sleep(connectLimitMs, undefined, { ref: false })])
  client.defineCommand('takeLimits', { lua: script })
  const redis = client as typeof client & WithScript

  async function run(what: 'take' | 'check' | 1 | -1, limits: Limit[]): Promise<Exceeded | undefined> {
    const [worst, waitUs] = await withinLimit(
      redis.takeLimits(
        limits.length,
        ...limits.map(({ key }) => prefix + hashOf(key)),
        what,
        ...limits.flatMap(({ atMost, perMs }) => [atMost, perMs]),
      ),
    )
    if (isDown) log.warn('Redis counts rate limits again')
    isDown = false
    const limit = limits[worst - 1]
    return limit && { name: limit.name, waitMs: waitUs / 1000 }
  }

  function fail(err: unknown): void {
    failedUntil = Date.now() + retryMs
    if (!isDown) log.warn({ err }, 'Redis does not respond; the nodes share rate limits through PostgreSQL')
    isDown = true
  }

  const decide = async (what: 'take' | 'check', limits: Limit[]) => {
    if (Date.now() < failedUntil) return fallback[what](limits)
    try {
      return await run(what, limits)
    } catch (error) {
      fail(error)
      return fallback[what](limits)
    }
  }
  return {
    take: (limits) => decide('take', limits),
    check: (limits) => decide('check', limits),
    count(limit, times = 1) {
      if (Date.now() < failedUntil) return fallback.count(limit, times)
      run(times, [limit]).catch((error) => {
        fail(error)
        fallback.count(limit, times)
      })
    },
    close: () => client.disconnect(),
  }
}

/** The client's own limit does not apply to commands that wait for a cluster to become ready. */
async function withinLimit<T>(running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis took too long')), commandTimeoutMs)
  })
  return Promise.race([running, limit]).finally(() => clearTimeout(timer))
}

function connect(url: string): Redis | Cluster {
  const urls = url.split(',')
  const options = {
    connectTimeout: connectLimitMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    lazyConnect: true,
  } satisfies RedisOptions
  const retry = () => reconnectMs
  if (urls.length === 1) return new Redis(url, { ...options, retryStrategy: retry })
  const { username, password, protocol } = new URL(urls[0] ?? '')
  return new Cluster(urls, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    lazyConnect: true,
    clusterRetryStrategy: retry,
    redisOptions: {
      ...options,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  } satisfies ClusterOptions)
}
