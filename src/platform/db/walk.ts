import { nothing, type Sql, sql } from './sql.ts'

/** The values of a walk's key columns. */
export type Key = unknown[]

/**
 * Rows in the order of a key, so that any number of them can be gone through in chunks: each chunk is a few short
 * statements along an index, and nothing has to be remembered between them but the last key.
 */
export type Walk = {
  /** How many rows of others one of its rows makes a check read, at most; 1 if it is not said. */
  cost?: number
  /** How many rows there are, roughly; `undefined` when nobody can say beforehand. */
  size: Sql | undefined
  /** The key of the `count`-th row after `after`, or no row when fewer are left. */
  end(after: Key | undefined, count: number): Sql
  /** The rows after `after`, up to and including `end`, as a subselect. Rows of one key are never parted. */
  rows(after: Key | undefined, end: Key | undefined, count: number): Sql
}

/** Every row of a table, by an index of it whose columns are `key`. */
export function along(table: Sql, key: Sql): Walk {
  const rows = (after?: Key, end?: Key) => sql`
    (select * from ${table} where true
      ${after ? sql`and (${key}) > (${list(after)})` : nothing} ${end ? sql`and (${key}) <= (${list(end)})` : nothing}
    order by ${key})`
  return {
    size: sql`select greatest(reltuples, 0)::bigint as rows from pg_class where oid = ${table.text}::regclass`,
    end: (after, count) => sql`
      select ${key} from ${rows(after)} walked order by ${key} offset ${count - 1} limit 1`,
    rows,
  }
}

/** Every row of a table by its primary key, where the rows of one moment, which their ids begin with, are never parted. */
export function alongMoments(table: Sql): Walk {
  const walk = along(table, sql`space_id, environment, id`)
  return {
    ...walk,
    end: (after, count) => sql`
      select space_id, environment, id_moment_end(id) as id from (${walk.end(after, count)}) last`,
  }
}

/** A walk of which each row makes a check read up to `cost` others: its chunks are so much smaller. */
export const costing = (cost: number, walk: Walk): Walk => ({ ...walk, cost })

/** What the rows of a walk lead to: `to` turns the subselect of its rows into another. */
export const leadingTo = (walk: Walk, to: (rows: Sql) => Sql): Walk => ({
  ...walk,
  rows: (...chunk) => to(walk.rows(...chunk)),
})

/** Values between commas. */
export const list = (values: unknown[]): Sql =>
  values.slice(1).reduce<Sql>((before, value) => sql`${before}, ${value}`, sql`${values[0]}`)

/**
 * Takes the planner's choices away for the transaction: a walk goes along its index and looks up what it needs, row
 * by row. By a guess from old statistics it would read a whole table for each chunk. Times are written in one way, as
 * when they were chained.
 */
export const plannedAsWalk = sql`
  select set_config(name, setting, true) from (values
    ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off'), ('max_parallel_workers_per_gather', '0'),
    ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('enable_sort', 'off'),
    ('enable_incremental_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
    ('enable_material', 'off'), ('timezone', 'UTC'), ('datestyle', 'ISO')
  ) settings (name, setting)`
