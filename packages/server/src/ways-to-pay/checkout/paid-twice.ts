import { selectContradicted } from '../../ledger/accounts/case-store.ts'
import { refundable } from '../../money/payments/refundable.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { lockPayments, type Payment } from '../../money/payments/store.ts'
import { createRefunds } from '../../money/refunds/new-refund.ts'
import type { RefundParts } from '../../money/refunds/refunds.ts'
import { hasOpenRefund, selectAutomatic } from '../../money/refunds/store.ts'
import { onlyAnswer } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { durationMs } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import { enqueueEach, schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'

const job = 'checkout-session.return-payment'
const undecidedMs = durationMs('1h') // time until a payment that the merchant is refunding is checked again

/** Enqueues the refunds of payments whose sessions had already been paid. */
export const returnLater = (tx: Tx, payments: Scoped<Payment>[]) =>
  enqueueEach(
    tx,
    payments.map(({ scope, id }) => ({ job, payload: { ...scope, paymentId: id } })),
  )

/**
 * Jobs that return the later payment of an order that was paid twice. If a refund cannot be created yet, the job is
 * retried until it can.
 */
export const paidTwiceJobs = (parts: Platform & RefundParts): Jobs => ({
  [job]: (payload) => {
    const scope = scopeOf(payload)
    const id = String(payload.paymentId)
    return parts.db.transaction((tx) => returnPayment(tx, parts, scope, id, parts.clock.now(scope)))
  },
})

/**
 * Refunds everything that can still be refunded of a payment, at most once. Nothing is refunded if the rail has
 * reported that the payment never arrived.
 */
async function returnPayment(tx: Tx, parts: RefundParts, scope: Scope, id: string, at: Date): Promise<void> {
  const [payment] = await lockPayments(tx, [{ scope, id }])
  if (!payment || payment.refunded >= payment.amount) return
  if ((await selectAutomatic(tx, [{ scope, paymentId: id }])).length > 0) return
  if ((await selectContradicted(tx, 'payment', [{ scope, id }])).length > 0) return
  // The merchant is refunding some of the payment. If that is rejected or fails, that money must still be returned.
  if (await hasOpenRefund(tx, scope, id))
    return schedule(tx, new Date(at.getTime() + undecidedMs), job, { ...scope, paymentId: id })
  // A refund that failed although it reached the payer is reserved, but does not count as refunded.
  if (refundable(payment) === 0n) return
  onlyAnswer(
    await createRefunds(tx, parts, [
      {
        scope,
        paymentId: showId(paymentIds, id),
        reason: 'paid_twice',
        userId: null,
        // After a restore, the payment may have another id, but its rail reference is the same.
        purpose: `paid_twice ${payment.railReference}`,
        at,
      },
    ]),
  )
}
