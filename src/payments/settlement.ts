import assert from 'node:assert/strict'
import { publish } from '../events/events.ts'
import { type SystemPurpose, systemAccount } from '../ledger/accounts.ts'
import { type Movement, openLateSuccess, type Posting, postEach } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { enqueueEach } from '../platform/jobs/queue.ts'
import type { FailureCode, PaidCard } from '../providers/connector.ts'
import { firstLook, scheduleLook } from '../providers/second-looks.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { findFeeRule } from './fee-rules.ts'
import { feeOn } from './fees.ts'
import { originOf, type Payment, paymentEvent, publishPayment } from './payments.ts'
import { insertReceipts } from './receipt-store.ts'
import { lockPayments, markFailed, updateCompleted } from './store.ts'

const feeCode = 'payment'

export type Ending = 'completed' | 'failed' | 'late_success' | 'unchanged'

/** The rail says that this payment's money moved. */
export type Paid = {
  id: string
  railTransaction: string | undefined
  /** Of a card: what may be kept of it. */
  card?: Pick<PaidCard, 'scheme' | 'last4'> & { fingerprint: string }
}

/**
 * Books payments whose money moved, each once, all of one Space. One that was called failed stays failed; its money
 * goes to suspense and a case is opened. Callback and query may both come here: the state decides who was first.
 */
export async function completePayments(tx: Tx, scope: Scope, paid: Paid[], at: Date): Promise<Ending[]> {
  const payments = await lockPayments(
    tx,
    scope,
    paid.map(({ id }) => id),
  )
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  const books = createBooks(tx, scope, at)
  const completed = new Map<string, Completed>()
  const endings: Ending[] = []
  for (const { id, railTransaction = null, card } of paid) {
    const payment = byId.get(id)
    if (payment?.status === 'processing' && !completed.has(id)) {
      const fee = feeOn(payment.amount, await books.feeRule(payment.currency))
      completed.set(id, { payment: completedBy(withCard(payment, card), railTransaction, fee, at), fee })
      endings.push('completed')
    } else if (payment?.status === 'failed') {
      const clearingAccountId = await books.clearing(payment)
      const { amount, currency } = payment
      const object = ownerOf('payment', payment)
      const found = { object, direction: 'collection' as const, clearingAccountId, amount, currency }
      endings.push((await openLateSuccess(tx, scope, found, at)) ? 'late_success' : 'unchanged')
    } else endings.push('unchanged')
  }
  await book(tx, scope, [...completed.values()], books)
  return endings
}

const withCard = (payment: Payment, card: Paid['card']): Payment =>
  card
    ? { ...payment, cardScheme: card.scheme, cardLast4: card.last4, payerFingerprint: card.fingerprint }
    : payment

type Completed = { payment: Payment; fee: bigint }

const completedBy = (payment: Payment, railTransaction: string | null, fee: bigint, at: Date): Payment => ({
  ...payment,
  status: 'completed',
  railState: 'succeeded',
  railTransaction,
  ledgerReference: newReference(at),
  fees: fee > 0n ? [{ code: feeCode, amount: String(fee) }] : [],
  updatedAt: at,
})

async function book(tx: Tx, scope: Scope, completed: Completed[], books: Books): Promise<void> {
  if (completed.length === 0) return
  const payments = completed.map(({ payment }) => payment)
  await updateCompleted(tx, scope, payments)
  await insertReceipts(tx, scope, payments)
  const postings: Posting[] = []
  for (const one of completed) postings.push({ scope, ...(await postingOf(one, books)) })
  const posted = await postEach(tx, postings)
  assert(
    posted.every((isPosted) => isPosted),
    'a payment would overdraw an account',
  )
  await publish(tx, scope, ...payments.map((payment) => paymentEvent(scope, 'payment.completed', payment)))
  await tellOrigins(tx, scope, payments, 'paid')
}

/** Gross to the merchant, then the fee from the merchant, each as lines of their own under one reference. */
async function postingOf({ payment, fee }: Completed, books: Books): Promise<Omit<Posting, 'scope'>> {
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
  await tellOrigins(tx, scope, [failed], 'payment-failed')
  if (failed.submittedAt) await scheduleLook(tx, 'payments.query', { ...scope, paymentId: id }, firstLook, at)
  return 'failed'
}

/** What was paid belongs to a later slice, which learns of it by a job: `checkout-session.paid`. */
const tellOrigins = (tx: Tx, scope: Scope, payments: Payment[], what: 'paid' | 'payment-failed') =>
  enqueueEach(
    tx,
    payments.map(({ id, originType, originId }) => ({
      job: `${originType.replace('_', '-')}.${what}`,
      payload: { ...scope, originId, paymentId: id },
    })),
  )
