import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { checkApprovals } from '../approvals/policy.ts'
import type { ValidRow } from './rows.ts'

/**
 * Returns whether another user must approve a batch. This is the case if at least one of its payouts would need
 * approval if they were created one after the other. Each payout adds to its creator's total for the day, so a
 * batch whose total exceeds the Space's limit also needs approval.
 */
export async function needsApproval(
  tx: Tx,
  scope: Scope,
  rows: ValidRow[],
  { userId, at }: { userId: string; at: Date },
): Promise<boolean> {
  const claims = rows.map(({ amount, currency, payee }) => ({
    ...{ scope, amount, currency, userId, at },
    payeeAccount: payee.account,
  }))
  return (await checkApprovals(tx, 'payout', sql`payouts`, claims)).some((judged) => judged.needsApproval)
}

/**
 * Returns the sum and the number of the rows in each currency, in the order in which the currencies first
 * appear.
 */
export function sumRows(rows: ValidRow[]): { currency: string; amount: bigint; count: number }[] {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency].map(([currency, ofCurrency]) => ({
    currency,
    amount: ofCurrency.reduce((sum, { amount }) => sum + amount, 0n),
    count: ofCurrency.length,
  }))
}
