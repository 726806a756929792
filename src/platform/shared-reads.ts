import { AsyncLocalStorage } from 'node:async_hooks'
import { createBatches } from './batches.ts'
import { ints, texts, uuids } from './db/arrays.ts'
import type { Database } from './db/database.ts'
import { type Sql, sql } from './db/sql.ts'
import type { Scope } from './scope.ts'

/** Finds the one row of an id, or of whatever else rows are known by; `undefined` when there is none. */
export type FindRow<Row> = (scope: Scope, id: string) => Promise<Row | undefined>

type Wanted = { scope: Scope; id: string }

/** Rows that one statement looks for at most. */
const maxRowsAtOnce = 200

/**
 * Reads that share statements: those that are asked for while others are under way go together, whatever their Spaces.
 * A statement begins after everybody in it has asked, so that each sees all that was committed before.
 *
 * `row` selects what one of them wants by `wanted.space_id`, `wanted.environment` and `wanted.id`, each for itself
 * (`offset 0`): always along the index, however many there are.
 */
export function shareReads<Row>(db: Database, row: Sql<Row>, ids: 'uuid' | 'text' = 'uuid'): FindRow<Row> {
  const readAll = async (all: Wanted[]) => {
    const keys = all.map(({ id }) => id)
    const rows = await db.query<Row & { place: number }>(sql`
      select wanted.place, found.*
      from (
        select place, space_id, environment::environment, id
        from unnest(${ints(keys.map((_, place) => place))}::int[],
          ${uuids(all.map(({ scope }) => scope.spaceId))}::uuid[],
          ${texts(all.map(({ scope }) => scope.environment))}::text[],
          ${ids === 'uuid' ? sql`${uuids(keys)}::uuid[]` : sql`${texts(keys)}::text[]`})
          as given (place, space_id, environment, id)
      ) wanted
      cross join lateral (${row} offset 0) found`)
    const found = new Map(rows.map((one) => [one.place, one]))
    return all.map((_, place) => ({ answer: found.get(place) }))
  }
  const batches = createBatches<Wanted, Row | undefined>({
    // Of many Spaces: it takes no place of the one that happened to begin it.
    run: AsyncLocalStorage.bind(readAll),
    maxBatch: maxRowsAtOnce,
  })
  return (scope, id) => batches.submit('', { scope, id })
}
