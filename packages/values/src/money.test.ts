import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countries } from './countries.ts'
import { formatMoney, fromMajorUnits, isSupportedCurrency, minorDigits, toMajorUnits } from './money.ts'

const currencies = [...new Set(countries.flatMap((country) => country.supportedCurrencies))]
const anyCurrency = fc.constantFrom(...currencies)
const anyValue = fc.bigInt({ min: 0n, max: 2n ** 80n })

test('money is formatted with the currency’s symbol and decimals', () => {
  const written = {
    'SLE 15000': 'Le 150.00',
    'GHS 15000': 'GH₵150.00',
    'NGN 150000': '₦1,500.00',
    'XOF 1500': 'CFA 1,500',
    'XAF 1500': 'CFA 1,500',
    'UGX 1500': 'USh 1,500',
    'KES 150000': 'KSh 1,500.00',
    'ZMW 15000': 'K150.00',
    'ZAR 100000000': 'R1,000,000.00',
    'LRD 5': 'L$0.05',
    'USD 99': 'US$0.99',
    'RWF 0': 'FRw 0',
    'SLE 0': 'Le 0.00',
    'EUR 100': 'EUR 1.00',
  }
  for (const [input, output] of Object.entries(written)) assert.equal(formatMoney(money(input)), output)
})

test('money is formatted the French way for every French tag, and the English way otherwise', () => {
  assert.equal(formatMoney(money('XOF 1500'), 'fr'), '1 500 FCFA')
  assert.equal(formatMoney(money('XAF 1234567'), 'fr-CM'), '1 234 567 FCFA')
  assert.equal(formatMoney(money('GHS 150000'), 'fr'), '1 500,00 GH₵')
  assert.equal(formatMoney(money('XOF 1500'), 'en-GB'), 'CFA 1,500')
  assert.equal(formatMoney(money('XOF 1500'), 'frr'), 'CFA 1,500')
  assert.equal(formatMoney(money('XOF 1500'), ''), 'CFA 1,500')
})

test('a negative amount starts with its sign', () => {
  assert.equal(formatMoney(money('SLE -5')), '-Le 0.05')
  assert.equal(formatMoney(money('XOF -1500'), 'fr'), '-1 500 FCFA')
})

test('amounts beyond the precision of a float are exact', () => {
  assert.equal(formatMoney(money('SLE 9007199254740991')), 'Le 90,071,992,547,409.91')
  assert.equal(formatMoney(money('SLE 9007199254740993')), 'Le 90,071,992,547,409.93')
  assert.equal(toMajorUnits(123456789012345678901n, 'GHS'), '1234567890123456789.01')
  assert.equal(fromMajorUnits('1234567890123456789.01', 'GHS'), 123456789012345678901n)
})

test('formatted money contains exactly the digits of its major units', () => {
  fc.assert(
    fc.property(anyCurrency, anyValue, fc.constantFrom('en', 'fr'), (currency, value, language) => {
      const digitsOnly = (text: string) => text.replace(/[^0-9]/g, '')
      assert.equal(
        digitsOnly(formatMoney({ currency, value }, language)),
        digitsOnly(toMajorUnits(value, currency)),
      )
    }),
  )
})

test('major units have exactly the currency’s decimals', () => {
  assert.equal(toMajorUnits(15000n, 'SLE'), '150.00')
  assert.equal(toMajorUnits(7n, 'SLE'), '0.07')
  assert.equal(toMajorUnits(0n, 'SLE'), '0.00')
  assert.equal(toMajorUnits(1500n, 'XOF'), '1500')
  assert.equal(toMajorUnits(0n, 'XOF'), '0')
})

test('converting to major units and back returns the same value', () => {
  fc.assert(
    fc.property(anyCurrency, anyValue, (currency, value) => {
      assert.equal(fromMajorUnits(toMajorUnits(value, currency), currency), value)
    }),
  )
})

test('major units may have as many decimals as the currency, or fewer', () => {
  for (const text of ['1500', '1500.0', '1500.00']) assert.equal(fromMajorUnits(text, 'SLE'), 150000n)
  assert.equal(fromMajorUnits('0.5', 'SLE'), 50n)
  assert.equal(fromMajorUnits('1500', 'XOF'), 1500n)
})

test('anything but a plain decimal number is refused', () => {
  const garbage = [
    ...[
      '',
      ' ',
      '.',
      '1.',
      '.5',
      '1.2.3',
      '-1',
      '+1',
      '1e3',
      '0x10',
      '1,500',
      '1 500',
      ' 1',
      '1\n',
      '01',
      '٣',
    ],
    ...['NaN', 'Infinity', '1500.000', '0.001', 'Le 1', '1'.repeat(65)],
  ]
  for (const text of garbage)
    assert.throws(() => fromMajorUnits(text, 'SLE'), RangeError, JSON.stringify(text))
  for (const text of ['1.5', '1500.0']) assert.throws(() => fromMajorUnits(text, 'XOF'), RangeError, text)
})

test('text that parses as major units formats to the same number', () => {
  fc.assert(
    fc.property(
      anyCurrency,
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, ') }),
      (c, a, b) => {
        for (const text of [a, b]) {
          const value = accepted(text, c)
          if (value === undefined) continue
          const [whole, fraction = ''] = text.split('.')
          const digits = minorDigits(c)
          assert.equal(toMajorUnits(value, c), digits ? `${whole}.${fraction.padEnd(digits, '0')}` : whole)
        }
      },
    ),
  )
})

test('a negative value cannot be converted to major units', () => {
  assert.throws(() => toMajorUnits(-1n, 'SLE'), RangeError)
})

test('an unknown currency throws', () => {
  for (const code of ['sle', 'SLL', 'XYZ', '', '__proto__', 'constructor']) {
    assert.equal(isSupportedCurrency(code), false)
    assert.throws(() => minorDigits(code), RangeError)
    assert.throws(() => formatMoney({ currency: code, value: 1n }), RangeError)
    assert.throws(() => toMajorUnits(1n, code), RangeError)
    assert.throws(() => fromMajorUnits('1', code), RangeError)
  }
})

test('a currency that no supported country uses is valid but not supported', () => {
  assert.equal(minorDigits('EUR'), 2)
  assert.equal(isSupportedCurrency('EUR'), false)
  for (const code of currencies) assert.equal(isSupportedCurrency(code), true)
})

test('decimals follow ISO 4217 even where Intl and common practice drop them', () => {
  assert.equal(minorDigits('MGA'), 2)
  assert.equal(minorDigits('SOS'), 2)
})

function money(text: string): { currency: string; value: bigint } {
  const [currency = '', value = ''] = text.split(' ')
  return { currency, value: BigInt(value) }
}

function accepted(text: string, currency: string): bigint | undefined {
  try {
    return fromMajorUnits(text, currency)
  } catch {
    return undefined
  }
}
