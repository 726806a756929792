import { texts, uuids } from './arrays.ts'
import type { Column, Declared } from './columns.ts'
import type { Scoped } from './scoped.ts'
import { Sql } from './sql.ts'

/**
 * A table of Spaces, described once: what a row of it is, and the plain statements on many rows of many Spaces. What is
 * cleverer is written, and splices the pieces.
 */
export type Table<Row, Key extends keyof Row> = Written<Row> & {
  /** `payout.id, payout.status, …` */
  columnsOf(alias: string): Sql<Row>
  /** The same without these columns. */
  without<Name extends keyof Row>(...names: Name[]): Written<Omit<Row, Name>>
  /** Writes new rows whole and these columns of rows that are there, in one statement along the primary key. */
  upsert<Name extends keyof Row>(...changing: Name[]): Writer<Row>
  /** Writes these columns of rows that are there. */
  update<Name extends keyof Row>(...changing: Name[]): Writer<Pick<Row, Key | Name>>
  /** `status = excluded.status, …` */
  excluded<Name extends keyof Row>(...names: Name[]): Sql
}

/** A statement, or part of one, of rows that are each of their own Space. Its text is always the same. */
type Writer<Row> = (rows: readonly Scoped<Row>[]) => Sql

type Written<Row> = {
  /** `id, status, …`: to select, or to return. */
  readonly columns: Sql<Row>
  /** `space_id, environment, id, …` */
  readonly names: Sql
  /** The same as they are selected from `rows`, each of the column's own type. */
  readonly values: Sql
  /** `unnest(…) as given (space_id, environment, id, …)` */
  rows: Writer<Row>
  /** Writes new rows. `order by`, `on conflict` and `returning` may follow. */
  insert: Writer<Row>
}

/** The row of a table that is described. */
export type RowOf<Described> = Described extends { columns: Sql<infer Row> } ? Row : never

export type Columns<Row> = { [Name in keyof Row]: Column<Row[Name]> }

/**
 * Describes a table. Columns have the names of code: `orderNumber` is `order_number`.
 *
 * @param key what names a row in its Space and environment
 * @param apart columns that are no part of a row: only written statements name them
 */
export function table<Row, Key extends keyof Row & string>(
  name: string,
  key: readonly Key[],
  described: Columns<Row>,
  apart: Record<string, Declared> = {},
): Table<Row, Key> {
  const parts: Part<Row>[] = []
  for (const column in described) parts.push(partOf(described, column))
  const some = (names: readonly PropertyKey[]) => parts.filter(({ column }) => names.includes(column))
  const keyParts = some(key)
  describe(name, keyParts, { ...described, ...apart })

  const excluded = (names: PropertyKey[]) =>
    list(some(names), (part) => `${part.name} = excluded.${part.name}`)
  const conflict = `on conflict (${list([...scopeParts, ...keyParts])}) do update`
  return {
    ...writing(name, parts),
    columnsOf: (alias) =>
      new Sql<Row>(
        list(parts, (part) => `${alias}.${part.name}`),
        [],
      ),
    without<Name extends keyof Row>(...names: Name[]) {
      const without = some(names)
      return writing<Omit<Row, Name>>(
        name,
        parts.filter((part) => !without.includes(part)),
      )
    },
    upsert: (...changing) =>
      writer(parts, `${inserting(name, parts)}\n${conflict}\nset ${excluded(changing)}`),
    update: <Name extends keyof Row>(...changing: Name[]) =>
      writer<Pick<Row, Key | Name>>(
        [...keyParts, ...some(changing)],
        updating(name, keyParts, some(changing)),
      ),
    excluded: (...names) => new Sql(excluded(names), []),
  }
}

/** A column, with its values taken from rows. `cast`: of the parameter; `restore`: of each value that arrived. */
type Part<Row> = {
  column: PropertyKey
  name: string
  cast: string
  restore: string
  encode(rows: readonly Row[]): Buffer
}

const scopeParts: Part<Scoped<unknown>>[] = [
  {
    column: 'scope',
    name: 'space_id',
    cast: 'uuid[]',
    restore: '',
    encode: (rows) => uuids(rows.map(({ scope }) => scope.spaceId)),
  },
  {
    column: 'scope',
    name: 'environment',
    cast: 'text[]::environment[]',
    restore: '',
    encode: (rows) => texts(rows.map(({ scope }) => scope.environment)),
  },
]

function partOf<Row, Name extends keyof Row & string>(described: Columns<Row>, column: Name): Part<Row> {
  const { type, wire, encode } = described[column]
  return {
    column,
    name: snakeCase(column),
    cast: `${wire}[]`,
    restore: type === wire ? '' : `::${type}`,
    encode: (rows) => encode(rows.map((row) => row[column])),
  }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Named = Pick<Part<never>, 'name' | 'cast' | 'restore'>

const list = (parts: Named[], write: (part: Named, i: number) => string = ({ name }) => name) =>
  parts.map(write).join(', ')

const valuesOf = (parts: Named[]) => list(parts, ({ name, restore }) => `${name}${restore}`)

/** The parameters of `writer`, in their order. */
const givenRows = (parts: Named[]) => {
  const all = [...scopeParts, ...parts]
  return `unnest(${list(all, ({ cast }, i) => `$${i + 1}::${cast}`)}) as given (${list(all)})`
}

const inserting = (table: string, parts: Named[]) => {
  const all = [...scopeParts, ...parts]
  return `insert into ${table} (${list(all)})\nselect ${valuesOf(all)}\nfrom ${givenRows(parts)}`
}

const updating = (table: string, key: Named[], changing: Named[]) =>
  `update ${table} kept set ${list(changing, ({ name, restore }) => `${name} = given.${name}${restore}`)}
from ${givenRows([...key, ...changing])}
where ${[...scopeParts, ...key].map(({ name }) => `kept.${name} = given.${name}`).join(' and ')}`

function writing<Row>(table: string, parts: Part<Row>[]): Written<Row> {
  const all = [...scopeParts, ...parts]
  return {
    columns: new Sql<Row>(list(parts), []),
    names: new Sql(list(all), []),
    values: new Sql(valuesOf(all), []),
    rows: writer(parts, givenRows(parts)),
    insert: writer(parts, inserting(table, parts)),
  }
}

/** The text is put together once; a call only encodes its rows. */
function writer<Row>(parts: Part<Row>[], text: string): Writer<Row> {
  const all: Part<Scoped<Row>>[] = [...scopeParts, ...parts]
  return (rows) =>
    new Sql(
      text,
      all.map(({ encode }) => encode(rows)),
    )
}

/** All that are described, by their names in SQL: what a test holds against the database. */
export const describedTables = new Map<string, { key: string[]; columns: Map<string, Declared> }>()

function describe(name: string, key: Named[], described: Record<string, Declared>): void {
  const columns = new Map(Object.entries(described).map(([column, of]) => [snakeCase(column), of]))
  describedTables.set(name, { key: key.map((part) => part.name), columns })
}
