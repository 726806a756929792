import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, mock, test } from 'node:test'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../packages/server/src/rails/instructions/callback-url.ts'
import { testGatewayUrl } from '../../../packages/server/src/ways-to-pay/ussd/test-gateway.ts'
import { startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'

// The clock moves only when a test moves it.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

const t = await startTestApp({
  work: false,
  app: { maxClockDifferenceMs: Number.POSITIVE_INFINITY },
  settings: {
    LOG_LEVEL: 'fatal',
    RATE_LIMITS: 'on',
    CALLBACK_LIMIT: '5',
    TRUSTED_PROXIES: '127.0.0.1',
    USSD_NETWORKS: '192.0.2.0/24',
  },
})
after(() => t.close())
const { scope } = await t.merchant()
const [paymentUrl, payoutUrl] = (['payment', 'payout'] as const).map(
  (ownerType) => new URL(callbackUrl(t.app.parts, { ownerType, scope, id: newId(new Date()) })).pathname,
) as [string, string]

let stranger = 0
/** Returns an address from which no request has come yet. */
const nextAddress = () => `203.0.${++stranger >> 8}.${stranger & 255}`

describe('from a refused sender', () => {
  const reference = randomUUID()
  for (const [method, path, status] of [
    ['POST', '/callbacks/payments/x', 404],
    ['PUT', '/callbacks/payouts/x', 404],
    ['POST', '/ussd/africastalking', 404],
    ['POST', '/ussd/africastalking/x', 404],
    ['POST', '/simulator/mtn-momo/m17/collection/token/', 401],
    ['POST', '/simulator/mtn-momo/m17/collection/v1_0/requesttopay', 401],
    ['POST', '/simulator/mtn-momo/m17/disbursement/v1_0/transfer', 401],
    ['PUT', `/simulator/rest/slb001/collections/${reference}`, 401],
    ['PUT', `/simulator/rest/slb001/transfers/${reference}`, 401],
    ['PUT', `/simulator/acquirer/card/sessions/${reference}`, 401],
    ['POST', `/simulator/rest/slb001/pages/${reference}`, 404],
  ] as const)
    test(`no byte of the body is read: ${method} ${path.replace(reference, '…')}`, async () => {
      const { hostname, port } = new URL(t.baseUrl)
      const socket = connect({ host: hostname, port: Number(port) })
      // The body is announced, but never sent.
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n`,
      )
      const [answer] = (await once(socket, 'data')) as [Buffer]
      assert.equal(answer.toString().split(' ')[1], String(status))
      socket.destroy()
    })
})

test('no page, callback, gateway or rail reads a body of more than 16 KiB', async () => {
  const gatewayPath = new URL(testGatewayUrl(t.baseUrl, t.app.parts.seals)).pathname
  for (const path of [
    paymentUrl,
    payoutUrl,
    gatewayPath,
    '/simulator/handsets/state',
    '/pay/x',
    '/pay/x/cancel',
  ]) {
    const answer = await fetch(t.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
      body: JSON.stringify({ text: 'x'.repeat(16 * 1024) }),
    })
    assert.equal(answer.status, 413, path)
    const text = await answer.text()
    if (!path.startsWith('/pay/')) assert.match(text, /larger than 16 KiB/)
  }
})

describe('from one address', () => {
  const call = async (path: string, address: string) =>
    send(t.baseUrl, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: '{}',
    })

  for (const path of [paymentUrl, '/callbacks/payments/x', '/callbacks/payouts/x'])
    test(`callbacks are limited per second: ${path.slice(0, 20)}`, async () => {
      const address = nextAddress()
      const answers = []
      for (let i = 0; i < 8; i++) answers.push(await call(path, address))
      // The callback is for a payment that does not exist.
      const notFound = 404
      assert.deepEqual(
        answers.map(({ status }) => status),
        [...Array(5).fill(notFound), 429, 429, 429],
      )
      assert.deepEqual(
        [answers[7]!.headers['service-rate-limit'], answers[7]!.headers['retry-after']],
        ['callback-limit', '1'],
      )
      assert.equal((await call(path, nextAddress())).status, notFound)
    })

  test('handset views are counted before they are read', async () => {
    const address = nextAddress()
    for (let i = 0; i < 10; i++) await call('/simulator/handsets/mode', address)
    assert.equal((await call('/simulator/handsets/mode', address)).status, 429)
  })
})
