import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMajorUnits } from '@pesewa/values'
import fc from 'fast-check'
import { type Mapping, readMapping, simulatorMapping } from './mapping.ts'
import { readAmount, readTime, shown } from './statement-text.ts'

const amounts = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n })
type Style = NonNullable<Mapping['amounts']>
const styles = [
  { decimal: '.' },
  { decimal: '.', group: ',' },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: '.', group: "'" },
] as const

test('an amount is read exactly as it was written, in every style and currency', () => {
  const anyStyle = fc.constantFrom(...styles)
  fc.assert(
    fc.property(
      amounts,
      fc.constantFrom('SLE', 'XOF', 'TND'),
      anyStyle,
      fc.boolean(),
      (amount, currency, style, isNegative) => {
        const [whole = '', fraction] = toMajorUnits(amount, currency).split('.')
        const grouped = 'group' in style ? whole.replace(/\B(?=(?:\d{3})+$)/g, style.group) : whole
        const text = `${isNegative ? '-' : ''}${grouped}${fraction ? style.decimal + fraction : ''}`
        assert.deepEqual(readAmount(text, currency, style), { isNegative, amount })
      },
    ),
  )
})

const formats: [text: string, currency: string, style: Style, amount: bigint][] = [
  ['1', 'SLE', {}, 100n],
  ['0.01', 'SLE', {}, 1n],
  ['-0.01', 'SLE', {}, -1n],
  ['+12.5', 'SLE', {}, 1_250n],
  ['1500', 'XOF', {}, 1_500n],
  ['1.234', 'TND', {}, 1_234n],
  ['1,234,567.89', 'SLE', { group: ',' }, 123_456_789n],
  ['1234567.89', 'SLE', { group: ',' }, 123_456_789n],
  ['1.234.567,89', 'SLE', { decimal: ',', group: '.' }, 123_456_789n],
  ['1 500,00', 'XOF', { decimal: ',', group: ' ' }, 1_500n],
  ['1\u00a0500,00', 'XOF', { decimal: ',', group: ' ' }, 1_500n],
  ['1\u202f500', 'XOF', { decimal: ',', group: ' ' }, 1_500n],
  ["1'500.25", 'SLE', { group: "'" }, 150_025n],
]
for (const [text, currency, style, amount] of formats)
  test(`${JSON.stringify(text)} of ${currency} is ${amount} minor units`, () => {
    const read = readAmount(text, currency, style)
    assert.equal(read.isNegative ? -read.amount : read.amount, amount)
  })

test('decimals beyond those of the currency are accepted only if they are zeros', () => {
  assert.equal(readAmount('1500.00', 'XOF').amount, 1_500n)
  assert.equal(readAmount('007.5', 'SLE').amount, 750n)
  assert.throws(() => readAmount('1500.01', 'XOF'), RangeError)
})

test('text that is not an amount is refused: nothing is guessed', () => {
  for (const text of [
    '',
    ' ',
    '-',
    '1e3',
    '0x10',
    '1,50',
    '1.2.3',
    '١٢',
    'NaN',
    '1 000',
    '$5',
    '9'.repeat(64),
    '9'.repeat(99_999),
  ])
    assert.throws(() => readAmount(text, 'SLE'), RangeError, text.slice(0, 20))
  for (const text of ['12,34', '1,2345', ',123', '1234,567'])
    assert.throws(() => readAmount(text, 'SLE', { group: ',' }), RangeError, text)
  assert.throws(() => readAmount('90071992547409.92', 'SLE'), /is not between 1 and/)
})

test('a time is read exactly as it was written, whatever the order of its parts', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, (at) => {
      const iso = at.toISOString()
      assert.deepEqual(readTime(iso), at)
      const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(iso)!
      const read = readTime(`${day}/${month}/${year} ${time}`, {
        format: 'DD/MM/YYYY HH:mm:ss',
        offset: '+01:00',
      })
      const offsetMs = 60 * 60_000
      assert.equal(read.getTime(), at.getTime() - at.getUTCMilliseconds() - offsetMs)
    }),
  )
})

const times: [text: string, format: string, offset: string, time: string][] = [
  ['2026-11-21', 'iso', '+00:00', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21 10:05', 'iso', '+01:00', '2026-11-21T09:05:00.000Z'],
  ['2026-11-21T10:05:07.250Z', 'iso', '+01:00', '2026-11-21T10:05:07.250Z'],
  ['2026-11-21T10:05:07-03:30', 'iso', '+00:00', '2026-11-21T13:35:07.000Z'],
  ['2028-02-29', 'iso', '+00:00', '2028-02-29T00:00:00.000Z'],
  ['21/11/2026 10:05', 'DD/MM/YYYY HH:mm', '+00:00', '2026-11-21T10:05:00.000Z'],
  ['11-21-2026', 'MM-DD-YYYY', '+14:00', '2026-11-20T10:00:00.000Z'],
  ['20261121100507', 'YYYYMMDDHHmmss', '+00:00', '2026-11-21T10:05:07.000Z'],
]
for (const [text, format, offset, time] of times)
  test(`${text} as ${format} with offset ${offset} is ${time}`, () =>
    assert.equal(readTime(text, { format, offset }).toISOString(), time))

test('a time that does not exist is refused', () => {
  for (const text of [
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-11-21T24:30:00Z',
    '1999-01-01',
    '21.11.2026',
    '2026-11-21x',
  ])
    assert.throws(() => readTime(text), RangeError, text)
  assert.throws(() => readTime('31/04/2026', { format: 'DD/MM/YYYY' }), RangeError)
})

test('text from a file is shown without control characters', () => {
  assert.match(shown('\u001b]0;x\u0007\u009b2J\u202e'), /^[\x20-\x7e]+$/)
  assert.ok(shown('x'.repeat(1_000_000)).length < 60)
})

test('a mapping must be complete, without duplicates', () => {
  assert.deepEqual(readMapping(JSON.stringify(simulatorMapping)), simulatorMapping)
  const { directions, columns } = simulatorMapping
  const { currency: _, ...withoutCurrency } = columns
  const faulty: [string, RegExp][] = [
    ['{', /is not valid JSON/],
    ['null', /must be object/],
    [JSON.stringify({ ...simulatorMapping, extra: 1 }), /^extra is not a known field$/],
    [JSON.stringify({ ...simulatorMapping, currency: 'SLE' }), /either columns.currency or currency/],
    [JSON.stringify({ directions, columns: withoutCurrency }), /columns.currency or currency/],
    [JSON.stringify({ columns }), /needs directions/],
    [JSON.stringify({ columns, directions: 'sign' }), /either columns.direction or directions: "sign"/],
    [JSON.stringify({ ...simulatorMapping, amounts: { decimal: ',', group: ',' } }), /must differ/],
    [JSON.stringify({ ...simulatorMapping, times: { format: 'DD/MM' } }), /must contain YYYY, MM and DD/],
    [JSON.stringify({ ...simulatorMapping, times: { format: 'YYYYMMDDDD' } }), /each part only once/],
  ]
  for (const [text, fault] of faulty)
    assert.throws(
      () => readMapping(text),
      (error: { details: { param: string; errors: string[] }[] }) => {
        const [{ param, errors } = { param: '', errors: [''] }] = error.details
        assert.equal(param, 'mapping')
        assert.match(errors[0]!, fault)
        return true
      },
    )
})
