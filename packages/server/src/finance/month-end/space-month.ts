import type { Static } from 'typebox'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { timeZoneOfSpace } from '../../tenants/spaces/time-zone.ts'
import { datesUpTo } from '../reconciliation/clearing-days.ts'
import { selectCovered } from '../reconciliation/own-line-store.ts'
import { type ReconciledDay, reconciledDays } from '../reconciliation/reconciled.ts'
import { sumNewLines } from '../reconciliation/summing.ts'
import { readMonth, refuseArchivedMonth } from './months.ts'
import { presentBank, presentSignatures } from './presented.ts'
import { type DayOfProvider, nameOf, namesOf, presentDays } from './provider-days.ts'
import type { monthEnd, monthQuery } from './shapes.ts'
import { leastAdvanced } from './states.ts'
import { hasBookings, selectDaySignatures, selectOwed, selectSettled } from './store.ts'

type MonthCall = Pick<Call<Static<typeof monthQuery>>, 'scope' | 'now' | 'query'>

/** Returns the month that a call is about, the current date, and the Space's time zone. */
export async function openMonth(db: Database, { scope, now, query }: MonthCall) {
  const { to: today } = await datesUpTo(db, scope, now, 1)
  const isWhole = await sumNewLines(db, scope)
  const month = await readMonth(query.month, today, (one) => hasBookings(db, scope, one))
  await refuseArchivedMonth(db, month)
  return { month, today, isWhole, timeZone: await timeZoneOfSpace(db, scope) }
}

/** Returns the open steps in a Space before its month can be closed. */
export async function readSpaceMonth(db: Database, call: MonthCall): Promise<Static<typeof monthEnd>> {
  const { scope } = call
  const { month, today, isWhole, timeZone } = await openMonth(db, call)
  const booked = await reconciledDays(db, scope, month)
  const covered = await selectCovered(db, scope.environment, timeZone, month)
  const isStated = (id: string, date: string) =>
    covered.some(({ providerId, from, to }) => providerId === id && from <= date && date <= to)
  const days = providerDaysOf(booked, today, isStated)
  const isOwn = namesOf(days)
  const signed = (await selectDaySignatures(db, scope.environment, month)).filter((day) =>
    isOwn.has(nameOf(day)),
  )
  return {
    ...{ month: month.name, today, isWhole, ...presentDays(month, days) },
    differences: booked.filter(({ state }) => state === 'differs').map(presentDifference),
    ...presentBank(await selectSettled(db, scope, month), await selectOwed(db, scope, month, today)),
    // The operator's staff are not shown to merchants.
    signatures: presentSignatures(signed.map((day) => ({ ...day, by: null }))),
  }
}

/** Combines the bookings of each provider and day, which may differ in direction and currency. */
function providerDaysOf(
  booked: ReconciledDay[],
  today: string,
  isStated: (providerId: string, date: string) => boolean,
): DayOfProvider[] {
  const byDay = Map.groupBy(booked, nameOf)
  return [...byDay.values()].flatMap((some) => {
    const [first] = some
    const state = leastAdvanced(some.map((day) => day.state))
    if (!first || !state) return []
    const { providerId, date } = first
    return [{ providerId, date, state, isStated: isStated(providerId, date), hasEnded: date < today }]
  })
}

const presentDifference = ({
  date,
  providerId,
  direction,
  currency,
  openCount,
  openAmount,
  estimated,
}: ReconciledDay) => ({
  ...{ date, provider: providerId, direction, count: openCount },
  ...{ amount: moneyIn(currency)(openAmount), estimated },
})
