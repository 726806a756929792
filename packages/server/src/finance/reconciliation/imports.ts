import path from 'node:path'
import { selectArchivedUntil } from '../../platform/db/archived-months.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import { type Issue, Refusal } from '../../platform/refusals.ts'
import type { StatementSource } from './clearing-store.ts'
import { selectOfClosedDays } from './day-store.ts'
import type { Mapping } from './mapping.ts'
import { allowLongReport } from './report.ts'
import { importCommand, importReason, writeSigned } from './signed.ts'
import {
  fileRefusal,
  type LineFault,
  readStatement,
  type StatementContent,
  type StatementLine,
} from './statement-file.ts'
import {
  insertLines,
  insertStatement,
  type LineConflict,
  lockReconciliation,
  selectConflicts,
  updateStatement,
} from './statement-store.ts'

/**
 * A statement to import. `at` is the current time. `from` and `until` are the start and end of the period that
 * the statement covers. They are needed only if this period is longer than the time from the first line to the
 * last: a statement can also cover time without movements.
 */
export type NewStatement = StatementSource & {
  content: StatementContent
  /** File name of the statement. */
  name: string
  /** The user who imports the statement through the API; `undefined` for an import by a command. */
  by?: string
  mapping: Mapping
  from?: Date | undefined
  until?: Date | undefined
  at: Date
}

export type StatementFile = Omit<NewStatement, 'content' | 'name' | 'by'> & { file: string }

export type Imported = { lines: number; newLines: number; from: Date; until: Date }

const batchSize = 5_000
const maxFaultsReported = 20 // errors reported for a statement
/** Allows for a difference between the provider's clock and ours. */
const maxAheadMs = 24 * 60 * 60_000 // limit: how far in the future the times of a statement may be

// The mapping may skip millions of lines in a row. During that time, nothing is sent to the database.
const allowLongIdle = sql`select set_config('idle_in_transaction_session_timeout', ${'300000'}, true)`

/**
 * Imports all new lines of a file, or none of them if any line cannot be read or contradicts an earlier import.
 * Importing a file again adds nothing.
 *
 * @throws Refusal with the first errors by line
 */
export const importStatement = (db: Database, { file, ...statement }: StatementFile): Promise<Imported> =>
  db.transaction(
    async (tx) => (await importInto(tx, { ...statement, content: { file }, name: file })).imported,
  )

/** Imports a statement in the caller's transaction. Also returns the id of the statement. */
export async function importInto(
  tx: Tx,
  statement: NewStatement,
): Promise<{ id: bigint; imported: Imported }> {
  await lockOrRefuse(tx)
  // Each batch looks up earlier lines by key, so its cost does not depend on the size of the table.
  await tx.query(walkPlannerSettings)
  await tx.query(allowLongIdle)
  const fileName = path.basename(statement.name).slice(0, 200)
  const id = await insertStatement(tx, statement, { fileName, at: statement.at, by: statement.by ?? null })
  const progress = new ImportProgress(new Date(statement.at.getTime() + maxAheadMs))
  let newLines = 0
  for await (const batch of batchesOf(readStatement(statement.content, statement.mapping))) {
    const lines = progress.add(batch)
    // After an error, the rest of the file is read only to report further errors.
    if (progress.issues.length === 0) progress.addConflicts(await selectConflicts(tx, statement, id, lines))
    if (progress.issues.length === 0) progress.addOfClosedDays(await selectOfClosedDays(tx, statement, lines))
    if (progress.issues.length === 0) newLines += await insertLines(tx, statement, id, lines)
    if (progress.issues.length >= maxFaultsReported) break
  }
  progress.refuse()
  await refuseArchivedLines(tx, progress)
  const imported = { lines: progress.lines, newLines, ...periodOf(statement, progress) }
  await tx.query(allowLongReport)
  const signed = await updateStatement(tx, id, imported)
  const decider = { by: statement.by ?? importCommand, reason: importReason }
  await writeSigned(tx, statement.environment, decider, 'importStatement', signed)
  return { id, imported }
}

/** Refuses lines of archived months, because the lines of the books that they could match were archived. */
async function refuseArchivedLines(tx: Tx, { first }: ImportProgress): Promise<void> {
  const archivedUntil = await selectArchivedUntil(tx)
  if (first && archivedUntil && first < archivedUntil)
    throw new Refusal('state_conflict', {
      message: `The bookings before ${archivedUntil.toISOString()} were archived. Import only later transactions.`,
    })
}

/**
 * Takes the lock for imports and reconciliations. Refuses if another one is running, so that neither waits for
 * the other.
 */
export async function lockOrRefuse(tx: Tx): Promise<void> {
  if (!(await lockReconciliation(tx)))
    throw new Refusal('state_conflict', {
      message: 'Another import or reconciliation is running. Try again when it has finished.',
    })
}

/** What has been read so far: the number of lines, the errors, and the period that the lines cover. */
class ImportProgress {
  readonly issues: Issue[] = []
  lines = 0
  first: Date | undefined
  last: Date | undefined
  readonly #latest: Date

  constructor(latest: Date) {
    this.#latest = latest
  }

  /** Adds the lines and errors of a batch. Returns its well-formed lines. */
  add(batch: (StatementLine | LineFault)[]): StatementLine[] {
    const lineOfId = new Map<string, number>()
    return batch.filter((entry): entry is StatementLine => {
      this.lines++
      if ('fault' in entry) this.#addFault(entry.line, entry.fault)
      if ('fault' in entry) return false
      const earlier = lineOfId.get(entry.id)
      if (earlier !== undefined) this.#addFault(entry.line, `has the same id as line ${earlier}`)
      lineOfId.set(entry.id, entry.line)
      if (entry.movedAt > this.#latest) this.#addFault(entry.line, 'has a timestamp in the future')
      if (!this.first || entry.movedAt < this.first) this.first = entry.movedAt
      if (!this.last || entry.movedAt > this.last) this.last = entry.movedAt
      return earlier === undefined
    })
  }

  addConflicts(conflicts: LineConflict[]): void {
    for (const { line, knownLine, knownFile, isSameFile } of conflicts)
      this.#addFault(
        line,
        isSameFile
          ? `has the same id as line ${knownLine}`
          : `differs from line ${knownLine} of ${knownFile}, which has the same id`,
      )
  }

  addOfClosedDays(lines: { line: number; day: string }[]): void {
    for (const { line, day } of lines) this.#addFault(line, `is a new line for ${day}, which is closed`)
  }

  refuse(): void {
    if (this.issues.length > 0) throw new Refusal('arguments_invalid', { details: this.issues })
  }

  #addFault(line: number, error: string): void {
    if (this.issues.length < maxFaultsReported) this.issues.push({ param: `line ${line}`, errors: [error] })
  }
}

/**
 * Returns the period that a file covers. Refuses a specified period that does not include all lines of the
 * file.
 */
function periodOf(
  { from, until }: NewStatement,
  { first, last }: ImportProgress,
): { from: Date; until: Date } {
  const period = { from: from ?? first, until: until ?? (last && new Date(last.getTime() + 1)) }
  if (!period.from || !period.until) throw fileRefusal('has no lines; specify the period that it covers')
  if (period.from > (first ?? period.until) || period.until <= (last ?? period.from))
    throw fileRefusal('has lines outside the specified period')
  return { from: period.from, until: period.until }
}

async function* batchesOf<T>(entries: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
