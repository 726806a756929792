import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { endings } from '../support/endings.ts'
import { createPayer, wordsOf } from '../support/payer.ts'
import { call, order } from '../support/program.ts'
import { draw } from './rounds.ts'
import type { Stand } from './stand.ts'
import { type Way, ways } from './ways.ts'

/** A prepared request by a payer or a client. `again` repeats it, as a client does that received no response. */
export type Order = { begin(): Promise<void>; again?(): Promise<void> }

type Completed = { id: string; orderNumber: string; refund: { refundable: { value: number } } }
type Paid = { id: string; left: number }

/** How many are drawn for each way to pay. */
type Drawn = { payments: number; payouts: number; refunds: number }
const drawnOfEach: Drawn = { payments: 5, payouts: 5, refunds: 3 }

/** Each payment is refunded in this many parts, because a partial refund may be sent as a payout. */
const parts = 4

/**
 * Use a new connection for each request: a node that was paused has closed its idle connections, and requests
 * sent on one of them are lost.
 */
export const ownConnection = { connection: 'close' }

export type RailOrders = ReturnType<typeof createRailOrders>

/**
 * Draws payments, payouts and refunds with random outcomes, for all ways to pay.
 *
 * @param baseUrl URL of the node that receives them
 */
export function createRailOrders(stand: Stand, baseUrl = stand.shop.baseUrl) {
  /** The drawn payments by order number. */
  const payments = new Map<string, { way: Way; digits: string }>()
  const spent = new Set<string>()

  async function payment(way: Way, digits: string): Promise<Order> {
    const { currency, value, provider } = way
    const lineItems = [{ name: 'Cloth', price: { currency, value } }]
    const made = await call(stand.shop, 'POST', '/v1/checkout-sessions', order(0, { lineItems }))
    const { redirectUrl, orderNumber } = made.body.result
    payments.set(orderNumber, { way, digits })
    const payer = createPayer(redirectUrl.replace(stand.shop.baseUrl, baseUrl), ownConnection)
    const form = { provider: provider.providerId, ...way.payer(digits), formToken: await payer.formToken() }
    return {
      async begin() {
        const { status, text } = await payer.post('', form)
        assert.equal(status, 303, `${way.name} …${digits}: ${wordsOf(text)}`)
      },
    }
  }

  /** Creates a request that is repeated with the same idempotency key. */
  function command(path: string, body: object): Required<Order> {
    const headers = { 'idempotency-key': randomUUID(), ...ownConnection }
    const begin = async () => {
      const response = await call({ ...stand.shop, baseUrl }, 'POST', path, body, headers)
      assert.equal(response.status, 200, JSON.stringify([body, response.body]))
    }
    return { begin, again: begin }
  }

  const payout = ({ currency, value, payee }: Way, digits: string) =>
    command('/v1/payouts', { amount: { currency, value }, destination: payee(digits) })

  /** Returns the latest completed payments, and how much of each can still be refunded. */
  async function findPaid(): Promise<Map<Way, Paid[]>> {
    const { status, body } = await call(stand.shop, 'GET', '/v1/payments?status=completed&limit=50')
    assert.equal(status, 200, JSON.stringify(body))
    const completed: Completed[] = body.result
    return Map.groupBy(
      completed.flatMap(({ id, orderNumber, refund }) => {
        const way = payments.get(orderNumber)?.way
        return way && !spent.has(id) ? { way, id, left: refund.refundable.value } : []
      }),
      ({ way }) => way,
    )
  }

  function refundsOf({ currency, value: whole }: Way, paid: Paid[], count: number): Order[] {
    return some(Object.keys(endings), count).flatMap((payerMessage) => {
      const one = paid.find(({ left }) => left >= whole / parts)
      if (!one) return []
      const value = one.left === whole && draw(0, 2) === 0 ? whole : whole / parts
      // A reduced limit may come from money that the rail returned late, before the service knows; for a
      // reversal, only the payment is known.
      const isLast = payerMessage === '012' || value === whole
      one.left = isLast ? 0 : one.left - value
      if (isLast) spent.add(one.id)
      const about = { paymentId: one.id, payerMessage, reason: 'order_cancelled' }
      return command('/v1/refunds', { ...about, amount: { currency, value } })
    })
  }

  return {
    /** Returns the digits that decide how a payment ends once its rail has it. */
    endingOf: (orderNumber: string) => payments.get(orderNumber)?.digits,
    /** Prepares a payment for each way to pay, all of which complete, so that they can be refunded. */
    first: () => Promise.all(ways.map((way) => payment(way, '456'))),
    async draw(ofEach = drawnOfEach) {
      const paid = await findPaid()
      return {
        payments: await Promise.all(
          ways.flatMap((way) =>
            some(way.payerEndings, ofEach.payments).map((digits) => payment(way, digits)),
          ),
        ),
        payouts: ways.flatMap((way) =>
          some(way.payeeEndings, ofEach.payouts).map((digits) => payout(way, digits)),
        ),
        refunds: ways.flatMap((way) => refundsOf(way, paid.get(way) ?? [], ofEach.refunds)),
      }
    },
  }
}

/** Picks this many entries at random, using the seed. */
function some<T>(all: readonly T[], count: number): T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(draw(0, left.length), 1),
  ).flat()
}
