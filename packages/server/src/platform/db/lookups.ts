import type { Environment, Scope } from '../scope.ts'
import { uuids } from './arrays.ts'
import { uuid } from './columns.ts'
import type { Reader, Tx } from './database.ts'
import { inLockOrder, type Scoped, scoped } from './scoped.ts'
import { Sql, sql } from './sql.ts'
import { unnestScoped } from './unnest.ts'

/**
 * Reads the rows for many keys, which may belong to any number of Spaces. `row` selects the rows for one key,
 * `requested`. `offset 0` makes PostgreSQL look up each key separately, so that it uses the index regardless of
 * the number of keys.
 * @param keys made by `unnestScoped`
 */
export async function selectEach<Row>(
  db: Reader,
  keys: Sql,
  row: Sql<Row>,
): Promise<Scoped<Omit<Row, keyof Scope>>[]> {
  const rows = await db.query<Row & Scope>(sql`
    select requested.space_id, requested.environment, selected.*
    from ${keys} cross join lateral (${row} offset 0) selected`)
  return rows.map((each) => scoped<Row>(each))
}

/**
 * Combines several reads, each of one row for the same key, `requested`. The combined row contains the row of each
 * read under its name, or `undefined` if the read finds none.
 */
export function together<Rows>(reads: { [Name in keyof Rows]: Sql<Rows[Name]> }): Sql<{
  [Name in keyof Rows]: Rows[Name] | undefined
}> {
  const names: string[] = []
  let joins = ''
  for (const name in reads) {
    names.push(name)
    joins += `
      left join lateral (
        select true as "${name}.", found.* from (${reads[name].text} offset 0) found offset 0
      ) ${name} on true`
  }
  return new Sql(`select ${names.map((name) => `${name}.*`).join(', ')} from (select) nothing ${joins}`, [])
}

/** Passes the Spaces of rows to a statement, without duplicates. */
export const bySpace = (rows: readonly Scoped<unknown>[]) =>
  sql`(select distinct * from ${spaces(rows)}) requested`

const spaces = unnestScoped<unknown>({})

const maxCounted = 10_000 // maximum number of rows counted for a metric

/** Counts the rows that a statement selects in each environment, up to ten thousand, for a metric. */
export async function countRows(
  db: Reader,
  rowsOf: (environment: Sql) => Sql,
): Promise<{ labels: { environment: Environment }; value: number }[]> {
  // every space: this is an operator metric
  const counts = await db.query<{ environment: Environment; count: number }>(sql`
    -- every space: this is an operator metric
    select environment, count from (values ('test'::environment), ('live')) environments (environment)
    cross join lateral (
      select count(*)::int as count from (${rowsOf(sql`environments.environment`)} limit ${maxCounted}) counted
    ) counted`)
  return counts.map(({ environment, count }) => ({ labels: { environment }, value: count }))
}

/** The condition that an id is one of these. With the bounds, PostgreSQL reads only the months of these ids. */
export function isOneOf(id: Sql, ids: readonly string[]): Sql {
  const inOrder = ids.toSorted()
  return sql`${id} = any(${uuids(inOrder)}::uuid[]) and ${id} >= ${inOrder[0] ?? null}::uuid
    and ${id} <= ${inOrder.at(-1) ?? null}::uuid`
}

/** Passes ids to a statement, which refers to them as `requested.id`. */
export const byId = unnestScoped({ id: uuid })

/**
 * Locks rows by their ids until the transaction ends, in the global lock order, and returns the rows that
 * exist.
 *
 * @param row selects the row for one key, `requested`
 */
export const lockEach = <Row>(tx: Tx, ids: readonly Scoped<{ id: string }>[], row: Sql<Row>) =>
  selectEach<Row>(tx, byId(inLockOrder(ids)), sql`${row} for update`)
