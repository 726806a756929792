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
  const refund = { paymentId: paid.id, amount: { currency: 'SLE', value: 5_000 }, reason: 'wrong_amount' }
  await shop.call('POST', '/v1/refunds', refund)
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link('Raffia mats'))).body
  const newCode = { name: 'School fees', mode: 'recurrent', authorizedPhoneNumber: '+23276123456' }
  const { result: code } = (await shop.call('POST', '/v1/payment-codes', newCode)).body
  return {
    '/payments/:id': `/payments/${paid.id}`,
    '/checkout-sessions/:id': `/checkout-sessions/${session.id}`,
    '/payment-codes/:id': `/payment-codes/${code.id}`,
    '/payers': '/payers?phoneNumber=%2B23276123456',
    '/receipts/:orderNumber': `/receipts/${paid.orderNumber}`,
  }
}

const link = (name: string) => ({
  name,
  lineItems: [{ name, price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
})

type Paid = { id: string; orderNumber: string }

/** Once it has ended. */
async function payment(shop: Merchant, name: string, phone: string, ending: string): Promise<Paid> {
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link(name))).body
  await createPayer(session.redirectUrl).pay('m17', phone)
  return until(async () => {
    const { body } = await shop.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0]?.status === ending && body.result[0]
  })
}
