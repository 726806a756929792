import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '../../src/providers/simulator/clock.ts'
import { readId } from '../../src/platform/ids.ts'
import { createPayer } from '../payer.ts'
import { startTestApp, until } from '../harness.ts'

const simulatorClock = createManualClock()
const t = await startTestApp({ app: { simulatorClock } })
after(() => t.close())

const order = {
  name: 'Order 42',
  callbackState: 'cart 7',
  successUrl: 'https://shop.example/thanks?cart=7',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
}

describe('a payment of 30 000 with the default fee', () => {
  test('moves exactly: clearing −30 000, merchant +30 000 and −300, fees +300', async () => {
    const merchant = await t.merchant()
    const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
    const payer = createPayer(session.redirectUrl)
    await payer.pay('m17', '076 123 456')
    await until(async () => (await payer.status()) === 'done' || simulatorClock.advance(300))
    const payments = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result
    assert.equal(payments.length, 1)
    console.log(JSON.stringify(payments, null, 1), await payer.look('/wait'))
    const lines = await merchant.call('GET', `/v1/financial-transactions?reference=${payments[0].financialTransactionReference}`)
    console.log(JSON.stringify(lines.body.result, null, 1))
    console.log(await t.events(merchant.scope))
    await t.verify()
  })
})
