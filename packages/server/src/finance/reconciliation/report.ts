import { must } from '@pesewa/values'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Extent } from './clearing-store.ts'
import { selectClosedItems, selectClosedSums } from './closing-store.ts'
import { type AccountSum, type OpenItem, selectAges, selectItems, selectSums } from './report-store.ts'

/** Money moved in one currency. `net` is `in` less `out`. */
export type MoneyMoved = { currency: string; in: bigint; out: bigint; net: bigint }

/** A report that compares the books with the statements of providers. */
export type Report = Awaited<ReturnType<typeof reportOn>>
export type Difference = AccountSum & { difference: bigint | null }

export const ages = ['under 1 d', '1 to 7 d', '7 to 30 d', 'over 30 d'] as const
const dayS = 86_400
const brackets = [dayS, 7 * dayS, 30 * dayS]

export const maxItemsListed = 100_000 // limit: open items in a report

// Limited, because an operator is waiting for the result.
const statementTimeoutMs = 10 * 60_000 // duration of an SQL statement for a report or for closing a day
export const allowLongReport = sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`

/** Reports the matched and the open items at one moment, and proves that there are no others. */
export const reportOn = (
  db: Database,
  objects: ReconciledType[],
  extent: Extent,
  now: Date,
  maxItems: number,
) =>
  db.snapshot(async (reader) => {
    await reader.query(allowLongReport)
    const sums = await selectSums(reader, extent)
    const ageing = await ageingOf(reader, extent, now)
    const items: OpenItem[] = await selectItems(reader, objects, extent, maxItems)
    const openItems = ageing.reduce((count, group) => count + group.items, 0n)
    const closed = await selectClosedSums(reader, extent)
    const closedItems = await selectClosedItems(reader, extent, maxItems)
    return {
      linesMatched: sums.reduce((count, { matchedLines }) => count + matchedLines, 0n),
      valueMatched: flowsOf(
        sums
          .filter(({ matchedLines }) => matchedLines > 0n)
          .flatMap(({ currency, matchedIn, matchedOut }) => [
            { currency, direction: 'collection' as const, amount: matchedIn },
            { currency, direction: 'disbursement' as const, amount: matchedOut },
          ]),
      ),
      /** Open amounts by state. */
      valueOpen: [...Map.groupBy(ageing, ({ state }) => state)].flatMap(([state, groups]) =>
        flowsOf(
          groups.map(({ direction, amount: { currency, value: amount } }) => ({
            direction,
            currency,
            amount,
          })),
        ).map((flow) => ({ state, ...flow })),
      ),
      oldestOpenItem: items[0] ?? null,
      /** Open items by age. */
      ageing,
      /** Open items, oldest first. `isWhole` is true if the list is complete. */
      openItems: { isWhole: BigInt(items.length) === openItems, items },
      /**
       * Items closed by an operator, most recently closed first. They will never be matched, but need no more
       * attention.
       */
      closedByHand: {
        lines: closed.reduce((count, { items: closedNow }) => count + closedNow, 0n),
        value: flowsOf(closed),
        items: closedItems,
      },
      /** Proves, for each clearing account, that matched and open lines make up its whole balance. */
      proof: { accounts: sums.length, differences: sums.flatMap(differenceOf) },
      /** True if all open items are only waiting for a statement. */
      isClean: ageing.every(({ state }) => state === 'awaited'),
    }
  })

/** Lists the oldest open items, as of the last matching run. */
export const listOpenItems = (db: Reader, objects: ReconciledType[], extent: Extent, limit: number) =>
  selectItems(db, objects, extent, limit)

async function ageingOf(reader: Reader, extent: Extent, now: Date) {
  const sums = await selectAges(reader, extent, now, brackets)
  return sums.map(({ state, bracket, direction, currency, items, amount }) => ({
    state,
    age: must(ages[bracket], 'age of a bracket'),
    direction,
    items,
    amount: { currency, value: amount },
  }))
}

function flowsOf(sums: { direction: Direction; currency: string; amount: bigint }[]): MoneyMoved[] {
  const sumOf = (some: typeof sums) => some.reduce((sum, { amount }) => sum + amount, 0n)
  return [...Map.groupBy(sums, ({ currency }) => currency)].sort().map(([currency, some]) => {
    const moved = Map.groupBy(some, ({ direction }) => direction)
    const [into, out] = [sumOf(moved.get('collection') ?? []), sumOf(moved.get('disbursement') ?? [])]
    return { currency, in: into, out, net: into - out }
  })
}

/**
 * Returns a list with the account if one of its lines is neither matched nor open, or if its lines do not add
 * up to its balance. Otherwise, returns an empty list.
 */
function differenceOf(sum: AccountSum): Difference[] {
  const { matchedIn, matchedOut, openIn, openOut } = sum
  const accounted = matchedIn - matchedOut + openIn - openOut
  const difference = sum.balance === null ? null : sum.balance - accounted
  const isEachOnce = sum.matchedLines + sum.openLines === sum.lines
  return difference === 0n && isEachOnce ? [] : [{ ...sum, difference }]
}
