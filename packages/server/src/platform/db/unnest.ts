import type { Scope } from '../scope.ts'
import { bytea, type Column, type Declared, environment, orNull, text, textArray, uuid } from './columns.ts'
import { type Encryption, hashesOf, KeyedValue, lastOf, wordHashes } from './encryption.ts'
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
  encode(rows: readonly Row[]): Buffer | KeyedValue
  /** The expression that selects the column, with the prefix of its table; `undefined` if it is not selected. */
  select(prefix: string): string | undefined
}
export type Named = Pick<Part<never>, 'name' | 'cast' | 'restore'>

/** Converts column descriptions to parts, and their names to SQL names (`orderNumber` to `order_number`). */
export function partsOf<Row>(columns: Columns<Row>): Part<Row>[] {
  const parts: Part<Row>[] = []
  for (const column in columns) {
    const { place, isName } = columns[column]
    if (place !== undefined) {
      parts.push(...encryptedParts<Row>(column, place, isName))
      continue
    }
    const { cast, restore, encode, isHashed } = columns[column]
    const name = snakeCase(column)
    const encodeRows = isHashed
      ? (rows: readonly Row[]) => hashesOf(rows.map((row) => scopedValue(row, column)))
      : (rows: readonly Row[]) => encode(rows.map((row) => row[column]))
    parts.push({ column, name, cast, restore, encode: encodeRows, select: (prefix) => prefix + name })
  }
  return parts
}

/** Returns a value with its scope. */
const scopedValue = <Row>(row: Row, column: keyof Row) => ({
  // Rows with such values are always passed together with their Spaces.
  scope: (row as Scoped<Row>).scope,
  value: String(row[column]),
})

/** Returns the three columns of an encrypted one: the keyed hash (or the plain value), the value and its end. */
function encryptedParts<Row>(column: keyof Row, place: string, isName = false): Part<Row>[] {
  const name = snakeCase(String(column))
  // Rows with encrypted columns are always written together with their Spaces.
  const scopesOf = (rows: readonly Row[]) => rows as readonly Scoped<Row>[]
  const valueIn = (row: Row) => row[column] as string | null
  const each = <T>(
    rows: readonly Row[],
    encryption: Encryption,
    convert: (value: string, scope: Scope) => T,
  ): (T | null)[] => {
    encryption.require(scopesOf(rows).map(({ scope }) => scope.spaceId))
    return scopesOf(rows).map((row) => {
      const value = valueIn(row)
      return value === null ? null : convert(value, row.scope)
    })
  }
  const whenOn =
    (off: (rows: readonly Row[]) => Buffer, on: (rows: readonly Row[], encryption: Encryption) => Buffer) =>
    (rows: readonly Row[]) =>
      new KeyedValue((encryption) => (encryption.isOn() ? on(rows, encryption) : off(rows)))
  const nulls = (encode: (values: null[]) => Buffer) => (rows: readonly Row[]) => encode(rows.map(() => null))
  return [
    {
      ...{ column, name, cast: text.cast, restore: '' },
      encode: whenOn(
        (rows) => text.encode(rows.map(valueIn)),
        (rows, encryption) =>
          text.encode(each(rows, encryption, (value, scope) => encryption.hash(scope, value))),
      ),
      select: (prefix) => prefix + name,
    },
    {
      ...{ column, name: `${name}${encryptedSuffix}`, cast: bytea.cast, restore: '' },
      encode: whenOn(nulls(bytea.encode), (rows, encryption) =>
        bytea.encode(each(rows, encryption, (value, scope) => encryption.encrypt(place, scope, value))),
      ),
      select: (prefix) => selectEncrypted(place, prefix),
    },
    isName
      ? {
          ...{ column, name: name + wordsSuffix, cast: textArray.cast, restore: textArray.restore },
          encode: whenOn(nulls(textArray.encode), (rows, encryption) =>
            textArray.encode(each(rows, encryption, (value, scope) => wordHashes(encryption, scope, value))),
          ),
          select: () => undefined,
        }
      : {
          ...{ column, name: name + lastSuffix, cast: text.cast, restore: '' },
          encode: whenOn(nulls(text.encode), (rows, encryption) =>
            text.encode(each(rows, encryption, lastOf)),
          ),
          select: () => undefined,
        },
  ]
}

const encryptedSuffix = '_encrypted'
const lastSuffix = '_last'
const wordsSuffix = '_words'

/** Returns the columns that an encrypted column has in addition to its own, by the ends of their names. */
export const addedColumns = (isName = false): [suffix: string, Declared][] => [
  [encryptedSuffix, orNull(bytea)],
  isName ? [wordsSuffix, orNull(textArray)] : [lastSuffix, orNull(text)],
]

type Selection = {
  /** The alias of the table. */
  of?: string
  /** The name of the selected column. */
  as?: string | undefined
  /** The name of the encrypted value, if it is not to be decrypted. */
  valueAs?: string | undefined
  /** The Space whose keys are used, if not that of the row. */
  spaceId?: string | undefined
}

/**
 * Selects an encrypted column: its keyed hash (or the plain value), followed by the encrypted value together with what is
 * authenticated. The rows then contain the decrypted value.
 */
export function encryptedColumn(place: string, { of, as, valueAs, spaceId }: Selection = {}): Sql {
  const [, column = ''] = place.split('.')
  const prefix = of === undefined ? '' : `${of}.`
  return new Sql(
    `${prefix}${column} as ${as ?? column}, ${selectEncrypted(place, prefix, { as, valueAs, spaceId })}`,
    [],
  )
}

/** Returns the expression for an encrypted value together with what is authenticated. */
function selectEncrypted(place: string, prefix: string, { as, valueAs, spaceId }: Selection = {}): string {
  const [, column = ''] = place.split('.')
  const space = spaceId === undefined ? `${prefix}space_id` : `'${spaceId}'::uuid`
  const value = `${prefix}${column}${encryptedSuffix}`
  return `'${place} '::bytea || uuid_send(${space}) || enum_send(${prefix}environment) || ${value} as ${valueAs ?? `${as ?? column}${encryptedSuffix}`}`
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

/** Returns the parts as a list for `select` or `returning`. */
export const selected = (parts: Part<never>[], prefix = '') =>
  parts.flatMap(({ select }) => select(prefix) ?? []).join(', ')

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
