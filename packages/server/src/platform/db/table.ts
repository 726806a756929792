import type { Scope } from '../scope.ts'
import type { Column, Declared } from './columns.ts'
import type { Scoped } from './scoped.ts'
import { Sql, sql } from './sql.ts'
import {
  addedColumns,
  type Columns,
  listed,
  type Named,
  type Part,
  partsOf,
  type Splice,
  selected as selectedColumns,
  snakeCase,
  spliced,
  unnested,
  withScope,
} from './unnest.ts'

/**
 * The description of a table with Space-scoped rows. It provides the row type and the basic statements, each of
 * which handles many rows of many Spaces. Other statements are written by hand with these parts.
 */
export type Table<Row, Key extends keyof Row> = Written<Row> & {
  readonly table: Sql
  /** Selects the rows of a Space and environment. Conditions may be appended to it. */
  of(scope: Scope): Sql<Row>
  /** Selects the row for one key, `requested`. Passed to `selectEach`, `lockEach` and `shareReads`. */
  readonly requested: Sql<Row>
  /** Returns the columns with a table alias: `payout.id, payout.status, …` */
  columnsOf(alias: string): Sql<Row>
  /** Returns the same description (`columns`, `names` and so on) without these columns. */
  without<Name extends keyof Row>(...names: Name[]): Written<Omit<Row, Name>>
  /** Returns a writer that inserts new rows, and updates these columns of existing rows, in one statement. */
  upsert<Name extends keyof Row>(...changing: Name[]): Writer<Row>
  /** Returns a writer that updates these columns of existing rows. */
  update<Name extends keyof Row>(...changing: Name[]): Writer<Pick<Row, Key | Name>>
  /** Returns the assignments for an `on conflict` clause: `status = excluded.status, …` */
  excluded<Name extends keyof Row>(...names: Name[]): Sql
}

/** Builds a statement, or a part of one, for rows of several Spaces. */
type Writer<Row> = Splice<Scoped<Row>>

type Written<Row> = {
  /** The columns for `select` or `returning`: `id, status, …` */
  readonly columns: Sql<Row>
  /** The names of all columns: `space_id, environment, id, …` */
  readonly names: Sql
  /** Expressions for all columns, selected from `rows` and cast to the type of each column. */
  readonly values: Sql
  /** The rows as a table expression: `unnest(…) as written (space_id, environment, id, …)` */
  rows: Writer<Row>
  /** Builds a statement that inserts new rows. It may continue with `order by`, `on conflict` and `returning`. */
  insert: Writer<Row>
}

/** The row type of a described table. */
export type RowOf<Described> = Described extends { columns: Sql<infer Row> } ? Row : never

/**
 * Describes a table. Its row type and statements are derived from the description.
 *
 * @param key columns that identify a row within its Space and environment
 * @param apart columns that are not part of the row type and are used only by handwritten statements
 */
export function table<Row, Key extends keyof Row & string>(
  name: string,
  key: readonly Key[],
  described: Columns<Row>,
  apart: Record<string, Declared> = {},
): Table<Row, Key> {
  const parts = partsOf(described)
  const some = (names: readonly PropertyKey[]) => parts.filter(({ column }) => names.includes(column))
  const keyParts = some(key)
  describe(name, keyParts, { ...described, ...apart })

  const selected = new Sql<Row>(`select ${selectedColumns(parts)} from ${name}`, [])
  const excluded = (names: PropertyKey[]) =>
    listed(some(names), (part) => `${part.name} = excluded.${part.name}`)
  const conflict = `on conflict (${listed(withScope(keyParts))}) do update`
  return {
    ...writing(name, parts),
    table: new Sql(name, []),
    of: ({ spaceId, environment }) =>
      sql`${selected} where space_id = ${spaceId} and environment = ${environment}`,
    requested: new Sql<Row>(`${selected.text} where ${matching(name, 'requested', keyParts)}`, []),
    columnsOf: (alias) => new Sql<Row>(selectedColumns(parts, `${alias}.`), []),
    without<Name extends keyof Row>(...names: Name[]) {
      const without = some(names)
      return writing<Omit<Row, Name>>(
        name,
        parts.filter((part) => !without.includes(part)),
      )
    },
    upsert: (...changing) =>
      spliced(withScope(parts), `${inserting(name, parts)}\n${conflict}\nset ${excluded(changing)}`),
    update: <Name extends keyof Row>(...changing: Name[]) =>
      spliced<Scoped<Pick<Row, Key | Name>>>(
        withScope([...keyParts, ...some(changing)]),
        updating(name, keyParts, some(changing)),
      ),
    excluded: (...names) => new Sql(excluded(names), []),
  }
}

const writtenRows = (parts: Part<never>[]) => unnested('written', withScope(parts))

const valuesOf = (parts: Named[]) => listed(parts, ({ name, restore }) => `${name}${restore}`)

const inserting = (table: string, parts: Part<never>[]) => {
  const all = withScope(parts)
  return `insert into ${table} (${listed(all)})\nselect ${valuesOf(all)}\nfrom ${writtenRows(parts)}`
}

const updating = (table: string, key: Part<never>[], changing: Part<never>[]) =>
  `update ${table} stored set ${listed(changing, ({ name, restore }) => `${name} = written.${name}${restore}`)}
from ${writtenRows([...key, ...changing])}
where ${matching('stored', 'written', key)}`

const matching = (one: string, other: string, key: Part<never>[]) =>
  withScope(key)
    .map(({ name }) => `${one}.${name} = ${other}.${name}`)
    .join(' and ')

function writing<Row>(table: string, parts: Part<Row>[]): Written<Row> {
  const all = withScope(parts)
  return {
    columns: new Sql<Row>(selectedColumns(parts), []),
    names: new Sql(listed(all), []),
    values: new Sql(valuesOf(all), []),
    rows: spliced(all, writtenRows(parts)),
    insert: spliced(all, inserting(table, parts)),
  }
}

/** All described tables by SQL name. A test compares them with the database. */
export const describedTables = new Map<string, { key: string[]; columns: Map<string, Declared> }>()

function describe(
  name: string,
  key: Named[],
  described: Record<string, Declared & Pick<Column<never>, 'place' | 'isName'>>,
): void {
  const columns = new Map(
    Object.entries(described).flatMap(([column, of]): [string, Declared][] => [
      [snakeCase(column), of],
      ...(of.place === undefined
        ? []
        : addedColumns(of.isName).map(([suffix, added]): [string, Declared] => [
            snakeCase(column) + suffix,
            added,
          ])),
    ]),
  )
  describedTables.set(name, { key: key.map((part) => part.name), columns })
}
