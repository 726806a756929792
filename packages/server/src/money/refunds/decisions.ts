import { must } from '@pesewa/values'
import { selectContradicted } from '../../ledger/accounts/case-store.ts'
import { applyLedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { withdraw } from '../../rails/instructions/instructions.ts'
import { type Decision, decide } from '../approvals/approvals.ts'
import { isOverRefunded } from '../payments/refundable.ts'
import { lockPayments } from '../payments/store.ts'
import { neverArrived } from './new-refund.ts'
import { sendOrQueue } from './queue.ts'
import { endRefunds, lockRefund, type RefundParts } from './refunds.ts'
import { isAutomatic, type Refund } from './store.ts'

/**
 * Approves a refund and sends it, or rejects it, in which case it is cancelled. The same user may repeat the
 * decision without further effect. The user who created the refund cannot make this decision.
 */
export async function decideRefund(
  tx: Tx,
  parts: RefundParts,
  scope: Scope,
  id: string,
  decision: Decision,
  at: Date,
): Promise<Refund> {
  const refund = await lockRefund(tx, scope, id)
  const decided = await decide(tx, 'refund', sql`refunds`, refund, decision, at)
  if (!decided) return refund
  if (decided.approval === 'rejected')
    await applyLedgerWork(tx, await endRefunds(tx, 'cancelled', [{ refund: decided, at }]))
  else {
    await refuseIfOverRefunded(tx, decided)
    await sendOrQueue(tx, parts, decided)
  }
  return lockRefund(tx, scope, id)
}

/**
 * Refuses a refund that must no longer be sent. Since it was created, another refund that was reported as
 * failed may have reached the payer after all, or the provider may have reported that the payment never
 * arrived.
 */
async function refuseIfOverRefunded(tx: Tx, { scope, paymentId }: Scoped<Refund>): Promise<void> {
  const [payment] = await lockPayments(tx, [{ scope, id: paymentId }])
  if (isOverRefunded(must(payment, 'payment of a refund')))
    throw new Refusal('refund_exceeds_payment', { message: wentBackMeanwhile })
  if ((await selectContradicted(tx, 'payment', [{ scope, id: paymentId }])).length > 0)
    throw new Refusal('state_conflict', { message: `${neverArrived} Reject this refund.` })
}

/**
 * Cancels a refund that has not been submitted. Cancelling it again has no effect. Automatic refunds cannot be
 * cancelled, because the payer paid the order twice.
 */
export async function cancelRefund(tx: Tx, scope: Scope, id: string, at: Date): Promise<Refund> {
  const isWithdrawn = await withdraw(tx, scope, id)
  const refund = await lockRefund(tx, scope, id)
  if (refund.status === 'cancelled') return refund
  if (isAutomatic(refund)) throw new Refusal('state_conflict', { message: notYours })
  if (!isWithdrawn || refund.status !== 'pending') throw new Refusal('state_conflict')
  await applyLedgerWork(tx, await endRefunds(tx, 'cancelled', [{ refund, at }]))
  return lockRefund(tx, scope, id)
}

const notYours = 'The payer paid this order twice, so this refund cannot be cancelled.'

const wentBackMeanwhile =
  'Another refund of this payment, which was reported as failed, has reached the payer after all. If you approved this refund, more than the payment would be refunded; reject it.'
