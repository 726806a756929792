import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Collection, Connector, MoneyOrder, RailOutcome } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { until } from '../../../../test/support/harness.ts'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { sql } from '../../../server/src/platform/db/sql.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../../../server/src/rails/connections/connectors.ts'
import { simulatorToken } from '../test-credentials.ts'

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

type Pawapay = Connector & Required<Omit<Connector, 'firstQueryMs' | 'verifyAccount' | 'pageOrigin'>>
const railOf = (providerId: string) => connectors.findConnector(providerId, 'test') as Pawapay

const order = (): MoneyOrder => ({
  reference: randomUUID(),
  amount: 1_500n,
  currency: 'XOF',
  description: 'Two cups',
  callbackUrl: `${rail.callbackUrl}/1`,
  mayLeave: () => true,
})
const collection = (digits: string, more: Partial<Collection> = {}): Collection => ({
  ...order(),
  payerAccount: `+225073456${digits}`,
  orderNumber: '000000000001',
  returnUrl: `${rail.callbackUrl}/back?state=1`,
  ...more,
})
const codeOrOutcome = (result: RailOutcome) => (result.outcome === 'refused' ? result.code : result.outcome)

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query<{ amountMinor: bigint }>(sql`
    select amount_minor from simulator_collections where reference = ${reference} and moved_at is not null
    union all
    select amount_minor from simulator_disbursements where reference = ${reference} and moved_at is not null`)
}

type Moment = [ms: number, outcome: string, callbacks: number]
const paid = 'done'
/**
 * The outcomes by the last three digits of a deposit's account, and the outcomes of outgoing money if they are
 * different.
 */
const endings: [digits: string, moments: Moment[], goingOut?: Moment[]][] = [
  [
    '456',
    [
      [299, 'pending', 0],
      [300, paid, 1],
      [60_000, paid, 1],
    ],
  ],
  [
    '001',
    [
      [299, 'pending', 0],
      [300, 'fund_insufficient', 1],
    ],
  ],
  ['002', [[300, 'authorization_failed', 1]], [[300, 'unknown', 1]]],
  [
    '003',
    [
      [59_999, 'pending', 0],
      [60_000, 'authorization_failed', 1],
    ],
    [[60_000, 'unknown', 1]],
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
  // pawaPay has no code for a blocked account.
  ['009', [[300, 'unknown', 1]]],
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
]

async function follow(query: () => Promise<RailOutcome>, reference: string, moments: Moment[]) {
  let passedMs = 0
  for (const [ms, outcome, callbacks] of moments) {
    await rail.clock.advance(ms - passedMs)
    passedMs = ms
    assert.equal(codeOrOutcome(await query()), outcome, `after ${ms} ms`)
    assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
    assert.equal((await movements(reference)).length, outcome === paid ? 1 : 0)
  }
}

/** Creates a completed deposit, so that it can be refunded, and returns its reference. */
async function deposit(more: Partial<Collection> = {}): Promise<string> {
  const requested = collection('456', more)
  await railOf('orange-sn').collect(requested)
  await rail.clock.advance(300)
  rail.callbacks.length = 0
  return requested.reference
}

const refundOf = (reference: string, description: string, amount = 10n) => ({
  ...order(),
  amount,
  description,
  original: { reference, railTransaction: null },
})

for (const [digits, moments, goingOut = moments] of endings) {
  test(`…${digits}: a deposit`, async () => {
    const requested = collection(digits)
    assert.equal((await railOf('orange-sn').collect(requested)).outcome, 'accepted')
    await follow(
      () => railOf('orange-sn').queryCollection(about(requested.reference)),
      requested.reference,
      moments,
    )
  })

  test(`…${digits}: a payout`, async () => {
    const out = { ...order(), payeeAccount: `+225073456${digits}` }
    assert.deepEqual(await railOf('orange-sn').disburse(out), { outcome: 'accepted' })
    await follow(() => railOf('orange-sn').queryDisbursement(about(out.reference)), out.reference, goingOut)
  })

  test(`…${digits}: a refund, by its message`, async () => {
    const back = refundOf(await deposit(), digits)
    assert.deepEqual(await railOf('orange-sn').refund(back), { outcome: 'accepted' })
    await follow(() => railOf('orange-sn').queryRefund(about(back.reference)), back.reference, goingOut)
  })
}

const submits = {
  'a deposit': {
    submit: (digits: string) => railOf('orange-sn').collect(collection(digits, again)),
    query: (reference: string) => railOf('orange-sn').queryCollection(about(reference)),
  },
  'a payout': {
    submit: (digits: string) =>
      railOf('orange-sn').disburse({ ...order(), ...again, payeeAccount: `+225073456${digits}` }),
    query: (reference: string) => railOf('orange-sn').queryDisbursement(about(reference)),
  },
  'a refund': {
    submit: async (digits: string) =>
      railOf('orange-sn').refund({ ...refundOf(await deposit(), digits), ...again }),
    query: (reference: string) => railOf('orange-sn').queryRefund(about(reference)),
  },
}
/** The reference that the next submit uses. */
const again = { reference: '' }

for (const [what, { submit, query }] of Object.entries(submits))
  test(`…007 and …008: the response to ${what} is lost, or it fails and nothing is stored`, async () => {
    again.reference = randomUUID()
    assert.equal((await submit('007')).outcome, 'unknown')
    assert.equal((await query(again.reference)).outcome, 'pending')
    await rail.clock.advance(300)
    assert.equal((await query(again.reference)).outcome, paid)
    assert.equal((await submit('007')).outcome, 'accepted', 'a duplicate is ignored')
    await rail.clock.advance(60_000)
    assert.equal((await movements(again.reference)).length, 1)
    again.reference = randomUUID()
    assert.equal((await submit('008')).outcome, 'unknown')
    await rail.clock.advance(60_000)
    assert.deepEqual(await query(again.reference), { outcome: 'missing' })
  })

test('pays exactly once however often it is submitted, with two decimals even in currencies without any', async () => {
  const requested = collection('456')
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => railOf('orange-sn').collect(requested)),
  )
  assert.ok(responses.every(({ outcome }) => outcome === 'accepted'))
  await rail.clock.advance(60_000)
  assert.equal((await movements(requested.reference)).length, 1)
  assert.equal(rail.callbacks.length, 1)
  const { providerTransactionId, ...document } = JSON.parse(rail.callbacks[0]!.body)
  assert.match(providerTransactionId, /^[0-9]{10}$/)
  assert.deepEqual(document, {
    depositId: requested.reference,
    status: 'COMPLETED',
    amount: '1500.00',
    currency: 'XOF',
    payer: { type: 'MMO', accountDetails: { phoneNumber: '225073456456', provider: 'ORANGE_SEN' } },
    customerMessage: 'Two cups',
    clientReferenceId: '000000000001',
  })
})

describe('Wave', () => {
  test('has a page that accepts one answer, and whose URL is in queries and callbacks', async () => {
    const wave = railOf('wave-sn')
    const requested = collection('456')
    assert.deepEqual(await wave.collect(requested), { outcome: 'accepted' })
    await rail.clock.advance(0)
    const { status, authorizationUrl } = JSON.parse(rail.callbacks[0]!.body)
    const pending = await wave.queryCollection(about(requested.reference))
    assert.deepEqual([status, pending], ['PROCESSING', { outcome: 'pending', redirectUrl: authorizationUrl }])
    const page = new URL(rail.url).origin + new URL(authorizationUrl).pathname
    const answer = (choice: string) =>
      fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ answer: choice }) })
    assert.equal((await answer('approve')).headers.get('location'), requested.returnUrl)
    await answer('decline')
    await rail.clock.advance(300)
    assert.equal((await wave.queryCollection(about(requested.reference))).outcome, paid)
    assert.equal((await movements(requested.reference)).length, 1)
  })

  test('refuses payers without a browser', async () => {
    const result = await railOf('wave-sn').collect(collection('456', { returnUrl: null }))
    assert.equal('code' in result && result.code, 'rejected')
  })
})

describe('refunds', () => {
  test('of one deposit run one at a time and never exceed what was paid', async () => {
    const original = await deposit()
    const giveBack = async (amount: bigint) => railOf('orange-sn').refund(refundOf(original, 'Sorry', amount))
    const messageOf = async (amount: bigint) => {
      const result = await giveBack(amount)
      return result.outcome === 'refused' ? result.message : result.outcome
    }
    assert.equal(await messageOf(1_501n), 'The amount is more than can still be refunded.')
    assert.equal(await messageOf(1_000n), 'accepted')
    assert.equal(await messageOf(500n), 'Another refund of this payment is still in progress.')
    await rail.clock.advance(300)
    assert.equal(await messageOf(501n), 'The amount is more than can still be refunded.')
    assert.equal(await messageOf(500n), 'accepted')
    await rail.clock.advance(300)
    assert.equal(await messageOf(1n), 'The payment has already been refunded.')
  })

  test('of a failed or unknown deposit are refused', async () => {
    const failed = collection('001')
    await railOf('orange-sn').collect(failed)
    await rail.clock.advance(300)
    for (const reference of [failed.reference, randomUUID()]) {
      const result = await railOf('orange-sn').refund(refundOf(reference, 'Sorry'))
      assert.equal('code' in result && result.code, 'rejected')
    }
  })
})

test('payers with Orange in Côte d’Ivoire must dial, which is known once the account’s configuration has been read', async () => {
  const orange = railOf('orange-ci')
  const first = await orange.collect(collection('456'))
  assert.equal(first.outcome, 'accepted')
  const requested = collection('004')
  await orange.collect(requested)
  const shown = await until(async () => {
    const result = await orange.queryCollection(about(requested.reference, { currency: 'XOF' }))
    return result.outcome === 'pending' && result.guidance
  })
  assert.deepEqual(shown, {
    texts: { en: 'Dial *555*6#. Enter PIN', fr: 'Composez *555*6#. Entrez le code PIN' },
    dialString: '*555*6#',
  })
})

test('predicts a number’s provider and returns the wallet balances', async () => {
  assert.equal(await railOf('orange-ci').predictProvider('+2250734567890'), 'ORANGE_CIV')
  assert.deepEqual(await railOf('vodacom-cd').balances(), [
    { name: 'COD', currency: 'CDF', amount: 100_000_000n },
    { name: 'COD', currency: 'USD', amount: 100_000_000n },
  ])
})

describe('a statement', () => {
  const period = () => {
    const seconds = Math.floor(rail.clock.now().getTime() / 1_000)
    const [from, until] = [new Date((seconds - 3_600) * 1_000), new Date((seconds + 3_600) * 1_000)]
    return { currency: 'XOF', from, until, callbackUrl: 'https://pay.example/callbacks' }
  }
  /** Returns the statements of a wallet that no other test uses. */
  const statements = () => railOf('orange-bf').statements
  const fileOf = async (downloadUrl: string) => {
    const { pathname } = new URL(downloadUrl)
    const response = await fetch(`${new URL(rail.url).origin}${pathname}`)
    return [response.status, await response.text()] as const
  }

  test('contains the transactions, and its file needs no token, only its full URL', async () => {
    const paidOut = { ...order(), payeeAccount: '+22670345456' }
    await railOf('orange-bf').disburse(paidOut)
    await rail.clock.advance(300)
    const requested = await statements().request(period())
    assert.ok(requested.outcome === 'accepted')
    const made = await statements().query(requested.statementId)
    assert.ok(made.outcome === 'ready')
    const [status, text] = await fileOf(made.url)
    const [headings, line, end] = text.split('\n')
    assert.deepEqual([status, headings?.split(',')[1], end], [200, 'reference', ''])
    assert.match(line!, new RegExp(`,${paidOut.reference},.*,disbursement,1500,XOF,22670345456,SUCCESSFUL,`))

    const other = { ...period(), from: new Date(0), until: new Date(1_000) }
    const another = await statements().request(other)
    assert.ok(another.outcome === 'accepted' && another.statementId !== requested.statementId)
    const mixed = another.statementId.slice(0, 18) + requested.statementId.slice(18)
    assert.equal((await statements().query(mixed)).outcome, 'unknown')
    for (const id of [mixed, randomUUID(), 'x'.repeat(36), '..'])
      assert.equal((await fileOf(made.url.replace(requested.statementId, id)))[0], 404, id)
    assert.equal((await fileOf(made.url.replace('orange-bf', 'orange-sn')))[0], 404)
  })

  test('is refused without a wallet, without a period and for too long a period', async () => {
    const post = async (changes: object) => {
      const response = await fetch(`${rail.url}/pawapay/orange-bf/v2/statements`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${simulatorToken(rail.seals)}`,
        },
        body: JSON.stringify({
          wallet: { country: 'BFA', currency: 'XOF' },
          callbackUrl: 'https://pay.example',
          startDate: '2026-11-01T00:00:00',
          endDate: '2026-12-02T00:00:00',
          ...changes,
        }),
      })
      const { status = '', failureReason } = (await response.json()) as {
        status?: string
        failureReason?: { failureCode: string }
      }
      return [response.status, failureReason?.failureCode ?? status]
    }
    for (const [changes, code] of [
      [{}, [200, 'ACCEPTED']],
      [{ wallet: { country: 'SEN', currency: 'XOF' } }, [200, 'WALLET_NOT_FOUND']],
      [{ wallet: { country: 'BFA', currency: 'GHS' } }, [200, 'WALLET_NOT_FOUND']],
      [{ endDate: '2026-12-02T00:00:01' }, [200, 'INVALID_DATE_RANGE']],
      [{ endDate: '2026-11-01T00:00:00' }, [200, 'INVALID_DATE_RANGE']],
      [{ endDate: '2026-13-01T00:00:00' }, [200, 'INVALID_DATE_RANGE']],
      [{ callbackUrl: undefined }, [400, 'INVALID_INPUT']],
      [{ startDate: '2026-11-01' }, [400, 'INVALID_INPUT']],
    ] as const)
      assert.deepEqual(await post(changes), code, JSON.stringify(changes))
  })
})

test('signs its callbacks with a key that it publishes', async () => {
  const headers = { authorization: `Bearer ${simulatorToken(rail.seals)}` }
  const response = await fetch(`${rail.url}/pawapay/wave-sn/v2/public-key/http`, { headers })
  const [{ id, key }] = (await response.json()) as [{ id: string; key: string }]
  assert.equal(id, 'HTTP_EC_P256_KEY:1')
  assert.match(key, /^-----BEGIN PUBLIC KEY-----\n/)
})

describe('requests are validated as by pawaPay', () => {
  const body = () => ({
    depositId: randomUUID() as string,
    amount: '15',
    currency: 'XOF',
    payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456456', provider: 'ORANGE_SEN' } },
  })
  const post = async (changes: object, authorization = `Bearer ${simulatorToken(rail.seals)}`) => {
    const response = await fetch(`${rail.url}/pawapay/orange-sn/v2/deposits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({ ...body(), ...changes }),
    })
    const { status = '', failureReason } = (await response.json()) as {
      status?: string
      failureReason?: { failureCode: string }
    }
    return [response.status, status, failureReason?.failureCode]
  }
  const party = (more: object) => ({
    payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456456', provider: 'ORANGE_SEN', ...more } },
  })
  const issues: [what: string, changes: object, expected: unknown[], authorization?: string][] = [
    ['a valid request', {}, [200, 'ACCEPTED', undefined]],
    ['no token', {}, [401, '', 'NO_AUTHENTICATION'], ''],
    ['a wrong token', {}, [403, '', 'AUTHENTICATION_ERROR'], 'Bearer x'],
    ['an unknown field', { card: '4242' }, [400, '', 'INVALID_INPUT']],
    ['an id that is not a UUID v4', { depositId: 'x' }, [400, '', 'INVALID_INPUT']],
    ['a number with a plus', party({ phoneNumber: '+221773456456' }), [400, '', 'INVALID_INPUT']],
    ['a message that is too short', { customerMessage: 'Tea' }, [400, '', 'INVALID_INPUT']],
    [
      'return URLs without a page',
      { successfulUrl: 'https://a.example' },
      [400, '', 'UNSUPPORTED_PARAMETER'],
    ],
    ['another provider', party({ provider: 'WAVE_SEN' }), [200, 'REJECTED', 'INVALID_PROVIDER']],
    ['another currency', { currency: 'XAF' }, [200, 'REJECTED', 'INVALID_CURRENCY']],
    ['too many decimals', { amount: '15.50' }, [200, 'REJECTED', 'INVALID_AMOUNT']],
    ['an amount of zero', { amount: '0' }, [200, 'REJECTED', 'AMOUNT_OUT_OF_BOUNDS']],
  ]
  for (const [what, changes, expected, authorization] of issues)
    test(`${what}: ${expected.filter(Boolean).join(' ')}`, async () =>
      assert.deepEqual(await post(changes, authorization), expected))

  test('another rail’s provider gets a 404 that differs from an unknown reference', async () => {
    const headers = { authorization: `Bearer ${simulatorToken(rail.seals)}` }
    const response = await fetch(`${rail.url}/pawapay/m18/v2/deposits/${randomUUID()}`, { headers })
    assert.equal(response.status, 404)
  })
})
