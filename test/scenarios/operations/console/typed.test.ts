import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countries } from '../../../../packages/console/src/text/countries.ts'
import { currencies } from '../../../../packages/console/src/text/currencies.ts'
import { formatMoney, moneyInputValue, parseMoney } from '../../../../packages/console/src/text/money.ts'
import { parsePhone } from '../../../../packages/console/src/text/phones.ts'
import { parseJson } from '../../../../packages/sdk/src/json.ts'

// Input is understood as people mean it, or refused.

const currency = fc.constantFrom(...Object.keys(currencies))
const value = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

test('an amount can be parsed from its typed and displayed forms, in both languages', () => {
  fc.assert(
    fc.property(currency, value, (currency, value) => {
      const amount = { currency, value }
      const numberOf = (text: string) => text.replace(/[^\d.,\s]/g, '').replace(/^[.\s]+|[.\s]+$/g, '')
      assert.equal(parseMoney(moneyInputValue(amount), currency), value)
      assert.equal(parseMoney(numberOf(formatMoney(amount, 'en')), currency), value)
      assert.equal(parseMoney(numberOf(formatMoney(amount, 'fr')), currency), value)
    }),
  )
})

test('an amount of any size is parsed from JSON and displayed exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (value) => {
      const text = JSON.stringify({ result: [{ currency: 'SLE', name: '9007199254740993' }], value: 0 })
      const read = parseJson(text.replace(',"value":0', `,"value":${value}`)) as { value: number | bigint }
      assert.equal(BigInt(read.value), value)
      const shown = formatMoney({ currency: 'SLE', value: read.value }, 'en')
      assert.equal(BigInt(shown.replace(/[^-\d]/g, '')), value)
      assert.doesNotMatch(shown, /≈/)
    }),
  )
})

test('an amount rounded by the browser is displayed as approximate', () => {
  assert.equal(formatMoney({ currency: 'SLE', value: 2 ** 53 }, 'en'), '≈ Le 90,071,992,547,409.92')
  assert.equal(formatMoney({ currency: 'XOF', value: -1e21 }, 'en'), '≈ -CFA 1,000,000,000,000,000,000,000')
})

test('an amount is parsed in any common grouping, and refused if ambiguous', () => {
  const cases: [text: string, currency: string, value: number | undefined][] = [
    ['1500.5', 'SLE', 150_050],
    ['1 500,50', 'SLE', 150_050],
    ['1.500,50', 'SLE', 150_050],
    ['1,500', 'XOF', 1_500],
    ['1.500.000', 'XOF', 1_500_000],
    ['1500.5', 'XOF', undefined],
    ['1,500.505', 'SLE', undefined],
    ['1,500,50', 'SLE', undefined],
    ['15,00.5', 'SLE', undefined],
    ['0', 'SLE', undefined],
    ['-5', 'SLE', undefined],
    ['1e3', 'SLE', undefined],
    ['90071992547409.93', 'SLE', undefined],
    ['', 'SLE', undefined],
  ]
  for (const [text, currency, value] of cases) assert.equal(parseMoney(text, currency), value, text)
})

test('a phone number is parsed in national and international format', () => {
  const cases: [text: string, country: string, e164: string | undefined][] = [
    ['076 123 456', 'SL', '+23276123456'],
    ['76-123-456', 'SL', '+23276123456'],
    ['+232 (76) 123456', 'SL', '+23276123456'],
    ['23276123456', 'SL', '+23276123456'],
    ['+233241234567', 'SL', '+233241234567'],
    // Starts like the calling code, but is a local number.
    ['23 212 345', 'SL', '+23223212345'],
    ['271 234 567', 'ZA', '+27271234567'],
    // The leading 0 is part of the number.
    ['07 12 34 56 78', 'CI', '+2250712345678'],
    ['Aminata', 'SL', undefined],
    ['123', 'SL', undefined],
    ['+0123456789', 'SL', undefined],
    ['', 'SL', undefined],
  ]
  for (const [text, country, e164] of cases) assert.equal(parsePhone(text, country), e164, text)
  for (const [country, { example }] of Object.entries(countries))
    assert.equal(parsePhone(example, country), example.replace(/[^+\d]/g, ''))
})
