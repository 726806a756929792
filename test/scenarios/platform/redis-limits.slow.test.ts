import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  createMemoryRateLimiter,
  type Limit,
  perSecond,
  type RateLimiter,
} from '../../../packages/server/src/platform/limits/rate-limits.ts'
import { openRedisRateLimiter } from '../../../packages/server/src/platform/limits/redis-limits.ts'
import { createLog } from '../../../packages/server/src/platform/log.ts'
import { until } from '../../support/harness.ts'
import { skipWithoutRedis, startRedis, startRedisCluster } from '../../support/redis.ts'

const hashOf = (name: string) => Buffer.from(name).toString('base64url')
const log = createLog('silent')
const limitOf = (atMost: number): Limit => perSecond('limit', randomUUID(), atMost)

/** A fallback that nobody should need, and that says how often it was used. */
function watched() {
  const limiter = createMemoryRateLimiter()
  const used = { times: 0 }
  const counted = () => {
    used.times++
    return limiter
  }
  const fallback: RateLimiter = {
    take: (limits) => counted().take(limits),
    check: (limits) => counted().check(limits),
    count: (limit, times) => counted().count(limit, times),
  }
  return { fallback, used }
}

async function openNodes(url: string) {
  const { fallback, used } = watched()
  const nodes = await Promise.all([1, 2, 3].map(() => openRedisRateLimiter(url, { fallback, hashOf, log })))
  const close = () => {
    for (const node of nodes) node.close()
  }
  return { nodes, used, close }
}

for (const [name, start] of [
  ['a server', startRedis],
  ['a cluster', startRedisCluster],
] as const)
  describe(`with ${name}`, { skip: skipWithoutRedis }, () => {
    test('three nodes allow exactly what one would', async () => {
      const redis = await start()
      const { nodes, used, close } = await openNodes(redis.url)
      // Nobody waits long enough for another request to be allowed: one is restored every 25 s.
      const slow: Limit = { name: 'slow', key: randomUUID(), atMost: 40, perMs: 1_000_000 }
      const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => nodes[i % 3]!.take([slow])))
      assert.equal(answers.filter((exceeded) => exceeded === undefined).length, 40)
      for (const exceeded of answers)
        if (exceeded) assert.ok(exceeded.waitMs > 0 && exceeded.waitMs <= 25_000, `${exceeded.waitMs}`)

      const [wide, narrow] = [
        { ...slow, key: 'wide', atMost: 10 },
        { ...slow, key: 'narrow', atMost: 2 },
      ]
      const both = await Promise.all(Array.from({ length: 12 }, (_, i) => nodes[i % 3]!.take([wide, narrow])))
      assert.equal(both.filter((exceeded) => exceeded === undefined).length, 2)
      assert.equal((await nodes[0]!.check([narrow]))?.name, 'slow')
      const rest = await Promise.all(Array.from({ length: 12 }, (_, i) => nodes[i % 3]!.take([wide])))
      assert.equal(rest.filter((exceeded) => exceeded === undefined).length, 8)

      nodes[1]!.count(narrow, -1)
      await until(async () => (await nodes[2]!.check([narrow])) === undefined)
      nodes[1]!.count(narrow)
      await until(async () => (await nodes[2]!.check([narrow])) !== undefined)
      assert.equal(used.times, 0)
      close()
      await redis.close()
    })
  })

test('a burst is restored at the rate of the limit', { skip: skipWithoutRedis }, async () => {
  const redis = await startRedis()
  const { nodes, close } = await openNodes(redis.url)
  const limit = limitOf(20)
  while (!(await nodes[0]!.take([limit])));
  const { waitMs } = (await nodes[1]!.take([limit]))!
  assert.ok(waitMs <= 50)
  const from = performance.now()
  await until(async () => (await nodes[2]!.take([limit])) === undefined)
  assert.ok(performance.now() - from >= waitMs - 5)
  close()
  await redis.close()
})

test('while Redis is down, the fallback counts, and no request fails', {
  skip: skipWithoutRedis,
}, async () => {
  const redis = await startRedis()
  const { nodes, used, close } = await openNodes(redis.url)
  const limit = limitOf(1_000)
  for (const fail of [redis.kill, async () => redis.suspend()]) {
    assert.equal(await nodes[0]!.take([limit]), undefined)
    const before = used.times
    await fail()
    for (let i = 0; i < 5; i++) assert.equal(await nodes[i % 3]!.take([limit]), undefined)
    nodes[0]!.count(limit)
    assert.ok(used.times - before >= 5)
    redis.resume()
    if (fail === redis.kill) await redis.start()
    await until(async () => {
      const times = used.times
      await nodes[0]!.take([limit])
      return used.times === times
    })
  }
  close()
  await redis.close()
})

test('a node starts while Redis is down', { skip: skipWithoutRedis }, async () => {
  const redis = await startRedis()
  await redis.kill()
  const { nodes, used, close } = await openNodes(redis.url)
  assert.equal(await nodes[0]!.take([limitOf(1)]), undefined)
  assert.equal(used.times, 1)
  close()
  await redis.close()
})

test('a node starts while a cluster has no majority, or its servers do not respond', {
  skip: skipWithoutRedis,
}, async () => {
  const lonely = await startRedis(['--cluster-enabled', 'yes'])
  const silent = await startRedis()
  silent.suspend()
  for (const url of [`${lonely.url},${lonely.url}`, silent.url]) {
    const { nodes, used, close } = await openNodes(url)
    assert.equal(await nodes[0]!.take([limitOf(1)]), undefined)
    assert.equal(used.times, 1)
    close()
  }
  silent.resume()
  await silent.close()
  await lonely.close()
})
