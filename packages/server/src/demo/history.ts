import { must, wholeNumber } from '@pesewa/values'
import { webhookNetworks } from '../events/settings.ts'
import { createWebhook } from '../events/webhooks/new-webhook.ts'
import { bookSettlement } from '../finance/settlements/new-settlement.ts'
import { replaceLimits } from '../money/approvals/limits.ts'
import { paymentIds } from '../money/payments/resources.ts'
import type { Payment } from '../money/payments/store.ts'
import { decideBatch } from '../money/payout-batches/decisions.ts'
import { settleBatch } from '../money/payout-batches/jobs.ts'
import { createBatch } from '../money/payout-batches/new-batch.ts'
import { createPayouts } from '../money/payouts/new-payout.ts'
import { createRefunds } from '../money/refunds/new-refund.ts'
import type { RefundReason } from '../money/refunds/store.ts'
import { onlyAnswer } from '../platform/batches.ts'
import type { Tx } from '../platform/db/database.ts'
import { showId } from '../platform/ids.ts'
import { destinationError } from '../platform/outbound/destinations.ts'
import type { Scope } from '../platform/scope.ts'
import type { Parts } from '../slices.ts'
import { setBrand } from '../tenants/spaces/brands.ts'
import { userIds } from '../tenants/spaces/resources.ts'
import { Counter, type DemoClaims } from './counter.ts'
import { dayMs, daysBefore, planOrders, startOfDay } from './month.ts'
import type { DemoRole } from './people.ts'
import { PastRails } from './rails.ts'
import { rollDice } from './random.ts'
import { closeFirstHalf } from './reconciled.ts'
import { shop, tailors } from './shop.ts'

const currency = 'SLE'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const friday = 5

/** Payouts above this amount, in cents of a leone, need approval from a second person. */
const payoutLimit = 150_000
const refundLimit = 100_000

export type DemoUsers = Record<DemoRole, { id: string; email: string }>
type BackOffice = { at: Date; run(tx: Tx, at: Date): Promise<void> }

/**
 * Writes thirty days of the demo shop's business, in one transaction that is the first to book anything in its Space.
 * Everything is done by the product's own commands, with past timestamps. Only the rails are bypassed.
 */
export async function writeHistory(
  tx: Tx,
  parts: Parts,
  { scope, users, claims, now }: { scope: Scope; users: DemoUsers; claims: DemoClaims; now: Date },
): Promise<void> {
  const rails = new PastRails(parts)
  const own = { ...parts, queues: { ...parts.queues, admit: rails.admit } }
  const counter = new Counter(own, scope, rails, claims)
  const today = startOfDay(now)
  const begin = beginOfHistory(now)
  const office = new Office(own, scope, users, rails, counter)

  await setBrand(tx, scope, shop.brand, begin)
  const limits = [{ currency, value: payoutLimit }]
  await replaceLimits(tx, scope, 'payout', limits, { userId: users.owner.id, at: begin })
  await replaceLimits(tx, scope, 'refund', [{ currency, value: refundLimit }], {
    ...{ userId: users.owner.id, at: begin },
  })
  await counter.open(tx, planOrders(now), begin)
  for (const { at, run } of office.plan(today)) {
    await counter.receive(tx, at)
    await run(tx, at)
  }
  await counter.receive(tx, now)
  await counter.expire(tx, now)
  await rails.report(tx, now)
  await addWebhook(tx, own, scope, begin)
  await closeFirstHalf(tx, parts, { now, by: users.owner.email })
}

/**
 * Adds the webhook of the shop's stock system. Its URL is misspelled, so its deliveries fail until the user
 * corrects it. If the operator provides the database, webhooks may not call this machine, so no webhook is added.
 */
async function addWebhook(tx: Tx, parts: Parts, scope: Scope, at: Date): Promise<void> {
  const url = `${parts.baseUrl}/demo/stok`
  const allowedNetworks = webhookNetworks(parts.settings, scope.environment)
  if (destinationError(url, { allowedNetworks, httpsOnly: false }) !== undefined) return
  const events = ['refund.completed', 'payout_batch.completed', 'payment_link.completed']
  await createWebhook(tx, parts, scope, { name: 'Stock system', url, events }, at)
}

/** Returns the time at which the shop opened its account, which is before its first order. */
export const beginOfHistory = (now: Date) =>
  new Date(startOfDay(now).getTime() - daysBefore * dayMs + 7 * hourMs)

/** The work of the shop's staff other than selling. */
class Office {
  readonly #parts: Parts
  readonly #scope: Scope
  readonly #users: DemoUsers
  readonly #rails: PastRails
  readonly #counter: Counter
  readonly #dice = rollDice(715)
  readonly #refunded = new Set<string>()

  constructor(parts: Parts, scope: Scope, users: DemoUsers, rails: PastRails, counter: Counter) {
    this.#parts = parts
    this.#scope = scope
    this.#users = users
    this.#rails = rails
    this.#counter = counter
  }

  /** Returns the work of the month, in order of time. */
  plan(today: Date): BackOffice[] {
    const on = (daysAgo: number, hour: number) => new Date(today.getTime() - daysAgo * dayMs + hour * hourMs)
    const days = Array.from({ length: daysBefore - 1 }, (_, i) => i + 1)
    const work: BackOffice[] = [
      ...days
        .filter((ago) => on(ago, 0).getUTCDay() === friday)
        .map((ago) => ({ at: on(ago, 17.5), run: (tx: Tx, at: Date) => this.#payTailors(tx, at) })),
      ...refunds.map(({ ago, ...refund }) => ({
        at: on(ago, 10.4),
        run: (tx: Tx, at: Date) => this.#refund(tx, refund, at),
      })),
      { at: on(5, 9), run: (tx, at) => this.#counter.renewCode(tx, at) },
      { at: on(4, 21.9), run: (tx, at) => this.#receiveLate(tx, at) },
      { at: on(3, 9.5), run: (tx, at) => this.#bookSettlement(tx, at) },
      // Later than the tailors' batch on Fridays, so that the payout waiting for approval is always the newest.
      { at: on(1, 18.2), run: (tx, at) => this.#requestPayout(tx, at) },
    ]
    return work.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  }

  /** Pays the tailors. Finance prepares the batch, and the owner approves it a few minutes later. */
  async #payTailors(tx: Tx, at: Date): Promise<void> {
    const [parts, scope, { finance, owner }] = [this.#parts, this.#scope, this.#users]
    const day = at.toISOString().slice(0, 10)
    const rows = tailors.map(({ name, providerId, phone, base }) => ({
      name,
      reference: day,
      amount: { currency, value: base + 500 * this.#dice.between(-12, 24) },
      destination: { type: 'momo' as const, providerId, phoneNumber: phone },
    }))
    const body = { name: `Tailors, week to ${day}`, rows }
    const by = { userId: finance.id, idempotencyKey: `demo tailors ${day}`, at }
    const batch = await createBatch(tx, parts, scope, body, by)
    const approvedAt = new Date(at.getTime() + 11 * minuteMs)
    await decideBatch(tx, parts, scope, batch.id, { userId: owner.id, approval: 'approved' }, approvedAt)
    const payouts = this.#rails.takeDisbursements()
    const paidAt = new Date(approvedAt.getTime() + 6_000)
    await this.#counter.receive(tx, paidAt)
    await this.#rails.end(
      tx,
      payouts.map((payout) => ({ ...payout, at: paidAt })),
    )
    await settleBatch(tx, scope, batch.id, new Date(paidAt.getTime() + 2_000))
  }

  /** Refunds the newest suitable payment that has no refund yet. */
  async #refund(tx: Tx, { percent, reason, note }: PlannedRefund, at: Date): Promise<void> {
    const isSuitable = ({ id, amount }: Payment) =>
      !this.#refunded.has(id) && amount >= 12_000n && amount <= BigInt(refundLimit)
    const payment = this.#counter.completed.findLast(isSuitable)
    if (!payment) return
    this.#refunded.add(payment.id)
    const [outcome] = await createRefunds(tx, this.#parts, [
      {
        scope: this.#scope,
        paymentId: showId(paymentIds, payment.id),
        ...(percent < 100n && { amount: { currency, value: shareOf(payment.amount, percent) } }),
        ...{ reason, note },
        userId: this.#users.support.id,
        purpose: `demo refund ${payment.id}`,
        at,
      },
    ])
    const { id } = onlyAnswer([must(outcome, 'outcome of a refund')])
    const refundedAt = new Date(at.getTime() + 9_000)
    await this.#counter.receive(tx, refundedAt)
    await this.#rails.end(tx, [{ scope: this.#scope, id, at: refundedAt }])
  }

  /** Receives money for a payment whose payer apparently did not respond. This opens a case. */
  async #receiveLate(tx: Tx, at: Date): Promise<void> {
    const missed = this.#counter.expired.findLast(
      ({ attempt: { customer, endsAt } }) => customer.type === 'momo' && endsAt < at,
    )
    if (missed) await this.#rails.end(tx, [{ scope: this.#scope, id: missed.payment.id, at }])
  }

  /** Books money that reached the bank and that the provider's next statement will show. */
  async #bookSettlement(tx: Tx, at: Date): Promise<void> {
    const { catalogue } = this.#parts
    const valueDate = at.toISOString().slice(0, 10)
    const amount = { currency, value: 2_000_000 }
    const settlement = { kind: 'payout_to_bank' as const, providerId: 'm17', amount, valueDate }
    const bankReference = `FT${valueDate.replaceAll('-', '')}-0042`
    const by = showId(userIds, this.#users.finance.id)
    await bookSettlement(tx, catalogue, this.#scope, { ...settlement, bankReference }, by, at)
  }

  /** Requests a payout that is large enough to need the owner's approval. */
  async #requestPayout(tx: Tx, at: Date): Promise<void> {
    onlyAnswer(
      await createPayouts(tx, this.#parts, [
        {
          scope: this.#scope,
          amount: { currency, value: 480_000 },
          destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276733451' },
          metadata: { note: 'Second-hand sewing machine, Kissy Road' },
          userId: this.#users.finance.id,
          purpose: 'demo sewing machine',
          at,
        },
      ]),
    )
  }
}

type PlannedRefund = { percent: bigint; reason: RefundReason; note: string }

/** Returns a share of an amount, rounded down to five leones. */
const shareOf = (amount: bigint, percent: bigint) => wholeNumber(((amount * percent) / 50_000n) * 500n)

/** Refunds of the month: how many days before today, and the percentage of the payment. */
const refunds: (PlannedRefund & { ago: number })[] = [
  { ago: 27, percent: 100n, reason: 'order_cancelled', note: 'Customer is travelling, no dress needed' },
  { ago: 23, percent: 50n, reason: 'requested_by_customer', note: 'One of two lappas returned' },
  { ago: 16, percent: 25n, reason: 'wrong_amount', note: 'Market price was lower' },
  { ago: 13, percent: 100n, reason: 'requested_by_customer', note: 'Colour ran in the first wash' },
  { ago: 6, percent: 100n, reason: 'order_cancelled', note: 'Ankara pattern sold out' },
  { ago: 2, percent: 30n, reason: 'wrong_amount', note: 'Charged for three, took two' },
]
