import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Collection, Connector, RailKind, RailOutcome, RailReport } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { sql } from '../../../server/src/platform/db/sql.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../../../server/src/rails/connections/connectors.ts'
import { simulatedBusiness } from '../test-credentials.ts'
import { received } from '../testing.ts'

let rail: TestSimulator
let connectors: Connectors
let mpesa: Required<Connector>
before(async () => {
  rail = await startTestSimulator()
  connectors = openConnectors(loadCatalogue(), {
    seals: rail.seals,
    simulatorUrl: rail.url,
    baseUrl: new URL(rail.callbackUrl).origin,
  })
  mpesa = connectors.findConnector('mpesa-ke', 'test') as Required<Connector>
})
after(async () => {
  await connectors.close()
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

const order = () => ({
  reference: randomUUID(),
  amount: 150_000n,
  currency: 'KES',
  description: 'Two cups',
  callbackUrl: `${rail.callbackUrl}/1`,
  mayLeave: () => true,
})
const collectionOf = (digits: string): Collection => ({
  ...order(),
  payerAccount: `+254708123${digits}`,
  orderNumber: '482915037264',
  returnUrl: null,
})
const codeOrOutcome = (result: { outcome: string; code?: string }) => result.code ?? result.outcome

/** Queries again if the first query fails, as every fifth one does regardless of the payment's state. */
async function query(providerReference: string): Promise<RailOutcome> {
  const result = await mpesa.queryCollection(about('', { providerReference }))
  return result.outcome === 'unknown' ? mpesa.queryCollection(about('', { providerReference })) : result
}

/** Returns the reports sent to the URL with this suffix, as read by the connector. */
const reports = (notice?: string): RailReport[] =>
  rail.callbacks.map(({ body }) => mpesa.readReport(received(JSON.parse(body), { notice })))
const verdictOf = (report: RailReport | undefined, kind: RailKind) => {
  const found = report?.verdictOn?.(kind)
  return found && codeOrOutcome(found)
}

describe('a payer’s number determines the outcome', () => {
  const endings: [string, [ms: number, outcome: string, callbacks: number][]][] = [
    [
      '456',
      [
        [299, 'pending', 0],
        [300, 'done', 1],
        [60_000, 'done', 1],
      ],
    ],
    ['001', [[300, 'fund_insufficient', 1]]],
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
    [
      '006',
      [
        [300, 'done', 0],
        [60_000, 'done', 0],
      ],
    ],
    ['009', [[300, 'provider_account_blocked', 1]]],
    ['011', [[300, 'provider_account_quota_exhausted', 1]]],
    [
      '012',
      [
        [300, 'authorization_failed', 1],
        [5_300, 'done', 2],
      ],
    ],
  ]
  for (const [digits, moments] of endings)
    test(`…${digits}: ${moments.map(([, outcome]) => outcome).join(', then ')}`, async () => {
      const result = await mpesa.collect(collectionOf(digits))
      assert.ok(result.outcome === 'accepted')
      let passedMs = 0
      for (const [ms, outcome, callbacks] of moments) {
        await rail.clock.advance(ms - passedMs)
        passedMs = ms
        assert.equal(codeOrOutcome(await query(result.providerReference!)), outcome, `after ${ms} ms`)
        assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
        const last = reports().at(-1)
        if (last) assert.equal(verdictOf(last, 'collect'), outcome)
      }
    })

  test('…007: the response is lost, and only the callback contains the id to query', async () => {
    const sent = collectionOf('007')
    assert.equal(codeOrOutcome(await mpesa.collect(sent)), 'unknown')
    assert.equal(codeOrOutcome(await mpesa.queryCollection(about(sent.reference))), 'unknown')
    await rail.clock.advance(300)
    const [report] = reports()
    assert.equal(report?.amount, 150_000n)
    assert.equal(codeOrOutcome(await query(report!.providerReference!)), 'done')
  })

  test('…008: the submit fails, and nothing is stored or reported', async () => {
    assert.equal(codeOrOutcome(await mpesa.collect(collectionOf('008'))), 'unknown')
    await rail.clock.advance(60_000)
    assert.equal(rail.callbacks.length, 0)
  })

  test('…010: the number is refused immediately', async () => {
    assert.equal(codeOrOutcome(await mpesa.collect(collectionOf('010'))), 'provider_account_missing')
  })
})

test('a repeated request makes two payments, because there is no idempotency key', async () => {
  const sent = collectionOf('456')
  const [one, other] = [await mpesa.collect(sent), await mpesa.collect(sent)]
  assert.ok(one.outcome === 'accepted' && other.outcome === 'accepted')
  assert.notEqual(one.providerReference, other.providerReference)
})

test('every fifth query fails although the payment is known', async () => {
  const result = await mpesa.collect(collectionOf('456'))
  assert.ok(result.outcome === 'accepted')
  await rail.clock.advance(300)
  const responses = Array.from({ length: 5 }, () =>
    mpesa.queryCollection(about('', { providerReference: result.providerReference! })),
  )
  const words = (await Promise.all(responses)).map(codeOrOutcome).toSorted()
  assert.deepEqual(words, ['done', 'done', 'done', 'done', 'unknown'])
})

describe('money out', () => {
  const pay = (digits: string) => ({ ...order(), payeeAccount: `+254708123${digits}` })

  const endings: [string, string, string][] = [
    ['456', 'done', 'done'],
    ['001', 'fund_insufficient', 'unknown'],
    ['002', 'provider_account_missing', 'unknown'],
    ['009', 'provider_account_missing', 'unknown'],
    ['010', 'provider_account_missing', 'unknown'],
    ['011', 'provider_account_quota_exhausted', 'unknown'],
  ]
  for (const [digits, reported, queried] of endings)
    test(`…${digits} is reported as ${reported}, and queried as ${queried}`, async () => {
      const sent = pay(digits)
      assert.deepEqual(await mpesa.disburse(sent), { outcome: 'accepted' })
      await rail.clock.advance(300)
      const [report] = reports()
      assert.equal(report?.reference, sent.reference)
      assert.equal(verdictOf(report, 'disburse'), reported)
      rail.callbacks.length = 0
      assert.deepEqual(await mpesa.queryDisbursement(about(sent.reference, sent)), { outcome: 'asked' })
      await rail.clock.advance(0)
      const [status] = reports('status')
      assert.deepEqual([status?.reference, verdictOf(status, 'disburse')], [sent.reference, queried])
    })

  test('resubmitted, whether or not its response was lost, is the same payout', async () => {
    for (const digits of ['007', '456']) {
      const sent = pay(digits)
      assert.equal(codeOrOutcome(await mpesa.disburse(sent)), digits === '007' ? 'unknown' : 'accepted')
      assert.deepEqual(await mpesa.disburse(sent), { outcome: 'accepted' })
      await rail.clock.advance(300)
      // every space: rails know nothing about Spaces
      const moved = await rail.db.query(sql`
        select 1 from simulator_disbursements where reference = ${sent.reference} and moved_at is not null`)
      assert.equal(moved.length, 1)
    }
  })

  test('that is unknown or in flight has no status yet', async () => {
    const [lost, slow] = [pay('008'), pay('004')]
    assert.equal(codeOrOutcome(await mpesa.disburse(lost)), 'unknown')
    assert.equal(codeOrOutcome(await mpesa.disburse(slow)), 'accepted')
    for (const sent of [lost, slow])
      assert.deepEqual(await mpesa.queryDisbursement(about(sent.reference, sent)), { outcome: 'asked' })
    await rail.clock.advance(0)
    assert.deepEqual(
      reports('status').map((report) => [
        report.isQueryResult,
        report.reference,
        verdictOf(report, 'disburse'),
      ]),
      [
        [true, undefined, undefined],
        [true, undefined, undefined],
      ],
    )
  })

  test('is refunded in full by its receipt, and queried by the id that Safaricom assigned', async () => {
    await mpesa.collect(collectionOf('456'))
    await rail.clock.advance(300)
    const paid = reports()[0]?.verdictOn?.('collect')
    assert.ok(paid?.outcome === 'done')
    rail.callbacks.length = 0
    const refund = { ...order(), original: { reference: 'x', railTransaction: paid.railTransaction! } }
    const result = await mpesa.refund(refund)
    assert.ok(result.outcome === 'accepted' && result.providerReference)
    await rail.clock.advance(300)
    const [report] = reports('reversal')
    assert.deepEqual(
      [report?.providerReference, verdictOf(report, 'refund')],
      [result.providerReference, 'done'],
    )
    rail.callbacks.length = 0
    const { providerReference } = result
    await mpesa.queryRefund(about(refund.reference, { ...refund, providerReference }))
    await rail.clock.advance(0)
    const [status] = reports('reversal-status')
    assert.deepEqual([status?.providerReference, verdictOf(status, 'refund')], [providerReference, 'done'])
    const unknownReceipt = { ...refund, original: { reference: 'x', railTransaction: 'SIM9999999999' } }
    assert.equal(codeOrOutcome(await mpesa.refund(unknownReceipt)), 'rejected')
  })
})

test('names are looked up, except for numbers that end in 010', async () => {
  const holder = await mpesa.verifyAccount('+254708123456')
  assert.ok(holder.outcome === 'found')
  assert.match(holder.holderName, /^\p{Lu}\p{L}+ M\*+ \p{Lu}\*+$/u)
  assert.deepEqual(await mpesa.verifyAccount('+254708123010'), { outcome: 'missing' })
})

test('a token is valid for an hour, and each product rejects it in its own way', async () => {
  const base = `${rail.url}/mpesa-daraja/mpesa-ke`
  const { consumerKey, consumerSecret } = simulatedBusiness(rail.seals)
  const token = async (secret: string) => {
    const basic = Buffer.from(`${consumerKey}:${secret}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    return fetch(`${base}/oauth/v1/generate?grant_type=client_credentials`, { headers })
  }
  assert.equal((await token('wrong')).status, 400)
  const issued = (await (await token(consumerSecret)).json()) as { access_token: string; expires_in: string }
  assert.equal(issued.expires_in, '3599')
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${issued.access_token}`, 'content-type': 'application/json' }
    const response = await fetch(base + path, { method: 'POST', headers, body: '{}' })
    return [response.status, ((await response.json()) as { errorCode: string }).errorCode]
  }
  const express = '/mpesa/stkpush/v1/processrequest'
  assert.deepEqual(await call(express), [400, '400.002.02'])
  await rail.clock.advance(3_599_000)
  assert.deepEqual(await call(express), [404, '404.001.03'])
  assert.deepEqual(await call('/mpesa/b2c/v3/paymentrequest'), [401, '401.002.01'])
  assert.deepEqual(await call('/mpesa/transactionstatus/v1/query'), [400, '400.003.01'])
  // The connector requests a new one.
  assert.equal((await mpesa.collect(collectionOf('456'))).outcome, 'accepted')
})

test('a callback URL with a forbidden word or on another host is refused', async () => {
  for (const callbackUrl of [
    `${rail.callbackUrl}/aEXEb`,
    `${rail.callbackUrl}/mpesa`,
    'https://other.example/1',
  ])
    assert.equal(codeOrOutcome(await mpesa.collect({ ...collectionOf('456'), callbackUrl })), 'rejected')
})
