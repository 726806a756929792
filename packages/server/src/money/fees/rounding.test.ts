import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { feeOn, returnedFee } from './rounding.ts'

const percent = (ppm: number, minimum = 0n) => ({ ppm, minimum })

test('one percent of 30 000 is 300', () => assert.equal(feeOn(30_000n, percent(10_000)), 300n))

test('a half is rounded to the even neighbour, so that rounding favours nobody', () => {
  assert.deepEqual(
    [50n, 150n, 250n, 350n].map((amount) => feeOn(amount, percent(10_000))),
    [0n, 2n, 2n, 4n],
  )
  assert.deepEqual(
    [49n, 51n, 149n, 151n].map((amount) => feeOn(amount, percent(10_000))),
    [0n, 1n, 1n, 2n],
  )
})

test('the minimum applies if the percentage is lower, but it never exceeds the amount', () => {
  assert.equal(feeOn(1_000n, percent(10_000, 50n)), 50n)
  assert.equal(feeOn(100_000n, percent(10_000, 50n)), 1_000n)
  assert.equal(feeOn(20n, percent(10_000, 50n)), 20n)
})

const amounts = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n })
const rates = fc.integer({ min: 0, max: 1_000_000 })

test('a fee is within half a unit of the exact share, for every amount and rate', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, ppm) => {
      const off = feeOn(amount, percent(ppm)) * 1_000_000n - amount * BigInt(ppm)
      assert.ok(off <= 500_000n && off >= -500_000n)
    }),
  )
})

test('a fee never falls as the amount rises, and never exceeds it', () => {
  fc.assert(
    fc.property(amounts, amounts, rates, fc.bigInt({ min: 0n, max: 10_000n }), (a, b, ppm, minimum) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      assert.ok(feeOn(less, percent(ppm, minimum)) <= feeOn(more, percent(ppm, minimum)))
      assert.ok(feeOn(less, percent(ppm, minimum)) <= less)
    }),
  )
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
