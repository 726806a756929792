import { openCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { applyLedgerWork } from '../../../../packages/server/src/ledger/accounts/holds.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, type TestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'

/**
 * Fills a Space with data for every page. Returns example URLs for the pages that show one object, by the path
 * of the page.
 */
export async function fillShop(t: TestApp, shop: Merchant): Promise<Record<string, string>> {
  await fund(t.app.parts, shop.scope, 5_000_000)
  const paid = await payment(shop, 'Country cloth, two lappa', '076123456', 'completed')
  const failed = await payment(shop, 'Palm oil, 20 litres', '076123001', 'failed')
  const { orderNumber } = (await shop.call('GET', `/v1/payments/${paid}`)).body.result
  const refund = { paymentId: paid, amount: { currency: 'SLE', value: 5_000 }, reason: 'wrong_amount' }
  const { result: refunded } = (await shop.call('POST', '/v1/refunds', refund)).body
  const { result: rent } = (
    await shop.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  ).body
  const { result: transfer } = (
    await shop.call('POST', '/v1/internal-transfers', await rentOf(shop, rent.id))
  ).body
  await openLate(t, shop, failed)
  const [late] = (await shop.call('GET', '/v1/cases')).body.result
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link('Raffia mats'))).body
  const { result: paymentLink } = (await shop.call('POST', '/v1/payment-links', ticket)).body
  const newCode = { name: 'School fees', mode: 'recurrent', authorizedPhoneNumber: '+23276123456' }
  const { result: code } = (await shop.call('POST', '/v1/payment-codes', newCode)).body
  const { result: payout } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body
  await until(
    async () => (await shop.call('GET', `/v1/payouts/${payout.id}`)).body.result.status === 'completed',
  )
  const wrong = { payoutId: payout.id, reason: 'wrong_payee' }
  const { result: recall } = (await shop.call('POST', '/v1/recalls', wrong)).body
  const { result: settlement } = (await shop.call('POST', '/v1/settlements', topUp)).body
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
  await shop.call('POST', '/v1/access-tokens', { name: 'Website', scopes: ['payments:read'] })
  for (const [email, role] of [
    ['ama@shop.example', 'finance'],
    ['kofi@shop.example', 'developer'],
  ])
    await shop.call('POST', '/v1/invitations', { email, role })
  const refused = await shop.call('POST', '/v1/payouts', { reference: '+23276123456' })
  const requestId = refused.headers.get('service-request-id')
  await until(async () => (await shop.call('GET', `/v1/requests/${requestId}`)).status === 200)
  return {
    '/requests/:id': `/requests/${requestId}`,
    '/payments/:id': `/payments/${paid}`,
    '/refunds/:id': `/refunds/${refunded.id}`,
    '/financial-accounts/:id': `/financial-accounts/${rent.id}`,
    '/internal-transfers/:id': `/internal-transfers/${transfer.id}`,
    '/cases/:id': `/cases/${late.id}`,
    '/checkout-sessions/:id': `/checkout-sessions/${session.id}`,
    '/payment-links/:id': `/payment-links/${paymentLink.id}`,
    '/payment-codes/:id': `/payment-codes/${code.id}`,
    '/payers': '/payers?phoneNumber=%2B23276123456',
    '/receipts/:orderNumber': `/receipts/${orderNumber}`,
    '/payouts/:id': `/payouts/${payout.id}`,
    '/recalls/:id': `/recalls/${recall.id}`,
    '/settlements/:id': `/settlements/${settlement.id}`,
    '/payout-batches/:id': `/payout-batches/${batch.id}`,
    '/webhooks/:id': `/webhooks/${id}`,
    '/deliveries/:id': `/deliveries/${delivery.id}`,
    '/events/:id': `/events/${delivery.eventId}`,
    '/installation/reconciliation': '/installation/reconciliation?providerId=m17&environment=test',
    '/installation/providers/:connection': '/installation/providers/m17',
    '/installation/spaces/:id': `/installation/spaces/${shop.spaceId}`,
  }
}

/** Transfers money from the main account to the rent account. */
async function rentOf(shop: Merchant, rentId: string) {
  const { result } = (await shop.call('GET', '/v1/financial-accounts')).body
  const main = result.find(({ id, currency }: Record<string, string>) => id !== rentId && currency === 'SLE')
  return {
    amount: { currency: 'SLE', value: 120_000 },
    sourceFinancialAccount: { id: main.id },
    destinationFinancialAccount: { id: rentId },
    description: 'Rent of November',
  }
}

/** Opens a case: the rail reports success for a failed payment. */
const openLate = ({ app }: TestApp, { scope }: Merchant, paymentId: string) =>
  app.parts.db.transaction(async (tx) => {
    const { work } = await openCases(tx, [
      {
        scope,
        kind: 'success_after_failure',
        object: { id: readId(paymentIds, paymentId)!, type: 'payment' },
        providerId: 'm17',
        direction: 'collection',
        amount: 30_000n,
        currency: 'SLE',
        at: app.parts.clock.now(scope),
      },
    ])
    await applyLedgerWork(tx, work)
  })

export const payTo = (phoneNumber: string, value = 15_000) => ({
  amount: { currency: 'SLE', value },
  destination: { type: 'momo', providerId: 'm17', phoneNumber },
})

const topUp = {
  ...{ kind: 'float_top_up', providerId: 'm17', amount: { currency: 'SLE', value: 2_000_000 } },
  ...{ bankReference: 'FT26325XYZ', valueDate: '2026-11-20' },
}

const salaries = {
  name: 'Salaries of November',
  rows: [
    { ...payTo('076123457'), name: 'Fatu Kamara', reference: '11/2026' },
    { ...payTo('076123458'), name: 'Sahr Koroma' },
  ],
}

const ticket = {
  name: 'Concert at the harbour',
  lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15_000 } }],
  quantity: { maximum: 6 },
  payerReference: { label: 'Your name' },
  maxPayments: 200,
}

const link = (name: string) => ({
  name,
  lineItems: [{ name, price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
})

/** Creates a payment and returns its ID once it has the expected status. */
export async function payment(
  shop: Merchant,
  name: string,
  phone: string,
  ending: string,
  provider = 'm17',
): Promise<string> {
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', link(name))).body
  await createPayer(session.redirectUrl).pay(provider, phone)
  return until(async () => {
    const { body } = await shop.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0]?.status === ending && body.result[0].id
  })
}
