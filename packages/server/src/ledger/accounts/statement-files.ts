import { columnsOf, csvHeader, csvLines } from '../../platform/http/lists/csv.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { type AccountStatement, walkStatement } from './account-statements.ts'
import { moneyIn } from './postings.ts'
import { fileEntry, statementLines } from './statement-shapes.ts'

/**
 * What statements need. `catalogue` is used only for the names of providers, because the catalogue itself
 * belongs to a later slice.
 */
export type StatementParts = Pick<Platform, 'db' | 'seals' | 'baseUrl'> & {
  catalogue: { find(providerId: string): { name: string } | undefined }
}

/** Writes the opening balance, every line, the totals and the closing balance. */
export async function* writeCsv(
  { db, baseUrl }: StatementParts,
  scope: Scope,
  statement: AccountStatement,
): AsyncGenerator<string> {
  const columns = columnsOf(fileEntry)
  const { account, range, opening, closing, final } = statement
  const money = moneyIn(account.currency)
  const present = statementLines(baseUrl, scope)
  const write = (...entries: object[]) => csvLines(columns, entries)
  yield csvHeader(columns) +
    write({ type: 'opening', timestamp: range.from.toISOString(), balance: money(opening) })
  const stretches = walkStatement(db, scope, statement)
  let stretch = await stretches.next()
  for (; !stretch.done; stretch = await stretches.next()) yield write(...stretch.value.map(present))
  const { credits, debits } = stretch.value
  const timestamp = range.to.toISOString()
  yield write(
    { type: 'credits', timestamp, amount: money(credits) },
    { type: 'debits', timestamp, amount: money(debits) },
    { type: final ? 'closing' : 'provisional', timestamp, balance: money(closing) },
  )
}
