import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import { deleteApprovalAbove, upsertApprovalAbove } from './approval-store.ts'
import { lockPayout, type Payout } from './payouts.ts'
import { failPayout } from './settlement.ts'
import { moved } from './states.ts'
import { writePayouts } from './store.ts'

/**
 * From now on a payout of more than `amount` minor units needs the approval of another user, in both environments; with
 * `null` none does. Those that were made before stay as they are.
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
  if (payout.railState !== 'awaiting_approval') throw new Refusal('state_conflict')
  const decided = { ...payout, approval, approvalUserId: userId, approvalAt: at, updatedAt: at }
  await writePayouts(tx, scope, [approval === 'approved' ? moved(decided, 'queued', at)! : decided])
  if (approval === 'rejected') await failPayout(tx, scope, id, rejected, at)
  return lockPayout(tx, scope, id)
}

const byAnother = 'A payout is approved or rejected by another user than the one who asked for it.'
const rejected = { code: 'rejected', message: 'The payout was not approved.' } as const
