import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { payment } from '../../operations/console/shop.ts'

const t = await startTestApp()
after(() => t.close())

const countsOf = async (of: Awaited<ReturnType<typeof t.merchant>>, resource: string) => {
  const { status, body } = await of.call('GET', `/v1/${resource}/counts`)
  return [status, body.result ?? body.error.reason]
}
const none = { pending: 0, processing: 0, completed: 0, failed: 0 }

test('payments, payouts and refunds are counted by status, in one environment of one Space', async () => {
  const shop = await t.merchant()
  await fund(t.app.parts, shop.scope, 100_000)
  const paid = await payment(shop, 'Cloth', '076123456', 'completed')
  await payment(shop, 'Oil', '076123457', 'completed')
  await payment(shop, 'Mats', '076123001', 'failed')
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const amount = { currency: 'SLE', value: 500 }
  const payout = (await shop.call('POST', '/v1/payouts', { amount, destination })).body.result
  const refund = (await shop.call('POST', '/v1/refunds', { paymentId: paid, amount, reason: 'duplicate' }))
    .body.result
  for (const path of [`/v1/payouts/${payout.id}`, `/v1/refunds/${refund.id}`])
    await until(async () => (await shop.call('GET', path)).body.result.status === 'completed')
  assert.deepEqual(await countsOf(shop, 'payments'), [200, { ...none, completed: 2, failed: 1 }])
  assert.deepEqual(await countsOf(shop, 'payouts'), [200, { ...none, completed: 1 }])
  assert.deepEqual(await countsOf(shop, 'refunds'), [200, { ...none, completed: 1, cancelled: 0 }])
  for (const other of [await t.merchant({ sameUserAs: shop, environment: 'live' }), await t.merchant()])
    assert.deepEqual(await countsOf(other, 'payments'), [200, none])
})

test('counting requires the permission of the list, and takes no filters', async () => {
  const shop = await t.merchant({ scopes: ['payments:read'] })
  assert.deepEqual(await countsOf(shop, 'payments'), [200, none])
  for (const resource of ['payouts', 'refunds'])
    assert.deepEqual(await countsOf(shop, resource), [403, 'access_denied'])
  for (const query of ['status=failed', 'limit=1', 'q=%00', 'after=x']) {
    const { status, body } = await shop.call('GET', `/v1/payments/counts?${query}`)
    assert.deepEqual([status, body.error.reason], [400, 'arguments_invalid'], query)
  }
  const { status, body } = await shop.call('POST', '/v1/payments/counts', {})
  assert.deepEqual([status, body.error.reason], [405, 'method_not_allowed'])
})
