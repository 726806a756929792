import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SubmitOutcome } from '@pesewa/connector-kit'
import { createBreaker } from './breaker.ts'

type Outcome = SubmitOutcome['outcome'] | undefined
const all = Number.POSITIVE_INFINITY
const unknowns = (count: number): Outcome[] => Array.from({ length: count }, () => 'unknown')

type Calls = [second: number, outcome: Outcome][]
const callsAt = (second: number, outcomes: Outcome[]): Calls => outcomes.map((outcome) => [second, outcome])
const five = callsAt(0, unknowns(5))

/**
 * Sequential calls, each started and ended at its second, and then the expected room and wait at a later
 * second.
 */
const histories: [what: string, calls: Calls, at: number, room: number, waitMs: number][] = [
  ['nothing was called', [], 0, all, 0],
  ['four unknown in a row', callsAt(0, unknowns(4)), 0, all, 0],
  ['five unknown in a row', five, 0, 0, 10_000],
  [
    'eight unknown with a clear one in between',
    callsAt(0, [...unknowns(4), 'refused', ...unknowns(4)]),
    0,
    all,
    0,
  ],
  [
    'five unknown with one in between that sent nothing',
    callsAt(0, [...unknowns(4), undefined, 'unknown']),
    0,
    0,
    10_000,
  ],
  ['its time is almost up', five, 9, 0, 1_000],
  ['its time is up', five, 10, 1, 0],
  ['the probe was accepted', [...five, [10, 'accepted']], 10, all, 0],
  ['the probe was refused', [...five, [10, 'refused']], 10, all, 0],
  ['the probe was unknown', [...five, [10, 'unknown']], 10, 0, 20_000],
  ['the probe sent nothing', [...five, [10, undefined]], 10, 1, 0],
  ['a second probe was unknown', [...five, [10, 'unknown'], [30, 'unknown']], 30, 0, 30_000],
  [
    'five unknown after a clear probe',
    [...five, [10, 'accepted'], ...callsAt(11, unknowns(5))],
    11,
    0,
    10_000,
  ],
]

for (const [what, calls, at, room, waitMs] of histories)
  test(`${what}: room for ${room}, wait of ${waitMs} ms`, () => {
    const breaker = createBreaker({ firstMs: 10_000, longestMs: 30_000 })
    for (const [second, outcome] of calls) breaker.begin()(second * 1_000, outcome)
    assert.deepEqual(breaker.stateAt(at * 1_000), { room, waitMs })
  })

const opened = () => {
  const breaker = createBreaker({ firstMs: 10_000, longestMs: 30_000 })
  const before = breaker.begin()
  for (const outcome of unknowns(5)) breaker.begin()(0, outcome)
  return { breaker, before }
}

test('runs one probe at a time, and no other call during a probe', () => {
  const { breaker } = opened()
  const endProbe = breaker.begin()
  assert.deepEqual(breaker.stateAt(10_000), { room: 0, waitMs: 1_000 })
  endProbe(11_000, 'accepted')
  assert.deepEqual(breaker.stateAt(11_000), { room: all, waitMs: 0 })
})

test('an unknown outcome of a call that started before the breaker opened does not keep it open longer', () => {
  const { breaker, before } = opened()
  before(9_000, 'unknown')
  assert.deepEqual(breaker.stateAt(10_000), { room: 1, waitMs: 0 })
})
