import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import {
  type Extent,
  insertOpenLines,
  type LinePosition,
  matchLines,
  names,
  type StatementSource,
  selectEnd,
} from './clearing-store.ts'
import { lockOrRefuse } from './imports.ts'
import { selectSources } from './statement-store.ts'

const chunkSize = 10_000 // ledger lines read at a time
/** Small, because in the worst case every line is compared with every other line. */
const matchSize = 2_000 // statement lines matched at a time

/**
 * Forces the database to look up references by index. Reading all open lines for each chunk would become slower
 * as they accumulate.
 */
const byIndex = sql`select set_config('enable_seqscan', 'off', true)`

/**
 * Matches statements with the books. Reads the lines booked on clearing accounts since the last run, and tries
 * to match every unmatched line again. Running this again changes nothing. It can run alongside the service.
 */
export async function matchStatements(
  db: Database,
  objects: ReconciledType[],
  extent: Extent,
): Promise<void> {
  await readLedgerLines(db, objects, extent)
  for (const source of await selectSources(db, extent)) await matchSource(db, source)
}

async function readLedgerLines(db: Database, objects: ReconciledType[], extent: Extent): Promise<void> {
  for (let count = chunkSize; count === chunkSize; )
    count = await db.transaction(async (tx) => {
      await lockOrRefuse(tx)
      // With its default estimates, the planner would read all objects for each chunk.
      await tx.query(walkPlannerSettings)
      return insertOpenLines(tx, objects, extent, chunkSize)
    })
}

async function matchSource(db: Database, source: StatementSource): Promise<void> {
  for (let after: LinePosition | undefined, end: LinePosition | undefined; ; after = end) {
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
