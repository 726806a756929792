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
  return { '/payments/:id': `/payments/${paid}` }
}

/** Returns its id, once it has ended. */
async function payment(shop: Merchant, name: string, phone: string, ending: string): Promise<string> {
  const lineItems = [{ name, price: { currency: 'SLE', value: 15_000 }, quantity: 2 }]
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', { name, lineItems })).body
  await createPayer(session.redirectUrl).pay('m17', phone)
  return until(async () => {
    const { body } = await shop.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0]?.status === ending && body.result[0].id
  })
}
