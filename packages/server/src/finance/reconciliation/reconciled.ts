import { must } from '@pesewa/values'
import type { Database, Reader } from '../../platform/db/database.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import type { Scope } from '../../platform/scope.ts'
import { timeZoneOfSpace } from '../../tenants/spaces/time-zone.ts'
import { type Booked, type Dates, selectBooked } from './clearing-day-store.ts'
import {
  findClosedDays,
  findOwnOpenLines,
  findOwnProgress,
  type OwnItemFilter,
  type OwnOpenLine,
  type OwnProgress,
  selectCovered,
  selectOwnItems,
} from './own-line-store.ts'

/**
 * `closed`: signed off by the operator. `awaited`: not fully covered by statements, or not matched yet.
 * `differs`: has open lines. `matched`: has no open lines.
 */
export const reconciledStates = ['closed', 'awaited', 'differs', 'matched'] as const
export type ReconciledState = (typeof reconciledStates)[number]

/**
 * The total that a Space booked at a provider on one day, and the lines that are still open. Amounts are in
 * minor units.
 */
export type ReconciledDay = Omit<Booked, 'accountId'> & {
  openCount: number
  openAmount: bigint
  /** True if there may be more open lines than were counted. */
  estimated: boolean
  state: ReconciledState
}

/** Returns the days from `from` to `to`, inclusive, on which something was booked, latest first. */
export async function reconciledDays(db: Reader, scope: Scope, dates: Dates): Promise<ReconciledDay[]> {
  const zone = await timeZoneOfSpace(db, scope)
  const [booked, open, progress, covered, closed] = [
    await selectBooked(db, scope, dates),
    await findOwnOpenLines(db, scope, zone),
    await findOwnProgress(db, scope, zone),
    await selectCovered(db, scope.environment, zone, dates),
    await findClosedDays(db, scope.environment, dates.from, dates.to),
  ]
  const openOf = Map.groupBy(open, (line) => keyOf({ ...line, direction: line.accountDirection }))
  const progressOf = new Map(progress.map((one) => [one.accountId, one]))
  return booked.map((day) => {
    const own = must(progressOf.get(day.accountId), 'clearing account of a day')
    const lines = openOf.get(keyOf(day)) ?? []
    const estimated = own.unreadUntil !== null && day.date <= own.unreadUntil
    const isClosed = closed.some((one) => one.providerId === day.providerId && one.day === day.date)
    const isCovered = covered.some(
      ({ providerId, from, to }) => providerId === day.providerId && from <= day.date && day.date <= to,
    )
    return {
      ...day,
      openCount: lines.length,
      openAmount: lines.reduce((sum, line) => sum + signedAmount(line), 0n),
      estimated,
      state: isClosed ? 'closed' : stateOf(day.date, own, isCovered, lines.length > 0 || estimated),
    }
  })
}

/**
 * Returns an amount with the sign that it has in the account's totals. For example, money that leaves a
 * collection account is negative there.
 */
const signedAmount = ({ amount, direction, accountDirection }: OwnOpenLine) =>
  direction === accountDirection ? amount : -amount

function stateOf(
  date: string,
  { unseenFrom }: OwnProgress,
  isCovered: boolean,
  hasOpen: boolean,
): ReconciledState {
  if (!isCovered || (unseenFrom !== null && date >= unseenFrom)) return 'awaited'
  return hasOpen ? 'differs' : 'matched'
}

const keyOf = ({
  date,
  providerId,
  direction,
  currency,
}: Pick<OwnOpenLine, 'date' | 'providerId' | 'direction' | 'currency'>) =>
  [date, providerId, direction, currency].join(' ')

/** Returns a page of open lines, newest first. */
export const openItems = async (db: Database, scope: Scope, filter: OwnItemFilter, page: Page) =>
  selectOwnItems(db, scope, await timeZoneOfSpace(db, scope), filter, page)
