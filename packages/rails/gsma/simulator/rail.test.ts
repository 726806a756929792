import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { type Connector, createPeer, type MoneyOrder, type RailOutcome } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { sql } from '../../../server/src/platform/db/sql.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../../../server/src/rails/connections/connectors.ts'
import { createGsma } from '../connector.ts'
import { simulatorCredentials, simulatorMerchant } from '../test-credentials.ts'

let rail: TestSimulator
let connectors: Connectors
let wallet: Required<Connector>
before(async () => {
  rail = await startTestSimulator()
  connectors = openConnectors(loadCatalogue(), {
    seals: rail.seals,
    simulatorUrl: rail.url,
    baseUrl: new URL(rail.callbackUrl).origin,
  })
  wallet = connectors.findConnector('afrimoney-gm', 'test') as Required<Connector>
})
after(async () => {
  await connectors.close()
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

const order = (more: Partial<MoneyOrder> = {}): MoneyOrder => ({
  reference: randomUUID(),
  amount: 1_550n,
  currency: 'GMD',
  description: 'Two cups',
  callbackUrl: `${rail.callbackUrl}/1`,
  mayLeave: () => true,
  ...more,
})
const word = (result: RailOutcome) => (result.outcome === 'refused' ? result.code : result.outcome)

/** Returns the reported amount and its transaction. */
async function paid() {
  const requested = order()
  await wallet.collect({
    ...requested,
    payerAccount: '+2202345456',
    orderNumber: '000000000001',
    returnUrl: null,
  })
  await rail.clock.advance(300)
  const result = await wallet.queryCollection(about(requested.reference))
  assert(result.outcome === 'done' && result.railTransaction)
  rail.callbacks.length = 0
  return { reference: requested.reference, railTransaction: result.railTransaction }
}

const kinds = {
  'a payment': {
    submit: async (digits: string, reference: string) =>
      wallet.collect({
        ...order({ reference }),
        payerAccount: `+2202345${digits}`,
        orderNumber: '000000000001',
        returnUrl: null,
      }),
    query: (reference: string) => wallet.queryCollection(about(reference)),
  },
  'a payout': {
    submit: async (digits: string, reference: string) =>
      wallet.disburse({ ...order({ reference }), payeeAccount: `+2202345${digits}` }),
    query: (reference: string) => wallet.queryDisbursement(about(reference)),
  },
  'a refund': {
    submit: async (digits: string, reference: string) =>
      wallet.refund({ ...order({ reference, amount: 50n, description: digits }), original: await paid() }),
    query: (reference: string) => wallet.queryRefund(about(reference)),
  },
}

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query<{ amountMinor: bigint }>(sql`
    select amount_minor from simulator_collections where reference = ${reference} and moved_at is not null
    union all
    select amount_minor from simulator_disbursements where reference = ${reference} and moved_at is not null`)
}

type Moment = [ms: number, outcome: string, callbacks: number]
const endings: [digits: string, moments: Moment[], ofRefunds?: Moment[], ofPayouts?: Moment[]][] = [
  ['456', [[299, 'pending', 0], [300, 'done', 1], [60_000, 'done', 1]]], // biome-ignore format: a table
  ['001', [[299, 'pending', 0], [300, 'fund_insufficient', 1]]], // biome-ignore format: a table
  ['002', [[300, 'authorization_failed', 1]], [[300, 'unknown', 1]], [[300, 'unknown', 1]]],
  ['003', [[59_999, 'pending', 0], [60_000, 'authorization_failed', 1]]], // biome-ignore format: a table
  ['004', [[29_999, 'pending', 0], [30_000, 'done', 1]]], // biome-ignore format: a table
  ['005', [[300, 'done', 3]]],
  ['006', [[300, 'done', 0]]],
  ['009', [[300, 'provider_account_blocked', 1]], [[300, 'rejected', 1]]],
  ['010', [[300, 'provider_account_missing', 1]], [[300, 'rejected', 1]]],
  ['011', [[300, 'provider_account_quota_exhausted', 1]]],
  ['012', [[300, 'unknown', 1], [5_299, 'unknown', 1], [5_300, 'done', 2]]], // biome-ignore format: a table
]

for (const [digits, moments, ofRefunds = moments, ofPayouts = moments] of endings)
  for (const [what, { submit, query }] of Object.entries(kinds))
    test(`…${digits}: ${what}`, async () => {
      const reference = randomUUID()
      assert.deepEqual(await submit(digits, reference), {
        outcome: 'accepted',
        providerReference: `srv-${reference}`,
      })
      let passedMs = 0
      const timed = { 'a payment': moments, 'a payout': ofPayouts, 'a refund': ofRefunds }[
        what as 'a payment'
      ]
      for (const [ms, outcome, callbacks] of timed) {
        await rail.clock.advance(ms - passedMs)
        passedMs = ms
        assert.equal(word(await query(reference)), outcome, `after ${ms} ms`)
        assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
        assert.equal((await movements(reference)).length, outcome === 'done' ? 1 : 0)
      }
    })

for (const [what, { submit, query }] of Object.entries(kinds))
  test(`…007 and …008: the response to ${what} is lost, or it fails and nothing is stored`, async () => {
    const lost = randomUUID()
    assert.equal((await submit('007', lost)).outcome, 'unknown')
    assert.equal((await query(lost)).outcome, 'pending')
    await rail.clock.advance(300)
    assert.equal((await query(lost)).outcome, 'done')
    assert.deepEqual(await submit('007', lost), { outcome: 'accepted' }, 'a duplicate request')
    await rail.clock.advance(60_000)
    assert.equal((await movements(lost)).length, 1)
    const failed = randomUUID()
    assert.equal((await submit('008', failed)).outcome, 'unknown')
    await rail.clock.advance(60_000)
    assert.deepEqual(await query(failed), { outcome: 'missing' })
  })

test('pays exactly once however often it is submitted, and sends the transaction with PUT', async () => {
  const reference = randomUUID()
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => kinds['a payment'].submit('456', reference)),
  )
  assert.ok(responses.every(({ outcome }) => outcome === 'accepted'))
  await rail.clock.advance(60_000)
  assert.equal((await movements(reference)).length, 1)
  assert.equal(rail.callbacks.length, 1)
  const { method, body } = rail.callbacks[0]!
  const { transactionReference, ...document } = JSON.parse(body)
  assert.equal(method, 'PUT')
  assert.match(transactionReference, /^REF-[0-9]{10}$/)
  assert.deepEqual(document, {
    requestingOrganisationTransactionReference: reference,
    transactionStatus: 'completed',
    amount: '15.50',
    currency: 'GMD',
    type: 'merchantpay',
    debitParty: [{ key: 'msisdn', value: '+2202345456' }],
    creditParty: [simulatorMerchant],
    descriptionText: 'Two cups',
    customData: [{ key: 'orderNumber', value: '000000000001' }],
  })
})

test('refunds a payment in parts, by its transaction, and never more than was paid', async () => {
  const original = await paid()
  const giveBack = async (amount: bigint) => {
    const result = await wallet.refund({ ...order({ amount }), original })
    await rail.clock.advance(300)
    return result.outcome === 'refused' ? result.code : result.outcome
  }
  assert.deepEqual([await giveBack(1_551n), await giveBack(1_000n)], ['rejected', 'accepted'])
  assert.deepEqual([await giveBack(551n), await giveBack(550n)], ['rejected', 'accepted'])
  const unknown = await wallet.refund({ ...order(), original: { ...original, railTransaction: 'REF-1' } })
  assert.equal('code' in unknown && unknown.code, 'rejected')
})

test('returns account holders, our balance and the service status, even to callers with the key but no token', async () => {
  const { apiKey } = simulatorCredentials(rail.seals)
  const settings = { baseUrl: `${rail.url}/gsma/afrimoney-gm`, merchant: simulatorMerchant, timeoutMs: 5_000 }
  const withKey = createGsma(
    { ...settings, apiKey, clientId: 'us', currency: 'GMD' },
    createPeer(5),
  ) as Required<Connector>
  const stranger = createGsma(
    { ...settings, apiKey: 'x', currency: 'GMD' },
    createPeer(5),
  ) as Required<Connector>
  for (const connector of [wallet, withKey]) {
    assert.deepEqual(await connector.balances(), [
      { name: 'accountid', currency: 'GMD', amount: 100_000_000n },
    ])
    const holders = ['456', '009', '010'].map((digits) => connector.verifyAccount(`+2202345${digits}`))
    const states = (await Promise.all(holders)).map((holder) =>
      holder.outcome === 'found' ? holder.isActive : holder.outcome,
    )
    assert.deepEqual(states, [true, false, 'missing'])
    assert.deepEqual(
      (await connector.probe()).map(({ outcome }) => outcome),
      ['ok', 'ok'],
    )
  }
  assert.deepEqual(
    (await stranger.probe()).map(({ outcome }) => outcome),
    ['failed', 'failed'],
  )
  await Promise.all([withKey.close(), stranger.close()])
})
