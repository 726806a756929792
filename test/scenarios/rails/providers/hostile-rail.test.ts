import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, mock, test } from 'node:test'
import { listCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { queuedJobs } from '../../../support/jobs.ts'
import { type Account, createPayer } from '../../../support/payer.ts'

// Real live connections to a rail whose responses the test controls.
type Handler = (request: IncomingMessage, response: ServerResponse) => void
let handle: Handler = () => {}
const rail = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
await once(rail, 'listening')
const origin = `http://127.0.0.1:${(rail.address() as AddressInfo).port}`

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-rail-'))
const providersFile = path.join(folder, 'providers.json')
const connection = { baseUrl: `${origin}/v1`, key: 'rail-key', timeoutMs: 300 }
const connections = {
  slb001: { protocol: 'rest', ...connection },
  dw001: { protocol: 'rest', ...connection },
  card: { protocol: 'acquirer', ...connection },
}
writeFileSync(providersFile, JSON.stringify({ connections }))
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  rail.closeAllConnections()
  rail.close()
  rmSync(folder, { recursive: true })
})
const merchant = await t.merchant({ environment: 'live' })
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

async function pay(provider: string, account: Account) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  assert.equal((await payer.pay(provider, account)).status, 303)
  const payment = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  return { payer, payment }
}

/**
 * Triggers a query with a callback, because the live clock cannot be moved. Resolves once the rail was queried
 * and its response recorded.
 */
async function ask(payment: { id: string }) {
  const given = handle
  let queries = 0
  handle = (request, response) => {
    if (request.method === 'GET') queries++
    given(request, response)
  }
  const url = callbackUrl(t.app.parts, {
    ownerType: 'payment',
    scope: merchant.scope,
    id: readId(paymentIds, payment.id)!,
  })
  assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  await until(() => queries > 0)
  await until(async () => (await t.app.parts.db.pool.query(`select from ${queuedJobs}`)).rowCount === 0)
  await t.app.settled()
}

const answer =
  (status: number, body: unknown): Handler =>
  (_request, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

const hostile: [string, Handler][] = [
  ['never responds', () => {}],
  ['drops the connection', (request) => request.socket.destroy()],
  ['responds with garbage', answer(200, '<html>')],
  ['responds with 500 and a known code', answer(500, { code: 'insufficient_funds' })],
  [
    'redirects the payer to another site',
    answer(202, { status: 'pending', redirectUrl: 'https://evil.example/login' }),
  ],
  ['does not know the path', answer(404, {})],
]
for (const [what, handler] of hostile)
  test(`a rail that ${what} leaves a payment processing and the books unchanged`, async () => {
    handle = handler
    for (const [provider, account] of [
      ['slb001', { accountNumber: '0011223344' }],
      ['dw001', { walletId: 'fatu@safulpay' }],
      ['card', {}],
    ] as const) {
      handle = handler
      const { payer, payment } = await pay(provider, account)
      await until(async () => (await payment())?.status === 'processing')
      await ask(await payment())
      assert.equal((await payment()).status, 'processing')
      const waiting = await payer.look('/wait')
      assert.deepEqual([waiting.status, waiting.location], [200, null])
      assert.doesNotMatch(waiting.text, /evil/)
      // A clear response, because the rail's breaker would open otherwise.
      handle = answer(400, { code: 'account_missing' })
      const refused = await pay(provider, account)
      await until(async () => (await refused.payment())?.status === 'failed')
    }
    await t.verify()
  })

test('a rail that redirects the payer to another site is reported as a security issue', async () => {
  const warn = mock.method(t.app.parts.log, 'warn', () => {})
  handle = answer(202, { status: 'pending', redirectUrl: `${origin}.evil.example/` })
  await pay('card', {})
  // Payments of earlier tests are queried at the same time.
  const warning = await until(() =>
    warn.mock.calls.find(({ arguments: [about] }) => (about as { call?: string }).call === 'collect'),
  )
  assert.deepEqual(warning.arguments, [
    {
      provider: 'card',
      call: 'collect',
      why: "the redirect URL is not on the rail's own origin",
      security: true,
    },
    'received an ambiguous response from a provider',
  ])
  warn.mock.restore()
})

test('the payment page’s form may lead only to the rails that it offers', async () => {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const page = await fetch(session.redirectUrl)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.ok(policy.includes(`; form-action 'self' ${origin};`), policy)
})

test('a rail that reports another amount or currency completes nothing; the money goes to suspense and a case is opened', async () => {
  for (const reported of [
    { amount: 29_999, currency: 'SLE' },
    { amount: 30_000, currency: 'GHS' },
  ]) {
    handle = (request, response) =>
      request.method === 'PUT'
        ? answer(202, { status: 'pending' })(request, response)
        : answer(200, { status: 'done', ...reported })(request, response)
    const { payment } = await pay('dw001', { walletId: 'fatu@safulpay' })
    await until(async () => (await payment())?.status === 'processing')
    await ask(await payment())
    const { status, failureDetail, id } = await payment()
    assert.deepEqual([status, failureDetail.code], ['failed', 'unknown'])
    const [opened] = (await listCases(t.app.parts.db, false)).filter(
      ({ objectId }) => objectId === readId(paymentIds, id),
    )
    assert.deepEqual(
      [opened?.kind, Number(opened?.amount), opened?.currency],
      ['success_after_failure', reported.amount, reported.currency],
    )
  }
  await t.verify()
})
