import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { maskPhone } from '../../server/src/platform/masks.ts'
import { countries } from './countries.ts'
import { numberingPlans } from './numbering-plans.ts'
import { countryOfPhone, examplePhone, nationalNumberOf, parsePhone } from './phones.ts'

const environments = ['test', 'live'] as const
const mobiles = countries.map(({ code }) => {
  const number = getExampleNumber(code as Parameters<typeof getExampleNumber>[0], examples)
  assert(number, `${code} has an example`)
  return { country: code, e164: number.number as string, national: number.nationalNumber as string }
})

test('a Sierra Leone number is parsed in every common notation', () => {
  for (const environment of environments) {
    for (const text of [
      ...['+23276123456', '23276123456', '076123456', '76123456', '+232 76 123 456', '076-123-456'],
      ...['(076) 123456', '(+232) 76123456', '+232076123456', ' 076 123 456 ', '+232\u00a076\u00a0123456'],
    ]) {
      assert.equal(parsePhone(text, 'SL', environment), '+23276123456', JSON.stringify(text))
    }
  }
})

test('every country’s mobile numbers are parsed as E.164, with or without +, and in national form', () => {
  for (const environment of environments) {
    for (const { country, e164, national } of mobiles) {
      for (const text of [e164, e164.slice(1), national]) {
        assert.equal(parsePhone(text, country, environment), e164, `${text} in ${country}`)
      }
    }
  }
})

test('a foreign mobile number is parsed with +, and without it unless it could be a national number', () => {
  for (const { e164 } of mobiles) {
    assert.equal(parsePhone(e164, 'SL', 'live'), e164)
    assert.equal(parsePhone(e164.slice(1), 'SL', 'live'), e164)
    assert.equal(parsePhone(e164.slice(1), 'NG', 'test'), e164)
  }
})

test('without +, an ambiguous text is parsed as a number in the Space’s country', () => {
  assert.equal(parsePhone('241234567', 'GH', 'live'), '+233241234567')
  assert.equal(parsePhone('60000001', 'SL', 'test'), '+23260000001')
})

test('impossible numbers are refused in both environments', () => {
  for (const environment of environments) {
    for (const text of [
      ...[
        '',
        ' ',
        '+',
        '0',
        '00',
        '7',
        '112',
        '+232',
        '+2327612345',
        '+232761234567',
        '7612345',
        '761234567',
      ],
      ...[
        '+99976123456',
        '+0076123456',
        '++23276123456',
        '+232+76123456',
        '23276123456+',
        '+1234567890123456',
      ],
      ...['abc', '+23276ABC456', '076123456;ext=1', '٠٧٦١٢٣٤٥٦', '076.123.456', '076123456\0', '*715*123#'],
    ]) {
      assert.equal(parsePhone(text, 'SL', environment), undefined, JSON.stringify(text))
    }
  }
})

test('Benin’s pre-2024 numbers, two digits shorter, are refused', () => {
  assert.equal(parsePhone('+22997000001', 'BJ', 'test'), undefined)
  assert.equal(parsePhone('0197000001', 'BJ', 'live'), '+2290197000001')
})

test('test accepts every well-formed number, live only those that match the country’s pattern', () => {
  for (const text of ['+23200000001', '23200000001', '+232 00 000 001', '00000001', '000000001']) {
    assert.equal(parsePhone(text, 'SL', 'test'), '+23200000001', text)
    assert.equal(parsePhone(text, 'SL', 'live'), undefined, text)
  }
  assert.equal(parsePhone('+232 76 000 001', 'SL', 'live'), '+23276000001')
})

test('a made-up number that begins with the Space’s calling code is parsed as E.164 without its +', () => {
  // Numbers in Nigeria can have up to fourteen digits, so the whole text could also be one national number.
  assert.equal(parsePhone('2340000000001', 'NG', 'test'), '+2340000000001')
})

test('in a country the library does not cover, only E.164 is parsed', () => {
  assert.equal(parsePhone('+23276123456', 'ZZ', 'live'), '+23276123456')
  assert.equal(parsePhone('23276123456', 'ZZ', 'live'), '+23276123456')
  assert.equal(parsePhone('076123456', 'ZZ', 'live'), undefined)
})

test('text longer than any number is refused without parsing', () => {
  assert.equal(parsePhone('+232 76 123 456'.padEnd(32), 'SL', 'live'), '+23276123456')
  assert.equal(parsePhone('+232 76 123 456'.padEnd(33), 'SL', 'live'), undefined)
})

test('any input yields either E.164 that parses to itself, or nothing', () => {
  const anyCountry = fc.constantFrom(...countries.map(({ code }) => code))
  const typed = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789+ ()-'), maxLength: 20 }),
    fc.tuple(anyCountry, fc.nat(9_999_999_999)).map(([code, n]) => `+${callingCode(code)}${n}`),
  )
  fc.assert(
    fc.property(typed, anyCountry, fc.constantFrom(...environments), (text, country, environment) => {
      const phone = parsePhone(text, country, environment)
      if (phone === undefined) return
      assert.match(phone, /^\+[1-9][0-9]{5,14}$/)
      assert.equal(parsePhone(phone, country, environment), phone)
      assert.equal(parsePhone(phone, 'SL', environment), phone)
    }),
    { numRuns: 2000 },
  )
  assert.equal(parsePhone('0000000', 'ZA', 'test'), undefined)
})

test('a number’s country follows from its calling code, even for a made-up number', () => {
  for (const { country, e164 } of mobiles) assert.equal(countryOfPhone(e164), country)
  assert.equal(countryOfPhone('+23200000001'), 'SL')
  for (const text of ['+80012345678', '+999', '', '+', '23276123456', '+'.padEnd(99, '2')]) {
    assert.equal(countryOfPhone(text), undefined, text)
  }
})

test('a number has a national form only in its own country', () => {
  assert.equal(nationalNumberOf('+256752604392', 'UG'), '752604392')
  // In this country, the zero is part of the number.
  assert.equal(nationalNumberOf('+242055123456', 'CG'), '055123456')
  for (const text of ['+254752604392', '256752604392', '+999', '', '+'.padEnd(99, '2')])
    assert.equal(nationalNumberOf(text, 'UG'), undefined, text)
})

test('a masked number keeps its first six characters and its last two', () => {
  assert.equal(maskPhone('+23276123456'), '+23276****56')
  assert.equal(maskPhone('+2348031234567'), '+23480****67')
  assert.equal(maskPhone('+2290197000001'), '+22901****01')
})

test('a masked number always hides at least four digits', () => {
  assert.equal(maskPhone('+2693212345'), '+2693****45')
  assert.equal(maskPhone('+2901234'), '+2****34')
  assert.equal(maskPhone('+1234'), '****')
  assert.equal(maskPhone(''), '****')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }), (digits) => {
      const shown = maskPhone(`+${digits}`).replace(/[^0-9]/g, '').length
      assert(shown <= Math.max(0, digits.length - 4))
    }),
  )
})

function callingCode(country: string): string {
  return getCountryCallingCode(country as Parameters<typeof getCountryCallingCode>[0])
}

test('an example of a number is a number of its country and prefix, as people write it there', () => {
  assert.equal(examplePhone('SL', '+23276'), '076 123 456')
  assert.equal(examplePhone('SN', '+22177'), '77 123 45 67')
  assert.equal(examplePhone('KE', '+25471'), '0711 234 567')
  assert.equal(examplePhone('XX'), undefined)
  for (const { country, networks } of numberingPlans)
    for (const { prefixes } of networks) {
      const example = examplePhone(country, prefixes[0])
      assert.match(example ?? '', /^[\d ]+$/, country)
      assert(parsePhone(example ?? '', country, 'test')?.startsWith(prefixes[0] ?? ''), country)
    }
  for (const { country, e164 } of mobiles)
    assert.equal(parsePhone(examplePhone(country) ?? '', country, 'test'), e164, country)
})
