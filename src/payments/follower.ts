import type { Completed, Follower } from '../instructions/follower.ts'
import { completedBy, failedBy } from '../instructions/moved-rows.ts'
import { settlementAccounts } from '../ledger/accounts.ts'
import type { LedgerWork } from '../ledger/holds.ts'
import type { Movement, Posting } from '../ledger/postings.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { type JobPayload, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import type { Seals } from '../platform/seals.ts'
import type { Guidance } from '../providers/guidance.ts'
import { markChanging } from '../spaces/chained-changes.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { cardFingerprint } from './channel.ts'
import { findFees } from './fee-rules.ts'
import { originOf, type Payment, paymentRows } from './payments.ts'
import { insertReceipts } from './receipt-store.ts'
import { lockPayments, writeMoved } from './store.ts'

const feeCode = 'payment'

/** A later slice that payments are for is notified in the same transaction, of payments of many Spaces. */
export type PaymentOrigin = {
  paid(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
  failed(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
}
export type PaymentOrigins = Record<Payment['originType'], PaymentOrigin>

/** What happens to payments as their instructions move. */
export const paymentFollower = (parts: { seals: Seals; origins: PaymentOrigins }): Follower => ({
  ...paymentRows.follower,
  async shown(tx, shown) {
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
    await writeMoved(tx, changed)
  },
  completed: (tx, completed) => complete(tx, parts, completed),
  /** No money moved. */
  async failed(tx, failed) {
    const payments = await paymentRows.step(tx, failed, (payment, { at, failure }) => ({
      ...payment,
      ...failedBy(failure, at),
    }))
    await paymentRows.save(tx, 'payment.failed', payments)
    await notifyOrigins(parts.origins, 'failed', tx, payments)
    return {}
  },
})

/** The first, until the rail asks for a code, or has one. */
const latest = (first: Guidance | null, next: Guidance | null) =>
  first && next?.asksForCode === first.asksForCode ? first : (next ?? first)

const isShownOther = (before: Payment, after: Payment) =>
  before.redirectUrl !== after.redirectUrl || before.guidance !== after.guidance

/** Books payments whose money moved. */
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
  await insertReceipts(tx, payments)
  await paymentRows.save(tx, 'payment.completed', payments)
  await notifyOrigins(origins, 'paid', tx, payments)
  return { postings: await postingsOf(tx, payments) }
}

/** Gross to the merchant, then the fee from the merchant, each as lines of their own under one reference. */
async function postingsOf(tx: Tx, payments: Scoped<Payment>[]): Promise<Posting[]> {
  const accounts = await settlementAccounts(tx, 'collection', payments)
  return payments.map((payment, i): Posting => {
    const { scope, amount, financialAccountId: merchant, updatedAt: at } = payment
    const { clearing, fees } = must(accounts[i], 'accounts to settle by')
    const movements: Movement[] = [
      { accountId: clearing, amount: -amount },
      { accountId: merchant, amount },
      ...payment.fees.flatMap((fee) => [
        { accountId: merchant, amount: -BigInt(fee.amount), feeCode },
        { accountId: must(fees, 'account for fees'), amount: BigInt(fee.amount), feeCode },
      ]),
    ]
    const owners = [ownerOf('payment', payment), originOf(payment)]
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

/** Jobs that the previous release left: it notified origins by jobs. */
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
