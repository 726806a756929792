import { wholeNumber } from '@pesewa/values'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { type Call, list, type Route, read } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { datesUpTo } from './clearing-days.ts'
import { type OwnItem, positionOf } from './own-line-store.ts'
import { openItems, type ReconciledDay, reconciledDays } from './reconciled.ts'
import { daysQuery, item, itemFilters, reconciledDay, result } from './shapes.ts'
import { sumNewLines } from './summing.ts'

const maxDays = 31 // days in a Space’s reconciliation
const usualDays = 7

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
    table: {
      shape: reconciledDay,
      open: async (call) => ({
        name: 'reconciliation',
        stretches: [(await readReconciliation(db, call)).days],
      }),
    },
  }),
  list({
    url: '/v1/reconciliation/items',
    permission: 'balances:read',
    summary: 'List open reconciliation items',
    about:
      'Lines that are unexplained and not on any statement, among the newest 2,000 of each clearing account.',
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

/** Returns a day as an API resource. */
export function presentDay({ openCount, openAmount, estimated, ...day }: ReconciledDay) {
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
