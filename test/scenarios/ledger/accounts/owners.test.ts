import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes } from '../../../support/payment-code.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const openCode = createCodes(t, rail)

const price = { currency: 'SLE', value: 1_000 }
const cart = { cart: '42', lines: [1, null, { a: 'é' }] }

const read = async (merchant: Merchant, path: string) => (await merchant.call('GET', path)).body.result
const linesOf = (merchant: Merchant, reference: string) =>
  read(merchant, `/v1/financial-transactions?reference=${reference}`)
const spaceOf = ({ spaceId }: Merchant) => ({ id: spaceId, type: 'space', metadata: {}, owner: {} })

async function paidSession(metadata: object, merchant: Merchant) {
  const body = { name: 'Concert', lineItems: [{ name: 'Seat', price }], metadata }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076123456')
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  const [payment] = await read(merchant, `/v1/payments?orderNumber=${session.orderNumber}`)
  return { session, payment }
}

/** Returns the events of an object, with the ownership graph in each. */
const eventsOf = async (merchant: Merchant, objectId: string) =>
  until(async () => {
    const events = await read(merchant, `/v1/events?objectId=${objectId}`)
    // The call is refused until there is an event.
    return events?.length > 0 && events
  })

describe('an owner is shown with its own metadata', () => {
  test('a session, on its payment, in reads, lists and every event', async () => {
    const merchant = await t.merchant()
    const { session, payment } = await paidSession(cart, merchant)
    const owner = { id: session.id, type: 'checkout_session', metadata: cart, owner: spaceOf(merchant) }
    assert.deepEqual(payment.ownershipGraph, { owner })
    assert.deepEqual((await read(merchant, `/v1/payments/${payment.id}`)).ownershipGraph, { owner })
    const events = await until(async () => {
      const events = await eventsOf(merchant, payment.id)
      return events.length === 3 && events
    })
    for (const { data } of events) assert.deepEqual(data.ownershipGraph, { owner })
  })

  test('a payment and its session, on each line of a settlement and its event', async () => {
    const merchant = await t.merchant()
    const { session, payment } = await paidSession(cart, merchant)
    const lines = await linesOf(merchant, payment.financialTransactionReference)
    assert.ok(lines.length > 0)
    const inner = { id: session.id, type: 'checkout_session', metadata: cart, owner: spaceOf(merchant) }
    for (const line of lines) {
      const owner = { id: payment.id, type: 'payment', metadata: {}, owner: inner }
      assert.deepEqual(line.ownershipGraph, { owner })
      assert.deepEqual((await eventsOf(merchant, line.id))[0].data, line)
    }
  })

  test('a payment code, as it was when its payment started', async () => {
    const code = await openCode({ metadata: { term: 1 }, mode: 'recurrent' })
    await code.begin()
    await code.settle()
    await code.change({ metadata: { term: 2 } })
    await code.begin()
    const [second, first] = await read(code.merchant, '/v1/payments')
    assert.deepEqual(first.ownershipGraph.owner.metadata, { term: 1 })
    assert.deepEqual(second.ownershipGraph.owner.metadata, { term: 2 })
    assert.equal(second.ownershipGraph.owner.type, 'payment_code')
  })

  test('a transfer and a payout, on their lines, as they were at the posting; earlier events do not change', async () => {
    const merchant = await t.merchant()
    const main = await fund(t.app.parts, merchant.scope, 100_000)
    const rent = (await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' }))
      .body
    const transfer = {
      amount: price,
      sourceFinancialAccount: { id: main },
      destinationFinancialAccount: { id: rent.result.id },
      metadata: cart,
    }
    const payout = {
      amount: price,
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
      metadata: cart,
    }
    for (const [path, body] of [
      ['/v1/internal-transfers', transfer],
      ['/v1/payouts', payout],
    ] as const) {
      const { id } = (await merchant.call('POST', path, body)).body.result
      const done = await until(async () => {
        await rail.advance(300)
        const shown = await read(merchant, `${path}/${id}`)
        return shown.status === 'completed' && shown
      })
      const reference = done.financialTransactionReference ?? done.source.transactionReference
      await merchant.call('PATCH', `${path}/${id}`, { metadata: { changed: true } })
      for (const line of await linesOf(merchant, reference)) {
        assert.equal(line.ownershipGraph.owner.id, id)
        assert.deepEqual(line.ownershipGraph.owner.metadata, cart)
        assert.deepEqual((await eventsOf(merchant, line.id))[0].data, line)
      }
    }
    await t.verify()
  })

  test('a line stores nothing for owners without metadata', async () => {
    const merchant = await t.merchant()
    const { session } = await paidSession({}, merchant)
    const { spaceId, environment } = merchant.scope
    const rows = await t.app.parts.db.query<{ owners: object[] }>(sql`
      select owners from ledger_lines where space_id = ${spaceId} and environment = ${environment}`)
    assert.ok(session && rows.length > 0)
    for (const { owners } of rows)
      for (const owner of owners) assert.deepEqual(Object.keys(owner), ['id', 'type'])
  })
})
