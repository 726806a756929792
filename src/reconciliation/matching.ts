import type { Database } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { plannedAsWalk } from '../platform/db/walk.ts'
import {
  type Extent,
  insertOpenLines,
  type LinePlace,
  matchLines,
  names,
  type StatementSource,
  selectEnd,
} from './clearing-store.ts'
import { lockOrRefuse } from './imports.ts'
import type { Reconciled } from './objects.ts'
import { selectSources } from './statement-store.ts'

const chunkSize = 10_000 // limit: lines of the books taken in at once
/** Few, because each might be compared with each. */
const matchSize = 2_000 // limit: lines of statements matched at once

/** What a chunk names is looked up: to read all open lines for each chunk would take longer the more there are. */
const byIndex = sql`select set_config('enable_seqscan', 'off', true)`

/**
 * Matches statements with the books: takes in what was booked on clearing accounts since the last time, and tries every
 * line again that is not matched. Repeated, it changes nothing; it may run beside the service.
 */
export async function matchStatements(db: Database, objects: Reconciled[], extent: Extent): Promise<void> {
  await takeIn(db, objects, extent)
  for (const source of await selectSources(db, extent)) await matchSource(db, source)
}

async function takeIn(db: Database, objects: Reconciled[], extent: Extent): Promise<void> {
  for (let count = chunkSize; count === chunkSize; )
    count = await db.transaction(async (tx) => {
      await lockOrRefuse(tx)
      // By an estimate the planner would read all objects for each chunk.
      await tx.query(plannedAsWalk)
      return insertOpenLines(tx, objects, extent, chunkSize)
    })
}

async function matchSource(db: Database, source: StatementSource): Promise<void> {
  for (let after: LinePlace | undefined, end: LinePlace | undefined; ; after = end) {
    end = await db.transaction(async (tx) => {
      await lockOrRefuse(tx)
      await tx.query(byIndex)
      const last = await selectEnd(tx, source, after, matchSize)
      if (last) for (const name of names) await matchLines(tx, source, after, last, name)
      return last
    })
    if (!end) return
  }
}
