import { ProviderName } from '../../parts/providers.tsx'
import { type Amount, useMoney } from '../../text/format.tsx'
import type { MonthEnd } from './month-end.ts'
import { useTexts } from './texts.ts'

/** What a provider paid to the bank in one currency, and what it owed at the end of the month, or owes now. */
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

/**
 * What each provider announced, paid and owes, in words, because most providers have only some of these. `isOver` says
 * whether the month is over.
 */
export function BankRows({ rows, isOver }: { rows: BankRow[]; isOver: boolean }) {
  const { bank: t } = useTexts()
  const format = useMoney()
  const money = (amount: Amount) => format(amount).replaceAll(' ', '\u00a0')
  return (
    <ul>
      {rows.map(({ provider, currency, announced, received, toppedUp, owed }) => (
        <li key={`${provider} ${currency}`}>
          <ProviderName id={provider} />{' '}
          <span class="muted">
            {[
              announced && t.announced(money(announced)),
              received && t.received(money(received)),
              toppedUp && t.toppedUp(money(toppedUp)),
              owed && t.owed(money(owed), isOver),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
