import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalOf } from '@pesewa/values'
import Type from 'typebox'
import { type ReadCell, readSpreadsheet } from '../../../../../../test/support/spreadsheet.ts'
import { columnsOf } from './columns.ts'
import { createLocalTime } from './local-time.ts'
import { createXlsxWriter } from './xlsx.ts'

const money = Type.Object(
  { currency: Type.String(), value: Type.Integer() },
  {
    readable: {
      decimal: ({ currency, value }: Record<string, unknown>) => decimalOf(value, String(currency)),
    },
  },
)
const shape = Type.Object({
  text: Type.String(),
  at: Type.String({ format: 'date-time' }),
  date: Type.String({ format: 'date' }),
  money,
  flag: Type.Boolean(),
  list: Type.Array(Type.String()),
})

function fileOf(entries: object[], { zone = 'UTC', maxRows }: { zone?: string; maxRows?: number } = {}) {
  const writer = createXlsxWriter('entries', columnsOf(shape), createLocalTime(zone), maxRows)
  const pieces = entries.map((entry) => writer.rows([entry]))
  return Buffer.concat([...pieces, writer.end()])
}

/** Returns the cells of a column, without the header. */
function cellsOf(bytes: Buffer, name: string): (ReadCell | undefined)[] {
  const [sheet] = readSpreadsheet(bytes)
  const [header, ...rows] = sheet!.rows
  const [column] = Object.entries(header!).find(([, { text }]) => text === name)!
  return rows.map((row) => row[column])
}

const texts: [what: string, text: string, shown?: string][] = [
  ['a formula', `=cmd|' /C calc'!A0`],
  ['markup', `</t></is></c><c r="A3"><f>1+1</f></c> & "quotes" ]]>`],
  ['control characters', '\u0000\u0001\u0008\u000b\u001f\u007f\u0085\ufffe\uffff'],
  ['line breaks and spaces', ' \r\n\t two  \n'],
  ['what looks like an escaped character', '_x0041_ _x005F_x0041_'],
  ['right-to-left text with its marks', '\u202eسوق الأمل\u202c'],
  ['emoji', '🛒👩‍👩‍👧🇸🇱'],
  ['half a character', 'a\ud83d', 'a\ufffd'],
  ['digits', '0076123456'],
  ['a text of the maximum length', 'x'.repeat(32_767)],
  ['a longer text', 'x'.repeat(32_768), `${'x'.repeat(32_766)}…`],
  ['a longer text, cut in the middle of a character', `${'x'.repeat(32_765)}🛒🛒`, `${'x'.repeat(32_765)}…`],
]
for (const [what, text, shown = text] of texts)
  test(`a cell shows ${what} as text`, () => {
    assert.deepEqual(cellsOf(fileOf([{ text }]), 'text'), [
      { type: 'inlineStr', text: shown, format: '@', isBold: false },
    ])
  })

const amounts: [currency: string, value: unknown, type: string, text: string, format: string][] = [
  ['SLE', 1_550, 'n', '15.50', '#,##0.00'],
  ['SLE', -5, 'n', '-0.05', '#,##0.00'],
  ['XOF', 1_550, 'n', '1550', '#,##0'],
  ['TND', 1_550, 'n', '1.550', '#,##0.000'],
  ['SLE', 999_999_999_999_999, 'n', '9999999999999.99', '#,##0.00'],
  ['SLE', JSON.rawJSON('90071992547409931'), 'inlineStr', '900719925474099.31', '@'],
]
for (const [currency, value, type, text, format] of amounts)
  test(`${JSON.stringify(value)} ${currency} is ${type === 'n' ? 'a number' : 'text, because a number would be rounded'}`, () => {
    assert.deepEqual(cellsOf(fileOf([{ money: { currency, value } }]), 'money.decimal'), [
      { type, text, format, isBold: false },
    ])
  })

const times: [zone: string, time: string, local: string][] = [
  ['UTC', '2026-11-26T22:30:00.123Z', '2026-11-26T22:30:00.123Z'],
  ['Africa/Nairobi', '2026-11-26T22:30:00.123Z', '2026-11-27T01:30:00.123Z'],
  ['Atlantic/Cape_Verde', '2026-01-01T00:30:00.000Z', '2025-12-31T23:30:00.000Z'],
  ['Africa/Cairo', '2026-04-23T21:59:59.999Z', '2026-04-23T23:59:59.999Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T01:00:00.000Z'],
]
for (const [zone, time, local] of times)
  test(`${time} is shown by the clock of ${zone}`, () => {
    const [cell] = cellsOf(fileOf([{ at: time }], { zone }), 'at')
    assert.deepEqual([cell!.type, cell!.format], ['n', 'yyyy-mm-dd hh:mm:ss'])
    const ms = Math.round(Number(cell!.text) * 86_400_000) + Date.UTC(1899, 11, 30)
    assert.equal(new Date(ms).toISOString(), local)
  })

test('a date is the same in every time zone', () => {
  const [cell] = cellsOf(fileOf([{ date: '2026-11-26' }], { zone: 'Africa/Nairobi' }), 'date')
  assert.deepEqual([cell!.type, cell!.text, cell!.format], ['n', '46352', 'yyyy-mm-dd'])
})

for (const time of ['', 'yesterday', '1899-01-01T00:00:00Z', '+012026-01-01T00:00:00Z'])
  test(`a time that spreadsheets do not have, ${JSON.stringify(time)}, is text or empty`, () => {
    assert.equal(cellsOf(fileOf([{ at: time }]), 'at')[0]?.text ?? '', time)
  })

test('true, false, lists and missing values have cells of their kind', () => {
  const bytes = fileOf([{ flag: true, list: ['=1'] }, { flag: false, list: null }, {}])
  const cells = (name: string) => cellsOf(bytes, name).map((cell) => cell && [cell.type, cell.text])
  assert.deepEqual(cells('flag'), [['b', '1'], ['b', '0'], undefined])
  assert.deepEqual(cells('list'), [['inlineStr', '["=1"]'], undefined, undefined])
})

test('a table that is longer than a sheet continues on further sheets, each with a header', () => {
  const entries = Array.from({ length: 7 }, (_, i) => ({ text: `entry ${i}` }))
  const sheets = readSpreadsheet(fileOf(entries, { maxRows: 4 }))
  assert.deepEqual(
    sheets.map(({ name, pane, rows }) => [name, pane, ...rows.map((row) => row.A!.text)]),
    [
      ['entries', '1 frozen', 'text', 'entry 0', 'entry 1', 'entry 2'],
      ['entries 2', '1 frozen', 'text', 'entry 3', 'entry 4', 'entry 5'],
      ['entries 3', '1 frozen', 'text', 'entry 6'],
    ],
  )
})

test('columns that only programs need are hidden: JSON, minor units, and fields of these names', () => {
  const payment = Type.Object({ ...shape.properties, ownershipGraph: shape, fingerprint: Type.String() })
  const writer = createXlsxWriter('payments', columnsOf(payment), createLocalTime('UTC'))
  const [sheet] = readSpreadsheet(Buffer.concat([writer.rows([]), writer.end()]))
  const names = Object.values(sheet!.rows[0]!).map(({ text }) => text)
  assert.deepEqual(
    names.filter((_, column) => !sheet!.isHidden[column]),
    ['text', 'at', 'date', 'money.currency', 'money.decimal', 'flag'],
  )
})

test('columns are as wide as their first rows, within limits', () => {
  const [{ widths } = { widths: [] }] = readSpreadsheet(
    fileOf([{ text: 'x'.repeat(500), list: ['1234567890'] }]),
  )
  assert.deepEqual([widths[0], widths.at(-1)], [60, '["1234567890"]'.length + 2])
})

test('a table of more than 26 columns has the letters of spreadsheets', () => {
  const names = Array.from({ length: 800 }, (_, i) => `column ${i}`)
  const wide = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
  const writer = createXlsxWriter('wide', columnsOf(wide), createLocalTime('UTC'))
  const [sheet] = readSpreadsheet(Buffer.concat([writer.rows([]), writer.end()]))
  const [header] = sheet!.rows
  assert.deepEqual(
    ['Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'].map((letters) => header![letters]!.text),
    [25, 26, 51, 52, 701, 702].map((i) => `column ${i}`),
  )
})

test('the same table has the same bytes, and a long one needs no more memory than a short one', () => {
  const entry = (i: number) => ({ text: `entry ${i}`, money: { currency: 'SLE', value: i } })
  const entries = Array.from({ length: 50 }, (_, i) => entry(i))
  assert.ok(fileOf(entries).equals(fileOf(entries)))
  const writer = createXlsxWriter('entries', columnsOf(shape), createLocalTime('UTC'))
  const pieces = Array.from({ length: 2_000 }, (_, i) =>
    writer.rows(Array.from({ length: 10 }, (_, j) => entry(10 * i + j))),
  )
  const sizes = pieces.map(({ length }) => length)
  // Everything but the compressor's window leaves the writer with the piece to which it belongs.
  assert.ok(Math.max(...sizes) < 100_000, `${Math.max(...sizes)} bytes at a time`)
  assert.ok(writer.end().length < 100_000)
})
