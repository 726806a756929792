import { must } from '@pesewa/values'
import { closeDay, providerLocale } from '../finance/reconciliation/days.ts'
import { importInto } from '../finance/reconciliation/imports.ts'
import { simulatorMapping } from '../finance/reconciliation/mapping.ts'
import { type MatchProgress, matchNext } from '../finance/reconciliation/matching.ts'
import type { Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { statementOf } from '../simulator/statements/statements.ts'
import type { Parts } from '../slices.ts'
import { dayMs, daysBefore, startOfDay } from './month.ts'

/** The providers through which customers pay. */
const providers = ['m17', 'm18', 'dw001', 'slb001', 'slb004', 'card'] as const
/** One of these statements lacks its last line, so that the user finds a difference to explain: a bank’s if possible. */
const incomplete = ['slb001', 'slb004', 'dw001', 'm17']
const daysStated = 22
const daysClosed = 14
const environment = 'test'

/**
 * Imports the providers' statements for the first weeks of the month, matches them, and signs off the first
 * fourteen days. The rest of the month, which includes a difference, is left for the user.
 */
export async function closeFirstHalf(
  tx: Tx,
  { catalogue, findReconciled }: Parts,
  { now, by }: { now: Date; by: string },
): Promise<void> {
  const from = new Date(startOfDay(now).getTime() - daysBefore * dayMs)
  const until = new Date(from.getTime() + daysStated * dayMs)
  const statements = new Map<string, string>()
  for (const id of providers) statements.set(id, await statementOf(tx, id, { from, to: until }))
  removeLastLine(statements, new Date(from.getTime() + daysClosed * dayMs))
  for (const [providerId, text] of statements)
    await importInto(tx, {
      ...{ providerId, environment, from, until },
      content: { text },
      name: `${providerId}-${from.toISOString().slice(0, 10)}.csv`,
      mapping: simulatorMapping,
      at: now,
    })
  const objects = await findReconciled()
  for (let progress: MatchProgress | undefined, isDone = false; !isDone; ) {
    const step = await matchNext(tx, objects, { environment }, progress)
    ;({ isDone, progress } = step)
  }
  // The tables were empty until now. Without statistics, each day would read the lines of all days.
  // every space: statistics are about whole tables
  await tx.query(sql`analyze ledger_lines, ledger_accounts, statement_lines`)
  const decider = { by, reason: 'Statements and books agree' }
  for (const providerId of providers) {
    const locale = providerLocale(must(catalogue.find(providerId), 'provider'))
    for (let i = 0; i < daysClosed; i++) {
      const day = new Date(from.getTime() + i * dayMs).toISOString().slice(0, 10)
      await closeDay(tx, { providerId, environment, day }, locale, decider, now)
    }
  }
}

/** Removes the last line of a statement, on one of the days that stay open. */
function removeLastLine(statements: Map<string, string>, openFrom: Date): void {
  for (const providerId of incomplete) {
    const text = must(statements.get(providerId), 'statement')
    const last = text.trimEnd().lastIndexOf('\n') + 1
    if (text.slice(last) < openFrom.toISOString()) continue
    statements.set(providerId, text.slice(0, last))
    return
  }
}
