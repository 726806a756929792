import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureRuns } from './failure-runs.ts'

const at = (seconds: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + 1_000 * seconds)

test("an endpoint's failures are consecutive until one attempt succeeds", () => {
  const runs = createFailureRuns()
  for (const second of [0, 0, 30]) runs.count('one', at(second))
  assert.deepEqual([runs.lengthOf('one', at(31)), runs.lengthOf('other', at(31))], [3, 0])
  runs.end('one')
  assert.equal(runs.lengthOf('one', at(31)), 0)
})

test('a minute without failures starts a new run, so retries of a few deliveries never form a long run', () => {
  const runs = createFailureRuns()
  for (const second of [0, 59, 118]) runs.count('one', at(second))
  assert.equal(runs.lengthOf('one', at(118)), 3)
  runs.count('one', at(178))
  assert.equal(runs.lengthOf('one', at(178)), 1)
})
