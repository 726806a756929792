import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { createPayer } from '../../../test/support/payer.ts'

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
after(() => t.close())

// Replace: the provider, its country, its currency and the beginning of a phone number there. The last three
// digits determine the outcome.
const [providerId, country, currency, phone] = ['example-rail-lr', 'LR', 'LRD', '+231770123']
const value = 150_050

let merchant: Merchant
before(async () => {
  merchant = await t.merchant({ country })
})

// biome-ignore lint/suspicious/noExplicitAny: a response body, checked against its schema
type Shown = any

const read = async (path: string): Promise<Shown> => (await merchant.call('GET', path)).body.result

/** Moves the clocks until payments or payouts have ended, and returns their status. */
const endOf = (finds: (() => Promise<Shown>)[]): Promise<string[]> =>
  until(async () => {
    await clock.advance(300)
    await t.advance(merchant.scope, 5_000)
    const found = await Promise.all(finds.map((find) => find()))
    const statuses: string[] = found.map((each) => each?.status)
    return statuses.every((status) => ['completed', 'failed'].includes(status)) && statuses
  })

async function pay(digits: string) {
  const lineItems = [{ name: 'Country cloth', price: { currency, value } }]
  const created = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })
  const { redirectUrl, orderNumber } = created.body.result
  const response = await createPayer(redirectUrl).pay(providerId, phone + digits)
  assert.equal(response.status, 303, response.text)
  return async () => (await read(`/v1/payments?orderNumber=${orderNumber}`))[0]
}

async function payOut(digits: string) {
  const destination = { type: 'momo', providerId, phoneNumber: phone + digits }
  const created = await merchant.call('POST', '/v1/payouts', { amount: { currency, value }, destination })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  return () => read(`/v1/payouts/${created.body.result.id}`)
}

test('payments are completed, refused, and completed although the response was lost', async () => {
  assert.deepEqual(await endOf([await pay('456'), await pay('002'), await pay('007')]), [
    'completed',
    'failed',
    'completed',
  ])
  await t.verify()
})

test('payouts are completed, refused, and completed although the response was lost', async () => {
  await fund(t.app.parts, merchant.scope, 10 * value, { currency })
  assert.deepEqual(await endOf([await payOut('456'), await payOut('002'), await payOut('007')]), [
    'completed',
    'failed',
    'completed',
  ])
  await t.verify()
})
