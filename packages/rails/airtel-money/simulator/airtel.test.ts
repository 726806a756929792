import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Connector, createPeer, parseFields } from '@pesewa/connector-kit'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { sql } from '../../../server/src/platform/db/sql.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../../../server/src/rails/connections/connectors.ts'
import { createAirtel } from '../connector.ts'
import { testAccount } from '../test-account.ts'
import { aboutAirtel, airtelCollection, airtelDisbursement } from '../testing.ts'

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

const at = (country: string) =>
  connectors.findConnector(`airtel-${country}`, 'test') as Connector &
    Required<Pick<Connector, 'disburse' | 'queryDisbursement' | 'readReport' | 'verifyAccount' | 'balances'>>
const codeOrOutcome = (result: { outcome: string; code?: string }) => result.code ?? result.outcome
type Moment = [ms: number, outcome: string, callbacks: number]

const endings: [digits: string, ofPayment: Moment[], ofDisbursement?: Moment[]][] = [
  [
    '456',
    [
      [299, 'pending', 0],
      [300, 'done', 1],
      [60_000, 'done', 1],
    ],
  ],
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
      [30_000, 'done', 1],
    ],
  ],
  ['005', [[300, 'done', 3]]],
  ['006', [[300, 'done', 0]]],
  // Airtel has no code for a blocked account.
  ['009', [[300, 'rejected', 1]]],
  ['011', [[300, 'provider_account_quota_exhausted', 1]]],
  [
    '012',
    [
      [300, 'authorization_failed', 1],
      [5_300, 'done', 2],
    ],
    [
      [300, 'unknown', 1],
      [5_300, 'done', 2],
    ],
  ],
]

async function follow(query: () => Promise<{ outcome: string; code?: string }>, moments: Moment[]) {
  let passedMs = 0
  for (const [ms, outcome, callbacks] of moments) {
    await rail.clock.advance(ms - passedMs)
    passedMs = ms
    assert.equal(codeOrOutcome(await query()), outcome, `after ${ms} ms`)
    assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
  }
}

describe('the last digits determine the outcome', () => {
  for (const [digits, ofPayment, ofDisbursement = ofPayment] of endings) {
    test(`to a payer …${digits}`, async () => {
      const order = airtelCollection({ payerAccount: `+256752604${digits}` })
      assert.deepEqual(await at('ug').collect(order), { outcome: 'accepted' })
      await follow(() => at('ug').queryCollection(aboutAirtel(order.reference)), ofPayment)
    })
    test(`to a payee …${digits}, although Airtel reports success immediately`, async () => {
      const order = airtelDisbursement({ payeeAccount: `+256752604${digits}` })
      assert.deepEqual(await at('ug').disburse(order), { outcome: 'accepted' })
      await follow(() => at('ug').queryDisbursement(aboutAirtel(order.reference)), ofDisbursement)
    })
  }

  test('…007: the response to the submit is lost, the money moves once, and resubmitting is accepted', async () => {
    const payment = airtelCollection({ payerAccount: '+256752604007' })
    const payout = airtelDisbursement({ payeeAccount: '+256752604007' })
    assert.equal((await at('ug').collect(payment)).outcome, 'unknown')
    assert.equal((await at('ug').disburse(payout)).outcome, 'unknown')
    await rail.clock.advance(300)
    assert.equal((await at('ug').queryCollection(aboutAirtel(payment.reference))).outcome, 'done')
    assert.equal((await at('ug').queryDisbursement(aboutAirtel(payout.reference))).outcome, 'done')
    assert.deepEqual(await at('ug').collect(payment), { outcome: 'accepted' })
    assert.deepEqual(await at('ug').disburse(payout), { outcome: 'accepted' })
    await rail.clock.advance(60_000)
    const moved = await rail.db.query(sql`
      select amount_minor from simulator_collections where reference = ${payment.reference} and moved_at is not null
      union all
      select amount_minor from simulator_disbursements where reference = ${payout.reference} and moved_at is not null`)
    assert.deepEqual(moved, [{ amountMinor: 1_000n }, { amountMinor: 1_000n }])
  })

  test('…008: the submit fails and nothing is stored', async () => {
    const order = airtelCollection({ payerAccount: '+256752604008' })
    assert.equal((await at('ug').collect(order)).outcome, 'unknown')
    assert.deepEqual(await at('ug').queryCollection(aboutAirtel(order.reference)), { outcome: 'missing' })
    assert.deepEqual(await at('ug').queryDisbursement(aboutAirtel(order.reference)), { outcome: 'missing' })
  })

  test('…010: an unknown number starts nothing', async () => {
    for (const result of [
      await at('ug').collect(airtelCollection({ payerAccount: '+256752604010' })),
      await at('ug').disburse(airtelDisbursement({ payeeAccount: '+256752604010' })),
    ])
      assert.equal(codeOrOutcome(result), 'provider_account_missing')
    assert.deepEqual(await at('ug').verifyAccount('+256752604010'), { outcome: 'missing' })
  })
})

/** Returns a number that is valid in the country's numbering plan. */
const phones: Record<string, string> = {
  cd: '+243990000456',
  cg: '+242055123456',
  ga: '+24174123456',
  ke: '+254733123456',
  mg: '+261331234456',
  mw: '+265990123456',
  ne: '+22790123456',
  ng: '+2348021234456',
  rw: '+250730123456',
  sc: '+2482510456',
  td: '+23566123456',
  tz: '+255780123456',
  ug: '+256752604456',
  zm: '+260970123456',
}

for (const [country, phone] of Object.entries(phones))
  test(`${country}: collects, pays out, looks up holders and reports in each of its currencies`, async () => {
    for (const currency of loadCatalogue().find(`airtel-${country}`)!.currencies) {
      const payment = airtelCollection({ payerAccount: phone, currency, amount: 12_345n })
      const payout = airtelDisbursement({ payeeAccount: phone, currency, amount: 12_345n })
      assert.deepEqual(await at(country).collect(payment), { outcome: 'accepted' })
      assert.deepEqual(await at(country).disburse(payout), { outcome: 'accepted' })
      await rail.clock.advance(300)
      const about = (reference: string) => aboutAirtel(reference, { currency, amount: 12_345n })
      assert.equal((await at(country).queryCollection(about(payment.reference))).outcome, 'done')
      assert.equal((await at(country).queryDisbursement(about(payout.reference))).outcome, 'done')
      const stored = await rail.db.query(sql`
        select amount_minor, payer from simulator_collections where reference = ${payment.reference}`)
      assert.deepEqual(stored, [{ amountMinor: 12_345n, payer: phone.slice(1) }])
      const reports = rail.callbacks.splice(0).map(({ body }) => reportOf(country, body))
      assert.deepEqual(
        new Set(reports.map(({ reference }) => reference)),
        new Set([payment.reference, payout.reference]),
      )
      // Uganda does not authenticate callbacks.
      for (const report of reports) assert.equal(report.isAuthentic, country !== 'ug')
    }
    const holder = await at(country).verifyAccount(phone)
    assert(holder.outcome === 'found' && holder.isActive)
    const balances = await at(country).balances()
    assert(Array.isArray(balances) && balances.length > 0)
  })

const reportOf = (country: string, body: string) =>
  at(country).readReport({
    method: 'POST',
    path: '/',
    headers: {},
    address: '192.0.2.1',
    rawBody: Buffer.from(body),
    fields: parseFields(body),
  })

test('an expired token is replaced', async () => {
  for (const _ of [1, 2]) {
    assert.deepEqual(await at('ke').queryCollection(aboutAirtel(randomUUID(), { currency: 'KES' })), {
      outcome: 'missing',
    })
    await rail.clock.advance(180_001)
  }
})

describe('refusals by Airtel', () => {
  const connect = (country: string, currency: string, changes: object) =>
    createAirtel(
      {
        baseUrl: `${rail.url}/airtel-money/airtel-${country.toLowerCase()}`,
        timeoutMs: 5_000,
        country,
        currencies: [currency],
        ...testAccount(rail.seals, country),
        ...changes,
      },
      createPeer(2),
    )

  for (const [what, country, currency, changes, outcome] of [
    ['a wrong secret', 'UG', 'UGX', { clientSecret: 'wrong' }, 'unknown'],
    ['another country’s header', 'UG', 'UGX', { country: 'KE' }, 'rejected'],
    ['a currency of another country', 'UG', 'KES', {}, 'rejected'],
    ['an unsigned message in Zambia', 'ZM', 'ZMW', { signsMessages: false }, 'rejected'],
  ] as const)
    test(`${what}`, async () => {
      const connector = connect(country, currency, changes)
      const abroad = 'country' in changes ? 'ke' : country.toLowerCase()
      const order = airtelCollection({ payerAccount: phones[abroad]!, currency })
      assert.equal(codeOrOutcome(await connector.collect(order)), outcome)
      await connector.close()
    })

  test('a wrong PIN is refused after one attempt', async () => {
    const connector = connect('UG', 'UGX', { pin: '9999' })
    const results = [
      await connector.disburse!(airtelDisbursement()),
      await connector.disburse!(airtelDisbursement()),
    ]
    assert.deepEqual(results.map(codeOrOutcome), ['rejected', 'rejected'])
    assert.deepEqual(
      results.map((result) => 'alert' in result),
      [true, false],
    )
    await connector.close()
  })
})
