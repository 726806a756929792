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

test('fetched entries count, too, and all callers get their values', async () => {
  const cache = createCache<number, number>({ max: 3, fetchMethod: async (key) => key })
  for (let i = 0; i < 20; i++) assert.equal(await cache.fetch(i), i)
  assert.equal(cache.size, 3)
  const keys = Array.from({ length: 50 }, (_, i) => 100 + i)
  assert.deepEqual(await Promise.all(keys.map((key) => cache.fetch(key))), keys)
  assert.equal(cache.size, 3)
})

test('a value that is deleted while it is being fetched is not cached', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const cache = createCache<number, string>({ max: 3, fetchMethod: () => promise })
  const fetched = cache.fetch(1)
  cache.delete(1)
  resolve('revoked')
  assert.equal(await fetched, 'revoked')
  assert.equal(cache.has(1), false)
})
