import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { caseIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { payment } from '../../operations/console/shop.ts'
import { peopleOf } from './people.ts'

const t = await startTestApp()
after(() => t.close())
const { signedIn, send } = peopleOf(t)
const longAgo = () => new Date(Date.now() - 3_600_000)

let shop: Merchant
before(async () => {
  shop = await t.merchant({ isOperator: true })
})

/** Sends a request of the shop with a session that began at a given time. */
async function call(path: string, body: unknown, at: Date, environment = 'test') {
  const { cookie } = await signedIn(shop.userId, at)
  const headers = {
    cookie,
    'service-space-id': shop.spaceId,
    'service-environment': environment,
    'idempotency-key': crypto.randomUUID(),
  }
  const { status, reason } = await send('POST', path, body, headers)
  return [status, reason]
}

describe('an hour-old sign-in', () => {
  test('can refund up to the approval limit of the Space and no more; a fresh one and a token can refund more', async () => {
    await t.app.parts.db.transaction((tx) => setLimit(tx, shop.scope, 'refund', 'SLE', 500n))
    const paymentId = await payment(shop, 'Mats', '076123456', 'completed')
    const refund = (value: number) => ({
      paymentId,
      amount: { currency: 'SLE', value },
      reason: 'wrong_amount',
    })
    assert.deepEqual(await call('/v1/refunds', refund(501), longAgo()), [403, 'step_up_required'])
    const whole = { paymentId, reason: 'wrong_amount' }
    assert.deepEqual(await call('/v1/refunds', whole, longAgo()), [403, 'step_up_required'])
    assert.deepEqual(await call('/v1/refunds', refund(500), longAgo()), [200, undefined])
    assert.deepEqual(await call('/v1/refunds', refund(501), new Date()), [200, undefined])
    assert.equal((await shop.call('POST', '/v1/refunds', refund(501))).status, 200)
  })

  test('can neither return a late payment nor rotate a webhook secret; a fresh one can, with an audit entry', async () => {
    const webhook = { name: 'Shop', url: 'https://shop.example/hook', events: ['*'] }
    const { id } = (await shop.call('POST', '/v1/webhooks', webhook)).body.result
    const rotating = `/v1/webhooks/${id}/rotate-secret`
    const chosen = { secret: 'a secret of thirty-two characters' }
    assert.deepEqual(await call(rotating, chosen, longAgo()), [403, 'step_up_required'])
    assert.deepEqual(await call(rotating, chosen, new Date()), [200, undefined])
    const entries = (await shop.call('GET', '/v1/audit-entries?action=webhook.rotate_secret')).body.result
    assert.equal(entries.length, 1, 'the refused attempt has no entry')
    assert.deepEqual(entries[0].details, { name: 'Shop', isOwnSecret: true })
    assert.ok(!JSON.stringify(entries).includes(chosen.secret))
    const returning = `/v1/cases/${showId(caseIds, crypto.randomUUID())}/return`
    assert.deepEqual(await call(returning, {}, longAgo()), [403, 'step_up_required'])
    assert.deepEqual(await call(returning, {}, new Date()), [404, 'not_found'])
  })

  test('can neither suspend or resume a Space nor set its fees', async () => {
    const { spaceId } = await t.merchant()
    const at = `/v1/installation/spaces/${spaceId}`
    for (const path of [`${at}/suspend`, `${at}/resume`, `${at}/fees`])
      assert.deepEqual(await call(path, {}, longAgo(), 'live'), [403, 'step_up_required'], path)
    assert.deepEqual(await call(`${at}/suspend`, { reason: 'Unpaid' }, new Date(), 'live'), [200, undefined])
  })
})

test('console and sign-in pages cannot be framed', async () => {
  for (const path of ['/console', '/console/sign-in', `/console/${shop.spaceId}/test/security`]) {
    const { headers } = await fetch(t.baseUrl + path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
  }
})
