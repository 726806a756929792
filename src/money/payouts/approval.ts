import { applyLedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { markChanging, markRules } from '../../tenants/spaces/chained-changes.ts'

import {
  deleteApprovalAbove,
  lockApprovalsAbove,
  sumByCreator,
  sumByPayee,
  upsertApprovalAbove,
} from './approval-store.ts'
import { failPayouts, instructPayouts, lockPayout, type PayoutParts } from './payouts.ts'
import { type Payout, writePayouts } from './store.ts'

/**
 * Requires another user's approval for a payout of more than `amount` minor units. A smaller payout also needs
 * approval if it would raise either of two totals above `amount`: the total that its creator has paid, or the
 * total that its payee has received, without approval within a day. `null` removes the requirement. Existing
 * payouts are not affected.
 */
export async function setApprovalAbove(
  tx: Tx,
  scope: Scope,
  currency: string,
  amount: bigint | null,
): Promise<void> {
  await markRules(tx, scope, 'payout_approvals_above')
  if (amount === null) await deleteApprovalAbove(tx, scope, currency)
  else await upsertApprovalAbove(tx, scope, currency, amount)
}

const dayMs = 86_400_000 // limit: how long a user's payouts, and payouts to a payee, count towards approval

/** A payout's contribution to the totals of its creator and its payee, in minor units. */
export type ApprovalClaim = Scoped<{
  amount: bigint
  currency: string
  userId: string
  payeeAccount: string
  at: Date
}>

/** Returns, for each new payout, whether it needs approval and whether it counts as paid without approval. */
export async function checkApprovals(tx: Tx, claims: ApprovalClaim[]) {
  const limits = await lockApprovalsAbove(
    tx,
    claims.map(({ scope }) => scope),
  )
  const limited = claims.filter((claim) => limits.has(limitOf(claim)))
  const sums = limited.length > 0 ? await sumUnapproved(tx, limited) : new Map<string, bigint>()
  return checkInOrder(claims, limits, sums)
}

/**
 * Checks each claim as if the claims before it had been paid. Claims that need no approval are added to `sums`.
 *
 * @param limits the amounts above which another user must approve; the keys are from `limitOf`
 * @param sums the totals paid without approval within a day; the keys are from `approvalTotalNames`
 */
export function checkInOrder(
  claims: ApprovalClaim[],
  limits: Map<string, bigint>,
  sums: Map<string, bigint>,
) {
  return claims.map((claim) => {
    const limit = limits.get(limitOf(claim))
    if (limit === undefined) return { needsApproval: false, countsUnapproved: false }
    const names = approvalTotalNames(claim)
    const sumWith = (name: string) => (sums.get(name) ?? 0n) + claim.amount
    const needsApproval = names.some((name) => sumWith(name) > limit)
    if (!needsApproval) for (const name of names) sums.set(name, sumWith(name))
    return { needsApproval, countsUnapproved: !needsApproval }
  })
}

export const limitOf = ({ scope, currency }: Pick<ApprovalClaim, 'scope' | 'currency'>) =>
  globalName(scope, currency)

/** Returns the keys of the totals of a payout's creator and payee. */
export const approvalTotalNames = ({
  scope,
  currency,
  userId,
  payeeAccount,
}: Omit<ApprovalClaim, 'amount' | 'at'>) => [
  ofCreator(scope, currency, userId),
  ofPayee(scope, currency, payeeAccount),
]
const ofCreator = (scope: Scope, currency: string, userId: string) =>
  globalName(scope, `${currency} creator ${userId}`)
const ofPayee = (scope: Scope, currency: string, account: string) =>
  globalName(scope, `${currency} payee ${account}`)

async function sumUnapproved(tx: Tx, claims: ApprovalClaim[]): Promise<Map<string, bigint>> {
  const sinceOf = ({ scope, at }: ApprovalClaim) => ({ scope, since: new Date(at.getTime() - dayMs) })
  const ofUsers = await sumByCreator(
    tx,
    claims.map((claim) => ({ ...sinceOf(claim), by: claim.userId })),
  )
  const ofAccounts = await sumByPayee(
    tx,
    claims.map((claim) => ({ ...sinceOf(claim), by: claim.payeeAccount })),
  )
  return new Map([
    ...ofUsers.map(({ scope, currency, by, amount }) => [ofCreator(scope, currency, by), amount] as const),
    ...ofAccounts.map(({ scope, currency, by, amount }) => [ofPayee(scope, currency, by), amount] as const),
  ])
}

export type Decision = { userId: string; approval: 'approved' | 'rejected' }

/**
 * Approves a payout and sends it, or rejects it, in which case it fails. The same user may repeat the decision
 * without further effect. The user who created the payout is refused.
 */
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
    throw new Refusal('state_conflict', { message: 'This payout does not need approval.' })
  if (payout.createdBy === userId) throw new Refusal('access_denied', { message: byAnother })
  if (payout.approval === approval && payout.approvalUserId === userId) return payout
  if (payout.approval !== 'required' || payout.status !== 'pending') throw new Refusal('state_conflict')
  await markChanging(tx, 'payout', sql`payouts`, [payout])
  const decided = { ...payout, approval, approvalUserId: userId, approvalAt: at, updatedAt: at }
  if (approval === 'rejected')
    await applyLedgerWork(tx, await failPayouts(tx, [{ payout: decided, failure: rejected, at }]))
  else await writePayouts(tx, await instructPayouts(tx, parts, [decided]))
  return lockPayout(tx, scope, id)
}

const byAnother = 'A payout must be approved or rejected by a user other than its creator.'
const rejected = { code: 'rejected', message: 'The payout was not approved.' } as const
