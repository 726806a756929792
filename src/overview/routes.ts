import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { moneyIn } from '../ledger/postings.ts'
import type { SettlementColumns } from '../ledger/settlement.ts'
import { columnsOf, headerOf, linesOf } from '../platform/http/csv.ts'
import { type Call, type Route, read } from '../platform/http/route.ts'
import { described, explained, object, optional } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { type Day, datesUpTo, findDays } from './days.ts'
import { maxUnknown, movedKinds, selectOutcomes, selectUnknown } from './outcomes.ts'
import { catchUp } from './tallies.ts'

const sum = (description: string) =>
  object(
    {
      amount: described(shownMoney, 'The sum.'),
      count: described(Type.Integer(), 'How many there are.', 3),
    },
    { description },
  )
const day = object(
  {
    date: Type.String({ description: 'In the time zone of the Space’s country.', examples: ['2026-11-21'] }),
    currency: described(Type.String({ examples: ['SLE'] }), 'The currency of the sums, by ISO 4217.'),
    collected: sum('Payments that completed.'),
    paidOut: sum('Payouts, less recalls.'),
    refunded: sum('Refunds that completed.'),
  },
  { title: 'OverviewDay', description: 'What moved at providers, by the books.' },
)
const isWhole = Type.Boolean({
  description: 'False while what moved is still being summed: ask again in a moment.',
})
const counted = (description: string) => Type.Integer({ minimum: 0, maximum: maxUnknown, description })

const overview = object(
  {
    date: described(
      Type.String({ examples: ['2026-11-21'] }),
      'The day of the Space’s country that it is now.',
    ),
    isWhole,
    today: Type.Array(day, { description: 'One for each currency that something moved in.' }),
    providers: Type.Array(
      object({
        provider: described(Type.String({ examples: ['m17'] }), 'The id of the provider.'),
        completed: described(Type.Integer(), 'Payments that completed.', 97),
        failed: described(Type.Integer(), 'Payments that failed.', 3),
        underWay: described(Type.Integer(), 'Payments whose outcome is not known yet.', 1),
      }),
      { description: 'How the newest payments of the last 24 hours ended, 2 000 at most.' },
    ),
    unknown: described(
      Type.Array(
        object({
          of: explained(Type.Enum([...movedKinds]), 'What it is.', {
            payments: 'money in',
            payouts: 'money out',
            refunds: 'money back',
          }),
          over10Minutes: counted('That were sent over ten minutes ago, and have no outcome.'),
          overHour: counted('Of these, over an hour ago.'),
          overDay: counted('Of these, over a day ago.'),
        }),
      ),
      'What has had no outcome for long.',
    ),
  },
  { title: 'Overview' },
)

const daysQuery = object({
  days: optional(
    Type.Integer({
      minimum: 1,
      maximum: 92,
      default: 30,
      examples: [30],
      description: 'How many, up to today.',
    }), // limit: days of an overview
  ),
})
const overviewDays = object(
  { isWhole, days: described(Type.Array(day), 'The last first, one for each day and currency.') },
  { title: 'OverviewDays' },
)

type Parts = Platform & { settlementColumns: SettlementColumns }

/** What somebody wants to know who comes in the morning. */
export function overviewRoutes({ db, settlementColumns }: Parts): Route[] {
  const permission = 'balances:read'
  const lookAt = async ({ scope, now }: Pick<Call, 'scope' | 'now'>, count: number) => {
    const whole = await catchUp(db, scope)
    const dates = await datesUpTo(db, scope, now, count)
    const days = (await findDays(db, scope, settlementColumns, dates)).map(present)
    return { isWhole: whole, days, date: dates.to }
  }
  const lookAtDays = async (call: Call<{ days?: number }>) => {
    const { isWhole, days } = await lookAt(call, call.query.days ?? 30)
    return { isWhole, days }
  }
  return [
    read({
      url: '/v1/overview',
      permission,
      summary: 'Retrieve what moved today, how payments end, and what has no outcome',
      result: overview,
      async read(call) {
        const { isWhole, days, date } = await lookAt(call, 1)
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
      summary: 'Retrieve what moved on each of the last days',
      query: daysQuery,
      result: overviewDays,
      read: lookAtDays,
      files: {
        'text/csv': {
          open: async (call) => ({ name: 'days.csv', chunks: asCsv(await lookAtDays(call)) }),
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
  yield headerOf(columns)
  yield linesOf(columns, days)
}
