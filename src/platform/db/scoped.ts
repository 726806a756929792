import type { Scope } from '../scope.ts'
import { texts, uuids } from './arrays.ts'
import type { Tx } from './database.ts'
import { type Sql, sql } from './sql.ts'

// Statements on rows of several Spaces: each row names its own.

/** One of many that may belong to different Spaces and environments. */
export type Scoped<T> = T & { scope: Scope }

/**
 * Space and environment of each row: the first two arguments of
 * `unnest(${scopes(rows)}, …) as row (space_id, environment, …)`.
 */
export const scopes = (rows: readonly { scope: Scope }[]): Sql =>
  sql`${uuids(rows.map(({ scope }) => scope.spaceId))}::uuid[],
    ${texts(rows.map(({ scope }) => scope.environment))}::text[]::environment[]`

/** A row that was read, with these two columns as what they are. */
export function scoped<Row>(row: Row & Scope): Scoped<Omit<Row, keyof Scope>> {
  const { spaceId, environment, ...rest } = row
  return { ...rest, scope: { spaceId, environment } }
}

/** What names an object among those of all Spaces. */
export const nameIn = ({ spaceId, environment }: Scope, id: string) => `${spaceId} ${environment} ${id}`

/** Objects by what names them. */
export const byName = <Row extends Scoped<{ id: string }>>(rows: Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [nameIn(row.scope, row.id), row]))

/**
 * Each object once, in the order in which every transaction locks them, whatever their Spaces: no two then wait for each
 * other in a circle.
 */
export const inLockOrder = <Row extends Scoped<{ id: string }>>(rows: Row[]): Row[] =>
  [...byName(rows)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)

/**
 * Locks rows by their ids until the transaction ends, in the order of all locks, and one by one along the primary key
 * (`offset 0`). Returns those that there are.
 *
 * @param from the table, with the name that `columns` has for it if any
 */
export async function lockEach<Row>(
  tx: Tx,
  { from, columns }: { from: Sql; columns: Sql<Row> },
  wanted: readonly Scoped<{ id: string }>[],
): Promise<Scoped<Omit<Row, keyof Scope>>[]> {
  const inOrder = inLockOrder([...wanted])
  // every space: each id comes with its own
  const rows = await tx.query<Row & Scope>(sql`
    select locked.* from unnest(${scopes(inOrder)}, ${uuids(inOrder.map(({ id }) => id))}::uuid[])
      as wanted (space_id, environment, id)
    cross join lateral (
      select space_id, environment, ${columns} from ${from}
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id
      for update offset 0
    ) locked`)
  return rows.map((row) => scoped<Row>(row))
}
