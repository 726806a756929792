import { findCountry, must } from '@pesewa/values'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { type Call, type Route, read } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { type Day, datesUpTo, findDays } from '../reconciliation/clearing-days.ts'
import { sumNewLines } from '../reconciliation/summing.ts'
import { countAttention, maxCounted } from './attention-store.ts'
import { selectBegins, selectDailyOutcomes, selectOutcomes, selectUnknown } from './outcome-store.ts'
import {
  attention,
  day,
  daysQuery,
  outcomesQuery,
  overview,
  overviewDays,
  overviewOutcomes,
} from './shapes.ts'

type Parts = Platform & { settlementColumns: SettlementColumns }

/** Routes for the dashboard: today, recent days, success rates, and objects that still have no outcome. */
export function overviewRoutes({ db, settlementColumns }: Parts): Route[] {
  const permission = 'balances:read'
  const readOverview = async ({ scope, now }: Pick<Call, 'scope' | 'now'>, count: number) => {
    const whole = await sumNewLines(db, scope)
    const dates = await datesUpTo(db, scope, now, count)
    const days = (await findDays(db, scope, settlementColumns, dates)).map(present)
    return { isWhole: whole, days, date: dates.to }
  }
  const readOverviewDays = async (call: Call<{ days?: number; withEmptyDays?: boolean }>) => {
    const { days: count = 30, withEmptyDays = false } = call.query
    const { isWhole, days, date } = await readOverview(call, count)
    if (!withEmptyDays) return { isWhole, days }
    const space = must(await selectSpace(db, call.scope.spaceId), 'Space of a call')
    const own = must(findCountry(space.country), 'country of a Space').currency.code
    return { isWhole, days: fillDays(days, datesBefore(date, count), own) }
  }
  return [
    read({
      url: '/v1/overview',
      permission,
      summary: 'Retrieve the overview of today',
      about: 'Totals, success rates, and payments, payouts and refunds without an outcome.',
      result: overview,
      async read(call) {
        const { isWhole, days, date } = await readOverview(call, 1)
        const outcomes = await selectOutcomes(db, call.scope, call.now)
        return {
          date,
          isWhole,
          today: days,
          providers: outcomes.map(({ providerId, ...counts }) => ({ provider: providerId, ...counts })),
          unknown: await selectUnknown(db, call.scope, call.now),
        }
      },
    }),
    read({
      url: '/v1/overview/outcomes',
      permission,
      summary: 'Retrieve the outcomes of payments by day',
      query: outcomesQuery,
      result: overviewOutcomes,
      async read({ scope, now, query }) {
        const { days = 8 } = query
        const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
        const { to } = await datesUpTo(db, scope, now, days)
        const dates = datesBefore(to, days)
        const begins = await selectBegins(db, dates.toReversed(), timeZoneOf(country))
        const outcomes = (await selectDailyOutcomes(db, scope, begins)).toReversed()
        return {
          days: dates.map((date, i) => ({ date, ...must(outcomes[i], 'outcomes of a day') })),
        }
      },
    }),
    read({
      url: '/v1/overview/attention',
      permission: 'settings:read',
      summary: 'Retrieve the numbers of objects that need attention',
      result: attention,
      async read({ scope, now, may }) {
        const counts = await countAttention(db, scope, may)
        if (!may(permission)) return { ...counts, unknownOutcomes: null }
        const unknown = await selectUnknown(db, scope, now)
        const sum = unknown.reduce((total, { over10Minutes }) => total + over10Minutes, 0)
        return { ...counts, unknownOutcomes: Math.min(sum, maxCounted) }
      },
    }),
    read({
      url: '/v1/overview/days',
      permission,
      summary: 'Retrieve daily totals',
      query: daysQuery,
      result: overviewDays,
      read: readOverviewDays,
      table: {
        shape: day,
        open: async (call) => ({ name: 'days', stretches: [(await readOverviewDays(call)).days] }),
      },
    }),
  ]
}

const dayMs = 86_400_000

/** Returns this date and the ones before it, latest first. */
const datesBefore = (date: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(date) - i * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
  )

type ShownDay = ReturnType<typeof present>

/** Adds the days without activity, in each currency that has any activity, or in the Space's own. */
function fillDays(days: ShownDay[], dates: string[], ownCurrency: string): ShownDay[] {
  const found = new Map(days.map((day) => [`${day.date} ${day.currency}`, day]))
  const currencies = new Set(
    days.length > 0 ? days.map(({ currency }) => currency).toSorted() : [ownCurrency],
  )
  const none = { amount: 0n, count: 0n }
  return dates.flatMap((date) =>
    [...currencies].map(
      (currency) =>
        found.get(`${date} ${currency}`) ??
        present({ date, currency, collected: none, paidOut: none, refunded: none }),
    ),
  )
}

const present = ({ date, currency, ...sums }: Day) => {
  const money = moneyIn(currency)
  const shown = ({ amount, count }: Day['collected']) => ({ amount: money(amount), count: Number(count) })
  return {
    date,
    currency,
    collected: shown(sums.collected),
    paidOut: shown(sums.paidOut),
    refunded: shown(sums.refunded),
  }
}
