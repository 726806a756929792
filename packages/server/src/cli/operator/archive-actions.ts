import { ArchiveError, archivedUpTo, archiveMonth } from '../../finance/books/archive.ts'
import { selectBlocks } from '../../finance/books/archive-block-store.ts'
import {
  dropMonth,
  exportMonth,
  isInDatabase,
  refuseDropped,
  restoreMonth,
} from '../../finance/books/archive-files.ts'
import { selectArchiveProof } from '../../finance/books/archive-proof-store.ts'
import { findUnits } from '../../finance/books/archive-units.ts'
import { minArchiveMonths } from '../../finance/books/settings.ts'
import { type ArchivedMonth, selectArchivedMonths } from '../../platform/db/archived-months.ts'
import type { Database } from '../../platform/db/database.ts'
import { createSeals } from '../../platform/seals.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { findChecks, readSettings } from '../../slices.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { CommandError } from '../command.ts'
import { withDatabase } from './command-database.ts'

const megabyte = 1_000_000

/** `pesewa archive list`: the archived months and those to come, oldest first. */
export async function listMonths() {
  const { archiveAfterMonths: afterMonths = minArchiveMonths, refundWindowMs } = readSettings(process.env)
  const now = new Date()
  return onDatabase(async (db) => {
    const archived = []
    for (const { month, tables, droppedAt, ...entry } of await selectArchivedMonths(db)) {
      const isPresent = await isInDatabase(db, Object.keys(tables))
      archived.push({
        month,
        state: archivedState(droppedAt !== null, isPresent),
        rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
        archivedAt: entry.archivedAt.toISOString(),
        archivedBy: entry.archivedBy,
      })
    }
    const units = await findUnits(db)
    const open = []
    for (const [place, unit] of units.entries()) {
      const isDue = unit.endsAt <= archivedUpTo({ now, afterMonths })
      const blocks =
        isDue && place === 0
          ? await db.transaction((tx) => selectBlocks(tx, unit, { now, refundWindowMs }))
          : []
      open.push({
        month: unit.month,
        state: stateOf(isDue, blocks.length > 0),
        rows: unit.tables.reduce((sum, { rows }) => sum + rows, 0),
        megabytes: Math.round(unit.tables.reduce((sum, { bytes }) => sum + bytes, 0) / megabyte),
        blocks: blocks.map(({ count, reason }) => `${count} ${reason}`).join(', '),
      })
    }
    return { months: [...archived, ...open] }
  })
}

const archivedState = (wasDropped: boolean, isPresent: boolean) => {
  if (!wasDropped) return 'archived'
  return isPresent ? 'restored' : 'dropped'
}

const stateOf = (isDue: boolean, isBlocked: boolean) => {
  if (!isDue) return 'in use'
  return isBlocked ? 'blocked' : 'ready'
}

/** `pesewa archive detach`: verifies the books and archives the oldest month. */
export async function detachMonth(month: string, decider: Decider) {
  const settings = readSettings(process.env)
  const { blockedMs, ...archived } = await onDatabase((db) =>
    archiveMonth(db, month, {
      findChecks,
      ...(hasSecretKey(settings) && { seals: createSeals(readSecretKey(settings)) }),
      refundWindowMs: settings.refundWindowMs,
      now: new Date(),
      afterMonths: settings.archiveAfterMonths ?? minArchiveMonths,
      decider,
    }),
  )
  return { ...archived, blockedMs: Math.round(blockedMs) }
}

/** `pesewa archive verify`: verifies an archived month, and fails if it differs from the books. */
export const verifyMonth = (month: string) =>
  onDatabase(async (db) => {
    const archived = await archivedMonth(db, month)
    await refuseDropped(db, archived)
    const proof = await db.transaction((tx) => selectArchiveProof(tx, archived))
    if (proof.differences.length > 0) process.exitCode = 1
    return proof
  })

/** `pesewa archive export`: writes an archived month to files. */
export const exportToFiles = (month: string, folder: string) =>
  onDatabase(async (db) => exportMonth(db, await archivedMonth(db, month), folder))

/** `pesewa archive drop`: deletes the rows of an archived month that was exported. */
export const dropExported = (month: string, folder: string, decider: Decider) =>
  onDatabase(async (db) => dropMonth(db, await archivedMonth(db, month), folder, decider))

/** `pesewa archive restore`: restores the rows of an exported month. */
export const restoreFiles = (folder: string) => onDatabase((db) => restoreMonth(db, folder))

async function archivedMonth(db: Database, month: string): Promise<ArchivedMonth> {
  const archived = (await selectArchivedMonths(db)).find((one) => one.month === month)
  if (!archived) throw new CommandError(`${month} has not been archived.`)
  return archived
}

/** Does the same as `withDatabase`. The reason why a month cannot be archived is shown on one line. */
const onDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  withDatabase(work).catch((error) => {
    throw error instanceof ArchiveError ? new CommandError(error.message) : error
  })
