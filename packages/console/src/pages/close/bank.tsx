import { ProviderName } from '../../parts/providers.tsx'
import { Table } from '../../parts/table.tsx'
import { type Amount, Money } from '../../text/format.tsx'
import type { MonthEnd } from './month-page.tsx'
import { useTexts } from './texts.ts'

/** What a provider paid to the bank in one currency, and what it owes. */
export type BankRow = {
  provider: string
  currency: string
  announced: Amount | undefined
  received: Amount | undefined
  toppedUp: Amount | undefined
  owed: Amount | undefined
}

/**
 * Compares what providers announced with what the bank received. `unconfirmed` counts settlements that are not on
 * a provider's statement, and `unpaid` providers that owe money and paid nothing in the month.
 */
export function bankOf({ settlements, owed }: MonthEnd) {
  const rows = new Map<string, BankRow>()
  const rowOf = (provider: string, currency: string) => {
    const key = `${provider} ${currency}`
    const row = rows.get(key) ?? {
      ...{ provider, currency, announced: undefined, received: undefined },
      ...{ toppedUp: undefined, owed: undefined },
    }
    rows.set(key, row)
    return row
  }
  for (const { provider, kind, booked, stated } of settlements) {
    const row = rowOf(provider, booked.amount.currency)
    if (kind === 'float_top_up') row.toppedUp = booked.amount
    else Object.assign(row, { announced: stated.amount, received: booked.amount })
  }
  for (const { provider, direction, amount } of owed)
    if (direction === 'collection') rowOf(provider, amount.currency).owed = amount
  const all = [...rows.values()]
  return {
    rows: all,
    settlements: settlements.reduce((sum, { booked }) => sum + booked.count, 0),
    unconfirmed: settlements.reduce((sum, { booked, stated }) => sum + booked.count - stated.count, 0),
    unpaid: new Set(
      all.filter((row) => row.owed && row.owed.value > 0 && !row.received).map(({ provider }) => provider),
    ).size,
  }
}

const Cell = ({ of }: { of: Amount | undefined }) => (of ? <Money of={of} /> : <>–</>)

export function BankTable({ rows }: { rows: BankRow[] }) {
  const { provider, bank: t } = useTexts()
  return (
    <Table
      label={t.title}
      rows={rows}
      keyOf={(row) => `${row.provider} ${row.currency}`}
      columns={[
        { label: provider, cell: (row) => <ProviderName id={row.provider} /> },
        { label: t.announced, cell: (row) => <Cell of={row.announced} />, isNumber: true },
        { label: t.received, cell: (row) => <Cell of={row.received} />, isNumber: true },
        rows.some(({ toppedUp }) => toppedUp) && {
          label: t.toppedUp,
          cell: (row) => <Cell of={row.toppedUp} />,
          isNumber: true,
          isExtra: true,
        },
        { label: t.owed, cell: (row) => <Cell of={row.owed} />, isNumber: true },
      ]}
    />
  )
}
