import { nothing, type Sql, sql } from './sql.ts'

/** The values of the columns that a walk is ordered by. */
export type Key = unknown[]

/**
 * A way to read rows in key order and process them in chunks. Each chunk takes a few short statements along an
 * index, and only the last key is kept between chunks.
 */
export type Walk = {
  /** Maximum number of other rows that a check reads for each row of the walk. Defaults to 1. */
  cost?: number
  /** SQL for the approximate number of rows; `undefined` if it cannot be known in advance. */
  size: Sql | undefined
  /**
   * Returns SQL for the key of the `count`-th row after `after`. The SQL selects no row if fewer than `count`
   * rows are left.
   */
  end(after: Key | undefined, count: number): Sql
  /**
   * Returns a subquery for the rows after `after` up to and including `end`. Rows with the same key are never
   * split between chunks.
   */
  rows(after: Key | undefined, end: Key | undefined, count: number): Sql
}

/** Returns a walk over all rows of a table, along an index on `key`. */
export function alongIndex(table: Sql, key: Sql): Walk {
  const rows = (after?: Key, end?: Key) => sql`
    (select * from ${table} where true
      ${after ? sql`and (${key}) > (${list(after)})` : nothing} ${end ? sql`and (${key}) <= (${list(end)})` : nothing}
    order by ${key})`
  return {
    // A table with partitions has no statistics of its own.
    size: sql`
      select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as rows from pg_class
      where oid = ${table.text}::regclass or oid in (select relid from pg_partition_tree(${table.text}::regclass) where isleaf)`,
    end: (after, count) => sql`
      select ${key} from ${rows(after)} walked order by ${key} offset ${count - 1} limit 1`,
    rows,
  }
}

/**
 * Returns a walk over all rows of a table by primary key. Ids begin with a time, and rows with the same time
 * are never split between chunks.
 */
export function alongMoments(table: Sql): Walk {
  const walk = alongIndex(table, sql`space_id, environment, id`)
  return {
    ...walk,
    end: (after, count) => sql`
      select space_id, environment, id_moment_end(id) as id from (${walk.end(after, count)}) last`,
  }
}

/** Returns the walk with smaller chunks, for a check that reads up to `cost` other rows per row. */
export const costing = (cost: number, walk: Walk): Walk => ({ ...walk, cost })

/**
 * Returns a walk over rows related to those of another walk. `to` converts the subquery for the other walk's
 * rows to one for the related rows.
 */
export const mapRows = (walk: Walk, to: (rows: Sql) => Sql): Walk => ({
  ...walk,
  rows: (...chunk) => to(walk.rows(...chunk)),
})

/** Returns SQL for the values, separated by commas. */
export const list = (values: unknown[]): Sql =>
  values.slice(1).reduce<Sql>((before, value) => sql`${before}, ${value}`, sql`${values[0]}`)

/**
 * Restricts the planner within the current transaction, because a walk must follow its index and look up rows
 * one by one. With outdated statistics, the planner would read a whole table for each chunk. Values that every row
 * is compared with, such as all jobs of a kind, must fit into a hash table in memory, because PostgreSQL would
 * otherwise search all of them for each row. The settings include the time format, because the hashes of hash chains
 * are computed from times in this format.
 */
export const walkPlannerSettings = sql`
  select set_config(name, setting, true) from (values
    ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off'), ('max_parallel_workers_per_gather', '0'),
    ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('enable_sort', 'off'),
    ('enable_incremental_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
    ('enable_material', 'off'), ('work_mem', '256MB'), ('timezone', 'UTC'), ('datestyle', 'ISO')
  ) settings (name, setting)`
