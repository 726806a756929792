import type { Scope } from '../scope.ts'
import { uuid } from './columns.ts'
import type { Reader, Tx } from './database.ts'
import { inLockOrder, type Scoped, scoped } from './scoped.ts'
import { type Sql, sql } from './sql.ts'
import { unnestScoped } from './unnest.ts'

/**
 * Reads what belongs to many keys, of whatever Spaces. `row` selects what belongs to one of them, `requested`, each for
 * itself (`offset 0`): always along the index, however many there are.
 *
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
 * Locks rows by their ids until the transaction ends, in the order of all locks. Returns those that there are.
 *
 * @param row selects the row of `requested`
 */
export const lockEach = <Row>(tx: Tx, ids: readonly Scoped<{ id: string }>[], row: Sql<Row>) =>
  selectEach<Row>(tx, byId(inLockOrder(ids)), sql`${row} for update`)
