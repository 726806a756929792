import type { Database } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { plannedAsWalk } from './walk.ts'

export const maxWalkedRows = 10_000 // limit: rows that a page reads where no index serves its filters

/** Rows of a page, and after which row the next goes on, when this one ended before it was full. */
export type Stretch<R> = { rows: R[]; stoppedAt: string | undefined }

/** `cursor`: what a cursor holds, if not the id. `shown`: what is read beside the rows of the page, which keep their order. */
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
 * A page of what fits a filter that no index serves. `ordered` selects all rows in the order of an index by `column`,
 * newest first; those that `fit` are taken from the first 10 000 of them, or `atMost`. Where few fit, the page is short and the next
 * goes on from there: what one call costs does not depend on the data.
 */
export function walkBounded<R>(
  db: Database,
  { ordered, column, cursor = sql`id`, fit, take, atMost = maxWalkedRows, shown = (page) => page }: Wanted,
): Promise<Stretch<R>> {
  const walked = sql`(${ordered} order by ${column} desc limit ${atMost}) walked`
  return db.snapshot(async (reader) => {
    // An estimate from other Spaces' rows must not lead to sorting all of this one's.
    await reader.query(plannedAsWalk)
    const rows = await reader.query<R>(
      shown(sql`select * from ${walked} where ${fit} order by ${column} desc limit ${take}`),
    )
    if (rows.length === take) return { rows, stoppedAt: undefined }
    const last = await reader.one<{ cursor: string | bigint }>(sql`
      select ${cursor} as cursor from ${walked} order by ${column} desc offset ${atMost - 1} limit 1`)
    return { rows, stoppedAt: last && String(last.cursor) }
  })
}
