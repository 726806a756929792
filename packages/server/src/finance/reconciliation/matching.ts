import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
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

/** How far matching has come: the account whose statement lines are tried, and the last of them so far. */
export type MatchProgress = StatementSource & { last?: LinePosition }

type MatchStep = { isDone: boolean; progress?: MatchProgress }

/**
 * Matches statements with the books. Reads the lines booked on clearing accounts since the last run, and tries
 * to match every unmatched line again. Running this again changes nothing. It can run alongside the service.
 */
export async function matchStatements(
  db: Database,
  objects: ReconciledType[],
  extent: Extent,
): Promise<void> {
  for (let step: MatchStep = { isDone: false }; !step.isDone; ) {
    const { progress } = step
    step = await db.transaction((tx) => matchNext(tx, objects, extent, progress))
  }
}

/**
 * Does the next step of matching: reads booked lines, or tries the next statement lines of one account. A step
 * is short, so that neither imports nor payments wait for it. Returns the progress to continue from.
 */
export async function matchNext(
  tx: Tx,
  objects: ReconciledType[],
  extent: Extent,
  progress?: MatchProgress,
): Promise<MatchStep> {
  await lockOrRefuse(tx)
  if (!progress && (await readLedgerLines(tx, objects, extent)) === chunkSize) return { isDone: false }
  const last = progress && (await matchSource(tx, progress))
  if (last) return { isDone: false, progress: { ...progress, last } }
  const next = await nextSource(tx, extent, progress)
  return next ? { isDone: false, progress: next } : { isDone: true }
}

async function readLedgerLines(tx: Tx, objects: ReconciledType[], extent: Extent): Promise<number> {
  // With its default estimates, the planner would read all objects for each chunk.
  await tx.query(walkPlannerSettings)
  return insertOpenLines(tx, objects, extent, chunkSize)
}

/** Tries the next statement lines of an account. Returns the last of them, or `undefined` if none are left. */
async function matchSource(tx: Tx, source: MatchProgress): Promise<LinePosition | undefined> {
  await tx.query(byIndex)
  const last = await selectEnd(tx, source, source.last, matchSize)
  if (last) for (const name of names) await matchLines(tx, source, source.last, last, name)
  return last
}

/** Returns the first account of an extent, or the one that follows `before`. */
async function nextSource(tx: Tx, extent: Extent, before?: StatementSource) {
  const sources = await selectSources(tx, extent)
  if (!before) return sources[0]
  const [, next] = sources.slice(
    sources.findIndex(
      ({ providerId, environment }) => providerId === before.providerId && environment === before.environment,
    ),
  )
  return next
}
