import type { Provider } from '@pesewa/connector-kit'
import { findCountry, must } from '@pesewa/values'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { selectArchivedUntil } from '../../platform/db/archived-months.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Decider, readDecider } from '../../tenants/spaces/audit.ts'
import type { StatementSource } from './clearing-store.ts'
import {
  type DaySum,
  insertClosedDay,
  type ProviderDay,
  type SignedDay,
  selectBounds,
  selectClosedDays,
  selectDaySums,
  selectDaysToClose,
  selectGaps,
  updateReopened,
} from './day-store.ts'
import { lockOrRefuse } from './imports.ts'
import { showItem } from './item-names.ts'
import { allowLongReport } from './report.ts'
import { writeSigned } from './signed.ts'

/** A day at a provider, such as `2026-11-20`, in the time zone of the provider's country. */
export type DayName = StatementSource & { day: string }

/** The time zone of a provider, and the currency to use for a day without movements. */
export type ProviderLocale = { timeZone: string; currency: string }

export const providerLocale = ({ country }: Provider): ProviderLocale => ({
  timeZone: timeZoneOf(country),
  currency: must(findCountry(country), 'country of a provider').currency.code,
})

/**
 * Closes a day of a provider. By signing it, the operator confirms that statements and books agree, apart from
 * explained differences. After that, statements can no longer add lines to the day. Returns the signed totals
 * by currency.
 *
 * @throws Refusal `state_conflict` if the day is not over, not fully covered by statements, already closed, or
 * has open items; `arguments_invalid`
 */
export async function closeDay(
  tx: Tx,
  name: DayName,
  { timeZone, currency }: ProviderLocale,
  decider: Decider,
  now: Date,
): Promise<SignedDay[]> {
  const { by: closedBy, reason } = readDecider(decider)
  await lockOrRefuse(tx)
  const day = { ...name, ...(await selectBounds(tx, name.day, timeZone)) }
  await refuseUnclosable(tx, day, now)
  // Reads the lines along the indexes, so the cost does not depend on the number of other days.
  await tx.query(walkPlannerSettings)
  await tx.query(allowLongReport)
  const sums = await selectDaySums(tx, day)
  refuseOpen(name, sums)
  const byCurrency = Map.groupBy(sums, (sum) => sum.currency)
  if (byCurrency.size === 0) byCurrency.set(currency, [])
  const closed = [...byCurrency].map(([each, some]) => ({
    ...{ ...name, currency: each, ...sidesOf(some), differences: differencesOf(some) },
    ...{ closedAt: now, closedBy, reason },
  }))
  for (const each of closed) {
    refuseUnexplained(each)
    await writeSigned(tx, name.environment, decider, 'closeDay', await insertClosedDay(tx, day, each))
  }
  return closed
}

async function refuseUnclosable(db: Reader, day: ProviderDay, now: Date): Promise<void> {
  const [earlier] = await selectClosedDays(db, day, 1, day.day)
  if (earlier)
    throw conflict(
      `This day was closed at ${earlier.closedAt.toISOString()} by ${earlier.closedBy}: ${earlier.reason}`,
    )
  if (day.until > now) throw conflict(`This day does not end until ${day.until.toISOString()}.`)
  await refuseArchivedDay(db, day.from)
  refuseGaps(day, await selectGaps(db, day))
}

async function refuseArchivedDay(db: Reader, from: Date): Promise<void> {
  const archivedUntil = await selectArchivedUntil(db)
  if (archivedUntil && from < archivedUntil)
    throw conflict(
      `The bookings of this day were archived. Days can be closed and reopened from ${archivedUntil.toISOString()}.`,
    )
}

/**
 * Refuses to close a day with a gap in its statements. Money that moved during the gap is on no statement, so
 * the day cannot be signed.
 */
function refuseGaps(day: ProviderDay, [first, ...more]: { from: Date; until: Date }[]): void {
  if (!first) return
  const name = ({ from, until }: { from: Date; until: Date }) =>
    `from ${from.toISOString()} to ${until.toISOString()}`
  const others = more.length > 0 ? ` (first of ${more.length + 1} gaps)` : ''
  throw conflict(
    `Statements do not fully cover this day (${name(day)}). No statement covers the time ${name(first)}${others}. Import the missing statements; use --from and --until for periods without movements.`,
  )
}

/** Refuses to close a day with open items. Each of them must first be matched, or closed by an operator. */
function refuseOpen({ providerId, environment }: StatementSource, sums: DaySum[]): void {
  if (sums.some(({ cause }) => cause === 'unseen'))
    throw conflict(
      'Lines that were booked on this day have not been matched yet. Match the statements first: run `pesewa reconcile`, or call POST /v1/installation/reconciliation/match until it is done.',
    )
  const open = sums.filter(({ cause }) => cause === 'open')
  if (open.length === 0) return
  const names = open.map(({ side, example }) =>
    showItem(side === 'booked' ? { bookedId: example } : { providerId, environment, lineId: example }),
  )
  const count = open.reduce((items, { lines }) => items + lines, 0n)
  throw conflict(
    count === 1n
      ? `1 item of this day is open: ${names.join(', ')}. Match it or close it manually first.`
      : `${count} items of this day are open, such as ${names.join(', ')}. Match them or close them manually first.`,
  )
}

/** Counts the lines and adds up the amounts of each side. */
function sidesOf(sums: DaySum[]) {
  const of = (side: DaySum['side'], direction?: DaySum['direction']) =>
    sums.filter((sum) => sum.side === side && (direction === undefined || sum.direction === direction))
  const lines = (some: DaySum[]) => some.reduce((count, sum) => count + sum.lines, 0n)
  const value = (some: DaySum[]) => some.reduce((total, { amount }) => total + amount, 0n)
  return {
    statedLines: lines(of('stated')),
    statedIn: value(of('stated', 'collection')),
    statedOut: value(of('stated', 'disbursement')),
    bookedLines: lines(of('booked')),
    bookedIn: value(of('booked', 'collection')),
    bookedOut: value(of('booked', 'disbursement')),
  }
}

const differencesOf = (sums: DaySum[]) =>
  sums
    .filter(({ cause }) => cause !== 'matched')
    .map(({ side, cause, direction, lines, amount }) => ({
      ...{ side, cause, direction, lines: String(lines), amount: String(amount) },
    }))

/**
 * Refuses to close a day if the listed differences do not explain the entire difference between its totals.
 * Lines matched on the same day have equal amounts on both sides, so they cannot add to the difference.
 */
function refuseUnexplained({ differences, ...day }: SignedDay): void {
  for (const direction of ['collection', 'disbursement'] as const) {
    const explained = differences
      .filter((difference) => difference.direction === direction)
      .reduce((sum, { side, amount }) => sum + (side === 'stated' ? BigInt(amount) : -BigInt(amount)), 0n)
    const difference =
      direction === 'collection' ? day.statedIn - day.bookedIn : day.statedOut - day.bookedOut
    if (difference !== explained)
      throw conflict(
        `The matched totals in ${day.currency} differ between statements and books. Run \`pesewa reconcile\` to find out where.`,
      )
  }
}

/** Reopens a closed day, so that a corrected statement can be imported. Keeps the signed totals. */
export async function reopenDay(tx: Tx, name: DayName, decider: Decider, at: Date): Promise<void> {
  const decided = readDecider(decider)
  await lockOrRefuse(tx)
  await refuseArchivedDay(tx, new Date(name.day))
  const reopened = await updateReopened(tx, name, { ...decided, at })
  if (reopened.length === 0) throw conflict('This day is not closed.')
  for (const signed of reopened) await writeSigned(tx, name.environment, decider, 'reopenDay', signed)
}

const maxDaysListed = 1_000 // maximum number of closed days listed

/** Lists closed days, latest first, including reopened ones. */
export const listDays = (db: Reader, extent: Partial<StatementSource>) =>
  selectClosedDays(db, extent, maxDaysListed)

const maxDaysToClose = 100 // number of past days that are searched for days that are not closed

/** Lists past days that are not closed, earliest first, with the gaps in their statements. */
export const listDaysToClose = (
  db: Reader,
  source: StatementSource,
  { timeZone }: ProviderLocale,
  now: Date,
) => selectDaysToClose(db, source, timeZone, { now, days: maxDaysToClose })

const conflict = (message: string) => new Refusal('state_conflict', { message })
