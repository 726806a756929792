import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { type AccountStatement, walkStatement } from './account-statements.ts'
import { moneyIn } from './postings.ts'
import { statementLines } from './statement-shapes.ts'

/**
 * What statements need. `catalogue` is used only for the names of providers, because the catalogue itself
 * belongs to a later slice.
 */
export type StatementParts = Pick<Platform, 'db' | 'seals' | 'baseUrl'> & {
  catalogue: { find(providerId: string): { name: string } | undefined }
}

/** Yields the rows of the file: the opening balance, every line, the totals and the closing balance. */
export async function* fileRows(
  { db, baseUrl }: StatementParts,
  scope: Scope,
  statement: AccountStatement,
): AsyncGenerator<object[]> {
  const { account, range, opening, closing, final } = statement
  const money = moneyIn(account.currency)
  const present = statementLines(baseUrl, scope)
  yield [{ type: 'opening', timestamp: range.from.toISOString(), balance: money(opening) }]
  const stretches = walkStatement(db, scope, statement)
  let stretch = await stretches.next()
  for (; !stretch.done; stretch = await stretches.next()) yield stretch.value.map(present)
  const { credits, debits } = stretch.value
  const timestamp = range.to.toISOString()
  yield [
    { type: 'credits', timestamp, amount: money(credits) },
    { type: 'debits', timestamp, amount: money(debits) },
    { type: final ? 'closing' : 'provisional', timestamp, balance: money(closing) },
  ]
}
