import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMajorUnits } from '@pesewa/values'
import fc from 'fast-check'
import { holderNameOf, majorAmountOf, parseFields, transactionOf } from './rail-responses.ts'

const names: [value: unknown, name: string | undefined][] = [
  ['Aminata Kamara', 'Aminata Kamara'],
  ['  Aminata\t \n Kamara ', 'Aminata Kamara'],
  ['Ame\u0301lie Kone\u0301', 'Am\u00e9lie Kon\u00e9'],
  ['Ọlá Adébáyọ̀', 'Ọlá Adébáyọ̀'.normalize('NFC')],
  ['فاطمة', 'فاطمة'],
  // A direction mark could make a name appear backwards, and a control character could end the line.
  ['Aminata\u202eKamara\u0000', 'Aminata Kamara'],
  ['A'.repeat(101), 'A'.repeat(100)],
  [`${'A'.repeat(99)} Kamara`, 'A'.repeat(99)],
  ['\u{1f600}'.repeat(3), undefined],
  ['+23276123456', undefined],
  ['', undefined],
  [' ', undefined],
  [7, undefined],
  [null, undefined],
  [undefined, undefined],
]

for (const [value, name] of names)
  test(`a holder’s name ${JSON.stringify(value)?.slice(0, 40)} is ${name?.slice(0, 40) ?? 'no name'}`, () =>
    assert.equal(holderNameOf(value), name))

const transactions: [value: unknown, transaction: string | undefined][] = [
  ['MP240101.1234.A1', 'MP240101.1234.A1'],
  [363440463, '363440463'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), undefined],
  ['two words', undefined],
  ['', undefined],
  [{}, undefined],
]

for (const [value, transaction] of transactions)
  test(`a rail’s transaction id ${JSON.stringify(value).slice(0, 20)} is ${transaction?.slice(0, 20) ?? 'none'}`, () =>
    assert.equal(transactionOf(value), transaction))

const bodies: [body: string, fields: Record<string, unknown> | undefined][] = [
  ['{"status":"done"}', { status: 'done' }],
  ['{"status":', undefined],
  ['"done"', undefined],
  ['null', undefined],
  ['', undefined],
]

for (const [body, fields] of bodies)
  test(`a response of ${body || 'nothing'} has ${fields ? 'fields' : 'none'}`, () =>
    assert.deepEqual(parseFields(body), fields))

const currency = fc.constantFrom('GHS', 'SLE', 'XOF', 'RWF', 'TND')

test('an amount echoed with any number of zeros is the amount that was sent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), currency, fc.nat(20), (value, code, zeros) => {
      const sent = toMajorUnits(value, code)
      const amount = zeros === 0 || sent.includes('.') ? sent : `${sent}.`
      assert.equal(majorAmountOf(amount + '0'.repeat(zeros), code), value)
    }),
  )
})

test('an amount that is read and written again is unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789.-e '), maxLength: 12 })
  fc.assert(
    fc.property(text, currency, (amount, code) => {
      const value = majorAmountOf(amount, code)
      if (value === undefined) return
      const withoutZeros = (amount: string) => amount.replace(/(\.[0-9]*?)0+$/, '$1').replace(/\.$/, '')
      assert.equal(withoutZeros(toMajorUnits(value, code)), withoutZeros(amount))
    }),
  )
})
