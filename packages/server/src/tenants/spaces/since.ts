import type { Check, Subject } from '../../platform/db/check.ts'
import { allOf, nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, type Key, list, mapRows, type Walk } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import { installationId } from './chained-changes.ts'

/**
 * Returns a walk over the rows of a table whose `column` is greater than `from`. With `only`, the rows must
 * also match that condition. The table needs an index on Space, environment and `column`, whose values must
 * increase with time. There is one look-up for each Space and one for the installation.
 */
export function rowsSince(table: Sql, column: Sql, type: Sql, from: string, only: Sql = nothing): Walk {
  const key = sql`space_id, environment, ${column}`
  const rows = (after: Key | undefined, end: Key | undefined, count: number) => sql`
    (select walked.* from (
      select space.id as in_space, environments.name as in_environment
      from (select id from spaces union all select ${installationId}::uuid) space
      cross join (values ('test'::environment), ('live')) environments (name)
    ) scope
    cross join lateral (
      select * from ${table}
      where space_id = in_space and environment = in_environment and ${column} > ${
        after
          ? sql`case when (in_space, in_environment) = (${after[0]}, ${after[1]}) then ${after[2]} else ${from} end::${type}`
          : sql`${from}`
      } ${only}
      order by ${column}
      limit ${count}
    ) walked
    where true ${after ? sql`and (in_space, in_environment) >= (${after[0]}, ${after[1]})` : nothing}
      ${end ? sql`and (${key}) <= (${list(end)})` : nothing})`
  return {
    size: undefined,
    end: (after, count) => sql`
      select ${key} from ${rows(after, undefined, count)} walked order by ${key} offset ${count - 1} limit 1`,
    rows,
  }
}

/**
 * Returns a check's subject: the rows of a table that is keyed by Space, environment and an id, either all of
 * them or only those that are newer than a given time.
 */
export const tableSubject = (table: Sql, id = sql`id`): Subject => ({
  all: [alongIndex(table, sql`space_id, environment, ${id}`)],
  since: (at) => [rowsSince(table, id, sql`uuid`, firstId(at))],
})

/** Returns the rows of a table whose ids are in a column of the given rows, each of them once. */
export const rowsNamedBy = (table: Sql, column: Sql) => (rows: Sql) =>
  sql`
  (select named.* from (select distinct space_id, environment, ${column} as id from ${rows} walked) naming
  cross join lateral (
    select * from ${table} named
    where named.space_id = naming.space_id and named.environment = naming.environment and named.id = naming.id offset 0
  ) named)`

/**
 * Returns the check that no two rows have the same values in the columns of an index that is unique only within a
 * partition. `key` lists these columns in the order of the index.
 */
export function uniquenessCheck(name: string, table: Sql, key: Sql[]): Check {
  const columns = list(key)
  const isSame = key.map((column) => sql`other.${column} = named.${column}`)
  const sameAs = (rows: Sql) => sql`
    (select same.* from (select distinct ${columns} from ${rows} walked) named
    cross join lateral (select * from ${table} other where ${allOf(isSame)} offset 0) same)`
  return {
    name,
    about: {
      all: [alongIndex(table, columns)],
      since: (at) => [mapRows(rowsSince(table, sql`id`, sql`uuid`, firstId(at)), sameAs)],
    },
    differences: (rows) => sql`
      select ${list(key.map((column) => sql`${column}::text`))}, count(*)::text as rows from ${rows} same
      group by ${columns} having count(*) > 1`,
  }
}

/** Returns the wall-clock time this many days ago. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** The audit entries. */
export const auditEntries = tableSubject(sql`audit_entries`)
