import { isOrdered, refuseUnsearchable } from '../../ledger/accounts/boundaries.ts'
import { findFinalityTime, type TimeRange } from '../../ledger/accounts/range.ts'
import type { SettlementColumn, SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { refuseArchived } from '../../platform/db/archived-months.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  type AccountBalance,
  type ClearingMovement,
  type FeeSum,
  type Interval,
  type ReportPeriod,
  selectBalancesAt,
  selectClearing,
  selectFees,
  selectLongest,
  selectPeriods,
} from './report-store.ts'

/** The Space and the range of a report. Periods that begin after `now` are omitted. */
export type ReportExtent = { scope: Scope; range: TimeRange; now: Date }

type Reported<Row> = Row & { final: boolean }
/** A row with the key by which it is sorted. */
type Keyed<Row> = Row & { key: string }

const maxDays = 366 // limit: days in a report
const dayMs = 86_400_000

/**
 * Opens a report. Each period is read in a snapshot of its own, and no SQL statement reads more than one
 * period.
 */
async function openReport(db: Database, { scope, range, now }: ReportExtent) {
  if (range.to.getTime() - range.from.getTime() > maxDays * dayMs + dayMs)
    throw argumentRefusal('to', `must be at most ${maxDays} days after the start of the range`)
  await refuseArchived(db, range.from)
  const settled = await findFinalityTime(db)
  const ordered = await isOrdered(db, scope)
  if (!ordered) refuseUnsearchable(await selectLongest(db, scope))
  const isFinal = ({ to }: { to: Date }) => to <= settled
  const read = <T>(work: (reader: Reader) => Promise<T>) =>
    db.snapshot(async (reader) => {
      await reader.query(walkPlannerSettings)
      return work(reader)
    })
  const periods = async (interval: Interval) =>
    (await db.snapshot((reader) => selectPeriods(reader, range, interval))).filter(({ from }) => from <= now)
  return { ordered, isFinal, read, periods }
}

export type FeeRow = Keyed<Reported<FeeSum>> & { from: Date; to: Date }

/** Reports the fees of a range by code, provider and currency. */
export async function feeReport(db: Database, extent: ReportExtent, page: Page): Promise<FeeRow[]> {
  const { ordered, isFinal, read, periods } = await openReport(db, extent)
  const { from, to } = extent.range
  const sums = new Map<string, FeeRow>()
  for (const period of await periods('day')) {
    for (const fee of await read((reader) => selectFees(reader, extent.scope, period, ordered))) {
      const key = keyOf(fee.code, fee.providerId ?? '', fee.direction ?? '', fee.currency)
      const sum = sums.get(key)
      if (!sum) sums.set(key, { ...fee, key, from, to, final: isFinal({ to }) })
      else {
        sum.count += fee.count
        sum.charged += fee.charged
        sum.returned += fee.returned
      }
    }
  }
  return pageOf([...sums.values()], page)
}

export type SettlementRow = Keyed<Reported<ReportPeriod & Omit<ClearingMovement, 'moved'>>> &
  Record<SettlementColumn | 'other' | 'fees', bigint> & { count: number }

/** Reports the amounts that each provider owes, by day, direction and currency. */
export async function settlementReport(
  db: Database,
  extent: ReportExtent & { providerId: string | undefined; columns: SettlementColumns },
  page: Page,
): Promise<SettlementRow[]> {
  const { ordered, isFinal, read, periods } = await openReport(db, extent)
  return gather(await periods('day'), page, (period) =>
    read(async (reader) => {
      const accounts = await selectClearing(reader, extent.scope, period, extent.providerId, ordered)
      if (accounts.length === 0) return []
      const fees = await selectFees(reader, extent.scope, period, ordered)
      return accounts
        .filter(({ opening, closing, moved }) => opening !== 0n || closing !== 0n || moved.length > 0)
        .map((account) => settlementOf(account, period, fees, extent.columns, isFinal(period)))
    }),
  )
}

function settlementOf(
  { moved, ...account }: ClearingMovement,
  period: ReportPeriod,
  fees: FeeSum[],
  columns: SettlementColumns,
  final: boolean,
): SettlementRow {
  const { providerId, direction, currency } = account
  const row = { collected: 0n, refunded: 0n, paidOut: 0n, settled: 0n, other: 0n, fees: 0n, count: 0 }
  for (const { type, amount, count } of moved) {
    const column = Object.hasOwn(columns, type) ? columns[type] : undefined
    row[column ?? 'other'] += BigInt(amount) * (column === undefined || column === 'collected' ? 1n : -1n)
    row.count += count
  }
  for (const fee of fees)
    if (fee.providerId === providerId && fee.direction === direction && fee.currency === currency)
      row.fees += fee.charged - fee.returned
  prove(account, row)
  return { ...period, ...account, ...row, final, key: keyOf(period.date, providerId, direction, currency) }
}

function prove(
  { providerId, opening, closing }: Pick<ClearingMovement, 'providerId' | 'opening' | 'closing'>,
  { collected, refunded, paidOut, settled, other }: Record<SettlementColumn | 'other', bigint>,
): void {
  if (opening + collected - refunded - paidOut - settled + other !== closing)
    throw new Error(`the settlement report of ${providerId} does not add up: from ${opening} to ${closing}`)
}

export type BalanceRow = Keyed<Reported<ReportPeriod & AccountBalance>>

/** Reports the balances of accounts at the end of each period. */
export async function balanceReport(
  db: Database,
  extent: ReportExtent & { accountId: string | undefined; interval: Interval },
  page: Page,
): Promise<BalanceRow[]> {
  const { ordered, isFinal, read, periods } = await openReport(db, extent)
  const [afterDate, afterId = ''] = page.after?.split(separator) ?? []
  return gather(await periods(extent.interval), page, async (period) => {
    const balances = await read((reader) =>
      selectBalancesAt(reader, extent.scope, {
        moment: period.to,
        accountId: extent.accountId,
        after: period.date === afterDate ? afterId : beforeAllIds,
        ordered,
        take: page.take,
      }),
    )
    return balances.map((one) => ({
      ...period,
      ...one,
      final: isFinal(period),
      key: keyOf(period.date, one.id),
    }))
  })
}

const beforeAllIds = '00000000-0000-0000-0000-000000000000'
/** Separates the parts of a key. It sorts before every character that a part can contain. */
const separator = '!'
const keyOf = (...parts: string[]) => parts.join(separator)

/** Reads one period after another until the page is full. */
async function gather<Row extends { key: string }>(
  periods: ReportPeriod[],
  page: Page,
  read: (period: ReportPeriod) => Promise<Row[]>,
): Promise<Row[]> {
  const [firstDate = ''] = page.after?.split(separator) ?? []
  const rows: Row[] = []
  for (const period of periods) {
    if (period.date < firstDate) continue
    rows.push(...(await read(period)))
    if (pageOf(rows, page).length === page.take) break
  }
  return pageOf(rows, page)
}

const pageOf = <Row extends { key: string }>(rows: Row[], { after = '', take }: Page): Row[] =>
  rows
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, take)
