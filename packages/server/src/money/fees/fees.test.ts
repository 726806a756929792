import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumFees } from './fees.ts'

test('a debit is the payer’s amount plus all fees', () => {
  const fees = [{ amount: '15' }, { amount: '3' }]
  assert.equal(1485n + sumFees(fees), 1503n)
})
