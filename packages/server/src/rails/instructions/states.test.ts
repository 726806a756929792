import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canMove, type InstructionState, isOpen } from './states.ts'

const states: InstructionState[] = ['created', 'submitting', 'submitted', 'unknown', 'succeeded', 'failed']

const moves: Record<InstructionState, InstructionState[]> = {
  created: ['submitting', 'failed'],
  submitting: ['submitted', 'unknown', 'succeeded', 'failed'],
  submitted: ['succeeded', 'failed'],
  unknown: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

for (const from of states)
  for (const to of states)
    test(`${from} ${moves[from].includes(to) ? 'may become' : 'never becomes'} ${to}`, () => {
      assert.equal(canMove(from, to), moves[from].includes(to))
    })

test('a submitted instruction without an outcome is open', () => {
  assert.deepEqual(states.filter(isOpen), ['submitting', 'submitted', 'unknown'])
})
