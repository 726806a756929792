import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Collection, Connector, RailOutcome, RailRefund } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from '../../../rails/mtn-momo/test-credentials.ts'
import { railKey } from '../../../rails/rest/test-keys.ts'
import { sql } from '../platform/db/sql.ts'
import { loadCatalogue } from '../rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../rails/connections/connectors.ts'

let rail: TestSimulator
let connectors: Connectors
before(async () => {
  rail = await startTestSimulator()
  connectors = openConnectors(loadCatalogue(), {
    seals: rail.seals,
    simulatorUrl: rail.url,
    baseUrl: new URL(rail.callbackUrl).origin,
  })
})
after(async () => {
  await connectors.close()
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

type GivesBack = Connector & Required<Pick<Connector, 'refund' | 'queryRefund'>>
const railOf = (providerId: string) => connectors.findConnector(providerId, 'test') as GivesBack

const order = () => ({
  reference: randomUUID(),
  amount: 1500n,
  currency: 'SLE',
  callbackUrl: `${rail.callbackUrl}/1`,
  mayLeave: () => true,
})

/** Collects a payment, approving it on a page if there is one. Returns our reference. */
async function collect(providerId: string, payerAccount: string | null): Promise<string> {
  const collection: Collection = {
    ...order(),
    payerAccount,
    description: 'Two cups',
    orderNumber: '000000000001',
    returnUrl: `${rail.callbackUrl}/back?state=1`,
  }
  const result = await railOf(providerId).collect(collection)
  const page = 'redirectUrl' in result && result.redirectUrl
  if (page)
    await fetch(new URL(rail.url).origin + new URL(page).pathname, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer: 'approve', card: 'visa' }),
    })
  await rail.clock.advance(300)
  rail.callbacks.length = 0
  return collection.reference
}

const refundOf = (reference: string, description = 'Sorry'): RailRefund => ({
  ...order(),
  original: { reference, railTransaction: null },
  description,
})

const codeOrOutcome = (result: RailOutcome) => (result.outcome === 'refused' ? result.code : result.outcome)

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query<{ amountMinor: bigint; payee: string; refundOf: string }>(sql`
    select amount_minor, payee, refund_of from simulator_disbursements
    where reference = ${reference} and moved_at is not null`)
}

const paid = 'done'
/** The outcomes by a three-digit message, and their delays. */
const endings: [string, [ms: number, outcome: string, callbacks: number][]][] = [
  [
    '001',
    [
      [299, 'pending', 0],
      [300, 'fund_insufficient', 1],
    ],
  ],
  ['002', [[300, 'authorization_failed', 1]]],
  [
    '003',
    [
      [59_999, 'pending', 0],
      [60_000, 'authorization_failed', 1],
    ],
  ],
  [
    '004',
    [
      [29_999, 'pending', 0],
      [30_000, paid, 1],
    ],
  ],
  [
    '005',
    [
      [300, paid, 3],
      [60_000, paid, 3],
    ],
  ],
  [
    '006',
    [
      [300, paid, 0],
      [60_000, paid, 0],
    ],
  ],
  ['009', [[300, 'provider_account_blocked', 1]]],
  ['010', [[300, 'provider_account_missing', 1]]],
  ['011', [[300, 'provider_account_quota_exhausted', 1]]],
  [
    '012',
    [
      [300, 'unknown', 1],
      [5_299, 'unknown', 1],
      [5_300, paid, 2],
    ],
  ],
  [
    'Sorry',
    [
      [299, 'pending', 0],
      [300, paid, 1],
    ],
  ],
  ['013', [[300, paid, 1]]],
]

for (const [who, providerId, account, payee] of [
  // Regardless of the payer's number.
  ['mobile money', 'm17', '+23276123006', '23276123006'],
  ['a bank', 'slb001', '0011223344', '0011223344'],
  ['a card', 'card', null, ''],
] as const)
  describe(`a refund of a payment by ${who}`, () => {
    let original: string
    before(async () => {
      original = await collect(providerId, account)
    })

    for (const [message, moments] of endings)
      test(`has the outcome of the message ${message}`, async () => {
        const refund = refundOf(original, message)
        assert.deepEqual(await railOf(providerId).refund(refund), { outcome: 'accepted' })
        let passedMs = 0
        for (const [ms, outcome, callbacks] of moments) {
          await rail.clock.advance(ms - passedMs)
          passedMs = ms
          assert.equal(
            codeOrOutcome(await railOf(providerId).queryRefund(about(refund.reference))),
            outcome,
            `after ${ms} ms`,
          )
          assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
          const moved = { amountMinor: 1500n, payee, refundOf: original }
          assert.deepEqual(await movements(refund.reference), outcome === paid ? [moved] : [])
        }
      })

    test('moves money if the response is lost (007), but not if the submit fails (008)', async () => {
      const [lost, failed] = [refundOf(original, '007'), refundOf(original, '008')]
      assert.equal((await railOf(providerId).refund(lost)).outcome, 'unknown')
      assert.equal((await railOf(providerId).refund(failed)).outcome, 'unknown')
      await rail.clock.advance(300)
      assert.equal((await railOf(providerId).queryRefund(about(lost.reference))).outcome, paid)
      assert.deepEqual(
        await railOf(providerId).refund(lost),
        { outcome: 'accepted' },
        'the rail has it when resubmitted',
      )
      await rail.clock.advance(60_000)
      assert.equal((await movements(lost.reference)).length, 1)
      assert.deepEqual(await railOf(providerId).queryRefund(about(failed.reference)), { outcome: 'missing' })
    })

    test('moves money once, however often it is submitted, and the callback matches a query', async () => {
      const refund = refundOf(original)
      const responses = await Promise.all(Array.from({ length: 10 }, () => railOf(providerId).refund(refund)))
      assert.deepEqual(
        responses,
        responses.map(() => ({ outcome: 'accepted' })),
      )
      await rail.clock.advance(60_000)
      assert.equal((await movements(refund.reference)).length, 1)
      const [{ body } = { body: '' }, ...more] = rail.callbacks
      assert.deepEqual([body.includes(refund.reference), more], [true, []])
    })

    test('requires a successful payment and a positive amount', async () => {
      const refund = refundOf(randomUUID())
      const result = await railOf(providerId).refund(refund)
      assert.equal('code' in result && result.code, 'rejected')
      assert.deepEqual(await railOf(providerId).queryRefund(about(refund.reference)), { outcome: 'missing' })
    })
  })

test('is refused for a failed payment or another provider’s payment', async () => {
  const failed = await collect('m17', '+23276123001')
  const others = await collect('m18', '+23277123456')
  for (const original of [failed, others]) {
    const result = await railOf('m17').refund(refundOf(original))
    assert.equal('code' in result && result.code, 'rejected')
  }
})

test('a refund is not a payout, and a payout is not a refund', async () => {
  const refund = refundOf(await collect('slb001', '0011223344'))
  const bank = railOf('slb001')
  await bank.refund(refund)
  const payout = { ...order(), payeeAccount: '0011223344', description: 'Wages' }
  await bank.disburse?.(payout)
  assert.deepEqual(await bank.queryDisbursement?.(about(refund.reference)), { outcome: 'missing' })
  assert.deepEqual(await bank.queryRefund(about(payout.reference)), { outcome: 'missing' })
})

describe('banks and the acquirer validate refunds', () => {
  const body = (originalReference: string, changes: object = {}) => ({
    amount: 1500,
    currency: 'SLE',
    originalReference,
    description: 'Sorry',
    callbackUrl: rail.callbackUrl,
    ...changes,
  })
  const put = async (path: string, fields: object, key = railKey(rail.seals)) => {
    const response = await fetch(`${rail.url}/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(fields),
    })
    return [response.status, await response.json()]
  }
  const originals = new Map<string, string[]>()
  before(async () => {
    for (const [base, providerId, account] of rails)
      originals.set(base, [await collect(providerId, account), await collect(providerId, account)])
  })
  const rails = [
    ['rest/slb001', 'slb001', '0011223344'],
    ['acquirer/card', 'card', null],
  ] as const

  const issues: [string, object, number, string, string?][] = [
    ['a wrong key', {}, 401, 'key_invalid', 'wrong'],
    ['another currency', { currency: 'EUR' }, 422, 'currency_not_supported'],
    ['an amount of zero', { amount: 0 }, 400, 'request_invalid'],
    ['text for an amount', { amount: '15' }, 400, 'request_invalid'],
    ['no original', { originalReference: undefined }, 400, 'request_invalid'],
    ['an original that is not a reference', { originalReference: 'x' }, 400, 'request_invalid'],
    ['an unknown original', { originalReference: randomUUID() }, 404, 'original_missing'],
    ['an account', { payee: { account: '0011223344' } }, 400, 'request_invalid'],
    [
      'a callback URL on another host',
      { callbackUrl: 'http://169.254.169.254/' },
      400,
      'address_not_registered',
    ],
  ]
  for (const [base] of rails) {
    for (const [what, changes, status, code, key] of issues)
      test(`${base}, ${what}: ${code}`, async () => {
        const path = `${base}/refunds/${randomUUID()}`
        assert.deepEqual(await put(path, body(originals.get(base)![0]!, changes), key), [status, { code }])
      })

    test(`${base}: a reference is for one refund; reusing it for another original or amount is a conflict`, async () => {
      const [one, other] = originals.get(base)!
      const path = `${base}/refunds/${randomUUID()}`
      const conflict = [409, { code: 'reference_in_use' }]
      for (const _ of [1, 2]) assert.deepEqual(await put(path, body(one!)), [202, { status: 'pending' }])
      assert.deepEqual(await put(path, body(other!)), conflict)
      assert.deepEqual(await put(path, body(one!, { amount: 1501 })), conflict)
      assert.deepEqual(await put(`${base}/refunds/x`, body(one!)), [400, { code: 'request_invalid' }])
    })

    test(`${base}: an unknown refund is not found`, async () => {
      const response = await fetch(`${rail.url}/${base}/refunds/${randomUUID()}`, {
        headers: { authorization: `Bearer ${railKey(rail.seals)}` },
      })
      assert.deepEqual([response.status, await response.json()], [404, { code: 'not_found' }])
    })
  }
})

describe('mobile money validates refunds as MTN does', () => {
  const base = () => `${rail.url}/mtn-momo/m17/disbursement`
  const subscription = (product: 'collection' | 'disbursement') => ({
    'ocp-apim-subscription-key': simulatorCredentials(rail.seals, product).subscriptionKey,
    'x-target-environment': simulatorTargetEnvironment,
  })
  const openProduct = async () => {
    const { apiUser, apiKey } = simulatorCredentials(rail.seals, 'disbursement')
    const basic = Buffer.from(`${apiUser}:${apiKey}`).toString('base64')
    const response = await fetch(`${base()}/token/`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, ...subscription('disbursement') },
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    return { authorization: `Bearer ${token}`, ...subscription('disbursement') }
  }
  const post = async (
    headers: Record<string, string>,
    changes: object,
    reference = randomUUID() as string,
  ) => {
    const response = await fetch(`${base()}/v1_0/refund`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-reference-id': reference },
      body: JSON.stringify({ amount: '15.00', currency: 'SLE', ...changes }),
    })
    const text = await response.text()
    return [response.status, text && JSON.parse(text).code]
  }

  test('202 for a paid original, 409 for a reused reference, and a refusal for each issue', async () => {
    const headers = await openProduct()
    const referenceIdToRefund = await collect('m17', '+23276123456')
    const reference = randomUUID()
    assert.deepEqual(await post(headers, { referenceIdToRefund }, reference), [202, ''])
    assert.deepEqual(await post(headers, { referenceIdToRefund }, reference), [409, 'RESOURCE_ALREADY_EXIST'])
    for (const [changes, status, id] of [
      [{}, 400],
      [{ referenceIdToRefund: 'x' }, 400],
      [{ referenceIdToRefund, amount: '0.00' }, 400],
      [{ referenceIdToRefund, amount: '15.000' }, 400],
      [{ referenceIdToRefund, currency: 'EUR' }, 500],
      [{ referenceIdToRefund, payerMessage: "it's late" }, 400],
      [{ referenceIdToRefund }, 400, 'x'],
      [{ referenceIdToRefund: randomUUID() }, 404],
    ] as const)
      assert.equal((await post(headers, changes, id))[0], status, JSON.stringify(changes))
    assert.equal((await post({ ...headers, authorization: 'Bearer x' }, { referenceIdToRefund }))[0], 401)
    assert.equal((await post({ ...headers, ...subscription('collection') }, { referenceIdToRefund }))[0], 401)
    const response = await fetch(`${base()}/v1_0/refund/${randomUUID()}`, { headers })
    assert.deepEqual(
      [response.status, ((await response.json()) as { code: string }).code],
      [404, 'RESOURCE_NOT_FOUND'],
    )
  })
})

test('a simulated rail can be probed, and returns our balances', async () => {
  for (const providerId of ['m17', 'slb001', 'card']) {
    const steps = (await connectors.findConnector(providerId, 'test')?.probe?.()) ?? []
    assert.deepEqual(new Set(steps.map(({ outcome }) => outcome)), new Set(['ok']), providerId)
  }
  assert.deepEqual(await connectors.findConnector('m17', 'test')?.balances?.(), [
    { name: 'collection', currency: 'SLE', amount: 100_000_000n },
    { name: 'disbursement', currency: 'SLE', amount: 100_000_000n },
  ])
})
