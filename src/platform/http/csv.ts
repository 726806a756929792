import { stringify } from 'csv-stringify/sync'
import type { TSchema } from 'typebox'
import { type Fields, hasFields } from '../fields.ts'

/** A column of a table: its name, and how to find its value in an entry of a list. */
type Column = { name: string; path: readonly string[]; show(value: unknown): string }

/** A shape as far as columns are made from it. */
type Shape = {
  type?: string | readonly string[]
  properties?: Record<string, Shape>
  anyOf?: readonly Shape[]
  /** Columns beside those of its fields, for people: their names, and the text of each. */
  readable?: Record<string, (fields: Fields) => string>
}

/**
 * A column for each scalar field of a shape, by its path: `amount.value`. What has no fields of its own that are known, as
 * metadata, is one cell of JSON.
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
      ? defused(value)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/** Of what anybody may have written: no spreadsheet calculates it. A number that is negative stays one. */
const defused = (text: string) => (/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text)

export const headerOf = (columns: Column[]) => csvOf([columns.map(({ name }) => name)])

/** RFC 4180: a line for each entry. A cell that a spreadsheet would calculate begins with an apostrophe. */
export const linesOf = (columns: Column[], entries: readonly unknown[]) =>
  csvOf(entries.map((entry) => columns.map(({ path, show }) => show(valueAt(entry, path)))))

const valueAt = (entry: unknown, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (hasFields(value) ? value[name] : undefined), entry)

const csvOf = (rows: unknown[][]) => stringify(rows, { record_delimiter: '\r\n' })
