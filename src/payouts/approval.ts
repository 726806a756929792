import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import {
  deleteApprovalAbove,
  lockApprovalsAbove,
  selectUnapprovedSums,
  upsertApprovalAbove,
} from './approval-store.ts'
import { failPayouts } from './follower.ts'
import { instructPayouts, lockPayout, type Payout } from './payouts.ts'
import { writePayouts } from './store.ts'

/**
 * From now on a payout needs the approval of another user when it is of more than `amount` minor units, or when what its
 * user asked for within a day, or what its payee gets, would come to more without anybody's approval; in both
 * environments. With `null` none does. Those that were made before stay as they are.
 */
export async function setApprovalAbove(
  tx: Tx,
  spaceId: string,
  currency: string,
  amount: bigint | null,
): Promise<void> {
  for (const environment of ['test', 'live'] as const) {
    const scope: Scope = { spaceId, environment }
    if (amount === null) await deleteApprovalAbove(tx, scope, currency)
    else await upsertApprovalAbove(tx, scope, currency, amount)
  }
}

const dayMs = 86_400_000

type Judged = { amount: { currency: string; value: number }; userId: string; payeeAccount: string }

/** Which of some new payouts need approval, judged in their order, each as if those before it had been made. */
export async function judgeApprovals(tx: Tx, scope: Scope, judged: Judged[], at: Date) {
  const limits = await lockApprovalsAbove(tx, scope, [
    ...new Set(judged.map(({ amount }) => amount.currency)),
  ])
  const sums = limits.size > 0 ? await sumUnapproved(tx, scope, judged, at) : new Map<string, bigint>()
  return judged.map((payout) => {
    const limit = limits.get(payout.amount.currency)
    if (limit === undefined) return { needsApproval: false, countsUnapproved: false }
    const amount = BigInt(payout.amount.value)
    const names = [
      ofCreator(payout.amount.currency, payout.userId),
      ofPayee(payout.amount.currency, payout.payeeAccount),
    ]
    const needsApproval = names.some((name) => (sums.get(name) ?? 0n) + amount > limit)
    if (!needsApproval) for (const name of names) sums.set(name, (sums.get(name) ?? 0n) + amount)
    return { needsApproval, countsUnapproved: !needsApproval }
  })
}

const ofCreator = (currency: string, userId: string | null) => `${currency} creator ${userId}`
const ofPayee = (currency: string, account: string | null) => `${currency} payee ${account}`

async function sumUnapproved(tx: Tx, scope: Scope, judged: Judged[], at: Date): Promise<Map<string, bigint>> {
  const userIds = [...new Set(judged.map(({ userId }) => userId))]
  const accounts = [...new Set(judged.map(({ payeeAccount }) => payeeAccount))]
  const sums = await selectUnapprovedSums(tx, scope, userIds, accounts, new Date(at.getTime() - dayMs))
  return new Map(
    sums.map(({ currency, createdBy, payeeAccount, amount }) => [
      createdBy === null ? ofPayee(currency, payeeAccount) : ofCreator(currency, createdBy),
      amount,
    ]),
  )
}

export type Decision = { userId: string; approval: 'approved' | 'rejected' }

/** Lets a payout go, or ends it. Repeated by the same user, the same; refuses the user who asked for the payout. */
export async function decidePayout(
  tx: Tx,
  scope: Scope,
  id: string,
  { userId, approval }: Decision,
  at: Date,
): Promise<Payout> {
  const payout = await lockPayout(tx, scope, id)
  if (payout.approval === null)
    throw new Refusal('state_conflict', { message: 'This payout needs no approval.' })
  if (payout.createdBy === userId) throw new Refusal('access_denied', { message: byAnother })
  if (payout.approval === approval && payout.approvalUserId === userId) return payout
  if (payout.approval !== 'required' || payout.status !== 'pending') throw new Refusal('state_conflict')
  const decided = { ...payout, approval, approvalUserId: userId, approvalAt: at, updatedAt: at }
  await writePayouts(tx, [decided])
  if (approval === 'rejected') await failPayouts(tx, [{ payout: decided, failure: rejected, at }])
  else await instructPayouts(tx, [decided], at)
  return lockPayout(tx, scope, id)
}

const byAnother = 'A payout is approved or rejected by another user than the one who asked for it.'
const rejected = { code: 'rejected', message: 'The payout was not approved.' } as const
