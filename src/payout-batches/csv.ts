import { CsvError, parse } from 'csv-parse/sync'
import { fromMajorUnits, isCurrency, maxAmount, minorDigits } from '../countries/money.ts'
import { hasKey } from '../platform/fields.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Faults } from '../platform/refusals.ts'
import { accountFields } from '../providers/account.ts'
import { maxRows } from './shapes.ts'

const needed = ['amount', 'currency', 'type', 'provider', 'account'] as const
const columns = [...needed, 'name', 'reference'] as const
type CsvColumn = (typeof columns)[number]
type Cells = Partial<Record<CsvColumn, string>>

const maxCellsLength = 16 * 1024 // limit: a line of a payout batch’s CSV

/**
 * A line of the file as a row of a body would have it, unchecked but for its amount; or why it is none.
 * `amountError`: its amount cannot be read, and another stands there.
 */
export type CsvRow = { row: Record<string, unknown>; amountError?: string | undefined } | { error: string }

/** The lines of a CSV text after its headings. What is wrong with the text as a whole is added to `faults` as `csv`. */
export function readCsv(text: string, faults: Faults): CsvRow[] {
  const records = recordsOf(text, faults)
  const [headings, ...lines] = records ?? []
  if (!records) return []
  const places = placesOf(headings ?? [], faults)
  if (!places) return []
  if (lines.length === 0) faults.add('csv', 'has no lines after its headings')
  if (lines.length > maxRows) faults.add('csv', `has more than ${maxRows} lines after its headings`)
  if (lines.length === 0 || lines.length > maxRows) return []
  const isSemicolon = separatorOf(text) === ';'
  return lines.map((line) =>
    line.length === headings?.length
      ? rowOf(cellsOf(line, places), isSemicolon)
      : { error: `has ${line.length} cells where there are ${headings?.length} headings` },
  )
}

function recordsOf(text: string, faults: Faults): string[][] | undefined {
  try {
    return parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxCellsLength,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: maxRows + 2,
      trim: true,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The library's own message quotes the file.
    faults.add(
      'csv',
      `is no CSV: ${(error.code ?? '').replace('CSV_', '').replaceAll('_', ' ').toLowerCase()}`,
    )
    return undefined
  }
}

/** No heading has either sign in it. */
const separatorOf = (text: string) => (/^[^\r\n]*;/.test(text.trimStart()) ? ';' : ',')

function placesOf(headings: string[], faults: Faults): Map<CsvColumn, number> | undefined {
  const names = headings.map((heading) => heading.toLowerCase())
  const before = faults.list.length
  for (const name of needed) if (!names.includes(name)) faults.add('csv', `has no column ${name}`)
  for (const name of columns)
    if (names.indexOf(name) !== names.lastIndexOf(name)) faults.add('csv', `has the column ${name} twice`)
  const strange = names.filter((name) => !columns.some((column) => column === name)).length
  if (strange > 0)
    faults.add('csv', `has ${strange} columns that mean nothing here: there are ${columns.join(', ')}`)
  if (faults.list.length > before) return undefined
  return new Map(columns.flatMap((name) => (names.includes(name) ? [[name, names.indexOf(name)]] : [])))
}

const cellsOf = (line: string[], places: Map<CsvColumn, number>): Cells =>
  Object.fromEntries([...places].flatMap(([column, place]) => (line[place] ? [[column, line[place]]] : [])))

/** Empty cells are fields that are left out. */
function rowOf(
  { amount, currency, type, provider, account, name, reference }: Cells,
  isSemicolon: boolean,
): CsvRow {
  const read = amount === undefined ? undefined : readAmount(amount, currency, isSemicolon)
  const field = type !== undefined && hasKey(accountFields, type) ? accountFields[type] : 'phoneNumber'
  return {
    row: {
      amount: { ...(currency && { currency }), ...(read && { value: read.value }) },
      destination: {
        ...(type && { type }),
        ...(provider && { providerId: provider }),
        ...(account && { [field]: account }),
      },
      ...(name && { name }),
      ...(reference && { reference }),
    },
    amountError: read?.error,
  }
}

/**
 * Minor units; of text that is no amount some, so that it is the only fault of the cell. Where cells are parted by `;`, a
 * decimal comma is one: a sign between thousands would have three digits after it.
 */
function readAmount(
  text: string,
  currency: string | undefined,
  isSemicolon: boolean,
): { value: number; error?: string } {
  const decimal = isSemicolon ? text.replace(/^(\d+),(\d{1,2})$/, '$1.$2') : text
  // Without a currency nobody can say how many decimals there may be.
  const isKnown = currency !== undefined && isCurrency(currency)
  if (!isKnown && /^\d+(\.\d+)?$/.test(decimal)) return { value: 1 }
  if (!isKnown) return { value: 1, error: 'is not an amount, like 1500.00' }
  try {
    const amount = fromMajorUnits(decimal, currency)
    if (amount > 0n && amount <= maxAmount) return { value: wholeNumber(amount) }
    return { value: 1, error: `is not from 1 to ${maxAmount} minor units` }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const example = minorDigits(currency) > 0 ? `1500.${'0'.repeat(minorDigits(currency))}` : '1500'
    return { value: 1, error: `is not an amount of ${currency}, like ${example}` }
  }
}

const columnsOfFields: Record<string, CsvColumn> = {
  amount: 'amount',
  'amount.value': 'amount',
  'amount.currency': 'currency',
  destination: 'account',
  'destination.type': 'type',
  'destination.providerId': 'provider',
  'destination.phoneNumber': 'account',
  'destination.accountNumber': 'account',
  'destination.walletId': 'account',
}

/** The column in which a field of a row stands. */
export const columnOf = (field: string): string => columnsOfFields[field] ?? field
