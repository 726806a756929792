import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Connector, createPeer } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { createExampleRail } from './connector.ts'

// The test runs the rail's server and controls its responses.
type Reply = { status: number; body: unknown } | 'hang up' | 'stay silent'

let reply: Reply
let seen: { request: IncomingMessage; text: string }[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  seen.push({ request, text })
  if (reply === 'hang up') response.destroy()
  else if (reply !== 'stay silent')
    response
      .writeHead(reply.status, { location: '/' })
      .end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
})

let connector: Required<Connector>
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const settings = { baseUrl, apiKey: 'secret-key', timeoutMs: 1_000 }
  connector = createExampleRail(settings, createPeer(10)) as Required<Connector>
})
after(async () => {
  server.closeAllConnections()
  await connector.close()
  server.close()
})

const account = '+231770123456'
const order = () => ({
  reference: randomUUID(),
  amount: 1_550n,
  currency: 'LRD',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/sealed',
  mayLeave: () => true,
})
const kinds = {
  payments: {
    submit: (more = order()) =>
      connector.collect({ ...more, payerAccount: account, orderNumber: '604811932075', returnUrl: null }),
    query: (reference: string) => connector.queryCollection(about(reference)),
  },
  payouts: {
    submit: (more = order()) => connector.disburse({ ...more, payeeAccount: account }),
    query: (reference: string) => connector.queryDisbursement(about(reference)),
  },
}
const unclear: Reply[] = [
  'hang up',
  'stay silent',
  { status: 500, body: { code: 'insufficient_funds' } },
  { status: 422, body: { code: 'constructor' } },
  { status: 422, body: { code: 'declined' } },
  { status: 409, body: {} },
  { status: 401, body: { code: 'key_invalid' } },
  { status: 404, body: '<h1>Not found</h1>' },
  { status: 302, body: '' },
  { status: 202, body: '' },
  { status: 200, body: [] },
]

for (const [path, { submit, query }] of Object.entries(kinds)) {
  test(`${path}: a request has our reference and the amount in major units`, async () => {
    reply = { status: 202, body: { status: 'pending' } }
    const ordered = order()
    seen = []
    assert.deepEqual(await submit(ordered), { outcome: 'accepted' })
    const [{ request, text }] = seen as [(typeof seen)[number]]
    assert.deepEqual([request.method, request.url], ['POST', `/v1/${path}`])
    assert.equal(request.headers.authorization, 'Bearer secret-key')
    const { mayLeave: _, ...shown } = ordered
    assert.deepEqual(JSON.parse(text), { ...shown, amount: '15.50', account })
  })

  test(`${path}: a repeated request is accepted, and a request after the fence is not sent`, async () => {
    reply = { status: 409, body: { code: 'duplicate_reference' } }
    assert.deepEqual(await submit(), { outcome: 'accepted' })
    seen = []
    const late = await submit({ ...order(), mayLeave: () => false })
    assert.deepEqual([late.outcome, seen], ['unknown', []])
  })

  test(`${path}: only known codes are refusals, and the rail’s text is not passed on`, async () => {
    reply = { status: 422, body: { code: 'insufficient_funds', message: 'Do not show this.' } }
    const result = await submit()
    assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', 'fund_insufficient'])
    assert.doesNotMatch(JSON.stringify(result), /Do not show/)
  })

  for (const each of unclear)
    test(`${path}: ${JSON.stringify(each)} is unknown`, async () => {
      reply = each
      assert.equal((await submit()).outcome, 'unknown')
      assert.equal((await query(randomUUID())).outcome, 'unknown')
    })

  test(`${path}: a query returns what the rail states about our reference`, async () => {
    const reference = randomUUID()
    const ask = (status: number, body: object) => {
      reply = { status, body: { reference, amount: '15.50', currency: 'LRD', ...body } }
      return query(reference)
    }
    const done = { outcome: 'done', amount: 1_550n, currency: 'LRD', railTransaction: 'T-1' }
    assert.deepEqual(await ask(200, { status: 'completed', transactionId: 'T-1' }), done)
    assert.deepEqual(await ask(200, { status: 'pending' }), { outcome: 'pending' })
    assert.equal((await ask(200, { status: 'failed', code: 'declined' })).outcome, 'refused')
    assert.deepEqual(await ask(404, { code: 'not_found' }), { outcome: 'missing' })
    const contradictory = { reference: randomUUID(), status: 'completed' }
    for (const body of [contradictory, { status: 'completed', amount: '15.505' }, { status: 'Completed' }])
      assert.equal((await ask(200, body)).outcome, 'unknown')
  })
}

test('a callback proves nothing and only triggers a query', () => {
  const fields = { reference: 'r', status: 'completed', amount: '15.50', currency: 'LRD' }
  const received = { method: 'POST', path: '/', headers: {}, address: '127.0.0.1' }
  assert.deepEqual(connector.readReport({ ...received, rawBody: Buffer.from(''), fields }), {
    isAuthentic: false,
    isHint: true,
    reference: 'r',
    amount: 1_550n,
    currency: 'LRD',
  })
})

test('a probe shows whether the URL and the key are correct', async () => {
  for (const [status, code, outcome] of [
    [404, 'not_found', 'ok'],
    [401, 'key_invalid', 'failed'],
    [500, 'internal_error', 'unknown'],
  ] as const) {
    reply = { status, body: { code } }
    assert.equal((await connector.probe())[0]?.outcome, outcome)
  }
})
