import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { attributeNames } from '../../../packages/server/src/platform/tracing/spans.ts'
import { traceOfObject } from '../../../packages/server/src/platform/tracing/trace-ids.ts'
import { freePort } from '../../support/free-port.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { startHook } from '../../support/hook.ts'
import { fund } from '../../support/money.ts'
import { createPayer } from '../../support/payer.ts'
import { type ReceivedSpan, startTraceReceiver } from '../../support/trace-receiver.ts'

const metricsPort = await freePort()
const receiver = await startTraceReceiver()
const hook = await startHook()
const t = await startTestApp({
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
    OTEL_TRACES_SAMPLER_ARG: '1',
    INCOMING_TRACES: 'link',
    METRICS_PORT: String(metricsPort),
  },
})
after(async () => {
  await t.close()
  await receiver.close()
  await hook.close()
})

const planted = { name: 'Adwoa Mensah-Planted', phone: '076199456', order: 'Planted order 4711' }

async function shop() {
  const merchant = await t.merchant()
  await merchant.call('POST', '/v1/webhooks', { name: 'Shop', url: hook.url, events: ['*'] })
  return merchant
}

async function pay(merchant: Merchant, phone: string) {
  const { body } = await merchant.call('POST', '/v1/checkout-sessions', {
    name: planted.order,
    metadata: { customer: planted.name },
    lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 }, quantity: 1 }],
  })
  const session = body.result
  assert.equal((await createPayer(session.redirectUrl).pay('m17', { phone })).status, 303)
  const find = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  return { session, payment: await until(async () => (await find()) ?? false), find }
}

const ofTrace = (spans: ReceivedSpan[], publicId: string) =>
  spans.filter(({ traceId }) => traceId === traceOfObject(publicId).traceId)
const named = (spans: ReceivedSpan[], name: string) => spans.find((span) => span.name === name)

describe('the trace of a payment', () => {
  test('goes from the request over the rail call, its callback and the follower to the webhook', async () => {
    const merchant = await shop()
    const { payment, find } = await pay(merchant, planted.phone)
    await until(async () => (await find()).status === 'completed')
    const expected = [
      ...[
        'POST /pay/:key',
        'batch /pay/:key',
        'run /pay/:key',
        'insert payments',
        'commit',
        'create collect',
      ],
      ...['submit payment', 'rail collect', 'PUT /callbacks/payments/:sealed/:notice?', 'follow payment'],
      'deliver webhook',
    ]
    const isWhole = (some: ReceivedSpan[]) =>
      expected.every((name) => named(some, name)) &&
      some.every(({ parentSpanId }) => !parentSpanId || some.some(({ spanId }) => spanId === parentSpanId))
    const spans = await receiver.take((all) => isWhole(ofTrace(all, payment.id)) && ofTrace(all, payment.id))
    const root = named(spans, 'create collect')!
    assert.equal(root.spanId, traceOfObject(payment.id).spanId)
    assert.ok(!root.parentSpanId)
    assert.equal(spans.filter(({ parentSpanId }) => !parentSpanId).length, 1)
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
    assert.equal(named(spans, 'rail collect')!.attributes['pesewa.outcome'], 'accepted')
    assert.equal(named(spans, 'submit payment')!.attributes['pesewa.space.id'], merchant.spaceId)
    assert.equal(named(spans, 'deliver webhook')!.attributes['pesewa.attempt'], 1)
    const parts = [
      ...['create collect', 'POST /pay/:key', 'submit payment', 'deliver webhook'],
      'PUT /callbacks/payments/:sealed/:notice?',
    ]
    for (const name of parts)
      assert.equal(named(spans, name)!.attributes['pesewa.object.id'], payment.id, name)
    assert.match(String(named(spans, 'POST /pay/:key')!.attributes['pesewa.request.id']), /^req-\w{26}$/)
    for (const { name } of spans) assert.doesNotMatch(name, /^(update (offset|skip|of)|select (unnest)?)$/)
  })

  test('contains the command that creates a payout', async () => {
    const merchant = await shop()
    await fund(t.app.parts, merchant.scope, 100_000)
    const { body } = await merchant.call('POST', '/v1/payouts', {
      amount: { currency: 'SLE', value: 100 },
      destination: { type: 'momo', providerId: 'm17', phoneNumber: `+232${planted.phone.slice(1)}` },
    })
    const spans = await receiver.take((all) => {
      const some = ofTrace(all, body.result.id)
      return named(some, 'rail disburse') && named(some, 'POST /v1/payouts') && some
    })
    assert.ok(named(spans, 'create disburse'))
  })
})

test('concurrent requests link to the batch that they share, and the batch links to them', async () => {
  const merchant = await shop()
  const orders = Array.from({ length: 12 }, () =>
    merchant.call('POST', '/v1/checkout-sessions', {
      name: planted.order,
      lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 500 }, quantity: 1 }],
    }),
  )
  const ids = new Set((await Promise.all(orders)).map(({ body }) => body.result.id as string))
  const batch = await receiver.take((all) =>
    all.find(
      ({ name, attributes }) => name.startsWith('run ') && Number(attributes['pesewa.batch.size']) > 1,
    ),
  )
  const traces = new Set([...ids].map((id) => traceOfObject(id).traceId))
  assert.ok(batch.links.length > 0 && batch.links.every(({ traceId }) => traces.has(traceId)))
  const members = await receiver.take((all) => {
    const linked = all.filter(({ links }) => links.some(({ spanId }) => spanId === batch.spanId))
    return linked.length === Number(batch.attributes['pesewa.batch.size']) && linked
  })
  for (const { name } of members) assert.equal(name, 'batch /v1/checkout-sessions')
})

test('a traceparent header becomes a link, and a malformed one is ignored', async () => {
  const caller = '4bf92f3577b34da6a3ce929d0e0e4736'
  const read = (traceparent: string) =>
    fetch(`${t.baseUrl}/v1/countries`, { headers: { traceparent } }).then(({ status }) => status)
  for (const malformed of [
    '',
    'planted',
    `ff-${caller}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  ])
    assert.ok((await read(malformed)) < 500)
  await read(`00-${caller}-00f067aa0ba902b7-01`)
  const linked = await receiver.take((all) =>
    all.find(({ links }) => links.some(({ traceId }) => traceId === caller)),
  )
  assert.notEqual(linked.traceId, caller)
})

test('nothing that is exported contains personal data, secrets, bodies or the values of statements', async () => {
  const merchant = await shop()
  const { payment, find, session } = await pay(merchant, planted.phone)
  await until(async () => (await find()).status === 'completed')
  await fetch(`${t.baseUrl}/v1/payments?phoneNumber=${planted.phone}&q=${encodeURIComponent(planted.name)}`, {
    headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId },
  })
  await merchant.call('POST', '/v1/payouts', {
    amount: { currency: 'SLE', value: 100 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: 'not a number' },
  })
  await receiver.take((all) => named(ofTrace(all, payment.id), 'deliver webhook'))
  await receiver.take((all) => all.some(({ name }) => name === 'GET /v1/payments'))
  const sent = receiver.texts.join('\n')
  const key = new URL(session.redirectUrl).pathname.split('/').at(-1)!
  // Digits of random ids, of times and of the receiver's own address could look like anything.
  const words = sent
    .replaceAll(new URL(receiver.url).host, '')
    .replaceAll(/"(?:\w*[sS]panId|traceId|\w+TimeUnixNano)":"\w+"/g, '')
    .replaceAll(/spc-\w+/g, '')
  const secrets = [
    ...['Adwoa', 'Mensah', 'Planted', '4711', '99456', '076199', '23276', 'Country cloth', '30000'],
    ...[merchant.token, merchant.scope.spaceId, key, 'q=', '$1', 'SLE', '127.0.0.1:'],
  ]
  for (const secret of secrets) assert.ok(!words.includes(secret), `${secret} was exported`)
  const allowed = new Set<string>(Object.values(attributeNames))
  for (const span of receiver.spans)
    for (const name of Object.keys(span.attributes)) assert.ok(allowed.has(name), name)
  assert.match(sent, /x-api-key\na key/i)
})

test('neither rails nor merchants receive the headers of a trace', () => {
  assert.ok(hook.received.length > 0)
  for (const { headers } of hook.received) assert.equal(headers.traceparent ?? headers.tracestate, undefined)
})

test('Prometheus finds the trace of a slow request as an exemplar, and other readers get plain text', async () => {
  const read = (accept: string) => fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { accept } })
  const open = await read('application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5')
  assert.match(open.headers.get('content-type')!, /^application\/openmetrics-text/)
  const text = await open.text()
  assert.match(
    text,
    /pesewa_request_seconds_bucket\{[^}]*\} \d+ # \{trace_id="[0-9a-f]{32}",span_id="[0-9a-f]{16}"\} /,
  )
  assert.match(text, /# EOF\n$/)
  for (let time = 0; time < 2; time++) {
    const plain = await read('text/plain')
    assert.match(plain.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
    const lines = await plain.text()
    assert.match(lines, /^pesewa_spans_total\{outcome="exported"\} [1-9]/m)
    assert.doesNotMatch(lines, /trace_id/)
  }
})
