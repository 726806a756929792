import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../packages/server/src/rails/instructions/callback-url.ts'
import { startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'

const t = await startTestApp({ settings: { SIMULATOR: 'off', LOG_LEVEL: 'fatal' } })
const elsewhere = await startTestApp({
  work: false,
  anotherNodeOf: t,
  settings: { SIMULATOR: 'off', SIMULATOR_URL: 'http://127.0.0.1:9/simulator' },
})
after(async () => {
  await elsewhere.close()
  await t.close()
})

test('/simulator/…: 404 if the simulator is off', async () => {
  for (const [method, path] of [
    ['GET', '/simulator'],
    ['HEAD', '/simulator'],
    ['POST', '/simulator/handsets/state'],
    ['GET', '/simulator/statements/m17'],
    ['POST', '/simulator/mtn-momo/m17/collection/token/'],
    ['PUT', '/simulator/rest/slb001/collections/x'],
    ['GET', '/simulator/acquirer/card/pages/x'],
  ] as const) {
    const { status, json } = await send(t.baseUrl, { method, path })
    assert.equal(status, 404, path)
    if (method === 'HEAD') continue
    assert.equal(json.error.reason, 'route_not_found')
    assert.match(json.error.message, /^The simulator is off/)
  }
})

test('GET /v1/momos, /v1/banks, /v1/wallets: 200 with none active if the simulator is off; POST /v1/payouts: 400', async () => {
  const merchant = await t.merchant()
  for (const kind of ['momos', 'banks', 'wallets']) {
    const { result } = (await merchant.call('GET', `/v1/${kind}`)).body
    assert.ok(result.length > 0)
    assert.ok(result.every(({ status }: { status: { active: boolean } }) => !status.active))
  }
  const payout = await merchant.call('POST', '/v1/payouts', {
    amount: { currency: 'SLE', value: 1 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
  })
  assert.deepEqual([payout.status, payout.body.error.details[0].param], [400, 'destination.providerId'])
  // A rail that does not exist sends no reports.
  const url = callbackUrl(t.app.parts, { ownerType: 'payment', scope: merchant.scope, id: newId(new Date()) })
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})

test('GET /v1/momos: 200 with all active if a simulator runs elsewhere', async () => {
  const merchant = await elsewhere.merchant()
  const { result } = (await merchant.call('GET', '/v1/momos')).body
  assert.ok(result.every(({ status }: { status: { active: boolean } }) => status.active))
  assert.equal((await fetch(`${elsewhere.baseUrl}/simulator`)).status, 404)
})
