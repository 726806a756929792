import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toMajorUnits } from '../../../countries/money.ts'
import { noteOf, readAmount } from './documents.ts'

const currency = fc.constantFrom('GHS', 'SLE', 'XOF', 'RWF', 'TND')

test('an amount that MTN repeats with any number of zeros is the amount that was sent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), currency, fc.nat(20), (value, code, zeros) => {
      const sent = toMajorUnits(value, code)
      const amount = zeros === 0 || sent.includes('.') ? sent : `${sent}.`
      assert.equal(readAmount(amount + '0'.repeat(zeros), code), value)
    }),
  )
})

test('an amount that is read says the same when it is written again', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789.-e '), maxLength: 12 })
  fc.assert(
    fc.property(text, currency, (amount, code) => {
      const value = readAmount(amount, code)
      if (value === undefined) return
      const withoutZeros = (amount: string) => amount.replace(/(\.[0-9]*?)0+$/, '$1').replace(/\.$/, '')
      assert.equal(withoutZeros(toMajorUnits(value, code)), withoutZeros(amount))
    }),
  )
})

test('a note is plain, short and never empty, whatever is paid for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (description) => {
      assert.match(noteOf(description), /^[A-Za-z0-9.,:-]([A-Za-z0-9.,: -]{0,158}[A-Za-z0-9.,:-])?$/)
    }),
  )
  assert.equal(noteOf('Café “Fatu’s”, 2 × №1'), 'Cafe Fatu s , 2 No1')
  assert.equal(noteOf('ሰላም'), 'Payment')
})
