import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Connector, Disbursement, RailOutcome } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import {
  promptsOf,
  setHandsetMode,
  startTestSimulator,
  type TestSimulator,
} from '../../../../test/support/simulator.ts'
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

type Moment = { ms: number; outcome: string; callbacks: number }
const at = (ms: number, outcome: string, callbacks: number): Moment => ({ ms, outcome, callbacks })
const paid = 'done'

/** The outcomes by the last three digits of a payee's account. */
const endings: [string, string, Moment[]][] = [
  ['456', 'paid after 300 ms', [at(299, 'pending', 0), at(300, paid, 1), at(60_000, paid, 1)]],
  ['001', 'not enough money', [at(299, 'pending', 0), at(300, 'fund_insufficient', 1)]],
  ['002', 'refused by the payee', [at(300, 'authorization_failed', 1)]],
  ['003', 'no answer', [at(59_999, 'pending', 0), at(60_000, 'authorization_failed', 1)]],
  ['004', 'reported after 30 s', [at(29_999, 'pending', 0), at(30_000, paid, 1)]],
  ['005', 'reported three times', [at(300, paid, 3), at(60_000, paid, 3)]],
  ['006', 'never reported', [at(300, paid, 0), at(60_000, paid, 0)]],
  ['009', 'blocked', [at(300, 'provider_account_blocked', 1)]],
  ['010', 'missing', [at(300, 'provider_account_missing', 1)]],
  ['011', 'over its limit', [at(300, 'provider_account_quota_exhausted', 1)]],
  [
    '012',
    'reported failed, later successful',
    [at(300, 'unknown', 1), at(5_299, 'unknown', 1), at(5_300, paid, 2)],
  ],
]

for (const [who, providerId, account] of [
  ['mobile money', 'm17', '+23276123'],
  ['a bank', 'slb001', '0011223'],
  ['a wallet', 'dw001', 'fatu'],
] as const) {
  const mine = () => payer(providerId)

  describe(`the payee’s account at ${who} determines the outcome`, () => {
    for (const [digits, what, moments] of endings)
      test(`…${digits}: ${what}`, async () => {
        const sent = disbursement({ payeeAccount: account + digits })
        assert.deepEqual(await mine().disburse(sent), { outcome: 'accepted' })
        let passedMs = 0
        for (const { ms, outcome, callbacks } of moments) {
          await rail.clock.advance(ms - passedMs)
          passedMs = ms
          assert.equal(
            codeOrOutcome(await mine().queryDisbursement(about(sent.reference))),
            outcome,
            `after ${ms} ms`,
          )
          assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
          assert.equal((await movements(sent.reference)).length, outcome === paid ? 1 : 0)
        }
      })

    test('…007: the response to the submit is lost, but the money moves', async () => {
      const sent = disbursement({ payeeAccount: `${account}007` })
      assert.equal((await mine().disburse(sent)).outcome, 'unknown')
      assert.equal((await mine().queryDisbursement(about(sent.reference))).outcome, 'pending')
      await rail.clock.advance(300)
      assert.equal((await mine().queryDisbursement(about(sent.reference))).outcome, paid)
      assert.deepEqual(
        await mine().disburse(sent),
        { outcome: 'accepted' },
        'the rail has it when resubmitted',
      )
      await rail.clock.advance(60_000)
      assert.equal((await movements(sent.reference)).length, 1)
    })

    test('…008: the submit fails and nothing is stored', async () => {
      const sent = disbursement({ payeeAccount: `${account}008` })
      assert.equal((await mine().disburse(sent)).outcome, 'unknown')
      await rail.clock.advance(60_000)
      assert.deepEqual(await mine().queryDisbursement(about(sent.reference)), { outcome: 'missing' })
      assert.equal(rail.callbacks.length, 0)
    })
  })

  test(`${who} pays exactly the requested amount, once, however often it is submitted`, async () => {
    const sent = disbursement({ payeeAccount: `${account}456`, amount: 123_456_789_01n })
    const answers = await Promise.all(Array.from({ length: 10 }, () => mine().disburse(sent)))
    assert.deepEqual(
      answers,
      answers.map(() => ({ outcome: 'accepted' })),
    )
    await rail.clock.advance(60_000)
    const [movement, ...more] = await movements(sent.reference)
    assert.deepEqual([movement?.amountMinor, more], [sent.amount, []])
    assert.deepEqual(await mine().queryDisbursement(about(sent.reference)), {
      outcome: 'done',
      amount: sent.amount,
      currency: 'SLE',
      railTransaction: String(movement?.financialTransactionId),
    })
    assert.equal(rail.callbacks.length, 1)
  })

  test(`${who} always returns the same holder for an account`, async () => {
    const found = await mine().verifyAccount(`${account}456`)
    assert(found.outcome === 'found')
    assert.match(found.holderName, /^\p{L}+ \p{L}+$/u)
    assert.equal(found.isActive, true)
    assert.deepEqual(await mine().verifyAccount(`${account}456`), found)
    const blocked = await mine().verifyAccount(`${account}009`)
    assert.equal(blocked.outcome === 'found' && blocked.isActive, false)
    assert.deepEqual(await mine().verifyAccount(`${account}010`), { outcome: 'missing' })
  })
}

test('a handset set to ask does not ask about incoming money', async () => {
  const number = '+23276555111'
  await setHandsetMode(rail.url, number, 'ask')
  const sent = disbursement({ payeeAccount: number })
  await payer('m17').disburse(sent)
  await rail.clock.advance(300)
  assert.equal((await payer('m17').queryDisbursement(about(sent.reference))).outcome, paid)
  assert.deepEqual(await promptsOf(rail.url, number), [])
})

test('a bank’s reference is for one transfer; reusing it for another is a conflict and pays nothing', async () => {
  const sent = disbursement({ payeeAccount: '0011223456' })
  await payer('slb001').disburse(sent)
  assert.equal((await payer('slb001').disburse({ ...sent, amount: 1501n })).outcome, 'unknown')
  await rail.clock.advance(300)
  const [movement, ...more] = await movements(sent.reference)
  assert.deepEqual([movement?.amountMinor, more], [1500n, []])
})

test('a transfer is not a collection, and nothing is paid out to cards', async () => {
  for (const [providerId, payeeAccount] of [
    ['m17', '+23276123456'],
    ['dw001', 'fatu456'],
  ] as const) {
    const sent = disbursement({ payeeAccount })
    await payer(providerId).disburse(sent)
    assert.deepEqual(await payer(providerId).queryCollection(about(sent.reference)), { outcome: 'missing' })
  }
  assert.equal(payer('card').disburse, undefined)
})

test('a callback contains the same document as a query, sent with PUT by mobile money and with POST by a bank', async () => {
  const momo = disbursement({ payeeAccount: '+23276123456', description: 'Wages, May' })
  const bank = disbursement({ payeeAccount: '0011223456' })
  await payer('m17').disburse(momo)
  await payer('slb001').disburse(bank)
  await rail.clock.advance(300)
  const reported = (reference: string) => {
    const { method, body } = rail.callbacks.find((callback) => callback.body.includes(reference))!
    const { financialTransactionId, transactionId, ...document } = JSON.parse(body)
    assert.match(financialTransactionId ?? transactionId, /^[0-9]{10}$/)
    return { method, document }
  }
  assert.deepEqual(reported(momo.reference), {
    method: 'PUT',
    document: {
      amount: '15.00',
      currency: 'SLE',
      externalId: momo.reference,
      payee: { partyIdType: 'MSISDN', partyId: '23276123456' },
      payerMessage: 'Wages, May',
      payeeNote: 'Wages, May',
      status: 'SUCCESSFUL',
    },
  })
  assert.deepEqual(reported(bank.reference), {
    method: 'POST',
    document: { reference: bank.reference, amount: 1500, currency: 'SLE', status: 'done' },
  })
})

test('two nodes on one database pay each payout once', async () => {
  const another = await rail.startAnother()
  const sent = Array.from({ length: 10 }, () => disbursement({}))
  await Promise.all(sent.map((each) => payer('m17').disburse(each)))
  await rail.clock.advance(2_000)
  for (const { reference } of sent) {
    assert.equal((await movements(reference)).length, 1)
    assert.equal(rail.callbacks.filter(({ body }) => body.includes(reference)).length, 1)
  }
  await another.stop()
})

describe('the simulated rails accept payouts only from this installation', () => {
  const transfer = (token: string, product: 'collection' | 'disbursement', changes: object = {}) =>
    fetch(`${rail.url}/mtn-momo/m17/disbursement/v1_0/transfer`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'ocp-apim-subscription-key': simulatorCredentials(rail.seals, product).subscriptionKey,
        authorization: `Bearer ${token}`,
        'x-target-environment': simulatorTargetEnvironment,
        'x-reference-id': randomUUID(),
      },
      body: JSON.stringify({
        amount: '15.00',
        currency: 'SLE',
        payee: { partyIdType: 'MSISDN', partyId: '23276123456' },
        ...changes,
      }),
    })
  const askToken = (product: 'collection' | 'disbursement', asProduct = product) => {
    const { apiUser, apiKey, subscriptionKey } = simulatorCredentials(rail.seals, asProduct)
    return fetch(`${rail.url}/mtn-momo/m17/${product}/token/`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`,
        'ocp-apim-subscription-key': subscriptionKey,
        'x-target-environment': simulatorTargetEnvironment,
      },
    })
  }
  const tokenOf = async (answer: Response) => ((await answer.json()) as { access_token: string }).access_token

  test('mobile money: each product has its own credentials and tokens', async () => {
    assert.equal((await askToken('disbursement', 'collection')).status, 401)
    const token = await tokenOf(await askToken('disbursement'))
    const other = await tokenOf(await askToken('collection'))
    assert.equal((await transfer(other, 'disbursement')).status, 401)
    assert.equal((await transfer(token, 'collection')).status, 401)
    assert.equal((await transfer(token, 'disbursement')).status, 202)
  })

  test('mobile money: a transfer is validated as MTN does', async () => {
    const token = await tokenOf(await askToken('disbursement'))
    for (const [changes, status] of [
      [{ payee: undefined, payer: { partyIdType: 'MSISDN', partyId: '23276123456' } }, 400],
      [{ payee: { partyIdType: 'MSISDN', partyId: '+23276123456' } }, 400],
      [{ amount: '0.00' }, 400],
      [{ amount: '15.000' }, 400],
      [{ currency: 'EUR' }, 500],
    ] as const)
      assert.equal((await transfer(token, 'disbursement', changes)).status, status, JSON.stringify(changes))
  })

  const issues: [string, string, object, number, string, string?][] = [
    ['a wrong key', `slb001/transfers/${randomUUID()}`, {}, 401, 'key_invalid', 'wrong'],
    ['the acquirer', `card/transfers/${randomUUID()}`, {}, 404, 'no_such_rail'],
    [
      'another currency',
      `slb001/transfers/${randomUUID()}`,
      { currency: 'EUR' },
      422,
      'currency_not_supported',
    ],
    ['text for an amount', `slb001/transfers/${randomUUID()}`, { amount: '15' }, 400, 'request_invalid'],
    ['no payee', `slb001/transfers/${randomUUID()}`, { payee: undefined }, 400, 'request_invalid'],
    ['a malformed reference', 'slb001/transfers/x', {}, 400, 'request_invalid'],
    [
      'a callback URL on another host',
      `slb001/transfers/${randomUUID()}`,
      { callbackUrl: 'http://169.254.169.254/' },
      400,
      'address_not_registered',
    ],
  ]
  for (const [what, path, changes, status, code, key] of issues)
    test(`a bank, ${what}: ${code}`, async () => {
      const answer = await fetch(`${rail.url}/rest/${path}`, {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key ?? railKey(rail.seals)}`,
        },
        body: JSON.stringify({
          amount: 1500,
          currency: 'SLE',
          payee: { account: '0011223344' },
          description: 'Wages',
          callbackUrl: rail.callbackUrl,
          ...changes,
        }),
      })
      assert.deepEqual([answer.status, await answer.json()], [status, { code }])
    })

  test('account holders are shown only to this installation', async () => {
    const answer = await fetch(`${rail.url}/rest/slb001/accounts/0011223344`)
    assert.deepEqual([answer.status, await answer.json()], [401, { code: 'key_invalid' }])
  })
})

type PaysOut = Connector & Required<Pick<Connector, 'disburse' | 'queryDisbursement' | 'verifyAccount'>>

const payer = (providerId: string) => connectors.findConnector(providerId, 'test') as PaysOut

function disbursement(changes: Partial<Disbursement>): Disbursement {
  return {
    reference: randomUUID(),
    amount: 1500n,
    currency: 'SLE',
    payeeAccount: '+23276123456',
    description: 'Wages',
    callbackUrl: `${rail.callbackUrl}/1`,
    mayLeave: () => true,
    ...changes,
  }
}

const codeOrOutcome = (result: RailOutcome) => (result.outcome === 'refused' ? result.code : result.outcome)

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query<{ amountMinor: bigint; financialTransactionId: bigint }>(sql`
    select amount_minor, financial_transaction_id from simulator_disbursements
    where reference = ${reference} and moved_at is not null`)
}
