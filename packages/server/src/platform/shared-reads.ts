import { AsyncLocalStorage } from 'node:async_hooks'
import { createBatches } from './batches.ts'
import { integer, text, uuid } from './db/columns.ts'
import type { Database } from './db/database.ts'
import { type Sql, sql } from './db/sql.ts'
import { unnestScoped } from './db/unnest.ts'
import type { Scope } from './scope.ts'

/** Finds a row by its id or by another unique text. Returns `undefined` if there is none. */
export type FindRow<Row> = (scope: Scope, id: string) => Promise<Row | undefined>

type Request = { scope: Scope; id: string }

const maxRowsAtOnce = 200 // rows that one shared statement reads

/**
 * Combines concurrent reads from any Spaces into shared statements. A statement starts after all of its callers
 * have made their calls, so that each of them sees everything that was committed before its call.
 *
 * `row` selects the row for one key, `requested`, which has an `id`. `offset 0` makes PostgreSQL look up each
 * key separately, so that it uses the index regardless of the number of keys.
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
    // The statement is shared by many Spaces, so it must not run within the connection share of the Space that
    // happened to start it.
    run: AsyncLocalStorage.bind(readAll),
    maxBatch: maxRowsAtOnce,
  })
  return (scope, id) => batches.submit('', { scope, id })
}
