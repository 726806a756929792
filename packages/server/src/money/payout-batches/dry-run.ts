import { must, wholeNumber } from '@pesewa/values'
import { findMainAccount } from '../../ledger/accounts/accounts.ts'
import { selectBalances } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { findFees } from '../fees/fees.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { needsApproval, sumRows } from './claims.ts'
import { checkRows, type ValidRow } from './rows.ts'
import type { BatchToCheck } from './shapes.ts'
import { findWarnings } from './warnings.ts'

/**
 * Checks the given rows, and returns the totals of the batch together with the errors and warnings for each
 * row. Writes nothing and does not query the rail, since no provider would accept a thousand name look-ups.
 *
 * @throws Refusal `arguments_invalid` if the file cannot be read as rows
 */
export async function checkBatch(
  tx: Tx,
  parts: PayoutParts,
  { scope, body, userId, now: at, may }: Call<unknown, BatchToCheck>,
) {
  const issues = new Issues()
  const { rows, accountId } = await checkRows(tx, parts, scope, body, issues)
  issues.refuse()
  const sound = rows.flatMap((row) => row.valid ?? [])
  const warnings = await findWarnings(tx, parts, scope, sound, at)
  const totals = await findTotals(tx, scope, sound, accountId)
  return {
    ok: sound.length === rows.length,
    approvalRequired: await needsApproval(tx, scope, sound, { userId, at }),
    totals: totals.map(({ currency, count, amount, fees, available }) => {
      const money = (value: bigint) => ({ currency, value: wholeNumber(value) })
      return {
        rows: count,
        amount: money(amount),
        fees: money(fees),
        ...(may('balances:read') && { availableAfter: money(available - amount - fees) }),
      }
    }),
    rows: rows.map((row) => ({
      number: row.number,
      ok: row.valid !== undefined,
      faults: row.issues,
      warnings: warnings.get(row.number) ?? [],
    })),
  }
}

/** Returns, for each currency, the sum of the rows, their fees, and the available balance of the paying account. */
async function findTotals(tx: Tx, scope: Scope, sound: ValidRow[], accountId: string | undefined) {
  const charged = await findFees(
    tx,
    sound.map((row) => ({ ...row, scope })),
    'payout',
  )
  const feesOf = (currency: string) =>
    sound.reduce((sum, row, i) => {
      const ofRow = row.currency === currency ? must(charged[i], 'fees of a row') : []
      return ofRow.reduce((all, fee) => all + BigInt(fee.amount), sum)
    }, 0n)
  const totals = []
  for (const total of sumRows(sound)) {
    // An account that has never been opened is empty.
    const paying = accountId ?? (await findMainAccount(tx, scope, total.currency))
    const balance = paying && (await selectBalances(tx, scope, [paying])).get(paying)
    const available = balance ? balance.posted - balance.held : 0n
    totals.push({ ...total, fees: feesOf(total.currency), available })
  }
  return totals
}
