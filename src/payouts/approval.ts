import type { Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import {
  deleteApprovalAbove,
  lockApprovalsAbove,
  sumByCreator,
  sumByPayee,
  upsertApprovalAbove,
} from './approval-store.ts'
import { failPayouts } from './follower.ts'
import { instructPayouts, lockPayout, type Payout, type PayoutParts } from './payouts.ts'
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

const dayMs = 86_400_000 // limit: how long payouts of a user, and to a payee, count towards approval

type Judged = Scoped<{
  amount: { currency: string; value: number }
  userId: string
  payeeAccount: string
  at: Date
}>

/** Which of some new payouts need approval, judged in their order, each as if those before it had been made. */
export async function judgeApprovals(tx: Tx, payouts: Judged[]) {
  const limits = await lockApprovalsAbove(
    tx,
    payouts.map(({ scope }) => scope),
  )
  const limited = payouts.filter((payout) => limits.has(limitOf(payout)))
  const sums = limited.length > 0 ? await sumUnapproved(tx, limited) : new Map<string, bigint>()
  return payouts.map((payout) => {
    const limit = limits.get(limitOf(payout))
    if (limit === undefined) return { needsApproval: false, countsUnapproved: false }
    const amount = BigInt(payout.amount.value)
    const names = [
      ofCreator(payout.scope, payout.amount.currency, payout.userId),
      ofPayee(payout.scope, payout.amount.currency, payout.payeeAccount),
    ]
    const needsApproval = names.some((name) => (sums.get(name) ?? 0n) + amount > limit)
    if (!needsApproval) for (const name of names) sums.set(name, (sums.get(name) ?? 0n) + amount)
    return { needsApproval, countsUnapproved: !needsApproval }
  })
}

const limitOf = ({ scope, amount }: Judged) => nameIn(scope, amount.currency)
const ofCreator = (scope: Scope, currency: string, userId: string) =>
  nameIn(scope, `${currency} creator ${userId}`)
const ofPayee = (scope: Scope, currency: string, account: string) =>
  nameIn(scope, `${currency} payee ${account}`)

async function sumUnapproved(tx: Tx, payouts: Judged[]): Promise<Map<string, bigint>> {
  const sinceOf = ({ scope, at }: Judged) => ({ scope, since: new Date(at.getTime() - dayMs) })
  const ofUsers = await sumByCreator(
    tx,
    payouts.map((payout) => ({ ...sinceOf(payout), by: payout.userId })),
  )
  const ofAccounts = await sumByPayee(
    tx,
    payouts.map((payout) => ({ ...sinceOf(payout), by: payout.payeeAccount })),
  )
  return new Map([
    ...ofUsers.map(({ scope, currency, by, amount }) => [ofCreator(scope, currency, by), amount] as const),
    ...ofAccounts.map(({ scope, currency, by, amount }) => [ofPayee(scope, currency, by), amount] as const),
  ])
}

export type Decision = { userId: string; approval: 'approved' | 'rejected' }

/** Lets a payout go, or ends it. Repeated by the same user, the same; refuses the user who asked for the payout. */
export async function decidePayout(
  tx: Tx,
  parts: PayoutParts,
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
  if (approval === 'rejected') await failPayouts(tx, [{ payout: decided, failure: rejected, at }])
  else await writePayouts(tx, await instructPayouts(tx, parts, [decided]))
  return lockPayout(tx, scope, id)
}

const byAnother = 'A payout is approved or rejected by another user than the one who asked for it.'
const rejected = { code: 'rejected', message: 'The payout was not approved.' } as const
