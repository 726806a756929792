import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { send, type WireAnswer } from '../../support/wire.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true })
after(() => t.close())
const merchant = await t.merchant()

const item = { name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }
const session = { name: 'Order 42', lineItems: [item] }

const sendBody = (
  method: string,
  path: string,
  body: string | Buffer,
  { token, spaceId }: Merchant = merchant,
) =>
  send(t.baseUrl, {
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      'service-space-id': spaceId,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body,
  })

const post = (body: string | Buffer) => sendBody('POST', '/v1/checkout-sessions', body)
const create = (more: object, as?: Merchant) =>
  sendBody('POST', '/v1/checkout-sessions', JSON.stringify({ ...session, ...more }), as)

const issuesOf = ({ status, json }: WireAnswer): string[] => {
  assert.deepEqual([status, json.error?.reason], [400, 'arguments_invalid'])
  return json.error.details.map(({ param }: { param: string }) => param)
}

describe('a whole body', () => {
  const broken = [
    '{',
    '{"name":"a",}',
    "{'name':'a'}",
    '{"name":NaN}',
    '{"name":01}',
    '{"name":"\u0001"}',
    '{} x',
    '\ufeff\ufeff{}',
    'undefined',
    ' ',
    '"\\x"',
    '{"a":1e}',
    '{"a":.5}',
  ]
  for (const text of broken)
    test(`${JSON.stringify(text)} is not JSON`, async () => {
      assert.equal((await post(text)).json.error.reason, 'json_invalid')
    })

  test('bytes that are not UTF-8 are not JSON', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf]]) {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])
      assert.equal((await post(body)).json.error.reason, 'json_invalid')
    }
    assert.equal(
      (await post(Buffer.from(JSON.stringify(session), 'utf16le'))).json.error.reason,
      'json_invalid',
    )
  })

  test('that is not an object is reported as the body', async () => {
    for (const text of ['[]', '"x"', 'null', '1', 'true', '"\\u0000"', '1e400', '[{"name":"a"}]'])
      for (const [method, path] of [
        ['POST', '/v1/checkout-sessions'],
        ['PATCH', '/v1/payments/x'],
      ] as const)
        assert.deepEqual([...new Set(issuesOf(await sendBody(method, path, text)))], ['body'], text)
  })

  test('that is empty counts as {}', async () => {
    assert.deepEqual(issuesOf(await post('')), ['name', 'lineItems'])
    const { body } = await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
    const changed = await sendBody('PATCH', `/v1/financial-accounts/${body.result.id}`, '')
    assert.deepEqual([changed.status, changed.json.result.name], [200, 'Rent'])
  })

  test('may start with a byte order mark', async () => {
    assert.equal((await post(`\ufeff${JSON.stringify(session)}`)).status, 200)
  })

  test('nested ten thousand levels or more is refused, wherever the nesting is', async () => {
    for (const depth of [65, 10_000, 100_000])
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const deep = (open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth)).slice(0, 200_000)
        for (const body of [deep, `{"metadata":${deep}}`, `{"lineItems":${deep}}`, `{"duration":${deep}}`]) {
          const { status, json } = await post(body)
          assert.equal(status, 400)
          assert.ok(['arguments_invalid', 'json_invalid'].includes(json.error.reason))
        }
      }
  })

  test('with duplicate keys is checked with the last value, which is the one that counts', async () => {
    const twice = (first: string, last: string) =>
      post(
        `{"name":"a","lineItems":[{"name":"a","price":{"currency":"SLE","value":${first},"value":${last}}}]}`,
      )
    assert.deepEqual(issuesOf(await twice('1', '9007199254740993')), ['lineItems[0].price.value'])
    const { json } = await twice('9007199254740993', '2')
    assert.equal(json.result.amount.value, 2)
  })

  test('is refused with all its issues together, up to a hundred', async () => {
    const faulty = {
      nmae: 'x',
      description: 5,
      lineItems: [{ name: '', price: { value: 0 } }],
      metadata: [],
      duration: '1y',
      successUrl: 'ftp://x',
    }
    const expected = [
      'name',
      'nmae',
      'description',
      'lineItems[0].name',
      'lineItems[0].price.currency',
      'lineItems[0].price.value',
      'metadata',
      'duration',
      'successUrl',
    ]
    assert.deepEqual(issuesOf(await post(JSON.stringify(faulty))).sort(), expected.sort())
    const many = JSON.stringify({ ...session, metadata: { list: Array(25_000).fill('\0') } })
    assert.equal(issuesOf(await post(many)).length, 100)
  })

  test('is refused with the issues of query, body and line items together', async () => {
    const body = { ...session, lineItems: [item, { ...item, quantity: 0 }] }
    const answer = await sendBody('POST', '/v1/checkout-sessions?nonsense=1', JSON.stringify(body))
    assert.deepEqual(issuesOf(answer), ['nonsense', 'lineItems[1].quantity'])
  })
})

describe('metadata', () => {
  const sized = (bytes: number, letter = 'x') => ({
    k: letter.repeat((bytes - '{"k":""}'.length) / Buffer.byteLength(letter)),
  })
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

  test('may have up to 64 keys of 1 to 64 characters and 16 KiB of UTF-8, and is returned unchanged', async () => {
    const given = [
      {},
      keys(64),
      { ['k'.repeat(64)]: 1 },
      { ['🦜'.repeat(64)]: 1 },
      sized(16_384),
      sized(16_384, 'é'),
      { a: { b: [null, false, 0.1, -1.5e-7, 'مرحبا', '🦜'] } },
    ]
    for (const metadata of given)
      assert.deepEqual((await create({ metadata })).json.result.metadata, metadata)
  })

  test('with one key, one character or one byte more is refused', async () => {
    for (const metadata of [keys(65), sized(16_385), sized(16_386, 'é')])
      assert.deepEqual(issuesOf(await create({ metadata })), ['metadata'])
    for (const key of ['', 'k'.repeat(65), '🦜'.repeat(65)])
      assert.deepEqual(issuesOf(await create({ metadata: { [key]: 1 } })), [`metadata.${key}`])
  })

  test('keeps keys that are special in JavaScript', async () => {
    const metadata =
      '{"__proto__":{"isAdmin":true},"constructor":1,"toString":"x","toJSON":"y","0":"z","length":3}'
    const { json } = await post(`{"name":"a","lineItems":[${JSON.stringify(item)}],"metadata":${metadata}}`)
    const read = await merchant.call('GET', `/v1/checkout-sessions/${json.result.id}`)
    for (const result of [json.result, read.body.result]) {
      assert.deepEqual(Object.keys(result.metadata).sort(), Object.keys(JSON.parse(metadata)).sort())
      assert.equal(Object.getOwnPropertyDescriptor(result.metadata, '__proto__')?.value.isAdmin, true)
    }
  })

  test('refuses inexact numbers, NUL and unpaired surrogates, in keys, too', async () => {
    const given = [
      '{"n":9007199254740993}',
      '{"n":1e400}',
      '{"n":[1.00000000000000000001]}',
      '{"n":"\\u0000"}',
      '{"n":"\\ud800"}',
    ]
    for (const metadata of given) {
      const [param] = issuesOf(
        await post(`{"name":"a","lineItems":[${JSON.stringify(item)}],"metadata":${metadata}}`),
      )
      assert.match(param!, /^metadata\.n/)
    }
    for (const key of ['\\u0000', '\\udfff']) {
      const answer = await post(`{"name":"a","lineItems":[${JSON.stringify(item)}],"metadata":{"${key}":1}}`)
      assert.deepEqual(issuesOf(answer), ['metadata'])
    }
  })
})

describe('POST /v1/checkout-sessions', () => {
  const priced = (currency: string, value: number, more = {}) => ({
    name: 'a',
    price: { currency, value },
    ...more,
  })
  const items = (...lineItems: object[]) => create({ lineItems })

  test('400 for two currencies, or a total beyond the maximum amount', async () => {
    assert.deepEqual(
      issuesOf(await items(priced('SLE', 1), priced('GHS', 1), priced('SLE', 1), priced('XOF', 1))),
      ['lineItems[1].price.currency', 'lineItems[3].price.currency'],
    )
    assert.deepEqual(issuesOf(await items(priced('ABC', 1))), ['lineItems[0].price.currency'])
    assert.deepEqual(issuesOf(await items(priced('SLE', 9_007_199_254_740_991), priced('SLE', 1))), [
      'lineItems',
    ])
    assert.deepEqual(issuesOf(await items(priced('SLE', 90_071_992_548, { quantity: 100_000 }))), [
      'lineItems',
    ])
    const most = await items(priced('SLE', 9_007_199_254_740_990), priced('SLE', 1))
    assert.equal(most.json.result.amount.value, 9_007_199_254_740_991)
  })

  test('400 unless there are 1 to 16 line items with different references', async () => {
    assert.equal((await items(...Array(16).fill(item))).status, 200)
    assert.deepEqual(issuesOf(await items()), ['lineItems'])
    assert.deepEqual(issuesOf(await items(...Array(17).fill(item))), ['lineItems'])
    const named = (reference: string) => ({ ...item, reference })
    assert.deepEqual(issuesOf(await items(named('a'), named('b'), named('a'))), ['lineItems[2].reference'])
    assert.equal((await items(named(''), named(''), item, item)).status, 200)
  })

  test('400 unless URLs are absolute and without credentials, and use https in live', async () => {
    const wrong = [
      '/thanks',
      '//shop.example',
      'javascript:alert(1)',
      'ftp://shop.example',
      'https://',
      'http://a b',
      'https://u@shop.example',
      'https://u:p@shop.example',
      'https://:p@shop.example',
      'http:\\\\shop.example',
      'https://shop.example\n',
      'mailto:a@b.example',
      `https://shop.example/${'x'.repeat(235)}`,
    ]
    for (const url of wrong)
      assert.deepEqual(
        issuesOf(
          await create({ successUrl: url, cancelUrl: url, lineItems: [{ ...item, images: [url] }] }),
        ).sort(),
        ['cancelUrl', 'lineItems[0].images[0]', 'successUrl'],
        url,
      )
    const urls = {
      successUrl: 'http://shop.example/a?b=c',
      cancelUrl: `https://shop.example/${'x'.repeat(234)}`,
    }
    assert.equal((await create(urls)).status, 200)
    const live = await t.merchant({ environment: 'live' })
    assert.deepEqual(issuesOf(await create({ ...urls, cancelUrl: 'http://shop.example' }, live)), [
      'successUrl',
      'cancelUrl',
    ])
    assert.equal((await create({ successUrl: 'HTTPS://shop.example' }, live)).status, 200)
  })

  test('400 for providers that do not exist, have the wrong type, or leave no way to pay', async () => {
    const options = (paymentOptions: object) => create({ paymentOptions })
    const unknown = await options({
      momo: { enabledProviders: ['m17', 'm99', 'slb001'], disabledProviders: ['dw001'] },
      bank: { disabledProviders: ['m17'] },
    })
    assert.deepEqual(issuesOf(unknown).sort(), [
      'paymentOptions.bank.disabledProviders[0]',
      'paymentOptions.momo.disabledProviders[0]',
      'paymentOptions.momo.enabledProviders[1]',
      'paymentOptions.momo.enabledProviders[2]',
    ])
    const off = { disable: true }
    assert.deepEqual(issuesOf(await options({ card: off, bank: off, momo: off, wallet: off })), [
      'paymentOptions',
    ])
    const listedOff = { disabledProviders: ['dw001'] }
    assert.deepEqual(issuesOf(await options({ card: off, bank: off, momo: off, wallet: listedOff })), [
      'paymentOptions',
    ])
    const both = { enabledProviders: ['dw001'], disabledProviders: ['dw001'] }
    assert.equal((await options({ card: off, bank: off, momo: off, wallet: both })).status, 200)
    assert.deepEqual(
      issuesOf(await options({ card: off, bank: off, momo: off, wallet: { ...both, disable: true } })),
      ['paymentOptions'],
    )
    // These use another currency.
    const abroad = { enabledProviders: ['mtn-gh', 'mtn-ug'] }
    assert.deepEqual(issuesOf(await options({ card: off, bank: off, wallet: off, momo: abroad })), [
      'paymentOptions',
    ])
    assert.equal((await options({ card: off, bank: off, momo: abroad })).status, 200)
  })

  test('400 unless the account belongs to the Space and environment and has the currency', async () => {
    const open = async (as: Merchant, currency: string) =>
      (await as.call('POST', '/v1/financial-accounts', { name: 'a', currency })).body.result.id as string
    const elsewhere = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
    const foreign = await Promise.all(elsewhere.map((as) => open(as, 'SLE')))
    const mine = await open(merchant, 'SLE')
    for (const id of [
      ...foreign,
      await open(merchant, 'GHS'),
      'fac-1',
      'x',
      mine.replace('fac', 'cos'),
      mine.toUpperCase(),
    ])
      assert.deepEqual(issuesOf(await create({ financialAccountId: id })), ['financialAccountId'], id)
    assert.equal((await create({ financialAccountId: mine })).json.result.financialAccountId, mine)
  })

  test('400 lists all issues of meaning together, too', async () => {
    const ghs = (await merchant.call('POST', '/v1/financial-accounts', { name: 'a', currency: 'GHS' })).body
      .result.id
    const named = { ...item, reference: 'a' }
    const answer = await create({
      lineItems: [named, named],
      financialAccountId: ghs,
      paymentOptions: { momo: { enabledProviders: ['x'] } },
    })
    assert.deepEqual(issuesOf(answer).sort(), [
      'financialAccountId',
      'lineItems[1].reference',
      'paymentOptions.momo.enabledProviders[0]',
    ])
  })

  test('400 for a duration below five minutes or above seven days', async () => {
    for (const duration of ['5m', '300s', '7d', '168h', '6d24h', '0d5m'])
      assert.equal((await create({ duration })).status, 200, duration)
    for (const duration of [
      '',
      '299s',
      '4m59s',
      '7d1s',
      '10081m',
      '1w',
      '5',
      'm',
      '-5m',
      '5 m',
      '1.5h',
      '5M',
      '5m5m',
      '１０m',
      '99999999d',
      '999999999999d',
    ])
      assert.deepEqual(issuesOf(await create({ duration })), ['duration'], duration)
  })
})

describe('any request', () => {
  // A stream never ends by itself and has its own tests.
  const routes = t.app.routes.filter(
    (route): route is ApiRoute => route.kind !== 'raw' && route.kind !== 'stream',
  )
  const anyName = fc.constantFrom(
    'limit',
    'after',
    'country',
    'reference',
    'withBalance',
    'a[b]',
    '__proto__',
    'constructor',
    '',
  )
  const query = fc.array(
    fc.tuple(
      fc.oneof(anyName, fc.string()),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%zz', '%', '%00', '1', 'null')),
    ),
    { maxLength: 4 },
  )
  const anyId = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%', '%zz', '%00', '%c3%28', '..', 'a'.repeat(300)),
  )
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%25', '%')
  const anyJson = fc.json({ noUnicodeString: false, maxDepth: 4 } as object)
  const fields = [
    'name',
    'lineItems',
    'metadata',
    'duration',
    'successUrl',
    'currency',
    'reference',
    'paymentOptions',
    'price',
    'images',
    '__proto__',
    'toString',
    'then',
  ]
  const shaped = fc
    .letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 0, -1, 1e308, '', '\0', 'SLE', '1h'),
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 6 }),
    }))
    .object.map((value) => JSON.stringify(value))

  test('is answered with an envelope and never with a 500', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        anyId,
        query,
        fc.oneof(anyJson, shaped, fc.string()),
        async (route, id, pairs, body) => {
          const search = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
          const path = `${route.url.replace(/:\w+/, encoded(id))}${search && `?${search}`}`
          const { status } = await sendBody(route.method, path, body)
          assert.ok(status < 500, `${route.method} ${path} ${body} answered ${status}`)
        },
      ),
      { numRuns: 1500 },
    )
  })
})
