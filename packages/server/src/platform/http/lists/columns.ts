import { type Fields, hasFields, type JsonSchema } from '@pesewa/values'
import type { TSchema } from 'typebox'

/** A column of an export. */
export type ExportColumn = {
  /** Path of the field, such as `amount.value`. */
  name: string
  /** Returns the value of the column in an entry: `undefined` or `null` if it has none. */
  read(entry: unknown): unknown
  /** How text of this column is to be understood. `decimal` is a number as decimal text; other text is free text. */
  format?: 'date-time' | 'date' | 'decimal' | undefined
  /** True for a column that only programs need. Spreadsheets hide it. */
  isForPrograms: boolean
}

/** Names of fields that only programs need, in any object. */
const forPrograms = new Set([
  ...['ownershipGraph', 'metadata', 'instructions', 'fingerprint', 'updateTime'],
  ...['financialAccountId', 'financialTransactionReference'],
])

/** A shape. `readable`: additional columns for people by name, each with the function that returns its decimal text. */
type Shape = JsonSchema<{ readable?: Record<string, (fields: Fields) => string>; format?: string }>

/**
 * Returns a column for each scalar field of a shape, with the path of the field as its name, such as
 * `amount.value`. An object without known fields, such as metadata, becomes one column of JSON.
 */
export function columnsOf(shape: TSchema): ExportColumn[] {
  return columnsAt(shape, [])
}

function columnsAt(shape: Shape, path: readonly string[]): ExportColumn[] {
  const properties = shape.properties ?? shape.anyOf?.find((one) => one.properties)?.properties
  const read = (entry: unknown) => valueAt(entry, path)
  const isNamed = path.some((name) => forPrograms.has(name))
  if (!properties) {
    const isJson = shape.type === 'object' || shape.type === 'array'
    return [{ name: path.join('.'), read, format: formatOf(shape), isForPrograms: isNamed || isJson }]
  }
  const readable = Object.entries(shape.readable ?? {}).map(
    ([name, text]): ExportColumn => ({
      name: [...path, name].join('.'),
      read(entry) {
        const fields = read(entry)
        return hasFields(fields) ? text(fields) : undefined
      },
      format: 'decimal',
      isForPrograms: isNamed,
    }),
  )
  const fields = Object.entries(properties).flatMap(([name, field]) => columnsAt(field, [...path, name]))
  // People need an amount only once, in the unit that they can read.
  const isInMinorUnits = ({ name }: ExportColumn) => shape.readable && name === [...path, 'value'].join('.')
  return [
    ...fields.map((column) => (isInMinorUnits(column) ? { ...column, isForPrograms: true } : column)),
    ...readable,
  ]
}

const formatOf = ({ format }: Shape) => (format === 'date-time' || format === 'date' ? format : undefined)

const valueAt = (entry: unknown, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (hasFields(value) ? value[name] : undefined), entry)
