import type { Guidance } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { providerAccounts } from '../../ledger/accounts/accounts.ts'
import type { LedgerWork } from '../../ledger/accounts/holds.ts'
import type { Movement, Posting } from '../../ledger/accounts/postings.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type JobPayload, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Completed, Follower } from '../../rails/instructions/follower.ts'
import { completedBy, failedBy } from '../../rails/instructions/transaction-rows.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { findFees } from '../fees/fees.ts'
import { cardFingerprint } from './channel.ts'
import { originOf, paymentRows } from './payments.ts'
import { insertReceipts } from './receipt-store.ts'
import { lockPayments, type Payment, writeMoved } from './store.ts'

const feeCode = 'payment'

/**
 * Notifies the slice that owns the payments' origin, which is a checkout session or a payment code. Runs in the
 * transaction that updates the payments, which may belong to several Spaces.
 */
export type PaymentOrigin = {
  paid(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
  failed(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
}
export type PaymentOrigins = Record<Payment['originType'], PaymentOrigin>

/** Updates payments as their instructions change state. */
export const paymentFollower = (parts: { seals: Seals; origins: PaymentOrigins }): Follower => ({
  ...paymentRows.follower,
  async nextStepShown(tx, shown) {
    const steps = await paymentRows.step(tx, shown, (payment, { redirectUrl, guidance }) => ({
      payment,
      after: {
        ...payment,
        redirectUrl: payment.redirectUrl ?? redirectUrl,
        guidance: latest(payment.guidance, guidance),
      },
    }))
    const changed = steps
      .filter(({ payment, after }) => isShownOther(payment, after))
      .map(({ after }) => after)
    await markChanging(tx, 'payment', sql`payments`, changed)
    writeMoved(tx, changed)
  },
  completed: (tx, completed) => complete(tx, parts, completed),
  /** Marks payments as failed, and notifies their origins. No money has moved. */
  async failed(tx, failed) {
    const payments = await paymentRows.step(tx, failed, (payment, { at, failure }) => ({
      ...payment,
      ...failedBy(failure, at),
    }))
    paymentRows.save(tx, 'payment.failed', payments)
    await notifyOrigins(parts.origins, 'failed', tx, payments)
    return {}
  },
})

/** Returns the guidance to keep. The first guidance is kept until the rail starts or stops expecting a code. */
const latest = (first: Guidance | null, next: Guidance | null) =>
  first && next?.asksForCode === first.asksForCode ? first : (next ?? first)

const isShownOther = (before: Payment, after: Payment) =>
  before.redirectUrl !== after.redirectUrl || before.guidance !== after.guidance

/** Books completed payments and notifies their origins. */
async function complete(
  tx: Tx,
  { seals, origins }: { seals: Seals; origins: PaymentOrigins },
  completed: Completed[],
): Promise<LedgerWork> {
  const paid = await paymentRows.step(tx, completed, (payment, by) => ({
    ...payment,
    ...completedBy(by),
    ...(payment.channelType === 'card' &&
      by.card && {
        cardScheme: by.card.scheme,
        cardLast4: by.card.last4,
        payerFingerprint: cardFingerprint(seals, payment.scope, payment.providerId, by.card),
      }),
  }))
  const fees = await findFees(tx, paid, feeCode)
  const payments = paid.map((payment, i) => ({ ...payment, fees: must(fees[i], 'fees of a payment') }))
  insertReceipts(tx, payments)
  paymentRows.save(tx, 'payment.completed', payments)
  await notifyOrigins(origins, 'paid', tx, payments)
  return { postings: await postingsOf(tx, payments) }
}

/**
 * Returns the postings of completed payments. The gross amount is credited to the merchant and the fee is then
 * debited, as separate lines under one reference.
 */
async function postingsOf(tx: Tx, payments: Scoped<Payment>[]): Promise<Posting[]> {
  const accounts = await providerAccounts(tx, 'collection', payments)
  return payments.map((payment, i): Posting => {
    const { scope, amount, financialAccountId: merchant, updatedAt: at } = payment
    const { clearing, fees } = must(accounts[i], 'settlement accounts')
    const movements: Movement[] = [
      { accountId: clearing, amount: -amount },
      { accountId: merchant, amount },
      ...payment.fees.flatMap((fee) => [
        { accountId: merchant, amount: -BigInt(fee.amount), feeCode },
        { accountId: must(fees, 'fee account'), amount: BigInt(fee.amount), feeCode },
      ]),
    ]
    const owners = [currentOwner('payment', payment), originOf(payment)]
    return {
      scope,
      reference: must(payment.ledgerReference, 'reference of a posting'),
      at,
      owners,
      movements,
    }
  })
}

async function notifyOrigins(
  origins: PaymentOrigins,
  what: keyof PaymentOrigin,
  tx: Tx,
  payments: Scoped<Payment>[],
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(payments, ({ originType }) => originType))
    await origins[type][what](tx, ofType)
}

/** Runs the jobs left over from the previous release, in which origins were notified by jobs. */
export function originJobs({ db }: Platform, origins: PaymentOrigins): Jobs {
  const notify = (what: keyof PaymentOrigin) => (payload: JobPayload) =>
    db.transaction(async (tx) => {
      const payments = await lockPayments(tx, [{ scope: scopeOf(payload), id: String(payload.paymentId) }])
      await notifyOrigins(origins, what, tx, payments)
    })
  return {
    'checkout-session.paid': notify('paid'),
    'checkout-session.payment-failed': notify('failed'),
    'payment-code.paid': notify('paid'),
    'payment-code.payment-failed': notify('failed'),
  }
}
