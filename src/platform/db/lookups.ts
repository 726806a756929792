import type { Scope } from '../scope.ts'
import { uuid } from './columns.ts'
import type { Reader, Tx } from './database.ts'
import { inLockOrder, type Scoped, scoped } from './scoped.ts'
import { type Sql, sql } from './sql.ts'
import { unnestScoped } from './unnest.ts'

/**
 * Reads the rows of many keys in any number of Spaces. `row` selects the rows of one key, `requested`. `offset
 * 0` keeps the lookups separate, so that each uses the index however many there are.
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

/** Keys that are ids: `requested.id`. */
export const byId = unnestScoped({ id: uuid })

/**
 * Locks rows by id until the transaction ends, in the global lock order. Returns those that exist.
 *
 * @param row selects the row of `requested`
 */
export const lockEach = <Row>(tx: Tx, ids: readonly Scoped<{ id: string }>[], row: Sql<Row>) =>
  selectEach<Row>(tx, byId(inLockOrder(ids)), sql`${row} for update`)
