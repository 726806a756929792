import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { luhnDigit } from '../../ledger/accounts/uvan.ts'
import { readAccount } from './account.ts'
import { loadCatalogue } from './catalogue.ts'

const provider = (id: string) => loadCatalogue().find(id)!

test('a bank account has 6 to 20 digits and letters, in any grouping', () => {
  const read = (typed: string) => readAccount(provider('slb001'), typed, 'live')
  assert.equal(read(' 00-1122 33ab '), '00112233AB')
  assert.equal(read('123456'), '123456')
  assert.equal(read('1'.repeat(20)), '1'.repeat(20))
  for (const typed of ['12345', '1'.repeat(21), '00112233é4', '0011/2233', '', '١٢٣٤٥٦'])
    assert.equal(read(typed), undefined, typed)
})

test('a wallet id is 3 to 64 visible characters', () => {
  const read = (typed: string) => readAccount(provider('dw001'), typed, 'live')
  assert.equal(read(' Fatu@safulpay '), 'Fatu@safulpay')
  assert.equal(read('x'.repeat(64)), 'x'.repeat(64))
  for (const typed of ['ab', 'x'.repeat(65), 'fatu sesay', 'fatu\u0000', 'fåtu'])
    assert.equal(read(typed), undefined, typed)
})

test('card numbers of supported schemes are refused as accounts, in any grouping', () => {
  const start = fc.constantFrom('4', '51', '55', '2221', '2720', '5061', '6500')
  const length = fc.constantFrom(16, 19)
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 })
  fc.assert(
    fc.property(start, length, digits, fc.constantFrom('', ' ', '-'), (first, size, rest, gap) => {
      const body = (first + rest.join('')).slice(0, size - 1)
      const number = (body + luhnDigit(body)).replace(/(.{4})(?=.)/g, `$1${gap}`)
      for (const id of ['slb001', 'dw001'])
        assert.equal(readAccount(provider(id), number, 'test'), undefined, number)
    }),
  )
})

test('a card has no account', () => {
  assert.equal(readAccount(provider('card'), 'anything', 'test'), undefined)
})
