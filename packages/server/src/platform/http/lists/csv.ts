import type { JsonSchema } from '@pesewa/values'
import { type Fields, hasFields } from '@pesewa/values'
import { stringify } from 'csv-stringify/sync'
import type { TSchema } from 'typebox'

/** A CSV column, with its name and the path to its value in an entry. */
type Column = { name: string; path: readonly string[]; show(value: unknown): string }

/** A shape. `readable`: additional columns for people by name, each with the function that returns its text. */
type Shape = JsonSchema<{ readable?: Record<string, (fields: Fields) => string> }>

/**
 * Returns a column for each scalar field of a shape, with the path of the field as its name, such as
 * `amount.value`. An object without known fields, such as metadata, becomes one column of JSON.
 */
export function columnsOf(shape: TSchema): Column[] {
  return columnsAt(shape, [])
}

function columnsAt(shape: Shape, path: readonly string[]): Column[] {
  const properties = shape.properties ?? shape.anyOf?.find((one) => one.properties)?.properties
  if (!properties) return [{ name: path.join('.'), path, show: cellOf }]
  const readable = Object.entries(shape.readable ?? {}).map(
    ([name, text]): Column => ({
      name: [...path, name].join('.'),
      path,
      show: (value) => (hasFields(value) ? text(value) : ''),
    }),
  )
  return [
    ...Object.entries(properties).flatMap(([name, field]) => columnsAt(field, [...path, name])),
    ...readable,
  ]
}

const cellOf = (value: unknown) =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? escapeFormula(value)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/**
 * Prevents spreadsheets from evaluating user-supplied text as a formula. Only text is escaped, so negative
 * numbers remain numbers.
 */
const escapeFormula = (text: string) =>
  /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text

export const csvHeader = (columns: Column[]) => csvOf([columns.map(({ name }) => name)])

/**
 * Formats entries as CSV (RFC 4180), one line per entry. A cell that a spreadsheet would evaluate is prefixed
 * with an apostrophe.
 */
export const csvLines = (columns: Column[], entries: readonly unknown[]) =>
  csvOf(entries.map((entry) => columns.map(({ path, show }) => show(valueAt(entry, path)))))

const valueAt = (entry: unknown, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (hasFields(value) ? value[name] : undefined), entry)

const csvOf = (rows: unknown[][]) => stringify(rows, { record_delimiter: '\r\n' })
