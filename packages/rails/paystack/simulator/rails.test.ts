import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type Collection,
  type Connector,
  createPeer,
  type Disbursement,
  type RailOutcome,
  type RailRefund,
} from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { paystack } from '../protocol.ts'
import { simulatedSecretKey } from '../test-keys.ts'

let rail: TestSimulator
const open: Connector[] = []
before(async () => {
  rail = await startTestSimulator()
})
after(async () => {
  await Promise.all(open.map((connector) => connector.close()))
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

type Moment = [ms: number, outcome: string, callbacks: number]

/**
 * The outcomes by the last three digits of a payer's number, after the code is entered. Failed charges are not
 * reported.
 */
const endings: [string, Moment[]][] = [
  [
    '456',
    [
      [299, 'pending', 0],
      [300, 'done', 1],
      [60_000, 'done', 1],
    ],
  ],
  ['001', [[300, 'fund_insufficient', 0]]],
  ['002', [[300, 'authorization_failed', 0]]],
  [
    '003',
    [
      [59_999, 'pending', 0],
      [60_000, 'authorization_failed', 0],
    ],
  ],
  [
    '004',
    [
      [29_999, 'pending', 0],
      [30_000, 'done', 1],
    ],
  ],
  [
    '005',
    [
      [300, 'done', 3],
      [60_000, 'done', 3],
    ],
  ],
  ['006', [[300, 'done', 0]]],
  ['009', [[300, 'provider_account_blocked', 0]]],
  ['010', [[300, 'provider_account_missing', 0]]],
  ['011', [[300, 'provider_account_quota_exhausted', 0]]],
  [
    '012',
    [
      [300, 'authorization_failed', 0],
      [5_300, 'done', 1],
    ],
  ],
]

async function follow(query: () => Promise<RailOutcome>, moments: Moment[]) {
  let passedMs = 0
  for (const [ms, outcome, callbacks] of moments) {
    await rail.clock.advance(ms - passedMs)
    passedMs = ms
    assert.equal(codeOrOutcome(await query()), outcome, `after ${ms} ms`)
    assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
  }
}

describe('a payer with Telecel enters a code first', () => {
  for (const [digits, moments] of endings)
    test(`…${digits}, after the code`, async () => {
      const telecel = connect('telecel-gh')
      const order = collection({ payerAccount: `+233201234${digits}` })
      const first = await telecel.collect(order)
      assert(
        first.outcome === 'accepted' && first.guidance?.asksForCode && first.guidance.dialString === '*110#',
      )
      await rail.clock.advance(10_000)
      const still = await telecel.queryCollection(about(order.reference))
      assert(still.outcome === 'pending' && still.guidance?.asksForCode)
      const wrong = await telecel.submitCode(order, '000000')
      assert(wrong.outcome === 'accepted' && wrong.guidance?.asksForCode)
      const result = await telecel.submitCode(order, '123456')
      assert(result.outcome === 'accepted' && result.guidance && !result.guidance.asksForCode)
      assert.equal((await telecel.submitCode(order, '123456')).outcome, 'unknown')
      await follow(() => telecel.queryCollection(about(order.reference)), moments)
    })

  test('…007: the response to the submit is lost, but the money moves, once however often it is submitted', async () => {
    const telecel = connect('telecel-gh')
    const order = collection({ payerAccount: '+233201234007' })
    assert.equal((await telecel.collect(order)).outcome, 'unknown')
    assert.deepEqual(await telecel.collect(order), { outcome: 'accepted' })
    await follow(() => telecel.queryCollection(about(order.reference)), [[300, 'done', 1]])
  })

  test('…008: nothing is started, and the rail says so', async () => {
    const telecel = connect('telecel-gh')
    const order = collection({ payerAccount: '+233201234008' })
    assert.equal((await telecel.collect(order)).outcome, 'unknown')
    assert.deepEqual(await telecel.queryCollection(about(order.reference)), { outcome: 'missing' })
  })
})

test('a bank’s payer dials, and pays', async () => {
  const bank = connect('ng-gtb')
  const order = collection({ payerAccount: '0123456789', currency: 'NGN' })
  const first = await bank.collect(order)
  assert(first.outcome === 'accepted')
  assert.match(first.guidance?.dialString ?? '', /^\*737\*000\*[0-9]+#$/)
  await follow(() => bank.queryCollection(about(order.reference)), [[300, 'done', 1]])
})

test('francs are counted as configured for the connection, and fractions are not lost', async () => {
  const mtn = connect('mtn-ci')
  const order = collection({ payerAccount: '+2250512345678', currency: 'XOF', amount: 1_500n })
  assert.equal((await mtn.collect(order)).outcome, 'accepted')
  await rail.clock.advance(300)
  const paid = await mtn.queryCollection(about(order.reference))
  assert(paid.outcome === 'done')
  assert.deepEqual([paid.amount, paid.currency], [1_500n, 'XOF'])
})

test('a payer chooses a card on the page, and the card’s token is always the same', async () => {
  const card = connect('card')
  const tokens = []
  for (let i = 0; i < 2; i++) {
    const returnUrl = `${new URL(rail.callbackUrl).origin}/back`
    const order = collection({ payerAccount: null, returnUrl })
    const first = await card.collect(order)
    assert(first.outcome === 'accepted' && first.redirectUrl)
    assert.equal(
      (await card.queryCollection(about(order.reference))).outcome,
      'pending',
      'it is abandoned from the start',
    )
    const page = first.redirectUrl.replace(new URL(first.redirectUrl).origin, new URL(rail.url).origin)
    const body = new URLSearchParams({ card: 'verve', answer: 'approve', ending: '' })
    assert.equal((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status, 303)
    await rail.clock.advance(300)
    const paid = await card.queryCollection(about(order.reference))
    assert(paid.outcome === 'done' && paid.card)
    assert.deepEqual([paid.card.scheme, paid.card.last4], ['verve', '5556'])
    tokens.push(paid.card.token)
  }
  assert.equal(tokens[0], tokens[1])
})

describe('paying out', () => {
  const ofPayees: typeof endings = endings.map(([digits, moments]) => [
    digits,
    moments.map(([ms, outcome, callbacks]) => [
      ms,
      outcome,
      outcome === 'pending' || digits === '006' ? callbacks : Math.max(1, callbacks),
    ]),
  ])
  for (const [digits, moments] of ofPayees)
    test(`…${digits}`, async () => {
      const telecel = connect('telecel-gh')
      const order = disbursement(`+233201234${digits}`)
      assert.deepEqual(await telecel.disburse(order), { outcome: 'accepted' })
      const last = moments.map(
        ([ms, outcome, callbacks]): Moment => [ms, outcome, digits === '012' && ms === 5_300 ? 2 : callbacks],
      )
      await follow(
        () => telecel.queryDisbursement(about(order.reference)),
        last.map(
          ([ms, outcome, callbacks]): Moment => [
            ms,
            digits === '012' && ms === 300 ? 'unknown' : outcome,
            callbacks,
          ],
        ),
      )
    })

  test('…007 and …008: a lost payout is found, and one that never started is not', async () => {
    const telecel = connect('telecel-gh')
    const [lost, never] = [disbursement('+233201234007'), disbursement('+233201234008')]
    for (const order of [lost, never]) assert.equal((await telecel.disburse(order)).outcome, 'unknown')
    assert.deepEqual(await telecel.disburse(lost), { outcome: 'accepted' })
    await rail.clock.advance(300)
    assert.equal((await telecel.queryDisbursement(about(lost.reference))).outcome, 'done')
    assert.deepEqual(await telecel.queryDisbursement(about(never.reference)), { outcome: 'missing' })
  })
})

test('a connection test passes for wallets and banks, and reports a code that is not listed', async () => {
  for (const [providerId, steps] of [
    ['telecel-gh', 2],
    ['ng-gtb', 2],
    ['card', 1],
  ] as const) {
    const probed = (await connect(providerId).probe?.()) ?? []
    assert.deepEqual(
      probed.map(({ outcome }) => outcome),
      Array.from({ length: steps }, () => 'ok'),
      providerId,
    )
  }
})

test('a recipient has the type of its provider’s accounts, and a code', async () => {
  const post = async (providerId: string, changes: object) => {
    const response = await fetch(`${rail.url}/paystack/${providerId}/transferrecipient`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${simulatedSecretKey(rail.seals)}`,
      },
      body: JSON.stringify({
        ...{ type: 'nuban', name: 'Payee', account_number: '0123456789', bank_code: '058', currency: 'NGN' },
        ...changes,
      }),
    })
    return response.status
  }
  for (const [providerId, changes, status] of [
    ['ng-gtb', {}, 200],
    ['ng-gtb', { type: 'mobile_money' }, 400],
    ['ng-gtb', { bank_code: '' }, 400],
    ['ng-gtb', { account_number: '+234' }, 400],
    ['telecel-gh', {}, 400],
    ['telecel-gh', { type: 'mobile_money', bank_code: 'VOD' }, 200],
    ['telecel-gh', { type: 'ghipss' }, 400],
  ] as const)
    assert.equal(await post(providerId, changes), status, `${providerId} ${JSON.stringify(changes)}`)
})

test('a payment is refunded in parts, each once, even if responses are lost', async () => {
  const bank = connect('ng-uba')
  const order = collection({ payerAccount: '0123456789', currency: 'NGN', amount: 10_000n })
  await bank.collect(order)
  await rail.clock.advance(300)
  const paid = await bank.queryCollection(about(order.reference))
  assert(paid.outcome === 'done' && paid.railTransaction)
  const original = { reference: order.reference, railTransaction: paid.railTransaction }
  const part = (description: string): RailRefund => ({
    ...collection({ currency: 'NGN', amount: 1_000n }),
    description,
    original,
  })
  const [first, lost, never] = [part('Returned'), part('007'), part('008')]
  assert.deepEqual(await bank.refund(first), { outcome: 'accepted' })
  assert.equal((await bank.refund(lost)).outcome, 'unknown')
  assert.equal((await bank.refund(never)).outcome, 'unknown')
  assert.deepEqual(await bank.refund(lost), { outcome: 'accepted' }, 'it is found in the list')
  await rail.clock.advance(300)
  const outcomeOf = async ({ reference }: RailRefund) =>
    codeOrOutcome(await bank.queryRefund(about(reference, { original })))
  assert.deepEqual(await Promise.all([first, lost, never].map(outcomeOf)), ['done', 'done', 'missing'])
  const { rows } = await rail.db.pool.query('select from simulator_disbursements where refund_of = $1', [
    order.reference,
  ])
  assert.equal(rows.length, 2)
})

test('names and balances are looked up', async () => {
  const telecel = connect('telecel-gh')
  const found = await telecel.verifyAccount('+233201234456')
  assert(found.outcome === 'found' && found.holderName !== '')
  assert.deepEqual(await telecel.verifyAccount('+233201234010'), { outcome: 'missing' })
  assert.deepEqual(await telecel.balances(), [{ name: 'balance', currency: 'GHS', amount: 100_000_000n }])
})

const codeOrOutcome = (outcome: RailOutcome) =>
  outcome.outcome === 'refused' ? outcome.code : outcome.outcome

function connect(providerId: string) {
  const provider = loadCatalogue().find(providerId)
  assert(provider)
  const place = { simulatorUrl: rail.url, baseUrl: new URL(rail.callbackUrl).origin, seals: rail.seals }
  const connection = { timeoutMs: 5_000, ...paystack.testConnection(provider, place) }
  const connector = paystack.connect(connection, provider, createPeer(10))
  open.push(connector)
  return connector as Required<Connector>
}

const order = () => ({
  reference: randomUUID(),
  amount: 15_000n,
  currency: 'GHS',
  description: 'Order 42',
  callbackUrl: `${rail.callbackUrl}/payments/sealed`,
  mayLeave: () => true,
})
const collection = (more: Partial<Collection> = {}): Collection => ({
  ...order(),
  orderNumber: '123456789012',
  payerAccount: '+233201234456',
  returnUrl: null,
  ...more,
})
const disbursement = (payeeAccount: string): Disbursement => ({ ...order(), payeeAccount })
