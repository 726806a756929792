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
  /** What the provider still owes of that amount; undefined if it owed nothing. */
  left: Amount | undefined
}

/**
 * Compares what providers announced with what the bank received. `unconfirmed` counts settlements that are not on
 * a provider's statement, and `unpaid` providers that still owe money from the month or, if it is not over, owe money
 * and have paid nothing.
 */
export function bankOf({ settlements, owed }: MonthEnd, isOver: boolean) {
  const rows = new Map<string, BankRow>()
  const rowOf = (provider: string, currency: string) => {
    const key = `${provider} ${currency}`
    const row = rows.get(key) ?? {
      ...{ provider, currency, announced: undefined, received: undefined },
      ...{ toppedUp: undefined, owed: undefined, left: undefined },
    }
    rows.set(key, row)
    return row
  }
  for (const { provider, kind, booked, stated } of settlements) {
    const row = rowOf(provider, booked.amount.currency)
    if (kind === 'float_top_up') row.toppedUp = booked.amount
    else Object.assign(row, { announced: stated.amount, received: booked.amount })
  }
  for (const { provider, direction, amount, paidSince } of owed) {
    if (direction !== 'collection' || amount.value <= 0) continue
    const value = BigInt(amount.value) - BigInt(paidSince.value)
    const left = { ...amount, value: value > 0n ? value : 0n }
    Object.assign(rowOf(provider, amount.currency), { owed: amount, left })
  }
  const all = [...rows.values()]
  const unpaid = all.flatMap(({ provider, left, received }) =>
    left && left.value > 0 && (isOver || !received) ? [{ provider, left }] : [],
  )
  return {
    rows: all,
    settlements: settlements.reduce((sum, { booked }) => sum + booked.count, 0),
    unconfirmed: settlements.reduce((sum, { booked, stated }) => sum + booked.count - stated.count, 0),
    unpaid: new Set(unpaid.map(({ provider }) => provider)).size,
    unpaidAmounts: unpaid.map(({ left }) => left),
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
      {rows.map(({ provider, currency, announced, received, toppedUp, owed, left }) => (
        <li key={`${provider} ${currency}`}>
          <ProviderName id={provider} />{' '}
          <span class="muted">
            {[
              announced && t.announced(money(announced)),
              received && t.received(money(received)),
              toppedUp && t.toppedUp(money(toppedUp)),
              owed && left && BigInt(left.value) !== BigInt(owed.value) && t.owed(money(owed)),
              left && (left.value > 0 ? t.left(money(left), isOver) : t.paidSince),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
