import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstQueryAt, nextQueryAt } from './query-times.ts'
import type { InstructionState } from './states.ts'

const submittedAt = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(submittedAt.getTime() + seconds * 1_000)
const hour = 3_600

/**
 * The time of a query and of the next one, in seconds since the submit. `delayed`: when the delay event is due,
 * and whether it was published.
 */
const queries: [
  state: InstructionState,
  at: number,
  next: number,
  delay?: [due: number, isPublished: boolean],
][] = [
  ['submitted', 0, 5],
  ['submitted', 5, 15],
  ['submitted', 15, 35],
  ['unknown', 35, 75],
  ['submitting', 75, 155],
  // The gap doubles up to an hour.
  ['submitted', hour, 2 * hour],
  ['submitted', 24 * hour, 25 * hour],
  // If the clock was set back, the query counts as made at the time of the submit.
  ['submitted', -60, 5],
  // The delay event falls due once, between two queries.
  ['submitted', 315, 600, [600, false]],
  ['submitted', 315, 635, [600, true]],
  ['submitted', 600, 1_205, [600, false]],
  ['submitted', 5, 15, [600, false]],
  // An instruction that has ended is queried again an hour later.
  ['failed', 100, 100 + hour],
  ['succeeded', 100, 100 + hour],
]

for (const [state, at, next, [due, isPublished] = [Number.POSITIVE_INFINITY, false]] of queries)
  test(`${state}, queried ${at} s after the submit${due < Infinity ? `, delay event at ${due} s ${isPublished ? 'published' : 'not published'}` : ''}: next at ${next} s`, () => {
    const instruction = { state, submittedAt, delayedAt: isPublished ? after(due) : null }
    assert.deepEqual(nextQueryAt(instruction, after(at), due * 1_000), after(next))
  })

test('the first query is due 5 s after the submit', () => {
  assert.deepEqual(firstQueryAt(submittedAt), after(5))
})
