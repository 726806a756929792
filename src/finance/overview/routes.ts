import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { type Call, type Route, read } from '../../platform/http/commands/route.ts'
import { columnsOf, csvHeader, csvLines } from '../../platform/http/lists/csv.ts'
import { object, optional, withDescription, withMeanings } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Day, datesUpTo, findDays } from '../reconciliation/clearing-days.ts'
import { sumNewLines } from '../reconciliation/summing.ts'
import { maxUnknown, selectOutcomes, selectUnknown, stuckKinds } from './outcomes.ts'

const sum = (description: string) =>
  object(
    {
      amount: withDescription(shownMoney, 'Total amount.'),
      count: withDescription(Type.Integer(), 'Number of objects.', 3),
    },
    { description },
  )
const day = object(
  {
    date: Type.String({
      description: 'Day in the time zone of the Space’s country.',
      examples: ['2026-11-21'],
    }),
    currency: withDescription(Type.String({ examples: ['SLE'] }), 'Three-letter ISO 4217 code.'),
    collected: sum('Completed payments.'),
    paidOut: sum('Payouts, less recalls.'),
    refunded: sum('Completed refunds.'),
  },
  { title: 'OverviewDay', description: 'A day’s totals in one currency, according to the books.' },
)
const isWhole = Type.Boolean({
  description: 'False while totals are still being computed. Retry shortly.',
})
const counted = (description: string) => Type.Integer({ minimum: 0, maximum: maxUnknown, description })

const overview = object(
  {
    date: withDescription(
      Type.String({ examples: ['2026-11-21'] }),
      'Today’s date in the time zone of the Space’s country.',
    ),
    isWhole,
    today: Type.Array(day, { description: 'Today’s totals, one entry per currency with activity.' }),
    providers: Type.Array(
      object({
        provider: withDescription(Type.String({ examples: ['m17'] }), 'Provider id.'),
        completed: withDescription(Type.Integer(), 'Completed payments.', 97),
        failed: withDescription(Type.Integer(), 'Failed payments.', 3),
        underWay: withDescription(Type.Integer(), 'Payments that have no outcome yet.', 1),
      }),
      { description: 'Outcomes of the newest payments of the last 24 hours, at most 2,000.' },
    ),
    unknown: withDescription(
      Type.Array(
        object({
          of: withMeanings(Type.Enum([...stuckKinds]), 'Kind of object.', {
            payments: 'money in',
            payouts: 'money out',
            refunds: 'money back',
          }),
          over10Minutes: counted('Number of objects sent more than ten minutes ago that have no outcome.'),
          overHour: counted('Number of these objects that were sent more than an hour ago.'),
          overDay: counted('Number of these objects that were sent more than a day ago.'),
        }),
      ),
      'Objects that have been without an outcome for too long.',
    ),
  },
  { title: 'Overview' },
)

const daysQuery = object({
  days: optional(
    Type.Integer({
      minimum: 1,
      maximum: 92, // limit: days of an overview
      default: 30,
      examples: [30],
      description: 'Number of days up to today.',
    }),
  ),
})
const overviewDays = object(
  { isWhole, days: withDescription(Type.Array(day), 'Latest first, one entry per day and currency.') },
  { title: 'OverviewDays' },
)

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
  const readOverviewDays = async (call: Call<{ days?: number }>) => {
    const { isWhole, days } = await readOverview(call, call.query.days ?? 30)
    return { isWhole, days }
  }
  return [
    read({
      url: '/v1/overview',
      permission,
      summary: 'Retrieve today’s totals, success rates and stuck outcomes',
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
      url: '/v1/overview/days',
      permission,
      summary: 'Retrieve daily totals',
      query: daysQuery,
      result: overviewDays,
      read: readOverviewDays,
      files: {
        'text/csv': {
          open: async (call) => ({ name: 'days.csv', chunks: asCsv(await readOverviewDays(call)) }),
        },
      },
    }),
  ]
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

async function* asCsv({ days }: { days: unknown[] }) {
  const columns = columnsOf(day)
  yield csvHeader(columns)
  yield csvLines(columns, days)
}
