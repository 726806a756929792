import { judgeApprovals } from '../payouts/approval.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scope } from '../platform/scope.ts'
import type { SoundRow } from './rows.ts'

/**
 * Whether another user has to approve: as soon as any of the payouts would need it if they were made one after the other.
 * Each adds to what its creator paid out within the day, so that a sum above the Space's amount is one as well.
 */
export async function needsApproval(
  tx: Tx,
  scope: Scope,
  rows: SoundRow[],
  { userId, at }: { userId: string; at: Date },
): Promise<boolean> {
  const claims = rows.map(({ amount, currency, payee }) => ({
    ...{ scope, amount, currency, userId, at },
    payeeAccount: payee.account,
  }))
  return (await judgeApprovals(tx, claims)).some((judged) => judged.needsApproval)
}

/** What some rows come to by currency, in the order of the currencies' first rows. */
export function sumRows(rows: SoundRow[]): { currency: string; amount: bigint; count: number }[] {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency].map(([currency, ofCurrency]) => ({
    currency,
    amount: ofCurrency.reduce((sum, { amount }) => sum + amount, 0n),
    count: ofCurrency.length,
  }))
}
