import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isConclusive, type SubmitAges } from './conclusive-missing.ts'

const second = 1_000
const minute = 60 * second
/**
 * Returns the ages of a submit. By default, the Space's clock agrees with wall-clock time, because it was not
 * moved.
 */
const submit = (submittingMs: number, callEndedMs: number | null = null): SubmitAges => ({
  submittingMs,
  callEndedMs,
  submittedMs: submittingMs,
})

describe('“missing” is trusted', () => {
  const bank = 10 * second
  const mtn = 4 * minute

  test('a minute after the submit, if the longest call has ended by then', () => {
    assert.equal(isConclusive(submit(minute - 1), 0, bank), false)
    assert.equal(isConclusive(submit(minute), 0, bank), true)
  })

  test('only after the fence, the longest call and a second for each clock', () => {
    assert.equal(isConclusive(submit(mtn + 7 * second - 1), 0, mtn), false)
    assert.equal(isConclusive(submit(mtn + 7 * second), 0, mtn), true)
  })

  test('a minute after the recorded end of the call, however long it took', () => {
    assert.equal(isConclusive(submit(5 * minute, minute - 1), 0, bank), false)
    assert.equal(isConclusive(submit(minute + 1, minute), 0, mtn), true)
  })

  test('sooner if a test clock was moved, but never while a call may be running', () => {
    assert.equal(isConclusive(submit(second, second), minute, mtn), true)
    assert.equal(isConclusive(submit(17 * second - 1), 10 * minute, bank), false)
    assert.equal(isConclusive(submit(17 * second), 10 * minute, bank), true)
  })

  test('no sooner if the test clock was moved before the submit', () => {
    // The instruction was submitted when the clock was already an hour ahead.
    const ahead = { ...submit(second, second), submittedMs: second - 60 * minute }
    assert.equal(isConclusive(ahead, 60 * minute, bank), false)
    assert.equal(isConclusive(ahead, 61 * minute, bank), true)
  })
})
