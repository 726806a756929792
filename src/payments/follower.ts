import assert from 'node:assert/strict'
import type { Completed, Failed, Followed, Follower } from '../instructions/follower.ts'
import { settlementAccounts } from '../ledger/accounts.ts'
import { type Movement, type Posting, postEach } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { type JobPayload, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import type { Seals } from '../platform/seals.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { cardFingerprint } from './channel.ts'
import { findFeeRules } from './fee-rules.ts'
import { feeOn } from './fees.ts'
import { originOf, type Payment, publishPayments } from './payments.ts'
import { insertReceipts } from './receipt-store.ts'
import { lockPayments, writeMoved } from './store.ts'

const feeCode = 'payment'

/** What was paid belongs to a later slice, which learns of it in the same transaction; payments of many Spaces. */
export type PaymentOrigin = {
  paid(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
  failed(tx: Tx, payments: Scoped<Payment>[]): Promise<void>
}
export type PaymentOrigins = Record<Payment['originType'], PaymentOrigin>

/** What happens to payments as their instructions move. */
export const paymentFollower = (parts: { seals: Seals; origins: PaymentOrigins }): Follower => ({
  noun: 'payment',
  async submitting(tx, moved) {
    const payments = await paymentsOf(tx, moved, (payment, { at }) => ({
      ...payment,
      status: 'processing',
      updatedAt: at,
    }))
    await writeMoved(tx, payments)
    publishPayments(tx, 'payment.processing', payments)
  },
  async shown(tx, shown) {
    const payments = await paymentsOf(tx, shown, (payment, { redirectUrl, guidance }) => ({
      ...payment,
      redirectUrl: payment.redirectUrl ?? redirectUrl,
      guidance: payment.guidance ?? guidance,
    }))
    await writeMoved(tx, payments)
  },
  completed: (tx, completed) => complete(tx, parts, completed),
  failed: (tx, failed) => fail(tx, parts.origins, failed),
  async owners(tx, instructions) {
    const payments = byName(await lockPayments(tx, instructions))
    return instructions.map(({ scope, id }) => ownerOf('payment', payments.get(nameIn(scope, id))!))
  },
})

/** The payments of instructions, locked, as they are after a step. */
async function paymentsOf<T extends Followed>(
  tx: Tx,
  moved: T[],
  step: (payment: Scoped<Payment>, by: T) => Scoped<Payment>,
): Promise<Scoped<Payment>[]> {
  const by = new Map(moved.map((one) => [nameIn(one.instruction.scope, one.instruction.id), one]))
  const payments = await lockPayments(
    tx,
    moved.map(({ instruction }) => instruction),
  )
  return payments.map((payment) => step(payment, by.get(nameIn(payment.scope, payment.id))!))
}

/** Books payments whose money moved. */
async function complete(
  tx: Tx,
  { seals, origins }: { seals: Seals; origins: PaymentOrigins },
  completed: Completed[],
): Promise<void> {
  const paid = await paymentsOf(tx, completed, (payment, { at, railTransaction = null, card }) => ({
    ...payment,
    ...(payment.channelType === 'card' &&
      card && {
        cardScheme: card.scheme,
        cardLast4: card.last4,
        payerFingerprint: cardFingerprint(seals, payment.scope, payment.providerId, card),
      }),
    status: 'completed',
    railTransaction,
    ledgerReference: newReference(at),
    updatedAt: at,
  }))
  const rules = await findFeeRules(tx, paid, feeCode)
  const payments = paid.map((payment, i): Scoped<Payment> => {
    const fee = feeOn(payment.amount, rules[i]!)
    return { ...payment, fees: fee > 0n ? [{ code: feeCode, amount: String(fee) }] : [] }
  })
  await writeMoved(tx, payments)
  await insertReceipts(tx, payments)
  publishPayments(tx, 'payment.completed', payments)
  await toOrigins(origins, 'paid', tx, payments)
  // At the end: others wait for these accounts until the commit.
  const posted = await postEach(tx, await postingsOf(tx, payments))
  assert(
    posted.every((isPosted) => isPosted),
    'a payment would overdraw an account',
  )
}

/** Gross to the merchant, then the fee from the merchant, each as lines of their own under one reference. */
async function postingsOf(tx: Tx, payments: Scoped<Payment>[]): Promise<Posting[]> {
  const accounts = await settlementAccounts(tx, 'collection', payments)
  return payments.map((payment, i): Posting => {
    const { scope, amount, financialAccountId: merchant, updatedAt: at } = payment
    const movements: Movement[] = [
      { accountId: accounts[i]!.clearing, amount: -amount },
      { accountId: merchant, amount },
      ...payment.fees.flatMap((fee) => [
        { accountId: merchant, amount: -BigInt(fee.amount), feeCode },
        { accountId: accounts[i]!.fees!, amount: BigInt(fee.amount), feeCode },
      ]),
    ]
    const owners = [ownerOf('payment', payment), originOf(payment)]
    return { scope, reference: payment.ledgerReference!, at, owners, movements }
  })
}

/** No money moved. */
async function fail(tx: Tx, origins: PaymentOrigins, failed: Failed[]): Promise<void> {
  const payments = await paymentsOf(tx, failed, (payment, { at, failure }) => ({
    ...payment,
    status: 'failed',
    failureCode: failure.code,
    failureMessage: failure.message,
    updatedAt: at,
  }))
  await writeMoved(tx, payments)
  publishPayments(tx, 'payment.failed', payments)
  await toOrigins(origins, 'failed', tx, payments)
}

async function toOrigins(
  origins: PaymentOrigins,
  what: keyof PaymentOrigin,
  tx: Tx,
  payments: Scoped<Payment>[],
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(payments, ({ originType }) => originType))
    await origins[type][what](tx, ofType)
}

/** What the release before left to do: it notified origins by jobs. */
export function originJobs({ db }: Platform, origins: PaymentOrigins): Jobs {
  const tell = (what: keyof PaymentOrigin) => (payload: JobPayload) =>
    db.transaction(async (tx) => {
      const payments = await lockPayments(tx, [{ scope: scopeOf(payload), id: String(payload.paymentId) }])
      await toOrigins(origins, what, tx, payments)
    })
  return {
    'checkout-session.paid': tell('paid'),
    'checkout-session.payment-failed': tell('failed'),
    'payment-code.paid': tell('paid'),
    'payment-code.payment-failed': tell('failed'),
  }
}
