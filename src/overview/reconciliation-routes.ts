import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { moneyIn } from '../ledger/postings.ts'
import { columnsOf, headerOf, linesOf } from '../platform/http/csv.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { type Call, list, type Route, read } from '../platform/http/route.ts'
import { described, object, optional, text } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { type OwnItem, ownItemStates, positionOf } from '../reconciliation/own-lines.ts'
import { showOwner } from '../spaces/ownership.ts'
import { datesUpTo } from './days.ts'
import { openItems, type ReconciledDay, reconciledDays, reconciledStates } from './reconciled.ts'
import { catchUp } from './tallies.ts'

const date = Type.String({
  format: 'date',
  maxLength: 'yyyy-mm-dd'.length,
  examples: ['2026-11-21'],
  description: 'A day in the time zone of the Space’s country.',
})
const direction = Type.Enum(['collection', 'disbursement'] as const, {
  description:
    '`collection`: what came in; `disbursement`: what went out. An amount below zero went the other way, as what is settled with a bank.',
})
const maxDays = 31 // limit: days of a Space’s reconciliation
const usualDays = 7

const reconciledDay = object({
  date,
  provider: described(Type.String({ examples: ['m17'] }), 'The id of the provider.'),
  direction,
  count: Type.Integer({ description: 'Lines that were booked.' }),
  amount: described(shownMoney, 'The sum of these lines.'),
  open: described(
    object({
      count: Type.Integer({
        description: 'Of these, those that no statement shows and nobody has explained.',
      }),
      amount: described(shownMoney, 'The sum of those.'),
      estimated: Type.Boolean({
        description: 'There may be more: only the newest 2 000 open lines are counted.',
      }),
    }),
    'What nobody has explained yet.',
  ),
  state: Type.Enum([...reconciledStates], {
    description:
      '`awaited`: statements do not cover all of it, or it is still to be matched; `differs`: something is open; `matched`: nothing is; `closed`: whoever runs the installation has signed it.',
  }),
})
const result = object(
  {
    isWhole: Type.Boolean({
      description: 'False while what was booked is still being summed: ask again in a moment.',
    }),
    days: Type.Array(reconciledDay, { description: 'The last first; days on which something was booked.' }),
  },
  { title: 'ReconciledDays' },
)
const item = object(
  {
    state: Type.Enum([...ownItemStates], {
      description:
        '`awaited`: no statement covers its time; `differs`: one does, and shows no such movement, or another amount.',
    }),
    date,
    provider: described(Type.String({ examples: ['m17'] }), 'The id of the provider.'),
    direction,
    amount: described(shownMoney, 'What the line says.'),
    time: Type.String({ format: 'date-time', description: 'When it was booked.' }),
    objectId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What it is about: a payment, a payout, a refund.',
    }),
  },
  { title: 'ReconciliationItem' },
)
const daysQuery = object({ from: optional(date), to: optional(date) })
const itemFilters = object({
  date: optional(date),
  provider: described(optional(text(1, 64, { examples: ['m17'] })), 'Only lines at this provider.'),
  direction: optional(direction),
  state: described(optional(Type.Enum([...ownItemStates])), 'Only lines in this state.'),
})

type Parts = Pick<Platform, 'db'> & { catalogue: Catalogue }

/** What a Space's own books have, held against statements of providers. */
export const reconciliationRoutes = ({ db, catalogue }: Parts): Route[] => [
  read({
    url: '/v1/reconciliation/days',
    permission: 'balances:read',
    summary: 'Retrieve what was booked on each day at each provider, and whether statements show it',
    query: daysQuery,
    result,
    read: (call) => lookAt(db, call),
    files: {
      'text/csv': {
        open: async (call) => ({ name: 'reconciliation.csv', chunks: asCsv(await lookAt(db, call)) }),
      },
    },
  }),
  list({
    url: '/v1/reconciliation/items',
    permission: 'balances:read',
    summary:
      'List what no statement shows and nobody has explained, of the newest 2 000 such lines of each clearing account',
    query: itemFilters,
    result: item,
    list: async ({ scope, query }, page) => {
      if (query.provider !== undefined && !catalogue.find(query.provider))
        throw argumentRefusal('provider', 'names no provider')
      return openItems(db, scope, query, page)
    },
    present: presentItem,
    position: positionOf,
  }),
]

async function lookAt(db: Platform['db'], call: Call<{ from?: string; to?: string }>) {
  const isWhole = await catchUp(db, call.scope)
  return { isWhole, days: (await reconciledDays(db, call.scope, await datesOf(db, call))).map(presentDay) }
}

async function* asCsv({ days }: { days: unknown[] }) {
  const columns = columnsOf(reconciledDay)
  yield headerOf(columns)
  yield linesOf(columns, days)
}

const dayMs = 86_400_000
const firstDate = '2000-01-01'

/** The days that are named; else the last seven. */
async function datesOf(db: Platform['db'], { scope, now, query }: Call<{ from?: string; to?: string }>) {
  const last = query.to ?? (await datesUpTo(db, scope, now, 1)).to
  const back = (days: number) => new Date(Date.parse(last) - days * dayMs).toISOString().slice(0, last.length)
  const { from = back(usualDays - 1) } = query
  // Nothing was booked before, and not every calendar has such years.
  if (from < firstDate) throw argumentRefusal('from', `must not be before ${firstDate}`)
  if (from > last) throw argumentRefusal('from', 'must not be after to')
  if (from < back(maxDays - 1))
    throw argumentRefusal('from', `leaves more than ${maxDays} days: narrow the range`)
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

/** As its day has it: the items of a day add up to what is open of it. */
const presentItem = ({ direction, amount, currency, at, objectType, objectId, ...item }: OwnItem) => ({
  ...{ state: item.state, date: item.date, provider: item.providerId, direction },
  amount: moneyIn(currency)(amount),
  time: at.toISOString(),
  objectId: objectType && objectId && showOwner({ id: objectId, type: objectType }),
})
