import assert from 'node:assert/strict'
import { test } from 'node:test'
import { debited } from './amounts.ts'

test('the debit is the payer’s amount plus all fees', () => {
  const fees = [{ amount: '15' }, { amount: '3' }]
  assert.equal(debited({ net: 1485n, fees }), 1503n)
})
