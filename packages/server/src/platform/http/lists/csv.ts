import { stringify } from 'csv-stringify/sync'
import type { ExportColumn } from './columns.ts'

/**
 * Writes a table as CSV (RFC 4180): a header, then one line per entry. `rows` and `end` return the next part of the
 * file. A cell that a spreadsheet would evaluate is prefixed with an apostrophe.
 */
export function createCsvWriter(columns: ExportColumn[]) {
  let header = csvOf([columns.map(({ name }) => name)])
  const takeHeader = () => {
    const text = header
    header = ''
    return text
  }
  return {
    rows: (entries: readonly unknown[]) => takeHeader() + csvLines(columns, entries),
    end: takeHeader,
  }
}

const csvLines = (columns: ExportColumn[], entries: readonly unknown[]) =>
  csvOf(
    entries.map((entry) =>
      columns.map(({ read, format }) => {
        const value = read(entry)
        return typeof value === 'string' && format !== 'decimal' ? escapeFormula(value) : plainText(value)
      }),
    ),
  )

/** Returns a value as text: empty if there is none, and JSON for an object. */
export const plainText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/**
 * Prevents spreadsheets from evaluating user-supplied text as a formula. Only text is escaped, so negative
 * numbers remain numbers.
 */
const escapeFormula = (text: string) =>
  /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text

const csvOf = (rows: unknown[][]) => stringify(rows, { record_delimiter: '\r\n' })
