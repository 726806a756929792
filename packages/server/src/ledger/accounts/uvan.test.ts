import assert from 'node:assert/strict'
import { test } from 'node:test'
import { luhnDigit } from './uvan.ts'

const digits: [digits: string, check: string][] = [
  ['7992739871', '3'],
  ['453201511283036', '6'],
  ['000000000000000', '0'],
  ['1', '8'],
  ['5', '9'],
  ['9', '1'],
]

for (const [text, check] of digits)
  test(`the check digit of ${text} is ${check}`, () => {
    assert.equal(luhnDigit(text), check)
  })
