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
}

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
  if (!properties) return [{ name: path.join('.'), read, format: formatOf(shape) }]
  const readable = Object.entries(shape.readable ?? {}).map(
    ([name, text]): ExportColumn => ({
      name: [...path, name].join('.'),
      read(entry) {
        const fields = read(entry)
        return hasFields(fields) ? text(fields) : undefined
      },
      format: 'decimal',
    }),
  )
  return [
    ...Object.entries(properties).flatMap(([name, field]) => columnsAt(field, [...path, name])),
    ...readable,
  ]
}

const formatOf = ({ format }: Shape) => (format === 'date-time' || format === 'date' ? format : undefined)

const valueAt = (entry: unknown, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (hasFields(value) ? value[name] : undefined), entry)
