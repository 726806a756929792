import { nothing, type Sql, sql } from './sql.ts'

/** The values of a walk's key columns. */
export type Key = unknown[]

/**
 * Rows in key order, processed in chunks. Each chunk takes a few short statements along an index, and only the
 * last key is remembered between chunks.
 */
export type Walk = {
  /** Maximum number of other rows that a check reads per row; default: 1. */
  cost?: number
  /** Approximate number of rows; `undefined` if it cannot be known in advance. */
  size: Sql | undefined
  /** Selects the key of the `count`-th row after `after`; no row if fewer are left. */
  end(after: Key | undefined, count: number): Sql
  /** The rows after `after`, up to and including `end`, as a subselect. Rows with the same key are never split. */
  rows(after: Key | undefined, end: Key | undefined, count: number): Sql
}

/** Walks all rows of a table along an index on `key`. */
export function alongIndex(table: Sql, key: Sql): Walk {
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

/** Walks all rows of a table by primary key, never splitting rows of the same time (the start of their ids). */
export function alongMoments(table: Sql): Walk {
  const walk = alongIndex(table, sql`space_id, environment, id`)
  return {
    ...walk,
    end: (after, count) => sql`
      select space_id, environment, id_moment_end(id) as id from (${walk.end(after, count)}) last`,
  }
}

/** A walk whose chunks are smaller because a check reads up to `cost` other rows per row. */
export const costing = (cost: number, walk: Walk): Walk => ({ ...walk, cost })

/** Replaces the rows of a walk by related ones: `to` maps one subselect to another. */
export const mapRows = (walk: Walk, to: (rows: Sql) => Sql): Walk => ({
  ...walk,
  rows: (...chunk) => to(walk.rows(...chunk)),
})

/** Values separated by commas. */
export const list = (values: unknown[]): Sql =>
  values.slice(1).reduce<Sql>((before, value) => sql`${before}, ${value}`, sql`${values[0]}`)

/**
 * Restricts the planner for this transaction: a walk must follow its index and look up rows one by one. With
 * outdated statistics, the planner would read a whole table per chunk. Also fixes the time format to the one
 * used when times were chained.
 */
export const walkPlannerSettings = sql`
  select set_config(name, setting, true) from (values
    ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off'), ('max_parallel_workers_per_gather', '0'),
    ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('enable_sort', 'off'),
    ('enable_incremental_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
    ('enable_material', 'off'), ('timezone', 'UTC'), ('datestyle', 'ISO')
  ) settings (name, setting)`
