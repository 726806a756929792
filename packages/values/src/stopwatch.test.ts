import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStopwatch } from './stopwatch.ts'

test('a stopwatch shows the longest time that passed on any of its clocks', () => {
  const clocks = { monotonic: 1_000, sinceBoot: 50_000, wall: 9_000_000 }
  const elapsedMs = startStopwatch([() => clocks.monotonic, () => clocks.sinceBoot, () => clocks.wall])
  assert.equal(elapsedMs(), 0)
  clocks.monotonic += 20
  assert.equal(elapsedMs(), 20)
  // The machine slept, and its clock was set back on waking.
  clocks.sinceBoot += 60_000
  clocks.wall -= 3_600_000
  assert.equal(elapsedMs(), 60_000)
  // Or no clock counts sleep there, and only the time of day advanced.
  clocks.wall += 3_600_000 + 90_000
  assert.equal(elapsedMs(), 90_000)
})

test('a stopwatch on the machine’s clocks measures how long a process waits', () => {
  const elapsedMs = startStopwatch()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  assert.ok(elapsedMs() >= 49)
})
