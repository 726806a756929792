import { must } from '@pesewa/values'
import { timeZoneOf } from '../../countries/time-zones.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { selectDayTotals } from './clearing-day-store.ts'

type Sum = { amount: bigint; count: bigint }
/** A day's totals in one currency: payments, payouts and refunds. */
export type Day = { date: string; currency: string } & Record<'collected' | 'paidOut' | 'refunded', Sum>

/** Returns the days from `from` to `to`, inclusive, that have any activity. */
export async function findDays(
  db: Reader,
  scope: Scope,
  columns: SettlementColumns,
  { from, to }: { from: string; to: string },
): Promise<Day[]> {
  const days = new Map<string, Day>()
  for (const { date, currency, type, amount, count } of await selectDayTotals(db, scope, from, to)) {
    const column = Object.hasOwn(columns, type) ? columns[type] : undefined
    if (column === undefined || column === 'settled') continue
    const key = `${date} ${currency}`
    const none = { amount: 0n, count: 0n }
    const day = days.get(key) ?? { date, currency, collected: none, paidOut: none, refunded: none }
    const sum = day[column]
    const towards = column === 'collected' ? amount : -amount
    days.set(key, { ...day, [column]: { amount: sum.amount + towards, count: sum.count + count } })
  }
  return [...days.values()]
}

/** Returns the first and the last day of the period of `count` days that ends today, in the Space's time zone. */
export async function datesUpTo(db: Reader, { spaceId }: Scope, now: Date, count: number) {
  const timeZone = timeZoneOf(must(await selectSpace(db, spaceId), 'Space of a call').country)
  return db.only<{ from: string; to: string }>(sql`
    select (today - ${count - 1}::int)::text as from, today::text as to
    from (select (${now}::timestamptz at time zone ${timeZone})::date as today) days`)
}
