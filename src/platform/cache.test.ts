import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCache } from './cache.ts'

test('a cache never exceeds its maximum size, and drops the entry that was unused for longest', () => {
  const cache = createCache<number, string>({ max: 3 })
  for (let i = 0; i < 3; i++) cache.set(i, 'x')
  cache.get(0)
  cache.set(3, 'x')
  assert.deepEqual([...cache.keys()].toSorted(), [0, 2, 3])
  for (let i = 0; i < 1_000; i++) cache.set(i, 'x')
  assert.equal(cache.size, 3)
})

test('fetched entries count, too', async () => {
  const cache = createCache<number, number>({ max: 3, fetchMethod: async (key) => key })
  for (let i = 0; i < 20; i++) assert.equal(await cache.fetch(i), i)
  assert.equal(cache.size, 3)
  await Promise.all(Array.from({ length: 50 }, (_, i) => cache.fetch(100 + i)))
  assert.equal(cache.size, 3)
})
