import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { minorDigits, toMajorUnits } from '@pesewa/values'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { Issues } from '../../platform/refusals.ts'
import { type CsvRow, readCsv } from './csv.ts'

const read = (text: string) => {
  const issues = new Issues()
  return { rows: readCsv(text, issues), errors: issues.list.flatMap(({ errors }) => errors) }
}

/** The content of a spreadsheet cell, without surrounding spaces, which are trimmed. */
const cell = fc
  .oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('"', ';', ',', 'a\nb', 'a\r\nb', "=cmd|' /C calc'!A0", 'é', ' x '),
  )
  .map((text) => text.trim())

const row = fc.record({
  currency: fc.constantFrom('SLE', 'XOF', 'GHS', 'TND'),
  amount: fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n }),
  type: fc.constantFrom('momo', 'bank', 'wallet'),
  provider: cell.filter((text) => text !== ''),
  account: cell.filter((text) => text !== ''),
  name: cell,
  reference: cell,
})

const accountOf = { momo: 'phoneNumber', bank: 'accountNumber', wallet: 'walletId' } as const
const headings = ['amount', 'currency', 'type', 'provider', 'account', 'name', 'reference'] as const

describe('a CSV of payouts', () => {
  test('is read as it was written, whatever its separators and line endings, in any order of columns', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.shuffledSubarray([...headings], { minLength: headings.length }),
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (rows, columns, delimiter, record_delimiter, bom) => {
          const decimal = (text: string) =>
            delimiter === ';' && /\.\d{1,2}$/.test(text) ? text.replace('.', ',') : text
          const lines = rows.map((one) => ({
            ...one,
            amount: decimal(toMajorUnits(one.amount, one.currency)),
          }))
          const options = { header: true, columns, delimiter, record_delimiter, bom, quoted_match: /[\r\n]/ }
          const { rows: found, errors } = read(stringify(lines, options))
          assert.deepEqual(errors, [])
          assert.deepEqual(
            found,
            rows.map(({ amount, currency, type, provider, account, name, reference }) => ({
              row: {
                amount: { currency, value: Number(amount) },
                destination: {
                  type,
                  providerId: provider,
                  [accountOf[type as keyof typeof accountOf]]: account,
                },
                ...(name && { name }),
                ...(reference && { reference }),
              },
              amountError: undefined,
            })),
          )
        },
      ),
    )
  })

  test('yields rows or errors for any text, never both for one line, and never throws', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(...headings, ',', ';', '"', '\n', '\r', '\r\n', '\ufeff', '1', '1.5', 'SLE', ' '),
          {
            maxLength: 60,
          },
        )
        .map((parts) => parts.join('')),
      fc.string({ maxLength: 100 }).map((text) => `${headings.join(',')}\n${text}`),
    )
    fc.assert(
      fc.property(noise, (text) => {
        const { rows, errors } = read(text)
        assert.equal(rows.length > 0, errors.length === 0)
        for (const error of errors) assert.ok(error.length < 300)
        for (const one of rows) assertRow(one)
      }),
      { numRuns: 2_000 },
    )
  })

  test('never rounds an amount: it has at most its currency’s decimals, or is an error', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 })
    const currency = fc.constantFrom('SLE', 'XOF', 'TND')
    const sign = fc.constantFrom('.', ',', "'", ' ', '')
    fc.assert(
      fc.property(
        digits,
        sign,
        digits,
        currency,
        fc.constantFrom(',', ';'),
        (whole, point, fraction, code, d) => {
          const text = `${whole}${point}${fraction}`
          const cells = stringify(
            [
              ['amount', 'currency', 'type', 'provider', 'account'],
              [text, code, 'momo', 'p', 'a'],
            ],
            {
              delimiter: d,
            },
          )
          const [found] = read(cells).rows
          assert.ok(found && 'row' in found)
          const isPoint = point === '.' || (point === ',' && d === ';' && fraction.length < 3)
          const isNumber = point === '' || (isPoint && fraction.length <= minorDigits(code))
          const [before, after] = point === '' ? [text, ''] : [whole, fraction]
          const exact = BigInt(before + after.padEnd(minorDigits(code), '0').slice(0, minorDigits(code)))
          const isSound = isNumber && !/^0\d/.test(before) && exact > 0n && exact <= 9_007_199_254_740_991n
          assert.equal(found.amountError === undefined, isSound, text)
          if (isSound) assert.equal(BigInt((found.row.amount as { value: number }).value), exact)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

function assertRow(one: CsvRow): void {
  if ('error' in one) {
    assert.match(one.error, /^has \d+ cells but \d+ headings$/)
    return
  }
  const { value } = one.row.amount as { value?: number }
  assert.ok(value === undefined || (Number.isSafeInteger(value) && value > 0))
}
