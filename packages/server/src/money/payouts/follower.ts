import { must } from '@pesewa/values'
import { providerAccounts } from '../../ledger/accounts/accounts.ts'
import type { LedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Completed, Follower } from '../../rails/instructions/follower.ts'
import { completedBy } from '../../rails/instructions/transaction-rows.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { failPayouts, payoutRows } from './payouts.ts'

const delayedAfterMs = 600_000 // limit: time until `payout.delayed`

/** Updates payouts as their instructions change state. */
export const payoutFollower: Follower = {
  ...payoutRows.follower,
  delayedAfterMs,
  async delayed(tx, delayed) {
    const payouts = await payoutRows.step(tx, delayed, (payout, { at }) => ({ ...payout, updatedAt: at }))
    payoutRows.save(tx, 'payout.delayed', payouts)
  },
  completed: complete,
  async failed(tx, failed) {
    const payouts = await payoutRows.step(tx, failed, (payout, { failure, at }) => ({ payout, failure, at }))
    return failPayouts(tx, payouts)
  },
}

/** Books payouts whose money has moved: the amount goes to the rail, and the fees go to the service. */
async function complete(tx: Tx, completed: Completed[]): Promise<LedgerWork> {
  const payouts = await payoutRows.step(tx, completed, (payout, by) => ({ ...payout, ...completedBy(by) }))
  const accounts = await providerAccounts(tx, 'disbursement', payouts)
  payoutRows.save(tx, 'payout.completed', payouts)
  const captures = payouts.map((payout, i) => ({
    scope: payout.scope,
    id: must(payout.holdId, 'hold of a completed payout'),
    at: payout.updatedAt,
    reference: payout.ledgerReference,
    owners: [currentOwner('payout', payout)],
    // The amount and the fees are separate lines under one reference.
    credits: [
      { accountId: must(accounts[i], 'clearing account of a payout').clearing, amount: payout.amount },
      ...payout.fees.map(({ code, amount }) => ({
        accountId: must(accounts[i]?.fees, 'account for fees'),
        amount: BigInt(amount),
        feeCode: code,
      })),
    ],
  }))
  return { captures }
}
