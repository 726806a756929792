import { type Merchant, type TestApp, until } from '../../harness.ts'
import { fund } from '../../money.ts'
import { createPayer } from '../../payer.ts'

/**
 * A shop with something on every page; returns for the pages that are about one thing where such a one is, by the pages'
 * paths.
 */
export async function fillShop(t: TestApp, shop: Merchant): Promise<Record<string, string>> {
  await fund(t.app.parts, shop.scope, 5_000_000)
  const paid = await payment(shop, 'Country cloth, two lappa', '076123456', 'completed')
  await payment(shop, 'Palm oil, 20 litres', '076123001', 'failed')
  const { orderNumber } = (await shop.call('GET', `/v1/payments/${paid}`)).body.result
  const refund = { paymentId: paid, amount: { currency: 'SLE', value: 5_000 }, reason: 'wrong_amount' }
  await shop.call('POST', '/v1/refunds', refund)
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link('Raffia mats'))).body
  const newCode = { name: 'School fees', mode: 'recurrent', authorizedPhoneNumber: '+23276123456' }
  const { result: code } = (await shop.call('POST', '/v1/payment-codes', newCode)).body
  const { result: payout } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body
  const { result: batch } = (await shop.call('POST', '/v1/payout-batches', salaries)).body
  const webhook = await shop.call('POST', '/v1/webhooks', {
    name: 'Orders of the shop',
    url: 'http://127.0.0.1:9/orders',
    events: ['webhook.*', 'payment.completed'],
  })
  const { id } = webhook.body.result
  await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
  const delivery = await until(async () => {
    const { body } = await shop.call('GET', `/v1/webhooks/${id}/deliveries`)
    return body.result[0]?.attempts.length > 0 && body.result[0]
  })
  return {
    '/payments/:id': `/payments/${paid}`,
    '/checkout-sessions/:id': `/checkout-sessions/${session.id}`,
    '/payment-codes/:id': `/payment-codes/${code.id}`,
    '/payers': '/payers?phoneNumber=%2B23276123456',
    '/receipts/:orderNumber': `/receipts/${orderNumber}`,
    '/payouts/:id': `/payouts/${payout.id}`,
    '/payout-batches/:id': `/payout-batches/${batch.id}`,
    '/webhooks/:id': `/webhooks/${id}`,
    '/deliveries/:id': `/deliveries/${delivery.id}`,
    '/events/:id': `/events/${delivery.eventId}`,
    '/installation/spaces/:id': `/installation/spaces/${shop.spaceId}`,
  }
}

export const payTo = (phoneNumber: string, value = 15_000) => ({
  amount: { currency: 'SLE', value },
  destination: { type: 'momo', providerId: 'm17', phoneNumber },
})

const salaries = {
  name: 'Salaries of November',
  rows: [
    { ...payTo('076123457'), name: 'Fatu Kamara', reference: '11/2026' },
    { ...payTo('076123458'), name: 'Sahr Koroma' },
  ],
}

const link = (name: string) => ({
  name,
  lineItems: [{ name, price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
})

/** Returns its id, once it has ended. */
export async function payment(shop: Merchant, name: string, phone: string, ending: string): Promise<string> {
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link(name))).body
  await createPayer(session.redirectUrl).pay('m17', phone)
  return until(async () => {
    const { body } = await shop.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0]?.status === ending && body.result[0].id
  })
}
