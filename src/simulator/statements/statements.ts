import { toMajorUnits } from '../../countries/money.ts'
import { fieldsOf } from '../../platform/fields.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { RailError, showRailError } from '../engine/rail-error.ts'
import { enter } from '../rest/access.ts'
import { type StatementMovement, selectMovements } from './store.ts'

/** The period from `from` (inclusive) to `to` (exclusive). */
export type Period = { from: Date; to: Date }

const maxStatementRows = 100_000

/**
 * Returns a provider's statement in the form in which a bank would export it: as CSV with a header row, oldest
 * transaction first.
 */
export async function statementOf(
  { db }: Pick<SimulatorParts, 'db'>,
  providerId: string,
  { from, to }: Period,
): Promise<string> {
  const moved = await selectMovements(db, providerId, from, to, maxStatementRows + 1)
  if (moved.length > maxStatementRows) throw new RailError(422, 'period_too_long')
  return [columns, ...moved.map(lineOf)].map((line) => `${line.map(cell).join(',')}\n`).join('')
}

/**
 * Routes for statements from the simulated rails, for callers with their key. A date without a time means
 * midnight UTC.
 */
export const statementRoutes = (parts: SimulatorParts): RawRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/simulator/statements/:providerId',
    summary: 'Statement of a simulated provider, as CSV',
    showError: showRailError(parts.log),
    handle: async (request, reply) => {
      const { providerId } = enter(parts, request, () => true)
      const { from, to } = fieldsOf(request.query)
      const statement = await statementOf(parts, providerId, { from: momentOf(from), to: momentOf(to) })
      return reply.type('text/csv; charset=utf-8').send(statement)
    },
  },
]

function momentOf(text: unknown): Date {
  const isMoment = typeof text === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/.test(text)
  const moment = new Date(isMoment ? text : Number.NaN)
  // Otherwise, a day that does not exist would become a day in the next month.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(String(text).slice(0, 10)))
    throw new RailError(400, 'request_invalid')
  return moment
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
