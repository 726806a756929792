import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from './semaphore.ts'

test('runs a limited number of tasks at a time in order of arrival, even after a failure', async () => {
  const semaphore = createSemaphore(2)
  const begun: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const results = gates.map((gate, i) =>
    semaphore(async () => {
      begun.push(i)
      await gate.promise
      return i
    }).catch(() => 'failed'),
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  assert.deepEqual(begun, [0, 1])
  gates[1]!.reject(new Error('broken'))
  await settle()
  assert.deepEqual(begun, [0, 1, 2])
  for (const gate of gates) gate.resolve()
  assert.deepEqual(await Promise.all(results), [0, 'failed', 2, 3, 4])
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
  assert.equal(await semaphore(async () => 'again'), 'again')
})
