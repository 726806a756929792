import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { moneyIn } from '../ledger/postings.ts'
import { columnsOf, headerOf, linesOf } from '../platform/http/csv.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { type Call, type Route, read } from '../platform/http/route.ts'
import { object, optional, text } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { OwnOpenLine } from '../reconciliation/own-lines.ts'
import { showOwner } from '../spaces/ownership.ts'
import { datesUpTo } from './days.ts'
import { openOn, type ReconciledDay, reconciledDays, reconciledStates } from './reconciled.ts'
import { catchUp } from './tallies.ts'

const date = Type.String({
  format: 'date',
  maxLength: 'yyyy-mm-dd'.length,
  examples: ['2026-11-21'],
  description: 'A day in the time zone of the Space’s country.',
})
const direction = Type.Enum(['collection', 'disbursement'] as const, {
  description: '`collection`: what came in; `disbursement`: what went out.',
})
const maxDays = 31 // limit: days of a Space’s reconciliation
const usualDays = 7
const maxItems = 200 // limit: open items of a day that a Space’s reconciliation shows, the newest

const reconciledDay = object({
  date,
  provider: Type.String({ examples: ['m17'] }),
  direction,
  count: Type.Integer({ description: 'Lines that were booked.' }),
  amount: shownMoney,
  open: object({
    count: Type.Integer({ description: 'Of these, those that no statement shows and nobody has explained.' }),
    amount: shownMoney,
    estimated: Type.Boolean({
      description: 'There may be more: only the newest 2 000 open lines are counted.',
    }),
  }),
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
const items = object(
  {
    isWhole: Type.Boolean({ description: 'These are all, not only the newest 200.' }),
    items: Type.Array(
      object({
        direction,
        amount: shownMoney,
        time: Type.String({ format: 'date-time', description: 'When it was booked.' }),
        objectId: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'What it is about: a payment, a payout, a refund.',
        }),
      }),
    ),
  },
  { title: 'ReconciliationItems' },
)
const daysQuery = object({ from: optional(date), to: optional(date) })
const itemsQuery = object({
  date: optional(date),
  provider: optional(text(1, 64, { examples: ['m17'] })),
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
  read({
    url: '/v1/reconciliation/items',
    permission: 'balances:read',
    summary: 'Retrieve what of a day, today’s if none is named, no statement shows and nobody has explained',
    query: itemsQuery,
    result: items,
    read: async ({ scope, now, query: { date, provider } }) => {
      if (provider !== undefined && !catalogue.find(provider))
        throw argumentRefusal('provider', 'names no provider')
      const open = await openOn(db, scope, date ?? (await datesUpTo(db, scope, now, 1)).to, provider)
      return { isWhole: open.length <= maxItems, items: open.slice(0, maxItems).map(presentItem) }
    },
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

const presentItem = ({ direction, amount, currency, at, objectType, objectId }: OwnOpenLine) => ({
  direction,
  amount: moneyIn(currency)(amount),
  time: at.toISOString(),
  objectId: objectType && objectId && showOwner({ id: objectId, type: objectType }),
})
