import { fromMajorUnits, hasKey, isCurrency, maxAmount, minorDigits, wholeNumber } from '@pesewa/values'
import { CsvError, parse } from 'csv-parse/sync'
import type { Issues } from '../../platform/refusals.ts'
import { accountFields } from '../../rails/connections/account.ts'
import { maxRows } from './shapes.ts'

const needed = ['amount', 'currency', 'type', 'provider', 'account'] as const
const columns = [...needed, 'name', 'reference'] as const
type CsvColumn = (typeof columns)[number]
type Cells = Partial<Record<CsvColumn, string>>

const maxCellsLength = 16 * 1024 // maximum length of a line in a payout batch’s CSV

/**
 * A line of the file in the form of a row in a request body, or the reason why it cannot be read. Only the
 * amount has been validated. If `amountError` is set, the amount could not be read and the row has a
 * placeholder instead.
 */
export type CsvRow = { row: Record<string, unknown>; amountError?: string | undefined } | { error: string }

/**
 * Reads the lines that follow the header row of a CSV text. Errors that concern the text as a whole are added
 * to `issues` under `csv`.
 */
export function readCsv(text: string, issues: Issues): CsvRow[] {
  const records = recordsOf(text, issues)
  const [headings, ...lines] = records ?? []
  if (!records) return []
  const places = placesOf(headings ?? [], issues)
  if (!places) return []
  if (lines.length === 0) issues.add('csv', 'has no lines after the headings')
  if (lines.length > maxRows) issues.add('csv', `has more than ${maxRows} lines after the headings`)
  if (lines.length === 0 || lines.length > maxRows) return []
  const isSemicolon = separatorOf(text) === ';'
  return lines.map((line) =>
    line.length === headings?.length
      ? rowOf(cellsOf(line, places), isSemicolon)
      : { error: `has ${line.length} cells but ${headings?.length} headings` },
  )
}

function recordsOf(text: string, issues: Issues): string[][] | undefined {
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
    // The library's own message would quote the file.
    issues.add(
      'csv',
      `is not valid CSV: ${(error.code ?? '').replace('CSV_', '').replaceAll('_', ' ').toLowerCase()}`,
    )
    return undefined
  }
}

/**
 * Returns the character that separates the cells. No heading contains a comma or a semicolon, so the first line
 * shows which one it is.
 */
const separatorOf = (text: string) => (/^[^\r\n]*;/.test(text.trimStart()) ? ';' : ',')

function placesOf(headings: string[], issues: Issues): Map<CsvColumn, number> | undefined {
  const names = headings.map((heading) => heading.toLowerCase())
  const before = issues.list.length
  for (const name of needed) if (!names.includes(name)) issues.add('csv', `has no column ${name}`)
  for (const name of columns)
    if (names.indexOf(name) !== names.lastIndexOf(name)) issues.add('csv', `has the column ${name} twice`)
  const strange = names.filter((name) => !columns.some((column) => column === name)).length
  if (strange > 0)
    issues.add('csv', `has unknown columns (${strange}); the known ones are ${columns.join(', ')}`)
  if (issues.list.length > before) return undefined
  return new Map(columns.flatMap((name) => (names.includes(name) ? [[name, names.indexOf(name)]] : [])))
}

const cellsOf = (line: string[], places: Map<CsvColumn, number>): Cells =>
  Object.fromEntries([...places].flatMap(([column, place]) => (line[place] ? [[column, line[place]]] : [])))

/** Converts the cells of a line to a row. Empty cells become omitted fields. */
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
 * Returns the amount in minor units. Invalid text yields a placeholder, so that only one error is reported for
 * the cell. If `;` separates the cells, a comma before one or two digits is read as a decimal comma. It cannot
 * be a thousands separator, which would be followed by three digits.
 */
function readAmount(
  text: string,
  currency: string | undefined,
  isSemicolon: boolean,
): { value: number; error?: string } {
  const decimal = isSemicolon ? text.replace(/^(\d+),(\d{1,2})$/, '$1.$2') : text
  // Without a currency, the number of decimals is unknown.
  const isKnown = currency !== undefined && isCurrency(currency)
  if (!isKnown && /^\d+(\.\d+)?$/.test(decimal)) return { value: 1 }
  if (!isKnown) return { value: 1, error: 'is not a valid amount; enter an amount such as 1500.00' }
  try {
    const amount = fromMajorUnits(decimal, currency)
    if (amount > 0n && amount <= maxAmount) return { value: wholeNumber(amount) }
    return { value: 1, error: `is not between 1 and ${maxAmount} minor units` }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const example = minorDigits(currency) > 0 ? `1500.${'0'.repeat(minorDigits(currency))}` : '1500'
    return { value: 1, error: `is not a valid amount in ${currency}; enter an amount such as ${example}` }
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

/** Returns the name of the CSV column that contains a field of a row. */
export const columnOf = (field: string): string => columnsOfFields[field] ?? field
