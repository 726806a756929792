import type { Database } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { plannedAsWalk } from '../platform/db/walk.ts'
import { type Extent, insertOpenLines, matchLines, names, type Place, selectEnd } from './clearing-store.ts'
import { claim } from './imports.ts'
import type { Reconciled } from './objects.ts'
import { type Source, selectSources } from './statement-store.ts'

/** Lines of the books that are taken in at once. */
const chunkSize = 10_000
/** Lines of statements that are looked at at once: few, because each might be compared with each. */
const matchSize = 2_000

/** What a chunk names is looked up; to read all that is open for each would take longer the more there is. */
const byIndex = sql`select set_config('enable_seqscan', 'off', true)`

/**
 * Matches what statements tell with the books, as far as both go: takes in what was booked on clearing accounts since,
 * and looks at every line again that is not matched. Done again it changes nothing; it may run beside the service.
 */
export async function matchStatements(db: Database, objects: Reconciled[], extent: Extent): Promise<void> {
  await takeIn(db, objects, extent)
  const { providerId, environment } = extent
  for (const source of await selectSources(db))
    if ((providerId ?? source.providerId) === source.providerId)
      if ((environment ?? source.environment) === source.environment) await matchSource(db, source)
}

async function takeIn(db: Database, objects: Reconciled[], extent: Extent): Promise<void> {
  for (let taken = chunkSize; taken === chunkSize; )
    taken = await db.transaction(async (tx) => {
      await claim(tx)
      // By a guess it would read all objects for each chunk.
      await tx.query(plannedAsWalk)
      return insertOpenLines(tx, objects, extent, chunkSize)
    })
}

async function matchSource(db: Database, source: Source): Promise<void> {
  for (let after: Place | undefined, end: Place | undefined; ; after = end) {
    end = await db.transaction(async (tx) => {
      await claim(tx)
      await tx.query(byIndex)
      const last = await selectEnd(tx, source, after, matchSize)
      if (last) for (const name of names) await matchLines(tx, source, after, last, name)
      return last
    })
    if (!end) return
  }
}
