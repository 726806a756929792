import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFeeRule } from './rules.ts'

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
