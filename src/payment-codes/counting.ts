import assert from 'node:assert/strict'
import { shownAccount } from '../payments/channel.ts'
import { findPayment, type Payment } from '../payments/payments.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { selectAttempts, takeAttempt } from './attempt-store.ts'
import {
  end,
  isOpen,
  isPast,
  lockCode,
  moveTo,
  type PaymentCode,
  publishCode,
  type ShownParts,
} from './payment-codes.ts'
import { type Processed, updateCode } from './store.ts'
import { isMet } from './target.ts'

/** A payment by the code completed. Money counts, whatever has become of the code; told again, it counts once. */
export async function countPaid(
  tx: Tx,
  parts: ShownParts,
  scope: Scope,
  id: string,
  paymentId: string,
  at: Date,
): Promise<void> {
  const code = await lockCode(tx, scope, id)
  if (!(await takeAttempt(tx, scope, id, paymentId))) return
  const payment = await findPayment(tx, scope, paymentId)
  assert(payment?.status === 'completed', 'only a completed payment is told as paid')
  const paid: PaymentCode = {
    ...code,
    paidCount: code.paidCount + 1,
    paidTotal: code.paidTotal + payment.amount,
    failedCount: 0,
    processed: processedBy(payment),
    updatedAt: at,
  }
  if (isOpen(paid) && isMet(paid)) {
    const completed = moveTo(paid, 'completed', at)
    await updateCode(tx, scope, completed)
    return publishCode(tx, parts, scope, completed, 'processed', 'completed')
  }
  await updateCode(tx, scope, paid)
  await publishCode(tx, parts, scope, paid, 'processed')
  await expireAfterAttempt(tx, parts, scope, paid, at)
}

/** An attempt failed: once none is in flight a code that was never paid waits again. */
export async function countFailed(
  tx: Tx,
  parts: ShownParts,
  scope: Scope,
  id: string,
  paymentId: string,
  at: Date,
): Promise<void> {
  const code = await lockCode(tx, scope, id)
  if (!(await takeAttempt(tx, scope, id, paymentId))) return
  const isIdle = code.paidCount === 0 && (await selectAttempts(tx, scope, id)).length === 0
  const failed: PaymentCode = { ...code, failedCount: code.failedCount + 1 }
  const waiting = isOpen(failed) && isIdle ? moveTo(failed, 'pending', at) : failed
  await updateCode(tx, scope, waiting)
  await expireAfterAttempt(tx, parts, scope, waiting, at)
}

/** The attempt may have outlived the code's time. */
async function expireAfterAttempt(tx: Tx, parts: ShownParts, scope: Scope, code: PaymentCode, at: Date) {
  if (!isOpen(code) || !isPast(code, at)) return
  if ((await selectAttempts(tx, scope, code.id)).length === 0)
    await end(tx, parts, scope, code, 'expired', at)
}

/** Its payer's account is masked. */
const processedBy = (payment: Payment): Processed => ({
  amount: { currency: payment.currency, value: wholeNumber(payment.amount) },
  orderId: showId('order', payment.orderId),
  paymentId: showId('payment', payment.id),
  orderNumber: payment.orderNumber,
  channelData: {
    providerId: payment.providerId,
    accountId: shownAccount(payment),
    reference: payment.railTransaction,
  },
  financialTransactionReference: payment.ledgerReference!,
  metadata: payment.metadata,
})
