import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, mock, test } from 'node:test'
import { beginSession } from '../../../packages/server/src/tenants/spaces/sessions.ts'
import { newToken } from '../../../packages/server/src/tenants/spaces/tokens.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { send, type WireAnswer } from '../../support/wire.ts'

// The clock moves only when a test moves it.
mock.timers.enable({ apis: ['Date'], now: Date.now() })
const tick = (ms: number) => mock.timers.tick(ms)

const t = await startTestApp({
  work: false,
  app: { maxClockDifferenceMs: Number.POSITIVE_INFINITY },
  settings: {
    RATE_LIMITS: 'on',
    LOG_LEVEL: 'fatal',
    SPACE_LIMIT_TEST: '6',
    TOKEN_LIMIT_TEST: '4',
    ENDPOINT_LIMIT_TEST: '2',
    SPACE_LIMIT_LIVE: '3',
    TOKEN_LIMIT_LIVE: '3',
    ENDPOINT_LIMIT_LIVE: '3',
    TRUSTED_PROXIES: '127.0.0.1',
  },
})
after(() => t.close())

const get = ({ token, spaceId }: Merchant, path: string) =>
  send(t.baseUrl, { path, headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId } })

/** Returns `ok`, or the name of the limit that was exceeded. */
function outcome({ status, headers, json }: WireAnswer): string {
  if (status === 200) return 'ok'
  assert.deepEqual([status, json.error.reason, json.error.details], [429, 'too_many_requests', []])
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
  return String(headers['service-rate-limit'])
}

async function outcomes(as: Merchant, ...paths: string[]): Promise<string[]> {
  const seen: string[] = []
  for (const path of paths) seen.push(outcome(await get(as, path)))
  return seen
}

const [payments, sessions, accounts] = ['/v1/payments', '/v1/checkout-sessions', '/v1/financial-accounts']

describe('the endpoint limit', () => {
  test('throttles one endpoint of one token, and allows one request per interval', async () => {
    const merchant = await t.merchant()
    assert.deepEqual(await outcomes(merchant, payments, payments, payments), ['ok', 'ok', 'endpoint-limit'])
    assert.deepEqual(await outcomes(merchant, sessions), ['ok'])
    tick(499)
    assert.deepEqual(await outcomes(merchant, payments), ['endpoint-limit'])
    tick(1)
    assert.deepEqual(await outcomes(merchant, payments, payments), ['ok', 'endpoint-limit'])
    const colleague = await t.merchant({ sameUserAs: merchant })
    assert.deepEqual(await outcomes(colleague, payments), ['ok'])
  })

  test('counts per route and method, whatever the ids, filters and letter case of the URL', async () => {
    const merchant = await t.merchant()
    const limitOf = async (path: string) => (await get(merchant, path)).headers['service-rate-limit']
    assert.deepEqual(
      [await limitOf(`${payments}/a`), await limitOf(`${payments}/b`), await limitOf(`${payments}/c`)],
      [undefined, undefined, 'endpoint-limit'],
    )
    tick(1000)
    assert.deepEqual(await outcomes(merchant, payments, `${payments}?limit=1`, `${payments}?limit=2`), [
      'ok',
      'ok',
      'endpoint-limit',
    ])
    assert.deepEqual((await postSession(merchant, randomUUID())).status, 200)
  })
})

const postSession = ({ token, spaceId }: Merchant, key: string) =>
  send(t.baseUrl, {
    method: 'POST',
    path: sessions,
    headers: {
      authorization: `Bearer ${token}`,
      'service-space-id': spaceId,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'a', lineItems: [{ name: 'a', price: { currency: 'SLE', value: 1 } }] }),
  })

describe('the token limit', () => {
  test('throttles one token on every endpoint', async () => {
    const merchant = await t.merchant()
    assert.deepEqual(await outcomes(merchant, payments, payments, sessions, sessions, accounts), [
      'ok',
      'ok',
      'ok',
      'ok',
      'token-limit',
    ])
    assert.deepEqual(await outcomes(await t.merchant({ sameUserAs: merchant }), accounts), ['ok'])
    tick(250)
    assert.deepEqual(await outcomes(merchant, accounts, accounts), ['ok', 'token-limit'])
  })

  test('also counts calls that name no Space', async () => {
    const merchant = await t.merchant()
    assert.deepEqual(
      await outcomes(merchant, '/v1/countries', '/v1/countries', '/v1/momos', '/v1/momos', '/v1/banks'),
      ['ok', 'ok', 'ok', 'ok', 'token-limit'],
    )
  })
})

describe('the Space limit', () => {
  test('throttles the whole Space even if each token is within its own limit', async () => {
    const merchant = await t.merchant()
    const colleagues = [
      merchant,
      await t.merchant({ sameUserAs: merchant }),
      await t.merchant({ sameUserAs: merchant }),
    ]
    for (const colleague of colleagues)
      assert.deepEqual(await outcomes(colleague, payments, sessions), ['ok', 'ok'])
    for (const colleague of colleagues) assert.deepEqual(await outcomes(colleague, accounts), ['space-limit'])
    assert.deepEqual(await outcomes(await t.merchant(), accounts), ['ok'])
    // A call that names no Space does not count against the Space.
    assert.deepEqual(await outcomes(merchant, '/v1/countries'), ['ok'])
  })

  test('is counted separately in test and live', async () => {
    const merchant = await t.merchant()
    const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
    assert.deepEqual(await outcomes(live, payments, sessions, accounts, payments), [
      'ok',
      'ok',
      'ok',
      'space-limit',
    ])
    assert.deepEqual(await outcomes(merchant, payments), ['ok'])
  })
})

describe('with several limits', () => {
  test('the one with the longest wait is reported', async () => {
    const merchant = await t.merchant()
    // The token and endpoint limits are used up; their waits are 250 and 500 ms.
    assert.deepEqual(await outcomes(merchant, payments, payments, sessions, sessions, payments), [
      'ok',
      'ok',
      'ok',
      'ok',
      'endpoint-limit',
    ])
  })

  test('the widest is reported when the waits are equal', async () => {
    const live = await t.merchant({ environment: 'live' })
    assert.deepEqual(await outcomes(live, payments, payments, payments, payments), [
      'ok',
      'ok',
      'ok',
      'space-limit',
    ])
    const another = await t.merchant({ environment: 'live' })
    assert.deepEqual(await outcomes(another, ...Array(4).fill('/v1/countries')), [
      'ok',
      'ok',
      'ok',
      'token-limit',
    ])
  })

  test('none is charged for a request that is refused', async () => {
    const merchant = await t.merchant()
    const refused = Array(20).fill('endpoint-limit')
    assert.deepEqual(await outcomes(merchant, payments, payments, ...Array(20).fill(payments)), [
      'ok',
      'ok',
      ...refused,
    ])
    assert.deepEqual(await outcomes(merchant, sessions, sessions, accounts), ['ok', 'ok', 'token-limit'])
    tick(500)
    assert.deepEqual(await outcomes(merchant, payments), ['ok'])
  })
})

test('a rate-limited request has no effect, and its idempotency key can be used again', async () => {
  const merchant = await t.merchant()
  const key = randomUUID()
  await postSession(merchant, randomUUID())
  await postSession(merchant, randomUUID())
  assert.equal(outcome(await postSession(merchant, key)), 'endpoint-limit')
  assert.equal((await get(merchant, sessions)).json.result.length, 2)
  tick(500)
  const answer = await postSession(merchant, key)
  assert.deepEqual([answer.status, answer.headers['service-idempotent-replay']], [200, undefined])
})

test('a receipt is emailed five times per hour, and other receipts are not affected', async () => {
  const { token, spaceId } = await t.merchant()
  const mail = (orderNumber: string) =>
    send(t.baseUrl, {
      method: 'POST',
      path: `/v1/receipts/${orderNumber}/send`,
      headers: {
        authorization: `Bearer ${token}`,
        'service-space-id': spaceId,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: 'ama@mail.example' }),
    })
  for (let i = 0; i < 5; i++) {
    assert.equal((await mail('482915037264')).status, 404)
    tick(1_000)
  }
  assert.equal(outcome(await mail('482915037264')), 'receipt-mail-limit')
  tick(1_000)
  assert.equal((await mail('482915037265')).status, 404)
  tick(720_000)
  assert.equal((await mail('482915037264')).status, 404)
})

describe('failed authentications', () => {
  const from = async (address: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    const answer = await send(t.baseUrl, { path: '/v1/countries', headers })
    if (answer.status === 429) assert.equal(outcome(answer), 'failed-authentication-limit')
    return answer.json.error?.reason
  }
  const rename = (from: string, to: string) =>
    t.app.parts.db.pool.query(`alter table ${from} rename to ${to}`)

  test('are looked up at most twenty times per second and address', async () => {
    const now = performance.now()
    mock.method(performance, 'now', () => now)
    const [attacker, neighbour] = ['203.0.113.7', '203.0.113.8']
    const { token } = await t.merchant()
    for (let i = 0; i < 20; i++) assert.equal(await from(attacker, newToken('test')), 'token_invalid')
    assert.equal(await from(neighbour, token), undefined)
    // Any further token look-up fails, because the table is gone.
    await rename('tokens', 'tokens_away')
    for (let i = 0; i < 20; i++) assert.equal(await from(attacker, newToken('test')), 'too_many_requests')
    assert.equal(await from(attacker, token), undefined, 'a token that is already cached')
    assert.equal(
      await from(neighbour, newToken('test')),
      'internal_error',
      'the control: this one was looked up',
    )
    tick(1_001)
    assert.equal(
      await from(attacker, newToken('test')),
      'internal_error',
      'a second later it is looked up again',
    )
    await rename('tokens_away', 'tokens')
    mock.restoreAll()
  })

  test('never make a valid token fail, however long they continue', async () => {
    let now = performance.now()
    mock.method(performance, 'now', () => now)
    const [carrier, { token }] = ['203.0.113.20', await t.merchant({ environment: 'live' })]
    assert.equal(await from(carrier, token), undefined)
    for (let second = 0; second < 5; second++) {
      const bad = await Promise.all(Array.from({ length: 100 }, () => from(carrier, newToken('live'))))
      assert.ok(bad.includes('too_many_requests'))
      // The cached result for the valid token has expired.
      now += 600
      tick(1_000)
      assert.equal(await from(carrier, token), undefined)
    }
    mock.restoreAll()
  })

  test('never make a valid session fail, whatever else its address sends', async () => {
    let now = performance.now()
    mock.method(performance, 'now', () => now)
    const [carrier, { userId }] = ['203.0.113.24', await t.merchant()]
    const arrival = { userId, method: 'link', address: carrier, agent: '' } as const
    const begin = () => t.app.parts.home.transaction((tx) => beginSession(tx, arrival, new Date()))
    const byCookie = async (secret: string) => {
      const headers = { cookie: `pesewa=${secret}`, 'x-forwarded-for': carrier }
      return (await send(t.baseUrl, { path: '/v1/countries', headers })).json.error?.reason
    }
    const [known, unknown] = [await begin(), await begin()]
    assert.equal(await byCookie(known), undefined)
    for (let second = 0; second < 3; second++) {
      assert.equal(await byCookie('x'.repeat(43)), 'token_invalid')
      for (let i = 0; i < 19; i++) assert.equal(await from(carrier, newToken('test')), 'token_invalid')
      assert.equal(
        await byCookie(unknown),
        'too_many_requests',
        'the control: this one was not known to be valid',
      )
      assert.equal(await from(carrier, newToken('test')), 'too_many_requests')
      // The cached result for the session has expired.
      now += 600
      tick(1_000)
      assert.equal(await byCookie(known), undefined)
      now += 600
    }
    mock.restoreAll()
  })

  test('report a revoked token as revoked, and later as unknown', async () => {
    let now = performance.now()
    mock.method(performance, 'now', () => now)
    const [address, { token, userId }] = ['203.0.113.21', await t.merchant()]
    assert.equal(await from(address, token), undefined)
    for (let i = 0; i < 20; i++) assert.equal(await from(address, newToken('test')), 'token_invalid')
    await t.app.parts.db.pool.query('update tokens set revoked_at = now() where user_id = $1', [userId])
    now += 600
    assert.equal(await from(address, token), 'token_invalid')
    assert.equal(await from(address, token), 'too_many_requests')
    mock.restoreAll()
  })

  test('are looked up a few at a time, however many arrive at once', async () => {
    const now = performance.now()
    mock.method(performance, 'now', () => now)
    const queries = mock.method(t.app.parts.db.pool, 'query')
    const reasons = await Promise.all(
      Array.from({ length: 300 }, () => from('203.0.113.22', newToken('test'))),
    )
    const lookUps = queries.mock.calls.filter(({ arguments: [query] }) =>
      (query as unknown as { text?: string }).text?.includes('from tokens'),
    )
    mock.restoreAll()
    assert.ok(reasons.every((reason) => ['token_invalid', 'too_many_requests'].includes(reason)))
    assert.ok(lookUps.length < 30, `${lookUps.length} look-ups`)
  })

  test('with an invalid checksum do not use up their address’s look-ups', async () => {
    const [address, { token }] = ['203.0.113.23', await t.merchant()]
    const reasons = await Promise.all(Array.from({ length: 50 }, () => from(address, 'psw_test_x')))
    assert.deepEqual(
      reasons.toSorted(),
      [...Array(20).fill('token_invalid'), ...Array(30).fill('too_many_requests')].toSorted(),
    )
    assert.equal(await from(address, token), undefined)
  })

  test('are counted per IPv6 network, which belongs to one caller', async () => {
    for (let i = 0; i < 20; i++)
      assert.equal(await from(`2001:db8:0:7::${i + 1}`, newToken('test')), 'token_invalid')
    assert.equal(await from('2001:db8:0:7:8000::1', newToken('test')), 'too_many_requests')
    assert.equal(await from('2001:db8:0:8::1', newToken('test')), 'token_invalid')
  })

  test('with an invalid checksum are never looked up', async () => {
    await rename('tokens', 'tokens_away')
    const token = newToken('live')
    const typo = token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21)
    assert.equal(await from('203.0.113.9', typo), 'token_invalid')
    assert.equal(await from('203.0.113.9', token), 'internal_error')
    await rename('tokens_away', 'tokens')
  })
})
