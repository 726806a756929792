import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { feeOn, readFeeRule } from './fee-rules.ts'

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

test('a valid rule is parsed exactly, and an invalid one is refused', () => {
  assert.deepEqual(readFeeRule('1%'), { ppm: 10_000, minimums: {} })
  assert.deepEqual(readFeeRule('0.0001%'), { ppm: 1, minimums: {} })
  assert.deepEqual(readFeeRule('2.25%,min=SLE:50,min=GHS:10'), {
    ppm: 22_500,
    minimums: { SLE: '50', GHS: '10' },
  })
  for (const text of [
    '',
    '1',
    '101%',
    '-1%',
    '1.00001%',
    '1%,min=XXX:1',
    '1%,min=SLE:-1',
    '1%,max=SLE:1',
    'one%',
  ])
    assert.throws(() => readFeeRule(text), { reason: 'arguments_invalid' }, text)
})
