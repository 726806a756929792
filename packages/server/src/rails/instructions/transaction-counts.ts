import Type from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type ReadRoute, read } from '../../platform/http/commands/route.ts'
import { object } from '../../platform/http/shapes/shapes.ts'
import type { Scope } from '../../platform/scope.ts'

const maxCounted = 100 // limit: objects counted per status

type Counted = {
  resource: 'payments' | 'payouts' | 'refunds'
  /** Title of the result's shape. */
  title: string
  statuses: readonly string[]
  count(db: Database, scope: Scope, statuses: readonly string[]): Promise<Map<string, number>>
}

/** Defines the GET of the numbers of payments, payouts or refunds in each status, at most 100 each. */
export function countsRoute(
  { db }: { db: Database },
  { resource, title, statuses, count }: Counted,
): ReadRoute {
  const number = Type.Integer({
    minimum: 0,
    maximum: maxCounted,
    description: `Number of ${resource} with this status; ${maxCounted} means ${maxCounted} or more.`,
    examples: [3],
  })
  return read({
    url: `/v1/${resource}/counts`,
    permission: `${resource}:read`,
    summary: `Count ${resource} by status`,
    about: `Counts at most ${maxCounted} in each status.`,
    result: object(Object.fromEntries(statuses.map((status) => [status, number])), { title }),
    read: async ({ scope }) => {
      const counts = await count(db, scope, statuses)
      return Object.fromEntries(statuses.map((status) => [status, counts.get(status) ?? 0]))
    },
  })
}

/**
 * Returns a function that counts the rows in each status, at most 100 each. Its cost does not depend on the number
 * of rows: it reads the newest rows of each status, along the index on the status, which ends with the id.
 */
export const countIn =
  ({ table }: { table: Sql }) =>
  async (db: Database, { spaceId, environment }: Scope, statuses: readonly string[]) => {
    const rows = await db.query<{ status: string; count: number }>(sql`
      select wanted.status, (
        select count(*) from (
          select id from ${table}
          where space_id = ${spaceId} and environment = ${environment} and status = wanted.status
          order by id desc limit ${maxCounted}
        ) newest
      )::int as count
      from unnest(${[...statuses]}::text[]) wanted (status)`)
    return new Map(rows.map(({ status, count }) => [status, count]))
  }
