import { AsyncLocalStorage } from 'node:async_hooks'
import { createBatches } from './batches.ts'
import { integer, text, uuid } from './db/columns.ts'
import type { Database } from './db/database.ts'
import { type Sql, sql } from './db/sql.ts'
import { unnestScoped } from './db/unnest.ts'
import type { Scope } from './scope.ts'

/** Finds the one row of an id, or of whatever else names a row; `undefined` when there is none. */
export type FindRow<Row> = (scope: Scope, id: string) => Promise<Row | undefined>

type Request = { scope: Scope; id: string }

const maxRowsAtOnce = 200 // limit: rows that one shared statement reads by id

/**
 * Reads that share statements: those that are requested while others are under way go together, whatever their Spaces.
 * A statement begins after everybody in it has called, so that each sees all that was committed before.
 *
 * `row` selects the row of one of them, `requested`, which has an `id`, each for itself (`offset 0`): always along the
 * index, however many there are.
 */
export function shareReads<Row>(db: Database, row: Sql<Row>, id: 'uuid' | 'text' = 'uuid'): FindRow<Row> {
  const byPlace = unnestScoped({ place: integer, id: { uuid, text }[id] })
  const readAll = async (requests: Request[]) => {
    const rows = await db.query<Row & { place: number }>(sql`
      select requested.place, selected.*
      from ${byPlace(requests.map((request, place) => ({ ...request, place })))}
      cross join lateral (${row} offset 0) selected`)
    const rowAt = new Map(rows.map((one) => [one.place, one]))
    return requests.map((_, place) => ({ answer: rowAt.get(place) }))
  }
  const batches = createBatches<Request, Row | undefined>({
    // Of many Spaces: it takes no place of the one that happened to begin it.
    run: AsyncLocalStorage.bind(readAll),
    maxBatch: maxRowsAtOnce,
  })
  return (scope, id) => batches.submit('', { scope, id })
}
