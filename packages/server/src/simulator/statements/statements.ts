import { type Period, RailError } from '@pesewa/connector-kit/simulator'
import { toMajorUnits } from '@pesewa/values'
import type { Reader } from '../../platform/db/database.ts'
import { type StatementMovement, selectMovements } from './store.ts'

const maxStatementRows = 100_000

/**
 * Returns a provider's statement in the form in which a bank would export it: as CSV with a header row, oldest
 * transaction first.
 */
export async function statementOf(db: Reader, providerId: string, { from, to }: Period): Promise<string> {
  const moved = await selectMovements(db, providerId, from, to, maxStatementRows + 1)
  if (moved.length > maxStatementRows) throw new RailError(422, 'period_too_long')
  return [columns, ...moved.map(lineOf)].map((line) => `${line.map(cell).join(',')}\n`).join('')
}

const columns = [
  ...['date', 'reference', 'external_id', 'type', 'amount', 'currency', 'account', 'status'],
  'transaction_id',
]

const lineOf = (moved: StatementMovement): string[] => [
  moved.movedAt.toISOString(),
  moved.reference,
  moved.externalId,
  moved.type,
  toMajorUnits(moved.amountMinor, moved.currency),
  moved.currency,
  moved.account,
  moved.status,
  String(moved.financialTransactionId),
]

/** Returns a cell, quoted if necessary (RFC 4180). */
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
