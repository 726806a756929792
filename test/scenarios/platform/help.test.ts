import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const merchant = await t.merchant()

const headersOf = (more = {}) => ({
  authorization: `Bearer ${merchant.token}`,
  'service-space-id': merchant.spaceId,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
  ...more,
})
const session = { name: 'Order', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 1 } }] }
const post = (path: string, body: object | Buffer, more = {}) =>
  send(t.baseUrl, {
    method: 'POST',
    path,
    headers: headersOf(more),
    body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
const get = (path: string) => send(t.baseUrl, { path, headers: headersOf() })

describe('refusals explain', () => {
  test('a time with a leap second, or with its zone in brackets', async () => {
    const accounts = await Promise.all(
      ['a', 'b'].map((name) => merchant.call('POST', '/v1/financial-accounts', { name, currency: 'SLE' })),
    )
    const [from, to] = accounts.map(({ body }) => ({ id: body.result.id }))
    for (const executeTime of ['2026-12-31T23:59:60Z', '2030-01-01T00:00:00Z[UTC]']) {
      const { json } = await post('/v1/internal-transfers', {
        amount: { currency: 'SLE', value: 1 },
        sourceFinancialAccount: from,
        destinationFinancialAccount: to,
        executeTime,
      })
      assert.deepEqual(json.error.details, [
        {
          param: 'executeTime',
          errors: ['must be a timestamp such as 2026-11-21T08:00:00Z, without leap seconds'],
        },
      ])
    }
    const listed = await get('/v1/events?since=2026-12-31T23:59:60Z')
    assert.deepEqual([listed.status, listed.json.error.details[0].param], [400, 'since'])
  })

  test('a repeated query parameter', async () => {
    const { json } = await get('/v1/payments?limit=1&limit=2')
    assert.deepEqual(json.error.details, [{ param: 'limit', errors: ['is given more than once'] }])
  })

  test('a boolean that is not spelled as in JSON', async () => {
    const { json } = await get('/v1/financial-accounts?withBalance=True')
    assert.deepEqual(json.error.details, [{ param: 'withBalance', errors: ['must be true or false'] }])
  })

  test('two Idempotency-Key headers, which are not joined', async () => {
    const { status, json } = await post('/v1/checkout-sessions', session, {
      'idempotency-key': ['order-42', 'order-43'],
    })
    assert.deepEqual(
      [status, json.error.reason, json.error.message],
      [400, 'idempotency_key_invalid', 'Send exactly one Idempotency-Key header.'],
    )
  })

  test('a compressed body', async () => {
    const packed = gzipSync(JSON.stringify(session))
    const { status, json } = await post('/v1/checkout-sessions', packed, { 'content-encoding': 'gzip' })
    assert.deepEqual([status, json.error.reason], [415, 'media_type_unsupported'])
    assert.match(json.error.message, /Content-Encoding/)
    const plain = await post('/v1/checkout-sessions', session, { 'content-encoding': 'identity' })
    assert.equal(plain.status, 200)
  })

  test('a missing object that belongs to no Space', async () => {
    for (const path of [
      '/v1/countries/XX',
      '/v1/countries/wrong',
      '/v1/momos/x',
      '/v1/banks/m17',
      '/v1/countries/SL/x',
    ]) {
      const { status, json } = await get(path)
      assert.deepEqual([status, /Space/.test(json.error.message)], [404, false], path)
    }
    assert.match((await get('/v1/payments/x')).json.error.message, /in this Space/)
  })
})

describe('a name', () => {
  const invisible = [
    ' ',
    '   ',
    '\t\n',
    '\u00a0',
    '\u0007\u001b',
    '\u200b\u200d',
    '\u202e',
    '\u3164',
    '\u2800',
    '\ufeff',
  ]
  const named: Record<string, (name: string) => [string, object, string]> = {
    'a session': (name) => ['/v1/checkout-sessions', { ...session, name }, 'name'],
    'a line item': (name) => [
      '/v1/checkout-sessions',
      { ...session, lineItems: [{ ...session.lineItems[0], name }] },
      'lineItems[0].name',
    ],
    'a payment code': (name) => ['/v1/payment-codes', { name: name.repeat(3) }, 'name'],
    'a customer': (name) => ['/v1/payment-codes', { name: 'Fees', customer: { name } }, 'customer.name'],
    'an account': (name) => ['/v1/financial-accounts', { name, currency: 'SLE' }, 'name'],
    'a webhook': (name) => ['/v1/webhooks', { name, url: 'https://shop.example/a', events: ['*'] }, 'name'],
  }
  for (const [what, make] of Object.entries(named))
    test(`of ${what} must have a visible character`, async () => {
      for (const name of invisible) {
        const [path, body, param] = make(name)
        assert.deepEqual(
          (await post(path, body)).json.error.details,
          [{ param, errors: ['must contain a visible character'] }],
          JSON.stringify(name),
        )
      }
      for (const name of ['é', '🦜', 'مرحبا', ' a ', 'שלום'])
        assert.equal((await post(...(make(name).slice(0, 2) as [string, object]))).status, 200, name)
    })
})

describe('numbers in metadata', () => {
  const metadataOf = async (text: string) => {
    const body = Buffer.from(`${JSON.stringify(session).slice(0, -1)},"metadata":{"n":${text}}}`)
    const answer = await post('/v1/checkout-sessions', body)
    if (answer.status !== 200) return answer.json.error.details
    const read = await merchant.call('GET', `/v1/checkout-sessions/${answer.json.result.id}`)
    assert.deepEqual(read.body.result.metadata, answer.json.result.metadata)
    return answer.json.result.metadata.n
  }

  test('that JavaScript prints are returned unchanged', async () => {
    for (const value of [1.5e300, 123456789012345680000, 1e23, 5e-324, 0.1, 0.30000000000000004, -1e21])
      assert.equal(await metadataOf(String(value)), value)
    for (const [text, value] of [
      ['1.5E+300', 1.5e300],
      ['1.50', 1.5],
      ['100e-2', 1],
    ] as const)
      assert.equal(await metadataOf(text), value)
  })

  test('that cannot be represented exactly are refused', async () => {
    for (const text of [
      '9007199254740993',
      '123456789012345678901',
      '1e400',
      '1e-400',
      '0.1234567890123456789',
    ])
      assert.deepEqual(await metadataOf(text), [
        { param: 'metadata.n', errors: ['cannot be represented exactly; send it as a string'] },
      ])
  })
})

describe('an API response', () => {
  test('is not cached, whatever it contains', async () => {
    for (const path of [
      '/v1/payments',
      '/v1/payments/x',
      '/v1/countries',
      '/v1/nowhere',
      '/v1/events?since=x',
    ])
      assert.equal((await get(path)).headers['cache-control'], 'no-store', path)
    assert.equal((await post('/v1/checkout-sessions', session)).headers['cache-control'], 'no-store')
    assert.equal((await send(t.baseUrl, { path: '/v1/payments' })).headers['cache-control'], 'no-store')
  })

  test('with the OpenAPI document is compressed, and sent once', async () => {
    const load = async (more: Record<string, string>) => {
      const answer = await fetch(`${t.baseUrl}/openapi.json`, { headers: more })
      return {
        status: answer.status,
        headers: answer.headers,
        size: Number(answer.headers.get('content-length')),
      }
    }
    const plain = await load({ 'accept-encoding': 'identity' })
    const tag = plain.headers.get('etag')!
    assert.match(tag, /^W\/"[\w-]{22}"$/)
    assert.deepEqual(
      [plain.headers.get('cache-control'), plain.headers.get('vary')],
      ['no-cache', 'accept-encoding'],
    )
    for (const encoding of ['br', 'gzip']) {
      const packed = await load({ 'accept-encoding': encoding })
      assert.deepEqual([packed.headers.get('content-encoding'), packed.headers.get('etag')], [encoding, tag])
      assert.ok(packed.size < plain.size / 5, `${packed.size} of ${plain.size}`)
    }
    for (const match of [tag, tag.slice(2), `"a", ${tag}`, '*'])
      assert.equal((await load({ 'if-none-match': match })).status, 304, match)
    assert.equal((await load({ 'if-none-match': '"a"' })).status, 200)
  })
})
