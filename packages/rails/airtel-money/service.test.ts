import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { createPayer } from '../../../test/support/payer.ts'

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
after(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: a response body, checked against its schema
type Shown = any

async function openShop(country: string, currency: string) {
  const merchant = await t.merchant({ country })
  const read = async (path: string): Promise<Shown> => (await merchant.call('GET', path)).body.result
  /** Waits until the rail has done its due work and has reported or been queried. */
  const ended = (find: () => Promise<Shown>) =>
    until(async () => {
      await clock.advance(300)
      const found = await find()
      return found && ['completed', 'failed'].includes(found.status) && found
    })
  return {
    merchant,
    read,
    ended,
    async pay(phone: string): Promise<() => Promise<Shown>> {
      const lineItems = [{ name: 'Country cloth', price: { currency, value: 1_000 } }]
      const { body } = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })
      const { orderNumber, redirectUrl } = body.result
      const page = await createPayer(redirectUrl).pay(`airtel-${country.toLowerCase()}`, phone)
      assert.equal(page.status, 303, page.text)
      return async () => (await read(`/v1/payments?orderNumber=${orderNumber}`))[0]
    },
    async send(path: string, body: object): Promise<() => Promise<Shown>> {
      const made = await merchant.call('POST', path, body)
      assert.equal(made.status, 200, JSON.stringify(made.body))
      return () => read(`${path}/${made.body.result.id}`)
    },
  }
}

const casesOf = async ({ call }: Merchant) => (await call('GET', '/v1/cases')).body.result.length

for (const [country, currency, phone] of [
  ['CD', 'USD', '+243990000456'],
  ['CG', 'XAF', '+242055123456'],
  ['GA', 'XAF', '+24174123456'],
  ['KE', 'KES', '+254733123456'],
  ['MG', 'MGA', '+261331234456'],
  ['MW', 'MWK', '+265990123456'],
  ['NE', 'XOF', '+22790123456'],
  ['NG', 'NGN', '+2348021234456'],
  ['RW', 'RWF', '+250730123456'],
  ['SC', 'SCR', '+2482510456'],
  ['TD', 'XAF', '+23566123456'],
  ['TZ', 'TZS', '+255780123456'],
  ['UG', 'UGX', '+256752604456'],
  ['ZM', 'ZMW', '+260970123456'],
] as const)
  test(`Airtel ${country}: a checkout is paid, refunded in two parts by payouts, and a payout arrives`, async () => {
    const shop = await openShop(country, currency)
    await fund(t.app.parts, shop.merchant.scope, 100_000, { currency })
    const paid = await shop.ended(await shop.pay(phone))
    assert.deepEqual([paid.status, paid.amount.value], ['completed', 1_000])
    for (const amount of [{ currency, value: 400 }, undefined]) {
      const back = { paymentId: paid.id, reason: 'requested_by_customer', ...(amount && { amount }) }
      const refund = await shop.ended(await shop.send('/v1/refunds', back))
      assert.deepEqual([refund.status, refund.method], ['completed', 'payout'])
    }
    const { refund } = await shop.read(`/v1/payments/${paid.id}`)
    assert.deepEqual([refund.refunded.value, refund.refundable.value], [1_000, 0])
    const destination = { type: 'momo', providerId: `airtel-${country.toLowerCase()}`, phoneNumber: phone }
    const payout = { amount: { currency, value: 500 }, destination }
    assert.equal((await shop.ended(await shop.send('/v1/payouts', payout))).status, 'completed')
  })

describe('payers and payees at Airtel', () => {
  for (const [digits, status, code, cases] of [
    ['001', 'failed', 'fund_insufficient', 0],
    ['007', 'completed', undefined, 0],
    ['010', 'failed', 'provider_account_missing', 0],
    ['012', 'failed', undefined, 1],
  ] as const)
    test(`…${digits}: ${status}`, async () => {
      const shop = await openShop('UG', 'UGX')
      await fund(t.app.parts, shop.merchant.scope, 100_000, { currency: 'UGX' })
      const phone = `+256752604${digits}`
      const payment = await shop.pay(phone)
      const destination = { type: 'momo', providerId: 'airtel-ug', phoneNumber: phone }
      const payout = await shop.send('/v1/payouts', { amount: { currency: 'UGX', value: 500 }, destination })
      for (const find of [payment, payout]) {
        const shown = await shop.ended(find)
        assert.equal(shown.status, status)
        if (code) assert.equal(shown.failureDetail.code, code)
      }
      // Both late changes become cases for an operator.
      await until(async () => {
        await clock.advance(5_000)
        return (await casesOf(shop.merchant)) === 2 * cases
      })
    })
})

test('the books balance afterwards', () => t.verify())
