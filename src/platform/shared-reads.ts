import { AsyncLocalStorage } from 'node:async_hooks'
import { createBatches } from './batches.ts'
import { integer, text, uuid } from './db/columns.ts'
import type { Database } from './db/database.ts'
import { type Sql, sql } from './db/sql.ts'
import { unnestScoped } from './db/unnest.ts'
import type { Scope } from './scope.ts'

/** Finds a row by id, or by another unique name; `undefined` if there is none. */
export type FindRow<Row> = (scope: Scope, id: string) => Promise<Row | undefined>

type Request = { scope: Scope; id: string }

const maxRowsAtOnce = 200 // rows that one shared statement reads by id

/**
 * Combines concurrent reads, of any Spaces, into shared statements. A statement starts after all its callers
 * have called, so that each sees everything committed before.
 *
 * `row` selects the row of one key, `requested`, which has an `id`. `offset 0` keeps the lookups separate, so
 * that each uses the index however many there are.
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
    // Shared by many Spaces, so it must not use the connection share of the Space that happened to start it.
    run: AsyncLocalStorage.bind(readAll),
    maxBatch: maxRowsAtOnce,
  })
  return (scope, id) => batches.submit('', { scope, id })
}
