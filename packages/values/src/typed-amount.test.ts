import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxAmount } from './money.ts'
import { readAmount } from './typed-amount.ts'

const typed: [text: string, currency: string, value: bigint | undefined][] = [
  ['1500', 'SLE', 150_000n],
  ['15.50', 'SLE', 1_550n],
  ['15,50', 'SLE', 1_550n],
  [' 15 ', 'SLE', 1_500n],
  ['0.01', 'SLE', 1n],
  ['1500', 'XOF', 1_500n],
  ['0', 'SLE', undefined],
  ['0.00', 'SLE', undefined],
  ['-5', 'SLE', undefined],
  ['15.505', 'SLE', undefined],
  ['15.5', 'XOF', undefined],
  ['1,500.00', 'SLE', undefined],
  ['15e3', 'SLE', undefined],
  ['0x10', 'SLE', undefined],
  ['', 'SLE', undefined],
  ['*', 'SLE', undefined],
  ['١٥', 'SLE', undefined],
  [String(maxAmount), 'XOF', BigInt(maxAmount)],
  [String(BigInt(maxAmount) + 1n), 'XOF', undefined],
  ['9'.repeat(182), 'SLE', undefined],
]

for (const [text, currency, value] of typed)
  test(`${JSON.stringify(text.slice(0, 30))} of ${currency} is ${value ?? 'no amount'}`, () => {
    assert.equal(readAmount(text, currency), value)
  })
