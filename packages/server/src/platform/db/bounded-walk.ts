import type { Database } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { walkPlannerSettings } from './walk.ts'

export const maxWalkedRows = 10_000 // limit: rows scanned for a page when no index serves its filters

/**
 * The rows of a page. `stoppedAt` is the cursor at which the next page continues if the scan stopped before
 * this page was full.
 */
export type Stretch<R> = { rows: R[]; stoppedAt: string | undefined }

/**
 * `cursor` is the SQL expression for the value of a cursor, by default the id. `shown` adds columns to the rows
 * of the page and must not change the order of the rows.
 */
type Wanted = {
  ordered: Sql
  column: Sql
  cursor?: Sql
  fit: Sql
  take: number
  atMost?: number
  shown?: (page: Sql) => Sql
}

/**
 * Selects a page for a filter that no index serves. `ordered` selects all rows, which are read newest first
 * along an index on `column`. The first 10 000 of them (or `atMost`) are checked against `fit`. If only a few
 * match, the page is short and the next page continues from there, so the cost of a call does not depend on the
 * data.
 *
 * See docs/decisions/0007-lists.md.
 */
export function walkBounded<R>(
  db: Database,
  { ordered, column, cursor = sql`id`, fit, take, atMost = maxWalkedRows, shown = (page) => page }: Wanted,
): Promise<Stretch<R>> {
  const walked = sql`(${ordered} order by ${column} desc limit ${atMost}) walked`
  return db.snapshot(async (reader) => {
    // PostgreSQL estimates numbers of rows from the data of all Spaces. These settings prevent the planner from
    // sorting every row of this Space because of a wrong estimate.
    await reader.query(walkPlannerSettings)
    const rows = await reader.query<R>(
      shown(sql`select * from ${walked} where ${fit} order by ${column} desc limit ${take}`),
    )
    if (rows.length === take) return { rows, stoppedAt: undefined }
    const last = await reader.one<{ cursor: string | bigint }>(sql`
      select ${cursor} as cursor from ${walked} order by ${column} desc offset ${atMost - 1} limit 1`)
    return { rows, stoppedAt: last && String(last.cursor) }
  })
}
