import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, mock, test } from 'node:test'
import pg from 'pg'
import { paymentIds } from '../../../packages/server/src/money/payments/resources.ts'
import { newId, readId, requestIds, showId } from '../../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../../packages/server/src/tenants/spaces/resources.ts'
import {
  createToken,
  type NewToken,
  revokeToken,
} from '../../../packages/server/src/tenants/spaces/spaces.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { send, type WireAnswer, type WireRequest } from '../../support/wire.ts'

const t = await startTestApp({ app: { lockTimeoutMs: 300 }, settings: { LOG_LEVEL: 'fatal' } })
const limited = await startTestApp({ work: false, settings: { RATE_LIMITS: 'on', ENDPOINT_LIMIT_TEST: '1' } })
after(async () => {
  await t.close()
  await limited.close()
})

const merchant = await t.merchant()
const stranger = await t.merchant()
const reader = await t.merchant({ sameUserAs: merchant, scopes: ['checkout-sessions:read'] })

const session = {
  name: 'Order 42',
  lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }],
}
const tooLarge = ' '.repeat(256 * 1024 + 1)

type TestRequest = Required<Pick<WireRequest, 'method' | 'path'>> & {
  headers: Record<string, string>
  body: string
}

const goodRequest = (): TestRequest => ({
  method: 'POST',
  path: '/v1/checkout-sessions',
  headers: {
    authorization: `Bearer ${merchant.token}`,
    'service-space-id': merchant.spaceId,
    'idempotency-key': randomUUID(),
    'content-type': 'application/json',
  },
  body: JSON.stringify(session),
})

/** Returns the changes that make a request fail a check. */
type Fail = (request: TestRequest) => Partial<TestRequest>

const without =
  (name: string): Fail =>
  ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([known]) => known !== name)),
  })
const withHeader =
  (name: string, value: string): Fail =>
  ({ headers }) => ({ headers: { ...headers, [name]: value } })
const failing = (fail: Fail, request = goodRequest()): TestRequest => ({ ...request, ...fail(request) })
const withToken = (token: string) => withHeader('authorization', `Bearer ${token}`)

const usedKey = randomUUID()
await merchant.call(
  'POST',
  '/v1/checkout-sessions',
  { ...session, name: 'First' },
  { 'idempotency-key': usedKey },
)
const mixed = {
  ...session,
  lineItems: [...session.lineItems, { name: 'Rice', price: { currency: 'GHS', value: 1 } }],
}

/** The checks in the contract's order, with alternative ways to fail each of them. */
const checks: [reason: string, fail: Fail, param?: string][][] = [
  [
    ['route_not_found', () => ({ path: '/v1/nowhere' })],
    ['method_not_allowed', () => ({ method: 'PUT' })],
  ],
  [['version_unknown', withHeader('service-version', 'cedar.2020-01-01')]],
  [['body_too_large', () => ({ body: tooLarge })]],
  [
    ['token_missing', without('authorization')],
    ['token_invalid', withToken('psw_test_nonsense')],
  ],
  [
    ['space_id_missing', without('service-space-id')],
    ['space_id_invalid', withHeader('service-space-id', 'my shop')],
  ],
  [['access_denied', withToken((await t.merchant()).token)]],
  [['access_denied', withToken(reader.token), 'permission']],
  [['media_type_unsupported', withHeader('content-type', 'text/plain')]],
  [
    ['idempotency_key_missing', without('idempotency-key')],
    ['idempotency_key_invalid', withHeader('idempotency-key', 'k'.repeat(65))],
  ],
  [['json_invalid', () => ({ body: '{"name":' })]],
  [['arguments_invalid', () => ({ path: '/v1/checkout-sessions?nonsense=1' }), 'nonsense']],
  [['idempotency_key_in_use', withHeader('idempotency-key', usedKey)]],
  [['arguments_invalid', () => ({ body: JSON.stringify(mixed) }), 'lineItems[1].price.currency']],
]

describe('the order of checks', () => {
  test('a request that passes all checks is carried out', async () => {
    assert.equal((await send(t.baseUrl, goodRequest())).status, 200)
  })

  for (const [i, earlier] of checks.entries())
    for (const [reason, fail, param] of earlier)
      for (const [laterReason, alsoFail] of checks[i + 1] ?? ([['nothing', () => ({})]] as const))
        test(`${reason}${param ? ` (${param})` : ''} is reported before ${laterReason}`, async () => {
          // If both change the same header, the earlier check is applied last.
          const { json } = await send(t.baseUrl, failing(fail, failing(alsoFail)))
          assert.equal(json.error.reason, reason)
          assert.equal(json.error.details[0]?.param, param)
        })

  test('every check has its own reason', async () => {
    for (const [reason, fail, param] of checks.flat()) {
      const { json } = await send(t.baseUrl, failing(fail))
      assert.deepEqual([json.error.reason, json.error.details[0]?.param], [reason, param])
    }
  })

  describe('limits are checked between access and scope', () => {
    // Time stands still, so that the second request always reaches a limit of one a second.
    before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }))
    after(() => mock.timers.reset())
    const get = ({ token, spaceId }: Merchant) =>
      send(limited.baseUrl, {
        path: '/v1/payments',
        headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId },
      })

    test('a closed Space is reported however often it is called, and uses up no limit', async () => {
      const [member, other] = [await limited.merchant(), await limited.merchant()]
      for (let i = 0; i < 3; i++)
        assert.equal((await get({ ...member, spaceId: other.spaceId })).json.error.reason, 'access_denied')
      assert.equal((await get(member)).status, 200)
    })

    test('the limit refuses a token without the scope first', async () => {
      const weak = await limited.merchant({ scopes: ['events:read'] })
      assert.equal((await get(weak)).json.error.reason, 'access_denied')
      const { status, headers, json } = await get(weak)
      assert.deepEqual([status, json.error.reason, json.error.details], [429, 'too_many_requests', []])
      assert.equal(headers['service-rate-limit'], 'endpoint-limit')
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    })

    test('a wrong content type is reported after the limit', async () => {
      const member = await limited.merchant()
      const post = () => {
        const mine = { authorization: `Bearer ${member.token}`, 'service-space-id': member.spaceId }
        const { headers, ...request } = failing(withHeader('content-type', 'text/plain'))
        return send(limited.baseUrl, { ...request, headers: { ...headers, ...mine } })
      }
      assert.deepEqual([(await post()).status, (await post()).status], [415, 429])
    })
  })
})

const get = (path: string, headers: Record<string, string> = {}, more: Partial<WireRequest> = {}) =>
  send(t.baseUrl, {
    path,
    headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId, ...headers },
    ...more,
  })

const assertRefused = ({ status, json }: WireAnswer, expected: [number, string], details: unknown[] = []) =>
  assert.deepEqual([status, json.error.reason, json.error.details], [...expected, details])

describe('access', () => {
  const tokenWith = async (changes: Partial<NewToken>) => {
    const given = {
      userId: merchant.userId,
      environment: 'test',
      name: 'test',
      scopes: ['*'],
      lifeMs: null,
    } as const
    const made = await t.app.parts.home.transaction((tx) =>
      createToken(tx, { ...given, scopes: ['*'], spaceIds: null, networks: null, ...changes }),
    )
    return { id: made.token.id, authorization: `Bearer ${made.text}` }
  }

  test('an expired token is reported as expired', async () => {
    const { authorization } = await tokenWith({ lifeMs: -1 })
    assertRefused(await get('/v1/payments', { authorization }), [401, 'token_expired'])
  })

  test('unknown, malformed and revoked tokens, and other schemes, get the same response', async () => {
    const { id, authorization } = await tokenWith({})
    await t.app.parts.home.transaction((tx) => revokeToken(tx, id))
    const other = await startTestApp({ work: false })
    const unknown = (await other.merchant()).token
    await other.close()
    for (const given of [
      authorization,
      `Bearer ${unknown}`,
      'Bearer x',
      'Bearer ',
      'Basic dTpw',
      merchant.token,
    ])
      assertRefused(await get('/v1/payments', { authorization: given }), [401, 'token_invalid'])
  })

  test('a revoked token stops working within a second, even if it was just used', async () => {
    const { id, authorization } = await tokenWith({})
    assert.equal((await get('/v1/payments', { authorization })).status, 200)
    await t.app.parts.home.transaction((tx) => revokeToken(tx, id))
    const revokedAt = performance.now()
    let answer = await get('/v1/payments', { authorization })
    while (answer.status === 200) {
      assert.ok(performance.now() - revokedAt < 1000, 'still accepted after a second')
      answer = await get('/v1/payments', { authorization })
    }
    assertRefused(answer, [401, 'token_invalid'])
  })

  test('Spaces without membership, unknown Spaces and Spaces that the token excludes get the same response', async () => {
    const second = await t.merchant()
    const { authorization } = await tokenWith({ spaceIds: [second.scope.spaceId] })
    const unknown = showId(spaceIds, newId(new Date()))
    for (const headers of [
      { 'service-space-id': stranger.spaceId },
      { 'service-space-id': unknown },
      { authorization },
    ])
      assertRefused(await get('/v1/payments', headers), [403, 'access_denied'])
  })

  test('a token works only from the addresses on its list, even for the list of countries', async () => {
    const here = await tokenWith({ networks: ['10.0.0.0/8', '127.0.0.1/32'] })
    const elsewhere = await tokenWith({ networks: ['10.0.0.0/8', '::1/128'] })
    for (const path of ['/v1/payments', '/v1/countries']) {
      assert.equal((await get(path, { authorization: here.authorization })).status, 200)
      assertRefused(await get(path, { authorization: elsewhere.authorization }), [403, 'access_denied'])
    }
  })

  test('the permission that the role or the token lacks is named', async () => {
    const viewer = await t.merchant({ role: 'viewer' })
    const answer = await viewer.call('POST', '/v1/checkout-sessions', session)
    assert.deepEqual(answer.body.error.details, [
      { param: 'permission', errors: ['checkout-sessions:write'] },
    ])
    const balances = await viewer.call('GET', '/v1/financial-accounts?withBalance=true')
    assert.deepEqual([balances.status, balances.body.error.details[0].errors], [403, ['balances:read']])
    const denied = await get('/v1/payments', { authorization: `Bearer ${reader.token}` })
    assertRefused(denied, [403, 'access_denied'], [{ param: 'permission', errors: ['payments:read'] }])
    assert.match(denied.json.error.message, / requires payments:read\.$/)
  })

  test('the refusal of a refund names its permission, and the lesser one for proposing it', async () => {
    const refused = await reader.call('POST', '/v1/refunds', {})
    const { message, details } = refused.body.error
    assert.deepEqual([refused.status, details], [403, [{ param: 'permission', errors: ['refunds:write'] }]])
    assert.match(message, /With refunds:propose you can propose it for another member to approve\.$/)
  })
})

describe('not found', () => {
  test('an id of another kind, of no object or in no valid form is not found', async () => {
    const nothing = showId(paymentIds, newId(new Date()))
    const otherKind = nothing.replace('pay-', 'cos-')
    for (const id of [
      nothing,
      otherKind,
      nothing.toUpperCase(),
      '',
      'x',
      '%00',
      '%F0%9F%92%B5',
      '..%2f..',
      'a'.repeat(200),
    ])
      assertRefused(await get(`/v1/payments/${id}`), [404, 'not_found'])
  })

  test('an unknown URL is reported even if something else is wrong, too', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nowhere',
      '/v1/payments/a/b',
      '/v1/payments/%zz',
      '/%',
      '/%zz?a=%zz',
    ])
      assertRefused(await get(path), [404, 'route_not_found'])
    const long = await get(`/v1/payments/${'a'.repeat(201)}`)
    assertRefused(long, [404, 'route_not_found'])
    for (const body of ['{', 'x=1', tooLarge])
      for (const type of ['application/json', 'text/plain', 'nonsense'])
        assertRefused(
          await send(t.baseUrl, {
            method: 'POST',
            path: '/v1/nowhere',
            headers: { 'content-type': type },
            body,
          }),
          [404, 'route_not_found'],
        )
  })

  test('a 405 lists the methods of the URL', async () => {
    const allowed = async (path: string, method: string) => {
      const answer = await get(path, {}, { method, body: 'x' })
      if (method !== 'HEAD') assertRefused(answer, [405, 'method_not_allowed'])
      return answer.headers.allow
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal(await allowed('/v1/checkout-sessions', method), 'POST, GET, HEAD')
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      assert.equal(await allowed('/v1/payments/x', method), 'GET, HEAD, PATCH')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal(await allowed('/', method), 'GET, HEAD')
  })

  test('HEAD responds like GET, without a body', async () => {
    const head = await get('/v1/payments', {}, { method: 'HEAD' })
    const { text } = await get('/v1/payments')
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(text.length)])
    const refused = await send(t.baseUrl, { method: 'HEAD', path: '/v1/payments' })
    assert.deepEqual([refused.status, refused.text], [401, ''])
    assert.equal((await get('/v1/nowhere', {}, { method: 'HEAD' })).status, 404)
  })
})

describe('bodies', () => {
  test('256 KiB are read and one byte more is refused, with or without a Content-Length', async () => {
    const spaces = (count: number) =>
      JSON.stringify(session) + ' '.repeat(count - JSON.stringify(session).length)
    const half = 128 * 1024
    for (const split of [false, true]) {
      const post = (text: string) => {
        const body = split ? [text.slice(0, half), text.slice(half)] : text
        return send(t.baseUrl, { ...goodRequest(), body })
      }
      assert.equal((await post(spaces(256 * 1024))).status, 200)
      assertRefused(await post(spaces(256 * 1024 + 1)), [413, 'body_too_large'])
    }
  })

  test('JSON is only accepted as application/json in UTF-8', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
    ])
      assert.equal((await send(t.baseUrl, withType(type))).status, 200)
    const wrong = [
      'text/json',
      'application/json; charset=latin1',
      'application/jsonx',
      'application/x-www-form-urlencoded',
    ]
    for (const type of [...wrong, '', 'multipart/form-data; boundary=x'])
      assertRefused(await send(t.baseUrl, withType(type)), [415, 'media_type_unsupported'])
    assertRefused(await send(t.baseUrl, failing(without('content-type'))), [415, 'media_type_unsupported'])
  })

  const withType = (type: string) => failing(withHeader('content-type', type))

  test('an empty JSON body is allowed with GET and DELETE', async () => {
    const json = { 'content-type': 'application/json' }
    assert.equal((await get('/v1/payments', json)).status, 200)
    const { body } = await merchant.call('POST', '/v1/checkout-sessions', session)
    const answer = await get(`/v1/checkout-sessions/${body.result.id}`, json, { method: 'DELETE' })
    assert.deepEqual([answer.status, answer.json], [200, { success: true, messages: [], result: null }])
  })
})

describe('refusals by the operation itself', () => {
  test('a reference that is in use has its own reason', async () => {
    const account = { name: 'Rent', currency: 'SLE', reference: 'rent' }
    await merchant.call('POST', '/v1/financial-accounts', account)
    const { status, body } = await merchant.call('POST', '/v1/financial-accounts', account)
    assert.deepEqual([status, body.error.reason], [409, 'reference_in_use'])
  })

  test('an object in the wrong state is a state_conflict', async () => {
    const late = await t.merchant()
    const { body } = await late.call('POST', '/v1/checkout-sessions', session)
    await t.advance(late.scope, 3_600_000)
    const { status, body: refusal } = await late.call('DELETE', `/v1/checkout-sessions/${body.result.id}`)
    assert.deepEqual([status, refusal.error.reason], [409, 'state_conflict'])
  })
})

describe('our own failures', () => {
  test('a database timeout is a 503 with a Retry-After', async () => {
    const client = new pg.Client(t.app.parts.db.pool.options)
    await client.connect()
    await client.query('begin; lock table payments')
    const answer = await get('/v1/payments')
    await client.end()
    assertRefused(answer, [503, 'service_unavailable'])
    assert.equal(answer.headers['retry-after'], '1')
  })

  test('a bug is a 500 that reveals no internals', async () => {
    await t.app.parts.db.pool.query('alter table payments rename to payments_away')
    const answer = await get('/v1/payments')
    await t.app.parts.db.pool.query('alter table payments_away rename to payments')
    assertRefused(answer, [500, 'internal_error'])
    assert.doesNotMatch(answer.text, /payments|relation|stack|src\//)
  })
})

test('request ids differ between calls', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => (await get('/v1/nowhere')).headers['service-request-id']),
  )
  assert.equal(new Set(ids.map((id) => readId(requestIds, String(id)))).size, 50)
})
