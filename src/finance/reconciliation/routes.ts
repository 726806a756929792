import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { wholeNumber } from '../../platform/http/commands/json.ts'
import { type Call, list, type Route, read } from '../../platform/http/commands/route.ts'
import { columnsOf, csvHeader, csvLines } from '../../platform/http/lists/csv.ts'
import { object, optional, text, withDescription } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { datesUpTo } from './clearing-days.ts'
import { type OwnItem, ownItemStates, positionOf } from './own-lines.ts'
import { openItems, type ReconciledDay, reconciledDays, reconciledStates } from './reconciled.ts'
import { sumNewLines } from './summing.ts'

const date = Type.String({
  format: 'date',
  maxLength: 'yyyy-mm-dd'.length,
  examples: ['2026-11-21'],
  description: 'Day in the time zone of the Space’s country.',
})
const direction = Type.Enum(['collection', 'disbursement'] as const, {
  description:
    '`collection` for money in, `disbursement` for money out. A negative amount moved the other way, as in a settlement with a bank.',
})
const maxDays = 31 // days in a Space’s reconciliation
const usualDays = 7

const reconciledDay = object({
  date,
  provider: withDescription(Type.String({ examples: ['m17'] }), 'Provider id.'),
  direction,
  count: Type.Integer({ description: 'Number of booked lines.' }),
  amount: withDescription(shownMoney, 'Total of these lines.'),
  open: withDescription(
    object({
      count: Type.Integer({
        description: 'Number of unexplained lines that are not on any statement.',
      }),
      amount: withDescription(shownMoney, 'Total of these open lines.'),
      estimated: Type.Boolean({
        description: 'True if there may be more open lines, since only the newest 2,000 are counted.',
      }),
    }),
    'Open lines.',
  ),
  state: Type.Enum([...reconciledStates], {
    description:
      '`awaited`: not fully covered by statements, or not matched yet; `differs`: has open lines; `matched`: has no open lines; `closed`: signed off by the operator.',
  }),
})
const result = object(
  {
    isWhole: Type.Boolean({
      description: 'False while bookings are still being summed. Retry shortly.',
    }),
    days: Type.Array(reconciledDay, { description: 'Days with bookings, latest first.' }),
  },
  { title: 'ReconciledDays' },
)
const item = object(
  {
    state: Type.Enum([...ownItemStates], {
      description:
        '`awaited`: no statement covers this time yet; `differs`: a statement covers this time, but lacks this movement or shows a different amount.',
    }),
    date,
    provider: withDescription(Type.String({ examples: ['m17'] }), 'Provider id.'),
    direction,
    amount: withDescription(shownMoney, 'Amount of the line.'),
    time: Type.String({ format: 'date-time', description: 'Booking time.' }),
    objectId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the payment, payout or refund.',
    }),
  },
  { title: 'ReconciliationItem' },
)
const daysQuery = object({ from: optional(date), to: optional(date) })
const itemFilters = object({
  date: optional(date),
  provider: withDescription(optional(text(1, 64, { examples: ['m17'] })), 'Only lines at this provider.'),
  direction: optional(direction),
  state: withDescription(optional(Type.Enum([...ownItemStates])), 'Only lines in this state.'),
})

type Parts = Pick<Platform, 'db'> & { catalogue: Catalogue }

/** Routes that compare a Space's books with provider statements. */
export const reconciliationRoutes = ({ db, catalogue }: Parts): Route[] => [
  read({
    url: '/v1/reconciliation/days',
    permission: 'balances:read',
    summary: 'Retrieve daily reconciliation by provider',
    query: daysQuery,
    result,
    read: (call) => readReconciliation(db, call),
    files: {
      'text/csv': {
        open: async (call) => ({
          name: 'reconciliation.csv',
          chunks: asCsv(await readReconciliation(db, call)),
        }),
      },
    },
  }),
  list({
    url: '/v1/reconciliation/items',
    permission: 'balances:read',
    summary:
      'List open lines, which are unexplained and not on any statement, among the newest 2,000 of each clearing account',
    query: itemFilters,
    result: item,
    list: async ({ scope, query }, page) => {
      if (query.provider !== undefined && !catalogue.find(query.provider))
        throw argumentRefusal('provider', 'is not a provider')
      return openItems(db, scope, query, page)
    },
    present: presentItem,
    position: positionOf,
  }),
]

async function readReconciliation(db: Platform['db'], call: Call<{ from?: string; to?: string }>) {
  const isWhole = await sumNewLines(db, call.scope)
  return { isWhole, days: (await reconciledDays(db, call.scope, await readDates(db, call))).map(presentDay) }
}

async function* asCsv({ days }: { days: unknown[] }) {
  const columns = columnsOf(reconciledDay)
  yield csvHeader(columns)
  yield csvLines(columns, days)
}

const dayMs = 86_400_000
const firstDate = '2000-01-01'

/** Returns the requested range of days, or the last seven days. */
async function readDates(db: Platform['db'], { scope, now, query }: Call<{ from?: string; to?: string }>) {
  const last = query.to ?? (await datesUpTo(db, scope, now, 1)).to
  const back = (days: number) => new Date(Date.parse(last) - days * dayMs).toISOString().slice(0, last.length)
  const { from = back(usualDays - 1) } = query
  // Nothing was booked before this date, and not every calendar supports earlier years.
  if (from < firstDate) throw argumentRefusal('from', `must not be before ${firstDate}`)
  if (from > last) throw argumentRefusal('from', 'must not be after the end of the range')
  if (from < back(maxDays - 1))
    throw argumentRefusal('from', `makes the range exceed ${maxDays} days; narrow the range`)
  return { from, to: last }
}

function presentDay({ openCount, openAmount, estimated, ...day }: ReconciledDay) {
  const money = moneyIn(day.currency)
  const { date, providerId, direction, count, amount, state } = day
  return {
    ...{ date, provider: providerId, direction, count: wholeNumber(count), amount: money(amount) },
    open: { count: openCount, amount: money(openAmount), estimated },
    state,
  }
}

/**
 * Returns an open line as an API resource. Its amount has the same sign as in its day's totals, so that the
 * open lines of a day add up to its open amount.
 */
const presentItem = ({ direction, amount, currency, at, objectType, objectId, ...item }: OwnItem) => ({
  ...{ state: item.state, date: item.date, provider: item.providerId, direction },
  amount: moneyIn(currency)(amount),
  time: at.toISOString(),
  objectId: objectType && objectId && showOwner({ id: objectId, type: objectType }),
})
