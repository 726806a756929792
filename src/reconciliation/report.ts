import type { Direction } from '../ledger/accounts.ts'
import type { Database, Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { must } from '../platform/must.ts'
import type { Extent } from './clearing-store.ts'
import { selectClosedItems, selectClosedSums } from './closing-store.ts'
import type { Reconciled } from './objects.ts'
import { type AccountSum, type OpenItem, selectAges, selectItems, selectSums } from './report-store.ts'

export type { ClosedItem } from './closing-store.ts'
export type { OpenItem } from './report-store.ts'

export type Money = { currency: string; value: bigint }

/** What moved in one currency: in and out are never added up, and net is what is left of the one after the other. */
export type MoneyMoved = { currency: string; in: bigint; out: bigint; net: bigint }

/** The books beside what providers say. */
export type Report = Awaited<ReturnType<typeof reportOn>>
export type Difference = AccountSum & { difference: bigint | null }

const ages = ['under 1 d', '1 to 7 d', '7 to 30 d', 'over 30 d'] as const
const dayS = 86_400
const brackets = [dayS, 7 * dayS, 30 * dayS]

export const maxItemsListed = 100_000 // limit: open items that a report names with `--json`

// The operator waits for it.
const statementTimeoutMs = 10 * 60_000 // limit: time that a statement of a report takes, or of closing a day
export const patientWithReport = sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`

/** As of one moment: what is matched, what is open, and the proof that there is nothing else. */
export const reportOn = (db: Database, objects: Reconciled[], extent: Extent, now: Date, maxItems: number) =>
  db.snapshot(async (reader) => {
    await reader.query(patientWithReport)
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
      /** What is open in each state. */
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
      /** Open items by their age. */
      ageing,
      /** Oldest first; `isWhole`: these are all. */
      openItems: { isWhole: BigInt(items.length) === openItems, items },
      /** Closed by a person: no alarm any more, and never matched. The last to be closed come first. */
      closedByHand: {
        lines: closed.reduce((count, { items: closedNow }) => count + closedNow, 0n),
        value: flowsOf(closed),
        items: closedItems,
      },
      /** For each clearing account: its balance is what was matched and what was not, and nothing else. */
      proof: { accounts: sums.length, differences: sums.flatMap(differenceOf) },
      /** Every open item is one that no statement covers yet. */
      isClean: ageing.every(({ state }) => state === 'awaited'),
    }
  })

/** The oldest open items alone, as of the last matching. */
export const listOpenItems = (db: Reader, objects: Reconciled[], extent: Extent, limit: number) =>
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

/** An account with a line that is neither matched nor open, or with a balance that its lines do not add up to. */
function differenceOf(sum: AccountSum): Difference[] {
  const { matchedIn, matchedOut, openIn, openOut } = sum
  const accounted = matchedIn - matchedOut + openIn - openOut
  const difference = sum.balance === null ? null : sum.balance - accounted
  const isEachOnce = sum.matchedLines + sum.openLines === sum.lines
  return difference === 0n && isEachOnce ? [] : [{ ...sum, difference }]
}
