import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@pesewa/values'
import { firstReferenceAt } from '../../ledger/accounts/reference.ts'
import { insertArchivedMonth, selectArchivedMonths } from '../../platform/db/archived-months.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { firstId } from '../../platform/ids.ts'
import type { Seals } from '../../platform/seals.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { sumNewLinesOfAllSpaces } from '../reconciliation/summing.ts'
import { archiveAction } from './archive-action.ts'
import { type Block, hasNewBlocks, selectBlocks } from './archive-block-store.ts'
import {
  countRows,
  createArchiveSchema,
  createKept,
  flushWal,
  insertArchivedBooks,
  insertArchivedLinks,
  insertCarriedBalances,
  keepNewEntries,
  lockTables,
  moveDetached,
  replacePartitions,
} from './archive-store.ts'
import { findUnits, type Unit } from './archive-units.ts'
import { type FindChecks, verifyBooks } from './verify.ts'

/** Why a month was not archived. */
export class ArchiveError extends Error {}

export type ArchiveOptions = {
  findChecks: FindChecks
  seals?: Seals
  refundWindowMs: number
  /** Wall-clock time. */
  now: Date
  /** Ended months that are kept before the next one is archived. */
  afterMonths: number
  decider: Decider
  signal?: AbortSignal
}

/** A month that was archived. Statements on its tables were blocked for at most `blockedMs` milliseconds. */
export type Archived = { month: string; rows: number; blockedMs: number }

const archiveLock = 715_020
const dayMs = 86_400_000
/** The latest time after a month at which a payment of one of its sessions can begin. */
const sessionMs = 31 * dayMs

/**
 * Archives the oldest month. Its books are verified first, and what later months need of it is kept. Everything
 * else no longer belongs to the tables afterwards, in a single moment.
 *
 * See docs/decisions/0258-archived-months.md.
 *
 * @throws ArchiveError if the month cannot be archived yet
 */
export async function archiveMonth(db: Database, month: string, options: ArchiveOptions): Promise<Archived> {
  let archived: Archived | undefined
  await db.alone(archiveLock, async () => {
    await createArchiveSchema(db)
    await moveDetached(db)
    const unit = await nextUnit(db, month, options)
    await sumNewLinesOfAllSpaces(db, options.signal ?? new AbortController().signal)
    refuseBlocked(unit, await db.transaction((tx) => selectBlocks(tx, unit, options)))
    const proof = await verifyBooks(db, options.findChecks, {
      ...(options.seals && { seals: options.seals }),
      ...(options.signal && { signal: options.signal }),
    })
    if (!proof.ok) throw new ArchiveError('The books do not balance. Run pesewa verify.')
    const { tables, lockedAt } = await db.transaction(async (tx) => {
      const tables = await prepare(tx, unit, options)
      return { tables, lockedAt: await replaceSoon(tx, unit, () => flushWal(db)) }
    })
    const blockedMs = performance.now() - lockedAt
    archived = { month, rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0), blockedMs }
    await moveDetached(db)
  })
  if (!archived) throw new ArchiveError('Another node is archiving a month.')
  return archived
}

/** Returns the last moment at which a month must have ended to be archived. */
export const archivedUpTo = ({ now, afterMonths }: Pick<ArchiveOptions, 'now' | 'afterMonths'>): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - afterMonths, 1))

async function nextUnit(db: Database, month: string, options: ArchiveOptions): Promise<Unit> {
  const units = await findUnits(db)
  const [next] = units
  if (!next) throw new ArchiveError('There is no month to archive.')
  const archivedMonths = await selectArchivedMonths(db)
  if (archivedMonths.some((one) => one.month === month))
    throw new ArchiveError(`${month} has already been archived.`)
  if (!units.some((unit) => unit.month === month))
    throw new ArchiveError(`There is no month ${month}. The next one to archive is ${next.month}.`)
  if (next.month !== month)
    throw new ArchiveError(`Months are archived in order. The next one is ${next.month}.`)
  if (next.endsAt > archivedUpTo(options))
    throw new ArchiveError(
      `${month} can be archived from ${dueDate(next, options)} on, ${options.afterMonths} months after it has ended.`,
    )
  return next
}

/** Returns the day from which on a month can be archived. */
const dueDate = ({ endsAt }: Unit, { afterMonths }: ArchiveOptions): string =>
  new Date(Date.UTC(endsAt.getUTCFullYear(), endsAt.getUTCMonth() + afterMonths, 1))
    .toISOString()
    .slice(0, 'yyyy-mm-dd'.length)

function refuseBlocked({ month }: Unit, blocks: Block[]): void {
  if (blocks.length === 0) return
  const list = blocks.map(({ reason, count, example }) => `${count} ${reason} (such as ${example})`)
  throw new ArchiveError(`${month} is still needed by ${list.join(', ')}.`)
}

/** Prepares everything but the partitions. Returns the number of rows by table. */
async function prepare(
  tx: Tx,
  unit: Unit,
  { now, decider }: ArchiveOptions,
): Promise<Record<string, number>> {
  const startedAt = new Date()
  // Preparing a month with millions of rows takes minutes, during which nobody waits.
  await tx.query(sql`
    select set_config('statement_timeout', '0', true), set_config('jit', 'off', true),
      set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true), set_config('work_mem', '256MB', true)`)
  const [lines, entries] = ['ledger_lines', 'audit_entries'].map((name) =>
    unit.tables.find(({ table }) => table === name),
  )
  if (!lines || !entries) throw new Error('ledger_lines and audit_entries have no months')
  await insertCarriedBalances(tx, unit, lines)
  await createKept(tx, unit, {
    untilId: unit.untilId,
    sessionsUntilId: firstId(new Date(unit.endsAt.getTime() + sessionMs)),
    firstReference: firstReferenceAt(unit.endsAt),
  })
  await insertArchivedLinks(tx, unit)
  for (const { digest, ...scope } of await insertArchivedBooks(tx, unit))
    await writeAuditEntry(tx, scope, decider, {
      ...{ action: archiveAction, objectType: 'space', objectId: scope.spaceId },
      details: { month: unit.month, digest },
    })
  await keepNewEntries(tx, unit, entries, startedAt)
  const tables = await countRows(tx, unit)
  await insertArchivedMonth(tx, {
    ...{ month: unit.month, untilId: unit.untilId, archivedAt: now, archivedBy: decider.by, tables },
  })
  return tables
}

const lockWaitMs = 30 // time for which others wait before an attempt to lock the tables is given up
const attempts = 1_200
const pauseMs = 500

/**
 * Replaces the partitions as soon as no transaction uses the tables. Returns the time, according to `performance`, from which on
 * others are blocked. `flush` writes to disk what the transaction has written, so that its commit is short.
 */
async function replaceSoon(tx: Tx, unit: Unit, flush: () => Promise<void>): Promise<number> {
  // The first time, it is parsed and planned.
  await hasNewBlocks(tx, unit)
  for (let attempt = 1; ; attempt++) {
    await flush()
    await tx.run(sql`savepoint replacing`)
    const beganAt = performance.now()
    try {
      tx.send(sql`select set_config('statement_timeout', ${`${lockWaitMs}ms`}, true)`)
      await lockTables(tx, unit)
      tx.send(sql`select set_config('statement_timeout', '0', true)`)
      await replacePartitions(tx, unit)
      if (await hasNewBlocks(tx, unit))
        throw new ArchiveError(`${unit.month} is needed again. Try again later.`)
      return beganAt
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error
      await tx.run(sql`rollback to savepoint replacing`)
      await sleep(pauseMs * (1 + Math.random()))
    }
  }
}

const lockFailures = new Set(['55P03', '57014', '40P01']) // lock timeout, statement timeout, deadlock

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (lockFailures.has(codeOf(error) ?? '') || isLockTimeout(error.cause))
