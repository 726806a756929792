import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, money } from './index.ts'

for (const [currency, text, value] of [
  ['SLE', '12.50', 1250],
  ['SLE', '12.5', 1250],
  ['SLE', '12', 1200],
  ['SLE', '0.01', 1],
  ['SLE', '0.29', 29],
  ['GNF', '1500', 1500],
  ['SLE', '90071992547409.91', 9007199254740991],
] as const)
  test(`${currency} ${text} equals ${value} minor units, in both directions`, () => {
    assert.deepEqual(money(currency, text), { currency, value })
    assert.deepEqual(money(currency, decimal({ currency, value })), { currency, value })
  })

for (const [currency, text] of [
  ['SLE', ''],
  ['SLE', '1,5'],
  ['SLE', '1.505'],
  ['SLE', '-1'],
  ['SLE', '1e3'],
  ['SLE', ' 1'],
  ['SLE', '.5'],
  ['SLE', '1.'],
  ['GNF', '1.5'],
  ['SLE', '90071992547409.92'],
  ['SLE', '9'.repeat(16)],
  ['XXX', '12'],
  ['toString', '12'],
] as const)
  test(`${JSON.stringify(text)} is not a valid amount in ${currency}`, () => {
    assert.throws(() => money(currency, text), RangeError)
  })

test('large totals and negative amounts are written exactly', () => {
  assert.equal(decimal({ currency: 'SLE', value: 9007199254740993n }), '90071992547409.93')
  assert.equal(decimal({ currency: 'SLE', value: -5 }), '-0.05')
  assert.equal(decimal({ currency: 'GNF', value: -1500n }), '-1500')
})

test('an inexact amount is refused', () => {
  for (const value of [2 ** 53, 0.5, Number.NaN])
    assert.throws(() => decimal({ currency: 'SLE', value }), RangeError)
  assert.throws(() => decimal({ currency: 'XXX', value: 1 }), RangeError)
})
