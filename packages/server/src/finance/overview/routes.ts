import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { type Call, type Route, read } from '../../platform/http/commands/route.ts'
import { columnsOf, csvHeader, csvLines } from '../../platform/http/lists/csv.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Day, datesUpTo, findDays } from '../reconciliation/clearing-days.ts'
import { sumNewLines } from '../reconciliation/summing.ts'
import { selectOutcomes, selectUnknown } from './outcome-store.ts'
import { day, daysQuery, overview, overviewDays } from './shapes.ts'

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

async function* asCsv({ days }: { days: unknown[] }) {
  const columns = columnsOf(day)
  yield csvHeader(columns)
  yield csvLines(columns, days)
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
