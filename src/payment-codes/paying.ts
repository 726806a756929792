import assert from 'node:assert/strict'
import { shownAccount } from '../payments/channel.ts'
import { createOrder } from '../payments/orders.ts'
import { findPayment, type Payment, startPayment } from '../payments/payments.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { maxAmount } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Seals } from '../platform/seals.ts'
import { insertAttempt, selectAttempts, takeAttempt } from './attempt-store.ts'
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
import { isMet, isReserved } from './target.ts'

/** Payments in flight that a recurrent code bears at once. */
const maxInFlight = 100
/** Attempts in a row that may fail: each of them rings somebody's phone. A payment, or a change, begins anew. */
const maxFailedInRow = 100

/**
 * Why a payer cannot pay: the code has ended or its time is over; it is disabled for now; no further payment can begin
 * at the moment; or it is no longer what the payer was shown.
 */
export type Refused = 'over' | 'disabled' | 'busy' | 'changed'

/** Whom the payer's phone (E.164) is asked through, for how much in minor units: what they were shown, or typed. */
export type CodePayer = { phoneNumber: string; providerId: string; amount: bigint }

/**
 * The payer confirmed: begins a payment, or says why not. The moment `at`, by the Space's clock, decides, and the lock
 * on the code's row who of several was first.
 */
export async function payCode(
  tx: Tx,
  parts: { seals: Seals },
  scope: Scope,
  id: string,
  payer: CodePayer,
  at: Date,
): Promise<Payment | Refused> {
  const { phoneNumber, providerId, amount } = payer
  assert(amount > 0n && amount <= BigInt(maxAmount), 'an amount is read before it comes here')
  const code = await lockCode(tx, scope, id)
  const refused = judge(code, payer, at)
  if (refused) return refused
  const inFlight = await selectAttempts(tx, scope, id)
  if (inFlight.some((attempt) => attempt.phoneNumber === phoneNumber)) return 'busy'
  if (inFlight.length >= maxInFlight || isReserved(code, inFlight)) return 'busy'
  const order = await createOrder(tx, scope, orderOf(code, amount), at)
  const payment = await startPayment(
    tx,
    parts.seals,
    scope,
    {
      origin: { type: 'payment_code', id },
      order,
      reference: code.reference,
      financialAccountId: code.financialAccountId,
      returnUrl: null,
      type: 'momo',
      providerId,
      account: phoneNumber,
    },
    at,
  )
  await insertAttempt(tx, scope, id, { paymentId: payment.id, phoneNumber, amount }, at)
  if (code.status === 'pending') await updateCode(tx, scope, moveTo(code, 'processing', at))
  return payment
}

function judge(code: PaymentCode, payer: CodePayer, at: Date): Refused | undefined {
  if (!isOpen(code) || isPast(code, at)) return 'over'
  if (!code.enabled) return 'disabled'
  if (!isStillShown(code, payer)) return 'changed'
  return code.failedCount >= maxFailedInRow ? 'busy' : undefined
}

/** A merchant may have changed the code while its payer was reading. */
const isStillShown = (code: PaymentCode, { phoneNumber, providerId, amount }: CodePayer) =>
  (code.amount === null || code.amount === amount) &&
  (code.authorizedPhoneNumber === null || code.authorizedPhoneNumber === phoneNumber) &&
  (code.authorizedProviders === null || code.authorizedProviders.includes(providerId))

const orderOf = ({ name, currency }: PaymentCode, amount: bigint) => ({
  name,
  amount,
  currency,
  entitlements: [{ key: 'payment', name, limit: 1 }],
})

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
