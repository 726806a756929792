import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { OwedByProvider, Settled } from './store.ts'

/** Returns settlements and the amounts that providers owe, as in the API. */
export const presentBank = (settled: Settled[], owed: OwedByProvider[]) => ({
  settlements: settled.map(({ providerId, kind, currency, ...sums }) => {
    const money = moneyIn(currency)
    return {
      ...{ provider: providerId, kind },
      booked: { count: sums.bookedCount, amount: money(BigInt(sums.bookedAmount)) },
      stated: { count: sums.statedCount, amount: money(BigInt(sums.statedAmount)) },
    }
  }),
  owed: owed.map(({ providerId, direction, currency, amount, paidSince }) => {
    const money = moneyIn(currency)
    return {
      ...{ provider: providerId, direction },
      ...{ amount: money(BigInt(amount)), paidSince: money(BigInt(paidSince)) },
    }
  }),
})

/** Returns how many days each person signed, and when last. The latest is first. */
export const presentSignatures = (signed: { by: string | null; at: Date }[]) =>
  [...Map.groupBy(signed, ({ by }) => by)]
    .map(([by, days]) => ({
      by,
      days: days.length,
      time: new Date(Math.max(...days.map(({ at }) => at.getTime()))).toISOString(),
    }))
    .toSorted((one, other) => (one.time < other.time ? 1 : -1))
