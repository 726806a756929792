import type { Database } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { walkPlannerSettings } from './walk.ts'

export const maxWalkedRows = 10_000 // limit: rows scanned for a page when no index serves its filters

/** Rows of a page, and where the next page continues if this one ended before it was full. */
export type Stretch<R> = { rows: R[]; stoppedAt: string | undefined }

/**
 * `cursor`: the value of a cursor, by default the id. `shown`: adds columns to the rows of the page, keeping
 * their order.
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
 * Selects a page for a filter that no index serves. `ordered` selects all rows, newest first along an index by
 * `column`; the first 10 000 of them, or `atMost`, are checked against `fit`. If few match, the page is short
 * and the next one continues from there, so the cost of a call does not depend on the data.
 *
 * See docs/decisions/0007-lists.md.
 */
export function walkBounded<R>(
  db: Database,
  { ordered, column, cursor = sql`id`, fit, take, atMost = maxWalkedRows, shown = (page) => page }: Wanted,
): Promise<Stretch<R>> {
  const walked = sql`(${ordered} order by ${column} desc limit ${atMost}) walked`
  return db.snapshot(async (reader) => {
    // A row estimate based on other Spaces must not make the planner sort the whole Space.
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
