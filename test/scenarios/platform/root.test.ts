import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createToken, revokeToken } from '../../../packages/server/src/tenants/spaces/spaces.ts'
import { newToken } from '../../../packages/server/src/tenants/spaces/tokens.ts'
import { startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'

const t = await startTestApp({ work: false })
const proxied = await startTestApp({ work: false, settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } })
after(async () => {
  await t.close()
  await proxied.close()
})
const merchant = await t.merchant()
const live = await t.merchant({ environment: 'live' })

const look = async (headers: Record<string, string> = {}) => {
  const answer = await send(t.baseUrl, { path: '/', headers })
  assert.equal(answer.status, 200)
  return answer.json
}

const ofNobody = {
  platform: 'Pesewa',
  tagline: 'Payments that add up.',
  status: { environment: null, isAuthenticated: false },
  apiVersion: null,
  requestOrigin: { country: 'ZZ', ipAddress: '127.0.0.1' },
}

describe('GET /', () => {
  test('200 without a token: only the caller’s location', async () => {
    assert.deepEqual(await look(), ofNobody)
  })

  for (const [environment, { token }] of Object.entries({ test: merchant, live }))
    test(`200 with a ${environment} token: the environment and the version`, async () => {
      const root = await look({ authorization: `Bearer ${token}` })
      assert.deepEqual(root, {
        ...ofNobody,
        status: { environment, isAuthenticated: true },
        apiVersion: {
          id: 'baobab.2026-11-21',
          release: { name: 'baobab', date: '2026-11-21' },
          deprecated: false,
          apiSchemas: { openApi: `${t.baseUrl}/openapi.json` },
        },
      })
      assert.equal((await fetch(root.apiVersion.apiSchemas.openApi)).status, 200)
    })

  test('400 for an unknown version from any caller, so that a client that pins a version finds out on its first call', async () => {
    for (const authorization of [undefined, 'Bearer x', `Bearer ${merchant.token}`]) {
      const headers = { 'service-version': 'acacia.2020-01-01', ...(authorization && { authorization }) }
      const { status, json } = await send(t.baseUrl, { path: '/', headers })
      assert.deepEqual([status, json.error.reason], [400, 'version_unknown'])
    }
    assert.equal((await look({ 'service-version': 'baobab.2026-11-21' })).platform, 'Pesewa')
  })

  test('200 with an invalid token, as without one', async () => {
    const made = await t.app.parts.home.transaction(async (tx) => {
      const given = {
        userId: merchant.userId,
        environment: 'test',
        name: 'test',
        scopes: ['*'],
        spaceIds: null,
      } as const
      const tokenWith = (lifeMs: number | null, networks: string[] | null) =>
        createToken(tx, { ...given, scopes: ['*'], lifeMs, networks })
      const revoked = await tokenWith(null, null)
      await revokeToken(tx, revoked.token.id)
      return [revoked, await tokenWith(-1, null), await tokenWith(null, ['10.0.0.0/8'])]
    })
    const bad = [...made.map(({ text }) => text), newToken('test'), 'x', '', merchant.token.slice(0, -1)]
    for (const token of bad) assert.deepEqual(await look({ authorization: `Bearer ${token}` }), ofNobody)
    for (const authorization of ['', 'Basic dTpw', merchant.token])
      assert.deepEqual(await look({ authorization }), ofNobody)
  })

  test('200 with an unknown Space or query parameter', async () => {
    assert.deepEqual(await look({ 'service-space-id': 'x' }), ofNobody)
    assert.equal((await send(t.baseUrl, { path: '/?a=%zz' })).status, 200)
  })

  test('200, not cacheable', async () => {
    assert.equal((await send(t.baseUrl, { path: '/' })).headers['cache-control'], 'no-store')
  })
})

describe('GET / behind a proxy', () => {
  const originOf = async (baseUrl: string, forwarded: string) =>
    (await send(baseUrl, { path: '/', headers: { 'x-forwarded-for': forwarded } })).json.requestOrigin

  test('200 with the caller’s own address if the proxy is not trusted', async () => {
    assert.deepEqual(await originOf(t.baseUrl, '41.66.192.1'), ofNobody.requestOrigin)
  })

  test('200 with the last address that is not a trusted proxy', async () => {
    const { country, ipAddress } = await originOf(proxied.baseUrl, '41.66.192.1')
    assert.deepEqual([country, ipAddress], ['GH', '41.66.192.1'])
    assert.equal((await originOf(proxied.baseUrl, '1.1.1.1, 41.66.192.1')).ipAddress, '41.66.192.1')
    assert.equal((await originOf(proxied.baseUrl, '41.66.192.1, 10.1.2.3')).ipAddress, '41.66.192.1')
  })

  test('200 with the country ZZ if it is unknown', async () => {
    for (const address of [
      '192.168.1.1',
      '127.0.0.1',
      '169.254.1.1',
      '::1',
      '2001:db8::1',
      'fe80::1',
      '224.0.0.1',
      '0.0.0.0',
    ])
      assert.deepEqual(await originOf(proxied.baseUrl, address), { country: 'ZZ', ipAddress: address })
  })

  test('200 if it is not an IP address', async () => {
    for (const forwarded of [
      'nonsense',
      '',
      ',',
      '999.1.1.1',
      '<script>',
      '1.2.3.4:80',
      'unknown',
      'x'.repeat(5_000),
    ])
      assert.match((await originOf(proxied.baseUrl, forwarded)).country, /^[A-Z]{2}$/)
  })
})

test('responses over https, and only those, tell browsers to insist on TLS', async () => {
  const node = await startTestApp({
    work: false,
    anotherNodeOf: t,
    settings: { BASE_URL: 'https://pay.example' },
  })
  const { host, port } = node.app.parts.settings
  for (const path of ['/', '/healthz', '/v1/payments', '/nothing', '/%']) {
    const header = async (base: string) =>
      (await send(base, { path })).headers['strict-transport-security'] ?? null
    assert.equal(await header(`http://${host}:${port}`), 'max-age=31536000', path)
    assert.equal(await header(t.baseUrl), null, path)
  }
  await node.close()
})
