import { must, wholeNumber } from '@pesewa/values'
import { type NewEvent, publishEach } from '../../events/events.ts'
import { shownAccount } from '../../money/payments/channel.ts'
import type { PaymentOrigin } from '../../money/payments/follower.ts'
import { orderIds, paymentIds } from '../../money/payments/resources.ts'
import type { Payment } from '../../money/payments/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { deleteAttempts, selectAttempts } from './attempt-store.ts'
import { codeEvent, type Happening, isExpired, isOpen, withStatus } from './payment-codes.ts'
import type { PaymentCodeSettings } from './settings.ts'
import { lockCodes, type PaymentCode, type Processed, updateCodes } from './store.ts'
import { isTargetMet } from './target.ts'

/**
 * Updates codes in the transaction that ends their payments. A completed payment is counted whatever the code's
 * status. Each attempt is ended only once. A code that has never been paid becomes `pending` again when none of
 * its attempts is in flight any more.
 */
export const paymentCodeOrigin = (settings: PaymentCodeSettings): PaymentOrigin => ({
  paid: (tx, payments) => endAttempts(tx, settings, payments, codeAfterPayment),
  failed: (tx, payments) => endAttempts(tx, settings, payments, codeAfterFailure),
})

/**
 * Determines the state of a code after one of its payments has ended, and what happened to the code. `inFlight`
 * is the number of attempts that are still in flight.
 */
type Outcome = (
  code: PaymentCode,
  payment: Payment,
  inFlight: number,
) => { code: PaymentCode; happened: Happening[] }

async function endAttempts(
  tx: Tx,
  settings: PaymentCodeSettings,
  payments: Scoped<Payment>[],
  outcomeOf: Outcome,
) {
  const codes = byGlobalName(await lockCodes(tx, payments.map(codeOf)))
  const ended = byGlobalName(await deleteAttempts(tx, payments))
  const inFlight = Map.groupBy(await selectAttempts(tx, [...codes.values()]), ({ scope, paymentCodeId }) =>
    globalName(scope, paymentCodeId),
  )
  const changed = new Map<string, Scoped<PaymentCode>>()
  const events: Scoped<NewEvent>[] = []
  for (const payment of payments) {
    const { scope, originId } = payment
    const name = globalName(scope, originId)
    if (!ended.has(globalName(scope, payment.id))) continue
    const before = must(codes.get(name), 'code of a payment')
    const { code, happened } = outcomeOf(before, payment, inFlight.get(name)?.length ?? 0)
    codes.set(name, { ...code, scope })
    changed.set(name, { ...code, scope })
    const [first, ...more] = happened
    if (first) events.push(codeEvent(settings, scope, code, [first, ...more]))
  }
  updateCodes(tx, [...changed.values()])
  publishEach(tx, events)
}

const codeOf = ({ scope, originId: id }: Scoped<Payment>) => ({ scope, id })

const codeAfterPayment: Outcome = (code, payment, inFlight) => {
  const at = payment.updatedAt
  const paid: PaymentCode = {
    ...code,
    paidCount: code.paidCount + 1,
    paidTotal: code.paidTotal + payment.amount,
    failedCount: 0,
    processed: presentProcessedPayment(payment),
    updatedAt: at,
  }
  if (isOpen(paid) && isTargetMet(paid))
    return { code: withStatus(paid, 'completed', at), happened: ['processed', 'completed'] }
  return isOverdue(paid, inFlight, at)
    ? { code: withStatus(paid, 'expired', at), happened: ['processed', 'expired'] }
    : { code: paid, happened: ['processed'] }
}

const codeAfterFailure: Outcome = (code, { updatedAt: at }, inFlight) => {
  const failed: PaymentCode = { ...code, failedCount: code.failedCount + 1 }
  // If several payments fail together, the first of them already moves the code back to `pending`.
  const isIdle = code.status === 'processing' && code.paidCount === 0 && inFlight === 0
  const waiting = isIdle ? withStatus(failed, 'pending', at) : failed
  return isOverdue(waiting, inFlight, at)
    ? { code: withStatus(waiting, 'expired', at), happened: ['expired'] }
    : { code: waiting, happened: [] }
}

/** Returns whether an open code must now be set to expired. An attempt that is still in flight prevents this. */
const isOverdue = (code: PaymentCode, inFlight: number, at: Date) =>
  isOpen(code) && isExpired(code, at) && inFlight === 0

/** Returns the payment in the form shown in its code, with the payer's account masked. */
const presentProcessedPayment = (payment: Payment): Processed => ({
  amount: { currency: payment.currency, value: wholeNumber(payment.amount) },
  orderId: showId(orderIds, payment.orderId),
  paymentId: showId(paymentIds, payment.id),
  orderNumber: payment.orderNumber,
  channelData: {
    providerId: payment.providerId,
    accountId: shownAccount(payment),
    reference: payment.railTransaction,
  },
  financialTransactionReference: must(payment.ledgerReference, 'reference of a posting'),
  metadata: payment.metadata,
})
