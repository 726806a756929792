import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { loadCatalogue } from '../../../../packages/server/src/rails/connections/catalogue.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { send } from '../../../support/wire.ts'

// In live, a rail whose responses the test controls; in test, the simulator.
let lookedUp: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
const rail = createServer((request, response) => {
  lookedUp.push(request.url!)
  answer(request, response)
}).listen(0, '127.0.0.1')
await once(rail, 'listening')
const folder = mkdtempSync(path.join(tmpdir(), 'provider-kyc-'))
const connection = {
  protocol: 'rest',
  baseUrl: `http://127.0.0.1:${(rail.address() as AddressInfo).port}/v1`,
  key: 'rail-key',
  timeoutMs: 300,
}
const providersFile = path.join(folder, 'providers.json')
const wallet = loadCatalogue().find('dw001')!
const providers = [
  { ...wallet, providerId: 'asleep', status: { active: false } },
  { ...wallet, providerId: 'patient' },
  {
    ...wallet,
    providerId: 'silent',
    featureSet: { ...wallet.featureSet, kycVerification: { canVerifyAccount: false, metadata: {} } },
  },
]
writeFileSync(
  providersFile,
  JSON.stringify({
    providers,
    connections: { slb001: connection, dw001: connection, patient: { ...connection, timeoutMs: 60_000 } },
  }),
)

const t = await startTestApp({
  work: false,
  settings: { PROVIDERS_FILE: providersFile, KYC_LIMIT: '30', KYC_TOKEN_LIMIT: '12', KYC_MISSING_LIMIT: '3' },
})
after(async () => {
  await t.close()
  rail.closeAllConnections()
  rail.close()
  rmSync(folder, { recursive: true })
})

const url = (provider: string, account: string) =>
  `/v1/provider-kyc/${provider}?accountId=${encodeURIComponent(account)}`
const look = (merchant: Merchant, provider: string, account: string) =>
  merchant.call('GET', url(provider, account))
/** Makes a call that is expected to fail with a 5xx status. */
const lookAway = ({ token, spaceId }: Merchant, provider: string, account: string) =>
  send(t.baseUrl, {
    path: url(provider, account),
    headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId },
  })

const holder = (holderName: string, active = true) =>
  ((_request, response) => response.end(JSON.stringify({ holderName, active }))) as typeof answer
const notFound: typeof answer = (_request, response) =>
  response.writeHead(404).end(JSON.stringify({ code: 'account_missing' }))

describe('GET /v1/provider-kyc/{providerId}', () => {
  test('200 for every type of account, in the format that payouts use', async () => {
    const merchant = await t.merchant()
    for (const [provider, typed, id, type, name] of [
      ['m17', '076 123 456', '+23276123456', 'momo', 'Orange Money'],
      ['m17', '23276123456', '+23276123456', 'momo', 'Orange Money'],
      ['slb001', '00-1122 3344', '0011223344', 'bank', 'Sierra Leone Commercial Bank'],
      ['dw001', 'aminata@wallet', 'aminata@wallet', 'wallet', 'SafulPay'],
    ] as const) {
      const { status, body } = await look(merchant, provider, typed)
      assert.equal(status, 200)
      const { account, ...rest } = body.result
      assert.deepEqual(rest, { provider: { id: provider, type, name } })
      assert.match(account.holderName, /^\p{Lu}\p{L}+ \p{Lu}\p{L}+$/u)
      const { holderName } = account
      assert.deepEqual(account, { id, name: holderName, holderName, metadata: { active: true } })
    }
  })

  test('200 for a blocked account, too; 404 for an account that does not exist', async () => {
    const merchant = await t.merchant()
    const { body } = await look(merchant, 'm17', '076123009')
    assert.deepEqual(body.result.account.metadata, { active: false })
    const missing = await look(merchant, 'm17', '076123010')
    assert.deepEqual([missing.status, missing.body.error.reason], [404, 'not_found'])
  })

  test('400 for an invalid account', async () => {
    const merchant = await t.merchant()
    for (const [provider, typed] of [
      ['m17', '12'],
      ['m17', '+233241234567'],
      ['slb001', 'no'],
      ['slb001', '4111111111111111'],
      ['dw001', 'with space'],
      ['dw001', 'x'.repeat(65)],
      ['dw001', '\u0000\u202e…'],
      ['m17', ''],
    ] as const) {
      const { status, body } = await look(merchant, provider, typed)
      assert.deepEqual([status, body.error.details[0].param], [400, 'accountId'], typed)
    }
    for (const path of ['/v1/provider-kyc/m17', `${url('m17', '076123456')}&accountId=076123457`])
      assert.equal((await merchant.call('GET', path)).status, 400, path)
    for (const provider of ['zz99', 'card', '%00', 'M17'])
      assert.equal((await look(merchant, provider, '076123456')).body.error.reason, 'not_found', provider)
  })

  test('409 if the provider is not connected, not active, or has no look-up', async () => {
    const [merchant, live] = [await t.merchant(), await t.merchant({ environment: 'live' })]
    for (const [as, provider] of [
      [live, 'm17'],
      [merchant, 'asleep'],
      [merchant, 'silent'],
    ] as const) {
      const { status, body } = await look(as, provider, '076123456')
      assert.deepEqual([status, body.error.reason], [409, 'state_conflict'], provider)
    }
  })
})

describe('names', () => {
  test('are masked for tokens that may pay out but not look up; 403 for all others', async () => {
    const merchant = await t.merchant()
    const as = async (...scopes: string[]) =>
      look(await t.merchant({ sameUserAs: merchant, scopes }), 'm17', '076123456')
    const whole = (await as('provider-kyc:read')).body.result
    assert.deepEqual((await as('provider-kyc:write')).body.result, whole)
    const masked = (await as('payouts:write', 'payments:read')).body.result
    const name = whole.account.holderName.replace(/(?<=\p{L})\p{L}/gu, '*')
    assert.match(name, /^\p{L}\*+ \p{L}\*+$/u)
    assert.deepEqual(masked, { ...whole, account: { ...whole.account, name, holderName: name } })
    for (const scope of ['payouts:read', 'payouts:approve', 'payments:write']) {
      const { status, body } = await as(scope)
      assert.deepEqual([status, body.error.reason], [403, 'access_denied'])
      assert.deepEqual(body.error.details, [{ param: 'permission', errors: ['provider-kyc:read'] }])
    }
  })

  test('in any script are masked by visible letters', async () => {
    const live = await t.merchant({ environment: 'live', scopes: ['payouts:write'] })
    answer = holder('Zoë M. ‘Nkechí’ 李小龍')
    const { body } = await look(live, 'dw001', 'scripts')
    assert.equal(body.result.account.holderName, 'Z** M* ‘******* 李**')
    answer = holder('A Bé')
    assert.equal((await look(live, 'dw001', 'short')).body.result.account.holderName, '* B*')
  })

  test('are requested once per minute for concurrent callers, for each provider and environment', async () => {
    lookedUp = []
    answer = holder('Aminata Kamara')
    const [one, other] = [
      await t.merchant({ environment: 'live' }),
      await t.merchant({ environment: 'live' }),
    ]
    const accounts = await Promise.all(
      [one, other, one, other].map((merchant) => look(merchant, 'slb001', '0011223344')),
    )
    assert.deepEqual(
      new Set(accounts.map(({ body }) => body.result.account.holderName)),
      new Set(['Aminata Kamara']),
    )
    assert.equal(lookedUp.length, 1)
    await look(one, 'dw001', '0011223344')
    assert.equal(lookedUp.length, 2)
    await look(await t.merchant(), 'slb001', '0011223344')
    assert.equal(lookedUp.length, 2, 'the simulator has its own accounts')
  })

  test('of accounts that do not exist are cached, too', async () => {
    const live = await t.merchant({ environment: 'live' })
    lookedUp = []
    answer = notFound
    for (let i = 0; i < 3; i++) assert.equal((await look(live, 'dw001', 'nobody')).status, 404)
    assert.equal(lookedUp.length, 1)
  })
})

describe('a rail', () => {
  test('causes 503 with Retry-After if it gives no clear response, which is not cached', async () => {
    const live = await t.merchant({ environment: 'live' })
    const unclear: (typeof answer)[] = [
      () => {},
      (request) => request.socket.destroy(),
      (_request, response) => response.writeHead(500).end(),
      (_request, response) => response.end('<html>'),
      (_request, response) => response.writeHead(404).end('no such page'),
    ]
    for (const one of unclear) {
      answer = one
      const { status, json, headers } = await lookAway(live, 'slb001', '99887766')
      assert.deepEqual([status, json.error.reason, headers['retry-after']], [503, 'service_unavailable', '5'])
    }
    answer = holder('Aminata Kamara')
    assert.equal((await look(live, 'slb001', '99887766')).status, 200)
  })

  test('that hangs gets at most eight look-ups at a time, because connections are reserved for payments', async () => {
    const merchants = await Promise.all(Array.from({ length: 12 }, () => t.merchant({ environment: 'live' })))
    // New tokens are looked up a few at a time, but these look-ups must arrive together.
    await Promise.all(merchants.map((merchant) => merchant.call('GET', '/v1/wallets')))
    lookedUp = []
    const hanging: ServerResponse[] = []
    answer = (_request, response) => void hanging.push(response)
    const statuses: number[] = []
    const lookUps = merchants.map(async (merchant, i) => {
      statuses.push((await lookAway(merchant, 'patient', `hangs-${i}`)).status)
    })
    // Calls beyond the limit are refused while the others hang, perhaps before those reach the rail.
    await until(() => statuses.length === 4 && lookedUp.length >= 8)
    assert.equal(lookedUp.length, 8)
    for (const response of hanging) response.destroy()
    await Promise.all(lookUps)
    assert.equal(lookedUp.length, 8)
    assert.deepEqual(new Set(statuses), new Set([503]))
    answer = holder('Aminata Kamara')
    assert.equal((await look(merchants[0]!, 'patient', 'hangs-0')).status, 200)
  })
})

describe('look-ups are limited', () => {
  const limitOf = ({ status, headers, body }: Awaited<ReturnType<typeof look>>) => {
    if (status !== 429) return status
    assert.equal(body.error.reason, 'too_many_requests')
    assert.ok(Number(headers.get('retry-after')) >= 1)
    return headers.get('service-rate-limit')
  }

  test('by token and by Space; refused ones do not count, and other Spaces are not affected', async () => {
    const first = await t.merchant()
    const lookOften = async (merchant: Merchant, times: number) => {
      const seen: (number | string | null)[] = []
      for (let i = 0; i < times; i++) seen.push(limitOf(await look(merchant, 'm17', '076123456')))
      return seen
    }
    assert.deepEqual(await lookOften(first, 14), [
      ...Array(12).fill(200),
      ...Array(2).fill('kyc-token-limit'),
    ])
    const [second, third] = [await t.merchant({ sameUserAs: first }), await t.merchant({ sameUserAs: first })]
    assert.deepEqual(await lookOften(second, 12), Array(12).fill(200))
    assert.deepEqual(await lookOften(third, 7), [...Array(6).fill(200), 'kyc-space-limit'])
    assert.deepEqual(await lookOften(await t.merchant({ sameUserAs: first, environment: 'live' }), 1), [409])
    assert.deepEqual(await lookOften(await t.merchant(), 1), [200])
  })

  test('and blocked for a Space, with any token, after too many accounts that do not exist', async () => {
    const merchant = await t.merchant()
    for (const account of ['076100010', '076100010', '076101010', '076102010'])
      assert.equal(limitOf(await look(merchant, 'm17', account)), 404)
    const colleague = await t.merchant({ sameUserAs: merchant, scopes: ['payouts:write'] })
    for (const one of [merchant, colleague])
      assert.equal(limitOf(await look(one, 'm17', '076123456')), 'kyc-missing-limit')
    assert.equal(limitOf(await look(await t.merchant(), 'm17', '076123456')), 200)
  })
})

describe('GET /v1/phone-numbers/{phoneNumber}', () => {
  const find = async (merchant: Merchant, number: string) => {
    const { status, body } = await merchant.call('GET', `/v1/phone-numbers/${encodeURIComponent(number)}`)
    return { status, ...body }
  }

  test('200 with the network, and the providers that are active in the token’s environment', async () => {
    const [merchant, live] = [await t.merchant(), await t.merchant({ environment: 'live' })]
    const africell = { phoneNumber: '+23277123456', country: 'SL', network: 'Africell', certain: true }
    const providers = [{ providerId: 'm18', name: 'Afrimoney' }]
    for (const typed of ['+23277123456', '23277123456', '+232 77 123-456'])
      assert.deepEqual((await find(merchant, typed)).result, { ...africell, providers })
    assert.deepEqual((await find(live, '+23277123456')).result, { ...africell, providers: [] })
    const telecel = { phoneNumber: '+233201234567', country: 'GH', network: 'Telecel', certain: false }
    assert.deepEqual((await find(merchant, '+233201234567')).result, {
      ...telecel,
      providers: [{ providerId: 'telecel-gh', name: 'Telecel Cash' }],
    })
    const foreign = { phoneNumber: '+4915112345678', country: 'DE', network: null, certain: false }
    assert.deepEqual((await find(live, '+4915112345678')).result, { ...foreign, providers: [] })
  })

  test('400 for an invalid phone number', async () => {
    const merchant = await t.merchant()
    for (const typed of ['076123456x', '12', '+', '++23277123456', '%', '٠٧٧', '1'.repeat(100)]) {
      const { status, error } = await find(merchant, typed)
      assert.deepEqual([status, error.details?.[0].param], [400, 'phoneNumber'], typed)
    }
  })
})
