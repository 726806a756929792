import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { debited, returnedFee } from './amounts.ts'

test('the debit is the payer’s amount plus all fees', () => {
  const fees = [{ amount: '15' }, { amount: '3' }]
  assert.equal(debited({ net: 1485n, fees }), 1503n)
})

describe('the returned part of a payment’s fee', () => {
  const payment = { amount: 1000n, fee: 17n }
  for (const [name, parts, expected] of [
    ['is all of it for a full refund', [1000n], [17n]],
    ['is rounded down, and the last refund returns the rest', [333n, 333n, 334n], [5n, 5n, 7n]],
    ['can be zero', [10n, 990n], [0n, 17n]],
    ['never exceeds its share while something remains', [999n], [16n]],
  ] as const)
    test(name, () => {
      const before = { refunded: 0n, returned: 0n }
      const returned = parts.map((amount) => {
        const fee = returnedFee(payment, amount, before)
        before.refunded += amount
        before.returned += fee
        return fee
      })
      assert.deepEqual(returned, expected)
    })
})
