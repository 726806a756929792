import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { signReport } from '../../../../packages/rails/rest/report.ts'
import { listCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import { unstatedAmounts } from '../../../../packages/server/src/rails/instructions/metrics.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// Real connections, in live, to rails that report and respond as the test requires.
type ReceivedOrder = { method: string; reference: string; callbackUrl: string; currency: string }
let answer: (request: ReceivedOrder, response: ServerResponse) => unknown
let questions = 0
const rail = createServer(async (request: IncomingMessage, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const reference = request.url!.split('/').at(-1)!
  if (request.method === 'GET') questions++
  await answer({ ...JSON.parse(text || '{}'), method: request.method, reference }, response)
}).listen(0, '127.0.0.1')
await once(rail, 'listening')

const key = 'the-key-that-a-wallet-signs-its-reports-with'
const otherKey = 'the-key-that-another-one-signs-reports-with'
const folder = mkdtempSync(path.join(tmpdir(), 'reports-'))
const providersFile = path.join(folder, 'providers.json')
const baseUrl = `http://127.0.0.1:${(rail.address() as AddressInfo).port}`
const connection = { protocol: 'rest', flow: 'push', baseUrl, key: 'rail-key', timeoutMs: 5_000 }
const connections = {
  dw001: { ...connection, callbackKey: key },
  slb001: { ...connection, callbackKey: otherKey, statesAmounts: false },
  slb004: connection,
}
writeFileSync(providersFile, JSON.stringify({ connections }))
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  rail.closeAllConnections()
  rail.close()
  rmSync(folder, { recursive: true })
})
const { db } = t.app.parts
const merchant = await t.merchant({ environment: 'live' })
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

const say = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status).end(JSON.stringify(body))
const pending = (more: object = {}) =>
  ((request, response) =>
    say(response, request.method === 'PUT' ? 202 : 200, { status: 'pending', ...more })) as typeof answer

beforeEach(() => {
  answer = pending()
  questions = 0
})

const accounts = {
  dw001: { walletId: 'fatu@safulpay' },
  slb001: { accountNumber: '0011223344' },
  slb004: { accountNumber: '0011223344' },
}

async function pay(provider: keyof typeof accounts = 'dw001', of: Merchant = merchant) {
  const session = (await of.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  await payer.pay(provider, accounts[provider])
  const payment = async () =>
    (await of.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  const id = await until(async () => readId(paymentIds, (await payment())?.id ?? ''))
  await until(async () =>
    ['submitted', 'unknown', 'succeeded'].includes((await instruction(of, id))?.state ?? ''),
  )
  const { reference } = (await instruction(of, id))!
  const url = callbackUrl(t.app.parts, { ownerType: 'payment', scope: of.scope, id })
  const status = async () => (await payment()).status
  return { payer, payment, status, id, reference, url, done: { ...done, reference } }
}

const instruction = ({ scope: { spaceId, environment } }: Merchant, id: string) =>
  db.one<{ state: string; reference: string }>(sql`
    select state, reference from instructions
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

const done = { status: 'done', amount: 30_000, currency: 'SLE', transactionId: 'T-1' }
const connectionUrl = (providerId = 'dw001', environment = 'live') =>
  `${t.baseUrl}/callbacks/connections/${environment}/${providerId}`

type Signing = { key?: string; at?: Date; method?: string; headers?: Record<string, string> }
const post = (url: string, body: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } })

async function report(
  url: string,
  fields: object,
  { key: given = key, at = new Date(), method, headers }: Signing = {},
) {
  const body = JSON.stringify(fields)
  const { status } = await post(url, body, { ...signReport(given, body, at), ...headers }, method)
  await t.app.settled()
  return status
}

/** Waits until the rail has been queried this often and has responded. */
async function untilQueried(times: number): Promise<void> {
  await until(() => questions >= times)
  await t.app.settled()
}

const caseOf = async (id: string) => (await listCases(db, false)).find(({ objectId }) => objectId === id)

test('a signed report completes a payment at its own URL and at its connection’s, without a query', async () => {
  for (const method of ['POST', 'PUT'])
    for (const toConnection of [true, false]) {
      const { payment, reference, url, done } = await pay()
      assert.equal(await report(toConnection ? connectionUrl() : url, done, { method }), 200)
      const { status, channel } = await payment()
      assert.deepEqual([status, channel.reference], ['completed', 'T-1'])
      const failing = await pay()
      const failed = { status: 'failed', code: 'declined', reference: failing.reference }
      assert.equal(await report(toConnection ? connectionUrl() : failing.url, failed, { method }), 200)
      const refused = await failing.payment()
      assert.deepEqual([refused.status, refused.failureDetail.code], ['failed', 'authorization_failed'])
      assert.notEqual(reference, failing.reference)
    }
  assert.equal(questions, 0)
  await t.verify()
})

test('a report that cannot be verified is not believed, and is refused at the connection’s URL', async () => {
  const { url, done, status } = await pay()
  const body = JSON.stringify(done)
  const now = Date.now()
  const altered = JSON.stringify({ ...done, transactionId: 'T-2' })
  const forged: [string, Record<string, string>][] = [
    [body, {}],
    [body, signReport(otherKey, body, new Date())],
    [body, signReport('', body, new Date())],
    [altered, signReport(key, body, new Date())],
    [body, signReport(key, body, new Date(now - 400_000))],
    [body, signReport(key, body, new Date(now + 400_000))],
    [
      body,
      { ...signReport(key, body, new Date(now - 1_000)), 'rail-timestamp': String(Math.floor(now / 1000)) },
    ],
    [body, { ...signReport(key, body, new Date()), 'rail-signature': '' }],
    [body, { ...signReport(key, body, new Date()), 'rail-timestamp': '1e9' }],
    [body, { ...signReport(key, body, new Date()), 'rail-signature': 'g'.repeat(64) }],
    ['[]', signReport(otherKey, '[]', new Date())],
  ]
  for (const [text, headers] of forged) {
    assert.equal((await post(connectionUrl(), text, headers)).status, 401, JSON.stringify(headers))
  }
  await t.app.settled()
  assert.deepEqual([await status(), questions], ['processing', 0])
  // Only the rail has the payment's own URL, so a report to that URL triggers a query.
  for (const [i, [text, headers]] of forged.slice(0, 3).entries()) {
    assert.equal((await post(url, text, headers)).status, 200)
    await untilQueried(i + 1)
  }
  assert.equal(await status(), 'processing')
  await t.verify()
})

test('unknown connection URLs, oversized bodies and invalid JSON are refused', async () => {
  const { done, status } = await pay()
  for (const url of [
    connectionUrl('dw999'),
    connectionUrl('dw001', 'prod'),
    connectionUrl('card'),
    connectionUrl('__proto__'),
    connectionUrl('constructor'),
  ])
    assert.equal(await report(url, done), 404, url)
  // Without a key nothing can be verified; in test the simulator signs.
  for (const url of [connectionUrl('slb004'), connectionUrl('dw001', 'test')])
    assert.equal(await report(url, done), 401, url)
  const signed = (body: string) => post(connectionUrl(), body, signReport(key, body, new Date()))
  assert.equal((await signed('{')).status, 400)
  assert.equal((await signed(JSON.stringify('x'.repeat(20_000)))).status, 413)
  for (const body of ['[]', 'null', '{}', '{"reference": 7}', '{"reference": "x", "status": "done"}'])
    assert.equal((await signed(body)).status, 200, body)
  assert.equal(await status(), 'processing')
})

test('a replayed report does not move money twice, nor in another payment, Space or connection', async () => {
  const first = await pay()
  assert.equal(await report(first.url, first.done), 200)
  const other = await pay()
  const stranger = await t.merchant({ environment: 'live' })
  const theirs = await pay('dw001', stranger)
  const elsewhere = await pay('slb001')
  for (const url of [first.url, connectionUrl(), other.url, theirs.url])
    assert.equal(await report(url, first.done), 200)
  // Signed, but by another rail, or about another order.
  assert.equal(await report(connectionUrl('slb001'), other.done, { key: otherKey }), 200)
  assert.equal(await report(connectionUrl(), elsewhere.done), 200)
  assert.equal(questions, 0)
  const { reference: _, ...nameless } = other.done
  assert.equal(await report(other.url, nameless), 200)
  await untilQueried(1)
  const orderNumber = (await other.payment()).orderNumber
  assert.equal(await report(other.url, { ...other.done, reference: orderNumber }), 200)
  await untilQueried(2)
  for (const { status } of [other, theirs, elsewhere]) assert.equal(await status(), 'processing')
  const completed = (await t.events(merchant.scope, first.id)).filter(
    ({ type }) => type === 'payment.completed',
  )
  assert.equal(completed.length, 1)
  await t.verify()
})

test('a report that arrives before the response to the submit counts, and the response changes nothing', async () => {
  answer = async (request, response) => {
    if (request.method === 'PUT') {
      const body = JSON.stringify({ ...done, reference: request.reference })
      const { status } = await post(request.callbackUrl, body, signReport(key, body, new Date()))
      assert.equal(status, 200)
    }
    pending({ instructions: { texts: { en: 'Too late' } } })(request, response)
  }
  const { status, id } = await pay()
  await until(async () => (await status()) === 'completed')
  await t.app.settled()
  assert.equal((await instruction(merchant, id))?.state, 'succeeded')
  await t.verify()
})

test('a report that contradicts an earlier outcome or the instruction opens a case', async () => {
  const late = await pay()
  await report(late.url, { status: 'failed', code: 'expired', reference: late.reference })
  assert.equal(await late.status(), 'failed')
  await report(connectionUrl(), late.done)
  await report(connectionUrl(), late.done)
  assert.equal(await late.status(), 'failed')
  assert.equal((await caseOf(late.id))?.kind, 'success_after_failure')
  for (const changed of [{ amount: 29_999 }, { currency: 'GHS' }]) {
    const { done, status, id } = await pay()
    await report(connectionUrl(), { ...done, ...changed })
    assert.equal(await status(), 'failed')
    const opened = await caseOf(id)
    assert.deepEqual(
      [Number(opened?.amount), opened?.currency],
      [changed.amount ?? 30_000, changed.currency ?? 'SLE'],
    )
  }
  const sure = await pay()
  await report(sure.url, sure.done)
  await report(sure.url, { status: 'failed', code: 'expired', reference: sure.reference })
  assert.equal(await sure.status(), 'completed')
  assert.equal(await caseOf(sure.id), undefined)
  await t.verify()
})

test('a repeated report does not replace the follow-up query of a failure', async () => {
  const { reference, url, id } = await pay()
  for (let i = 0; i < 3; i++) await report(url, { status: 'failed', code: 'expired', reference })
  const { spaceId, environment } = merchant.scope
  const row = await db.one<{ look: string }>(sql`
    select look from instructions where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)
  assert.equal(row?.look, 'hour')
})

test('a report may contain only the rail’s own reference if exactly one instruction has it', async () => {
  answer = pending({ providerReference: 'W-1' })
  const one = await pay()
  const { reference: _, ...nameless } = one.done
  const named = { ...nameless, providerReference: 'W-1' }
  assert.equal(await report(connectionUrl(), { ...named, providerReference: 'W-0' }), 200)
  assert.equal(await report(connectionUrl(), { ...one.done, providerReference: 'W-0' }), 200)
  assert.equal(await one.status(), 'processing')
  const two = await pay()
  assert.equal(await report(connectionUrl(), named), 200)
  assert.deepEqual([await one.status(), await two.status()], ['processing', 'processing'])
  assert.equal(await report(connectionUrl(), two.done), 200)
  assert.equal(await report(connectionUrl(), named), 200)
  assert.deepEqual([await one.status(), await two.status()], ['completed', 'completed'])
  await t.verify()
})

test('a payment stays in progress until a rail that answers queries with reports has reported', async () => {
  answer = (request, response) =>
    request.method === 'PUT' ? pending()(request, response) : say(response, 202, { status: 'asked' })
  const { url, done, status, id } = await pay()
  await fetch(url, { method: 'POST' })
  await untilQueried(1)
  assert.deepEqual([await status(), (await instruction(merchant, id))?.state], ['processing', 'submitted'])
  assert.equal(await report(url, done), 200)
  assert.equal(await status(), 'completed')
  await t.verify()
})

test('a report may omit the amount only if the connection allows it; the requested amount is then assumed', async () => {
  const { amount: _, currency: __, ...unstated } = done
  answer = (request, response) =>
    request.method === 'PUT' ? pending()(request, response) : say(response, 200, unstated)
  const silent = await pay('slb001')
  await fetch(silent.url, { method: 'POST' })
  await until(async () => (await silent.status()) === 'completed')
  const counted = async () =>
    (await unstatedAmounts(t.app.parts.metrics).get()).values.find(
      ({ labels }) => labels.provider === 'slb001',
    )?.value
  assert.equal(await until(counted), 1)
  const stating = await pay('dw001')
  questions = 0
  await fetch(stating.url, { method: 'POST' })
  await untilQueried(1)
  await report(stating.url, { ...unstated, reference: stating.reference })
  await untilQueried(2)
  assert.equal(await stating.status(), 'processing')
  // A stated amount counts for every rail.
  const other = await pay('slb001')
  await report(other.url, { ...other.done, amount: 1 }, { key: otherKey })
  assert.equal((await caseOf(other.id))?.amount, 1n)
  await t.verify()
})

test('`missing` counts only from the connection to which the instruction was submitted', async () => {
  answer = (_told, response) => say(response, 500, {})
  const [ours, others] = [await pay(), await pay()]
  const { spaceId, environment } = merchant.scope
  const long = sql`submitting_since = now() - interval '1 hour', call_ended_since = now() - interval '1 hour'`
  await db.transaction(async (tx) => {
    await tx.run(sql`update instructions set ${long}
      where space_id = ${spaceId} and environment = ${environment} and id = ${ours.id}`)
    await tx.run(sql`update instructions set ${long}, revision = 'of another address'
      where space_id = ${spaceId} and environment = ${environment} and id = ${others.id}`)
  })
  answer = (_told, response) => say(response, 404, { code: 'not_found' })
  questions = 0
  for (const { url } of [others, ours]) await fetch(url, { method: 'POST' })
  await untilQueried(2)
  await until(async () => (await ours.status()) === 'failed')
  assert.equal(await others.status(), 'processing')
})
