import assert from 'node:assert/strict'
import { type EventType, publish } from '../events/events.ts'
import type { Completed, Failed, Follower } from '../instructions/follower.ts'
import { type SystemPurpose, systemAccount } from '../ledger/accounts.ts'
import { type Movement, type Posting, postEach } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { type JobPayload, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { bySpace } from '../platform/scopes.ts'
import type { Seals } from '../platform/seals.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { cardFingerprint } from './channel.ts'
import { findFeeRule } from './fee-rules.ts'
import { feeOn } from './fees.ts'
import { originOf, type Payment, paymentEvent } from './payments.ts'
import { insertReceipts } from './receipt-store.ts'
import { lockPayments, writeMoved } from './store.ts'

const feeCode = 'payment'

/** A payment with its Space. */
export type ScopedPayment = Payment & Scope

/** What was paid belongs to a later slice, which learns of it in the same transaction. */
export type PaymentOrigin = {
  paid(tx: Tx, payments: ScopedPayment[]): Promise<void>
  failed(tx: Tx, payments: ScopedPayment[]): Promise<void>
}
export type PaymentOrigins = Record<Payment['originType'], PaymentOrigin>

/** What happens to payments as their instructions move. */
export const paymentFollower = (parts: { seals: Seals; origins: PaymentOrigins }): Follower => ({
  async submitting(tx, moved) {
    await write(
      tx,
      await paymentsOf(tx, moved, (payment, { at }) => ({ ...payment, status: 'processing', updatedAt: at })),
      'payment.processing',
    )
  },
  async shown(tx, shown) {
    await writeMoved(
      tx,
      await paymentsOf(tx, shown, (payment, { redirectUrl }) => ({
        ...payment,
        redirectUrl: payment.redirectUrl ?? redirectUrl,
      })),
    )
  },
  completed: (tx, completed) => complete(tx, parts, completed),
  failed: (tx, failed) => fail(tx, parts.origins, failed),
  async owners(tx, instructions) {
    const byId = new Map((await lockPayments(tx, instructions)).map((payment) => [payment.id, payment]))
    return instructions.map(({ id }) => ownerOf('payment', byId.get(id)!))
  },
})

/** The payments of instructions, locked, as they are after a step. */
async function paymentsOf<T extends Completed | Failed | { instruction: { id: string } & Scope }>(
  tx: Tx,
  moved: T[],
  step: (payment: ScopedPayment, by: T) => ScopedPayment,
): Promise<ScopedPayment[]> {
  const byId = new Map(moved.map((one) => [one.instruction.id, one]))
  const payments = await lockPayments(
    tx,
    moved.map(({ instruction }) => instruction),
  )
  return payments.map((payment) => step(payment, byId.get(payment.id)!))
}

async function write(tx: Tx, payments: ScopedPayment[], type: EventType): Promise<void> {
  await writeMoved(tx, payments)
  for (const [scope, ofSpace] of bySpace(payments))
    await publish(tx, scope, ...ofSpace.map((payment) => paymentEvent(scope, type, payment)))
}

/** Books payments whose money moved: gross to the merchant, then the fee from there. */
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
        payerFingerprint: cardFingerprint(seals, payment, payment.providerId, card),
      }),
    status: 'completed',
    railTransaction,
    ledgerReference: newReference(at),
    updatedAt: at,
  }))
  const payments: ScopedPayment[] = []
  const postings: [Scope, Posting[]][] = []
  for (const [scope, ofSpace] of bySpace(paid)) {
    const books = createBooks(tx, scope, ofSpace[0]!.updatedAt)
    const ofScope: Posting[] = []
    for (const payment of ofSpace) {
      const fee = feeOn(payment.amount, await books.feeRule(payment.currency))
      const booked = { ...payment, fees: fee > 0n ? [{ code: feeCode, amount: String(fee) }] : [] }
      payments.push(booked)
      ofScope.push(await postingOf(booked, fee, books))
    }
    postings.push([scope, ofScope])
  }
  await writeMoved(tx, payments)
  for (const [scope, ofSpace] of bySpace(payments)) await insertReceipts(tx, scope, ofSpace)
  for (const [scope, ofScope] of postings) {
    const posted = await postEach(tx, scope, ofScope)
    assert(
      posted.every((isPosted) => isPosted),
      'a payment would overdraw an account',
    )
  }
  for (const [scope, ofSpace] of bySpace(payments))
    await publish(tx, scope, ...ofSpace.map((payment) => paymentEvent(scope, 'payment.completed', payment)))
  await toOrigins(payments, (type, ofType) => origins[type].paid(tx, ofType))
}

async function toOrigins(
  payments: ScopedPayment[],
  tell: (type: Payment['originType'], payments: ScopedPayment[]) => Promise<void>,
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(payments, ({ originType }) => originType)) await tell(type, ofType)
}

/** Gross to the merchant, then the fee from the merchant, each as lines of their own under one reference. */
async function postingOf(payment: Payment, fee: bigint, books: Books): Promise<Posting> {
  const merchant = payment.financialAccountId
  const movements: Movement[] = [
    { accountId: await books.clearing(payment), amount: -payment.amount },
    { accountId: merchant, amount: payment.amount },
  ]
  if (fee > 0n)
    movements.push(
      { accountId: merchant, amount: -fee, feeCode },
      { accountId: await books.fees(payment.currency), amount: fee, feeCode },
    )
  const owners = [ownerOf('payment', payment), originOf(payment)]
  return { reference: payment.ledgerReference!, at: payment.updatedAt, owners, movements }
}

type Books = ReturnType<typeof createBooks>

/** The service's accounts and rules that payments need, each looked up once. */
function createBooks(tx: Tx, scope: Scope, at: Date) {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, find: () => Promise<T>): Promise<T> => {
    const found = (known.get(name) ?? find()) as Promise<T>
    known.set(name, found)
    return found
  }
  const account = (purpose: SystemPurpose, currency: string) =>
    once(`${purpose} ${currency}`, () => systemAccount(tx, scope, purpose, currency, at))
  return {
    clearing: ({ providerId, currency }: Payment) => account(`clearing ${providerId} collection`, currency),
    fees: (currency: string) => account('fees', currency),
    feeRule: (currency: string) => once(`rule ${currency}`, () => findFeeRule(tx, scope, feeCode, currency)),
  }
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
  await write(tx, payments, 'payment.failed')
  await toOrigins(payments, (type, ofType) => origins[type].failed(tx, ofType))
}

/** What a program before this one left to do: it told origins by jobs. */
export function originJobs({ db }: Platform, origins: PaymentOrigins): Jobs {
  const tell = (type: Payment['originType'], what: keyof PaymentOrigin) => (payload: JobPayload) =>
    db.transaction(async (tx) => {
      const key = { ...scopeOf(payload), id: String(payload.paymentId) }
      await origins[type][what](tx, await lockPayments(tx, [key]))
    })
  return {
    'checkout-session.paid': tell('checkout_session', 'paid'),
    'checkout-session.payment-failed': tell('checkout_session', 'failed'),
    'payment-code.paid': tell('payment_code', 'paid'),
    'payment-code.payment-failed': tell('payment_code', 'failed'),
  }
}
