import { systemAccount } from '../ledger/accounts.ts'
import { type Movement, openLateSuccess, post } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { FailureCode } from '../providers/connector.ts'
import { defaultPaymentFeePpm, type FeeRule, feeOn } from './fees.ts'
import { type Payment, publishPayment } from './payments.ts'
import { markCompleted, markFailed, selectFeeRule, selectPayment } from './store.ts'

const feeCode = 'payment'

export type Ending = 'completed' | 'failed' | 'late_success' | 'unchanged'

/**
 * The rail says the money moved: books it, once. A payment that was called failed stays failed; its money goes to
 * suspense and a case is opened. Callback and query may both come here: the state decides who was first.
 */
export async function completePayment(
  tx: Tx,
  scope: Scope,
  id: string,
  railTransaction: string | undefined,
  at: Date,
): Promise<Ending> {
  const payment = await selectPayment(tx, scope, id, sql`for update`)
  if (!payment || payment.status === 'completed') return 'unchanged'
  const clearing = await systemAccount(
    tx,
    scope,
    `clearing ${payment.providerId} collection`,
    payment.currency,
    at,
  )
  if (payment.status === 'failed') {
    const { amount, currency } = payment
    const object = { id, type: 'payment' as const }
    const opened = await openLateSuccess(
      tx,
      scope,
      { object, clearingAccountId: clearing, amount, currency },
      at,
    )
    return opened ? 'late_success' : 'unchanged'
  }
  const fee = feeOn(payment.amount, await feeRule(tx, scope, payment.currency))
  const ledgerReference = newReference(at)
  const completed = await markCompleted(tx, scope, id, {
    ledgerReference,
    railTransaction: railTransaction ?? null,
    fees: fee > 0n ? [{ code: feeCode, amount: String(fee) }] : [],
    at,
  })
  if (!completed) return 'unchanged'
  await bookPayment(tx, scope, completed, { clearing, fee, reference: ledgerReference, at })
  await publishPayment(tx, scope, 'payment.completed', completed)
  await tellOrigin(tx, scope, completed, 'paid')
  return 'completed'
}

/** Gross to the merchant, then the fee from the merchant, each as lines of their own under one reference. */
async function bookPayment(
  tx: Tx,
  scope: Scope,
  payment: Payment,
  { clearing, fee, reference, at }: { clearing: string; fee: bigint; reference: string; at: Date },
): Promise<void> {
  const merchant = payment.financialAccountId
  const movements: Movement[] = [
    { accountId: clearing, amount: -payment.amount },
    { accountId: merchant, amount: payment.amount },
  ]
  if (fee > 0n) {
    const fees = await systemAccount(tx, scope, 'fees', payment.currency, at)
    movements.push({ accountId: merchant, amount: -fee, feeCode }, { accountId: fees, amount: fee, feeCode })
  }
  const owners = [
    { id: payment.id, type: 'payment' as const },
    { id: payment.originId, type: payment.originType },
  ]
  await post(tx, scope, { reference, at, owners, movements })
}

/** The rail says clearly that no money moved. */
export async function failPayment(
  tx: Tx,
  scope: Scope,
  id: string,
  failure: { code: FailureCode; message: string },
  at: Date,
): Promise<Ending> {
  const failed = await markFailed(tx, scope, id, { ...failure, at })
  if (!failed) return 'unchanged'
  await publishPayment(tx, scope, 'payment.failed', failed)
  await tellOrigin(tx, scope, failed, 'payment-failed')
  return 'failed'
}

/** What was paid belongs to a later slice, which learns of it by a job: `checkout-session.paid`. */
function tellOrigin(tx: Tx, scope: Scope, payment: Payment, what: 'paid' | 'payment-failed'): Promise<void> {
  const job = `${payment.originType.replace('_', '-')}.${what}`
  return enqueue(tx, job, { ...scope, originId: payment.originId, paymentId: payment.id })
}

async function feeRule(db: Reader, scope: Scope, currency: string): Promise<FeeRule> {
  const rule = await selectFeeRule(db, scope, feeCode)
  return { ppm: rule?.ppm ?? defaultPaymentFeePpm, minimum: BigInt(rule?.minimums[currency] ?? 0) }
}
