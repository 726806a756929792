import path from 'node:path'
import type { Database, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { plannedAsWalk } from '../platform/db/walk.ts'
import { type Fault, Refusal } from '../platform/refusals.ts'
import type { Mapping } from './mapping.ts'
import { type LineFault, readStatement, type StatementLine } from './statement-file.ts'
import {
  insertLines,
  insertStatement,
  lockReconciliation,
  type Source,
  selectContradictions,
  updateStatement,
} from './statement-store.ts'

/**
 * A file to import, `at` now. `from` and `until` say what it tells of, where that is more than from its first line to its
 * last: that nothing moved is told too.
 */
export type StatementFile = Source & { file: string; mapping: Mapping; from?: Date; until?: Date; at: Date }

export type Imported = { lines: number; newLines: number; from: Date; until: Date }

const batchSize = 5_000
const maxFaultsTold = 20
/** Between a provider's clock and ours. */
const maxAheadMs = 24 * 60 * 60_000

// Millions of lines may come in a row that the mapping leaves out; the database hears nothing meanwhile.
const patientWithFile = sql`select set_config('idle_in_transaction_session_timeout', ${'300000'}, true)`

/**
 * Takes in the lines of a file that are not known yet: all of them or, when one cannot be read or contradicts what is
 * known, none. A file that was imported before adds nothing.
 *
 * @throws Refusal that names the first faults by their lines
 */
export const importStatement = (db: Database, given: StatementFile): Promise<Imported> =>
  db.transaction(async (tx) => {
    await claim(tx)
    // Every batch looks up what is known by its key, however large the table has grown meanwhile.
    await tx.query(plannedAsWalk)
    await tx.query(patientWithFile)
    const id = await insertStatement(tx, given, {
      fileName: path.basename(given.file).slice(0, 200),
      at: given.at,
    })
    const found = new Findings(new Date(given.at.getTime() + maxAheadMs))
    let newLines = 0
    for await (const batch of batchesOf(readStatement(given.file, given.mapping))) {
      const lines = found.look(batch)
      // After a fault the rest is only read, to tell the other faults too.
      if (found.faults.length === 0) found.contradict(await selectContradictions(tx, given, id, lines))
      if (found.faults.length === 0) newLines += await insertLines(tx, given, id, lines)
      if (found.faults.length >= maxFaultsTold) break
    }
    found.refuse()
    const imported = { lines: found.lines, newLines, ...periodOf(given, found) }
    await updateStatement(tx, id, imported)
    return imported
  })

/** Refuses, when another import or reconciliation is under way, so that neither waits for the other. */
export async function claim(tx: Tx): Promise<void> {
  if (!(await lockReconciliation(tx)))
    throw new Refusal('state_conflict', {
      message: 'Another import or reconciliation is under way; try again.',
    })
}

/** What became of the lines so far. */
class Findings {
  readonly faults: Fault[] = []
  lines = 0
  first: Date | undefined
  last: Date | undefined
  readonly #latest: Date

  constructor(latest: Date) {
    this.#latest = latest
  }

  /** Keeps the faults of a batch and answers its lines. */
  look(batch: (StatementLine | LineFault)[]): StatementLine[] {
    const ids = new Map<string, number>()
    return batch.filter((entry): entry is StatementLine => {
      this.lines++
      if ('fault' in entry) this.#tell(entry.line, entry.fault)
      if ('fault' in entry) return false
      const known = ids.get(entry.id)
      if (known !== undefined) this.#tell(entry.line, `has the number of line ${known}`)
      ids.set(entry.id, entry.line)
      if (entry.movedAt > this.#latest) this.#tell(entry.line, 'has a time that is yet to come')
      if (!this.first || entry.movedAt < this.first) this.first = entry.movedAt
      if (!this.last || entry.movedAt > this.last) this.last = entry.movedAt
      return known === undefined
    })
  }

  contradict(known: Awaited<ReturnType<typeof selectContradictions>>): void {
    for (const { line, knownLine, knownFile, isSameFile } of known)
      this.#tell(
        line,
        isSameFile
          ? `has the number of line ${knownLine}`
          : `is not what line ${knownLine} of ${knownFile} said under the same number`,
      )
  }

  refuse(): void {
    if (this.faults.length > 0) throw new Refusal('arguments_invalid', { details: this.faults })
  }

  #tell(line: number, error: string): void {
    if (this.faults.length < maxFaultsTold) this.faults.push({ param: `line ${line}`, errors: [error] })
  }
}

/** What a file tells of: at least its lines. */
function periodOf({ from, until }: StatementFile, { first, last }: Findings): { from: Date; until: Date } {
  const period = { from: from ?? first, until: until ?? (last && new Date(last.getTime() + 1)) }
  if (!period.from || !period.until)
    throw fileFault('has no lines: say with --from and --until what it tells of')
  if (period.from > (first ?? period.until) || period.until <= (last ?? period.from))
    throw fileFault('has lines that are not between --from and --until')
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

const fileFault = (fault: string) =>
  new Refusal('arguments_invalid', { details: [{ param: 'file', errors: [fault] }] })
