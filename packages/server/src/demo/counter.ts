import { must } from '@pesewa/values'
import { startPayments } from '../money/payments/payments.ts'
import type { Payment } from '../money/payments/store.ts'
import { onlyAnswer } from '../platform/batches.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import type { Claimant } from '../platform/http/commands/claims.ts'
import type { Scope } from '../platform/scope.ts'
import type { Parts } from '../slices.ts'
import { createSessions, type SessionRequest } from '../ways-to-pay/checkout/new-session.ts'
import { startOf } from '../ways-to-pay/checkout/paying.ts'
import { linkedPayment } from '../ways-to-pay/checkout/session-links.ts'
import { closeSessions } from '../ways-to-pay/checkout/sessions.ts'
import { type CheckoutSession, lockSessions } from '../ways-to-pay/checkout/store.ts'
import { createCode } from '../ways-to-pay/payment-codes/new-code.ts'
import { freeLostNumbers, openNumberClaims } from '../ways-to-pay/payment-codes/numbers.ts'
import { startCodePayments } from '../ways-to-pay/payment-codes/paying.ts'
import { changeCode } from '../ways-to-pay/payment-codes/payment-codes.ts'
import { lockCodes } from '../ways-to-pay/payment-codes/store.ts'
import { freeLostAddresses, openAddressClaims } from '../ways-to-pay/payment-links/addresses.ts'
import { createLink } from '../ways-to-pay/payment-links/new-link.ts'
import type { NewPaymentLink } from '../ways-to-pay/payment-links/shapes.ts'
import { type Attempt, dayMs, type PlannedOrder } from './month.ts'
import type { End, PastRails } from './rails.ts'
import { classLink, depositLink } from './shop.ts'

const currency = 'SLE'
const codeLife = '30d'
const sessionLife = '7d'
const firstNumber = 1_041

type Ways = { codeId: string; links: Record<'deposit' | 'class', string> }
/** An order that has not been settled yet: its session, if it has one, and the attempts still to come. */
type OpenOrder = { order: PlannedOrder; session: Scoped<CheckoutSession> | undefined; left: Attempt[] }
type Begun = { attempt: Attempt; payment: Scoped<Payment> }

export type DemoClaims = Awaited<ReturnType<typeof claimForCounter>>

/** Claims the number and the addresses of the counter's ways to pay, before the transaction that writes the month. */
export async function claimForCounter(parts: Parts, scope: Scope, now: Date) {
  const links = openAddressClaims(parts)
  const codes = openNumberClaims(parts)
  const claimants = {
    deposit: { scope, idempotencyKey: 'demo deposit', now },
    class: { scope, idempotencyKey: 'demo class', now },
    counter: { scope, idempotencyKey: 'demo counter', now },
  }
  // Those of an earlier start that ended before the month was written.
  await freeLostAddresses(parts)
  await freeLostNumbers(parts)
  await links.claimEach([claimants.deposit, claimants.class])
  await codes.claimEach([claimants.counter])
  return { links, codes, claimants }
}

/** Takes the payments of the demo's customers. */
export class Counter {
  readonly #parts: Parts
  readonly #scope: Scope
  readonly #rails: PastRails
  readonly #claims: DemoClaims
  #ways: Ways | undefined
  #open: OpenOrder[] = []
  /** The payments whose money has not been received yet, in the order in which it will be. */
  #inFlight: Begun[] = []
  /** The payments that were completed, oldest first. */
  readonly completed: Scoped<Payment>[] = []
  /** The payments whose payers did not answer in time, oldest first. */
  readonly expired: Begun[] = []

  constructor(parts: Parts, scope: Scope, rails: PastRails, claims: DemoClaims) {
    this.#parts = parts
    this.#scope = scope
    this.#rails = rails
    this.#claims = claims
  }

  /** Opens the ways to pay at `at`, and lets all customers try to pay their orders. */
  async open(tx: Tx, orders: PlannedOrder[], at: Date): Promise<void> {
    const [parts, scope] = [this.#parts, this.#scope]
    const { minimum, maximum } = depositLink
    const deposit = { name: depositLink.name, openAmount: { currency, minimum, maximum } }
    const price = { currency, value: classLink.price }
    const lesson = { name: classLink.name, lineItems: [{ name: classLink.item, price }] }
    const counter = { name: 'Kadi’s counter', mode: 'recurrent' as const, duration: codeLife }
    const { links, codes, claimants } = this.#claims
    const link = (body: NewPaymentLink, claimant: Claimant) =>
      createLink(tx, parts, links, { scope, body, at, claimant })
    const code = { scope, body: counter, at, claimant: claimants.counter }
    const ways = {
      links: {
        deposit: (await link(deposit, claimants.deposit)).id,
        class: (await link(lesson, claimants.class)).id,
      },
      codeId: (await createCode(tx, parts, codes, code)).id,
    }
    this.#ways = ways
    const withSession = orders.filter(({ way }) => way !== 'counter')
    const sessions = await createSessions(
      tx,
      parts,
      withSession.map((order, i) => this.#sessionOf(order, i, ways)),
    )
    const sessionOf = new Map(withSession.map((order, i) => [order, sessions[i]]))
    this.#open = orders.map((order) => {
      const session = sessionOf.get(order)
      return { order, session: session && onlyAnswer([session]), left: [...order.attempts] }
    })
    await this.#attempt(tx)
  }

  #sessionOf({ way, at, item }: PlannedOrder, i: number, { links }: Ways): SessionRequest {
    const { name, price, quantity } = item
    const lineItems = [{ name, price: { currency, value: price }, quantity }]
    const link = way === 'deposit' || way === 'class' ? links[way] : undefined
    return {
      scope: this.#scope,
      at,
      idempotencyKey: `demo order ${i}`,
      body: {
        name: quantity > 1 ? `${name} × ${quantity}` : name,
        reference: `KC-${firstNumber + i}`,
        lineItems,
        duration: sessionLife,
      },
      ...(link && { link: { id: link, successUrlOf: () => this.#parts.baseUrl } }),
    }
  }

  /**
   * Carries out all attempts, except that the successful ones stay in flight. No money moves, so the whole month
   * takes a few statements: the first attempts of all orders, then the second ones, and so on.
   */
  async #attempt(tx: Tx): Promise<void> {
    for (;;) {
      const due = this.#open.filter(({ left }) => left.length > 0)
      if (due.length === 0) break
      const begun = await this.#begin(tx, due)
      const declined = begun.filter(({ attempt }) => attempt.decline)
      await this.#rails.end(tx, declined.map(endOf))
      this.#inFlight.push(...begun.filter(({ attempt }) => !attempt.decline))
      this.expired.push(...declined.filter(({ attempt }) => attempt.decline?.word === 'EXPIRED'))
    }
    this.#inFlight.sort(byEnd)
    this.expired.sort(byEnd)
  }

  /** Completes the payments whose money has arrived by `until`. */
  async receive(tx: Tx, until: Date): Promise<void> {
    const received = this.#inFlight.filter(({ attempt }) => attempt.endsAt <= until)
    this.#inFlight = this.#inFlight.slice(received.length)
    this.completed.push(...received.map(({ payment }) => payment))
    await this.#rails.end(tx, received.map(endOf))
  }

  /** Begins the next attempt of each order. */
  async #begin(tx: Tx, due: OpenOrder[]): Promise<Begun[]> {
    const next = due
      .map(({ session, order, left }) => ({ session, order, attempt: must(left.shift(), 'attempt') }))
      .toSorted((one, other) => one.attempt.startsAt.getTime() - other.attempt.startsAt.getTime())
    const online = next.flatMap(({ session, attempt }) => (session ? [{ session, attempt }] : []))
    const dialled = next.filter(({ session }) => !session)
    return [...(await this.#beginOnline(tx, online)), ...(await this.#beginDialled(tx, dialled))]
  }

  async #beginOnline(
    tx: Tx,
    online: { session: Scoped<CheckoutSession>; attempt: Attempt }[],
  ): Promise<Begun[]> {
    if (online.length === 0) return []
    const linked = online.flatMap(({ session, attempt: { startsAt } }) => linkedPayment(session, startsAt))
    if (linked.length > 0)
      await this.#parts.links.admit(
        tx,
        linked.map((payment) => ({ ...payment, address: '127.0.0.1' })),
      )
    const payments = await startPayments(
      tx,
      this.#parts,
      online.map(({ session, attempt: { customer, startsAt } }) =>
        startOf(this.#parts, {
          session,
          request: { scope: this.#scope, payer: customer, at: startsAt },
          supersedes: undefined,
        }),
      ),
    )
    return online.map(({ attempt }, i) => ({ attempt, payment: must(payments[i], 'payment') }))
  }

  async #beginDialled(tx: Tx, dialled: { order: PlannedOrder; attempt: Attempt }[]): Promise<Begun[]> {
    if (dialled.length === 0) return []
    const { codeId } = must(this.#ways, 'ways to pay')
    const [code] = await lockCodes(tx, [{ scope: this.#scope, id: codeId }])
    const payments = await startCodePayments(
      tx,
      this.#parts,
      dialled.map(({ order: { item }, attempt: { customer, startsAt: at } }) => {
        const phoneNumber = must(customer.account, 'phone number')
        const payer = { phoneNumber, providerId: customer.providerId, amount: BigInt(item.price) }
        return { code: must(code, 'code of the counter'), payer, at }
      }),
    )
    return dialled.map(({ attempt }, i) => ({
      attempt,
      payment: { ...must(payments[i], 'payment of a code'), scope: this.#scope },
    }))
  }

  /** Extends the counter's code, which would otherwise expire. */
  async renewCode(tx: Tx, at: Date): Promise<void> {
    const { codeId } = must(this.#ways, 'ways to pay')
    await changeCode(tx, this.#parts, this.#scope, codeId, { duration: codeLife }, at)
  }

  /** Expires the sessions whose time was up before `now`. */
  async expire(tx: Tx, now: Date): Promise<void> {
    const old = new Date(now.getTime() - 7 * dayMs)
    const sessions = await lockSessions(
      tx,
      this.#open.flatMap(({ session, order }) => (session && order.at < old ? [session] : [])),
    )
    const over = sessions.filter(({ status, expiresAt }) => status === 'pending' && expiresAt < now)
    await closeSessions(
      tx,
      this.#parts,
      over.map((session) => ({ session, at: session.expiresAt })),
    )
  }
}

const byEnd = ({ attempt: one }: Begun, { attempt: other }: Begun) =>
  one.endsAt.getTime() - other.endsAt.getTime()

const endOf = ({ attempt: { endsAt, decline, customer }, payment: { scope, id } }: Begun): End => ({
  ...{ scope, id },
  at: endsAt,
  ...(decline && { decline }),
  ...(!decline && customer.card && { card: customer.card }),
})
