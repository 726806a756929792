import { type Column, environment, uuid } from './columns.ts'
import type { Scoped } from './scoped.ts'
import { Sql } from './sql.ts'

export type Columns<Row> = { [Name in keyof Row]: Column<Row[Name]> }

/** Builds a part of a statement with values from the given rows. The SQL text does not depend on the rows. */
export type Splice<Row> = (rows: readonly Row[]) => Sql

/**
 * Returns a function that builds `unnest(…) as requested (phone_number, space_id, …)`. It passes rows as one
 * array per column, so that the statement has the same text for any number of rows.
 */
export function unnest<Row>(columns: Columns<Row>): Splice<Row> {
  const parts = partsOf(columns)
  return spliced(parts, unnested('requested', parts))
}

/** Like `unnest`, for rows of several Spaces: `unnest(…) as requested (space_id, environment, id, …)`. */
export function unnestScoped<Row>(columns: Columns<Row>): Splice<Scoped<Row>> {
  const parts = withScope(partsOf(columns))
  return spliced(parts, unnested('requested', parts))
}

/** A column, with the function that encodes its values from many rows. */
export type Part<Row> = Pick<Column<unknown>, 'cast' | 'restore'> & {
  column: PropertyKey
  /** Name of the column in SQL. */
  name: string
  encode(rows: readonly Row[]): Buffer
}
export type Named = Pick<Part<never>, 'name' | 'cast' | 'restore'>

/** Converts column descriptions to parts, and their names to SQL names (`orderNumber` to `order_number`). */
export function partsOf<Row>(columns: Columns<Row>): Part<Row>[] {
  const parts: Part<Row>[] = []
  for (const column in columns) {
    const { cast, restore, encode } = columns[column]
    const encodeRows = (rows: readonly Row[]) => encode(rows.map((row) => row[column]))
    parts.push({ column, name: snakeCase(column), cast, restore, encode: encodeRows })
  }
  return parts
}

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const scopeParts: Part<Scoped<unknown>>[] = partsOf({ spaceId: uuid, environment }).map((part) => ({
  ...part,
  encode: (rows) => part.encode(rows.map(({ scope }) => scope)),
}))

/** Prepends the columns for the Space and environment. */
export const withScope = <Row>(parts: Part<Row>[]): Part<Scoped<Row>>[] => [...scopeParts, ...parts]

/** Returns the parts as a list separated by commas. By default, only their names are written. */
export const listed = (parts: Named[], write: (part: Named, i: number) => string = ({ name }) => name) =>
  parts.map(write).join(', ')

/** Returns the table expression whose parameters are the arrays of `spliced`, in the same order. */
export const unnested = (alias: string, parts: Named[]) =>
  `unnest(${listed(parts, ({ cast }, i) => `$${i + 1}::${cast}`)}) as ${alias} (${listed(parts)})`

/**
 * Returns a function that splices rows into a statement. It only has to encode the rows, because the text has
 * been built in advance.
 */
export const spliced =
  <Row>(parts: Part<Row>[], text: string): Splice<Row> =>
  (rows) =>
    new Sql(
      text,
      parts.map(({ encode }) => encode(rows)),
    )
