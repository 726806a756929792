import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { createPayer } from '../../../test/support/payer.ts'
import { paymentIds } from '../../server/src/money/payments/resources.ts'
import { sql } from '../../server/src/platform/db/sql.ts'
import { readId } from '../../server/src/platform/ids.ts'
import { providerCalls } from '../../server/src/rails/connections/metrics.ts'
import { callbackUrl, openCallbackUrl } from '../../server/src/rails/instructions/callback-url.ts'
import { darajaSecrets, payouts, startGateway } from './testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: a response body, checked against its schema
type Shown = any

const gateway = await startGateway()
const folder = mkdtempSync(path.join(tmpdir(), 'mpesa-'))
const providersFile = path.join(folder, 'providers.json')
const { consumerKey, consumerSecret, passkey } = darajaSecrets
const keys = { consumerKey, consumerSecret, passkey }
const live = { protocol: 'mpesa-daraja', baseUrl: gateway.baseUrl, ...keys, shortCode: '600111', payouts }
writeFileSync(providersFile, JSON.stringify({ connections: { 'mpesa-ke': live } }))

const clock = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: clock },
  settings: { PROVIDERS_FILE: providersFile },
})
after(async () => {
  await t.close()
  gateway.close()
  rmSync(folder, { recursive: true })
})
const { db } = t.app.parts

/** Creates a merchant in Kenya whose payers use M-Pesa. */
async function openStall(environment: 'test' | 'live' = 'test') {
  const merchant = await t.merchant({ country: 'KE', environment })
  const read = async (url: string): Promise<Shown> => (await merchant.call('GET', url)).body.result
  const pay = async (digits: string, value = 100_000) => {
    const lineItems = [{ name: 'Kikoi', price: { currency: 'KES', value } }]
    const order = { name: 'Order 42', lineItems }
    const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
    assert.equal((await createPayer(session.redirectUrl).pay('mpesa-ke', `0708123${digits}`)).status, 303)
    return async () => (await read(`/v1/payments?orderNumber=${session.orderNumber}`))[0] as Shown
  }
  const payOut = async (digits: string, value = 50_000) => {
    const destination = { type: 'momo', providerId: 'mpesa-ke', phoneNumber: `0708123${digits}` }
    const body = { amount: { currency: 'KES', value }, destination }
    const { id } = (await merchant.call('POST', '/v1/payouts', body)).body.result
    return () => read(`/v1/payouts/${id}`)
  }
  const refund = async (paymentId: string, value?: number) => {
    const amount = value && { amount: { currency: 'KES', value } }
    const { id } = (await merchant.call('POST', '/v1/refunds', { paymentId, reason: 'other', ...amount }))
      .body.result
    return () => read(`/v1/refunds/${id}`)
  }
  return { merchant, pay, payOut, refund }
}

/** Runs the simulated rail's due work until an object has this status. */
const reach = (status: string, find: () => Promise<Shown>) =>
  until(async () => {
    await clock.advance(300)
    const found = await find()
    return found?.status === status && found
  })

/** Does the same if only a query can find the status. One in five queries is answered with an error. */
const reachByQuery = ({ scope }: Merchant, status: string, find: () => Promise<Shown>) =>
  until(async () => {
    await clock.advance(300)
    await t.advance(scope, 20_000)
    const found = await find()
    return found?.status === status && found
  })

describe('a payment by M-Pesa', () => {
  test('is paid, with the amount and receipt of its callback', async () => {
    const { pay } = await openStall()
    const done = await reach('completed', await pay('456'))
    assert.deepEqual(done.amount, { currency: 'KES', value: 100_000 })
    assert.match(JSON.stringify(done), /"SIM[0-9]{10}"/)
  })

  test('has the outcome that its payer’s number determines', async () => {
    for (const [digits, code] of [
      ['001', 'fund_insufficient'],
      ['002', 'authorization_failed'],
      ['009', 'provider_account_blocked'],
      ['010', 'provider_account_missing'],
      ['011', 'provider_account_quota_exhausted'],
    ] as const) {
      const { pay } = await openStall()
      const failed = await reach('failed', await pay(digits))
      assert.equal(failed.failureDetail.code, code, digits)
    }
  })

  test('is paid once, however often it is reported', async () => {
    const { merchant, pay } = await openStall()
    await reach('completed', await pay('005'))
    // every space: the simulator is the outside world
    await until(async () => (await db.query(sql`select 1 from simulator_callbacks`)).length === 0)
    const events = await t.events(merchant.scope)
    assert.equal(events.filter(({ type }) => type === 'payment.completed').length, 1)
  })

  test('that Safaricom silently dropped is left to an operator', async () => {
    const { merchant, pay } = await openStall()
    const payment = await pay('008')
    await until(async () => (await payment())?.status === 'processing')
    await t.advance(merchant.scope, 3_600_000)
    assert.equal((await payment()).status, 'processing')
  })

  test('with cents is refused before anything is sent', async () => {
    const { pay } = await openStall()
    assert.equal((await reach('failed', await pay('456', 100_050))).failureDetail.code, 'rejected')
  })

  test('whose response is lost is found by the id in its callback', async () => {
    const { merchant, pay } = await openStall()
    const payment = await pay('007')
    const asked = () =>
      db.one<{ named: string | null }>(sql`
      select provider_reference as named from instructions where space_id = ${merchant.scope.spaceId}`)
    await until(async () => (await payment())?.status === 'processing')
    assert.equal((await asked())?.named, null)
    await reachByQuery(merchant, 'completed', payment)
    assert.match(String((await asked())?.named), /^ws_CO_/)
  })

  test('without a callback is found by a query', async () => {
    const { merchant, pay } = await openStall()
    await reachByQuery(merchant, 'completed', await pay('006'))
  })

  test('that fails and is paid after all opens a case, and stays failed', async () => {
    const { merchant, pay } = await openStall()
    const payment = await pay('012')
    await reach('failed', payment)
    await clock.advance(5_000)
    const { spaceId } = merchant.scope
    await until(async () => {
      await clock.advance(300)
      return (await db.query(sql`select 1 from ledger_cases where space_id = ${spaceId}`)).length === 1
    })
    assert.equal((await payment()).status, 'failed')
  })
})

describe('a payout by M-Pesa', () => {
  test('is completed by its result, even if the response or the result is lost', async () => {
    const { merchant, payOut } = await openStall()
    await fund(t.app.parts, merchant.scope, 1_000_000, { currency: 'KES' })
    const done = await reach('completed', await payOut('456'))
    assert.match(JSON.stringify(done), /"SIM[0-9]{10}"/)
    await reach('completed', await payOut('007'))
    await reachByQuery(merchant, 'completed', await payOut('006'))
    assert.equal((await reach('failed', await payOut('010'))).failureDetail.code, 'provider_account_missing')
    assert.equal((await reach('failed', await payOut('456', 500))).failureDetail.code, 'rejected')
  })

  test('is queried only on schedule; a response without a verdict triggers no other query', async () => {
    const { merchant, payOut } = await openStall()
    await fund(t.app.parts, merchant.scope, 1_000_000, { currency: 'KES' })
    const payout = await payOut('004')
    await until(async () => (await payout()).status === 'processing')
    const before = await queries()
    await t.advance(merchant.scope, 6_000)
    await until(async () => (await queries()) > before)
    const { spaceId } = merchant.scope
    // every space: the simulator is the outside world
    const waiting = () => db.query(sql`select 1 from simulator_callbacks`)
    await until(async () => {
      await clock.advance(0)
      return (await waiting()).length === 0
    })
    assert.equal(await queries(), before + 1)
    assert.equal((await payout()).status, 'processing', spaceId)
    await clock.advance(30_000)
    await reach('completed', payout)
  })
})

describe('a refund by M-Pesa', () => {
  test('is a reversal if it is full, and a payout if it is partial', async () => {
    const { pay, refund } = await openStall()
    const [whole, part] = [
      await reach('completed', await pay('456')),
      await reach('completed', await pay('457')),
    ]
    const reversed = await reach('completed', await refund(whole.id))
    const paidOut = await reach('completed', await refund(part.id, 40_000))
    assert.deepEqual([reversed.method, paidOut.method], ['provider_refund', 'payout'])
    const receipts = [reversed, paidOut].map(({ destination }) => destination.transactionReference.slice(3))
    const moved = await db.query(sql`
      select amount_minor, payee, refund_of is not null as reverses from simulator_disbursements
      where financial_transaction_id = any(${receipts}::bigint[]) order by financial_transaction_id`)
    assert.deepEqual(moved, [
      { amountMinor: 100_000n, payee: '254708123456', reverses: true },
      { amountMinor: 40_000n, payee: '254708123457', reverses: false },
    ])
  })
})

describe('a report that does not come from Safaricom', () => {
  test('completes nothing, and its id is never used for queries', async () => {
    const { merchant, pay } = await openStall('live')
    gateway.onCall = () => undefined
    const payment = await pay('456')
    const { id } = await until(async () => (await payment())?.status === 'processing' && (await payment()))
    const url = callbackUrl(t.app.parts, {
      ownerType: 'payment',
      scope: merchant.scope,
      id: readId(paymentIds, id)!,
    })
    const Item = [{ Name: 'Amount', Value: 1000 }]
    const stkCallback = { CheckoutRequestID: 'ws_CO_forged', ResultCode: 0, CallbackMetadata: { Item } }
    const body = JSON.stringify({ Body: { stkCallback } })
    const headers = { 'content-type': 'application/json' }
    for (const notice of ['', '/timeout', '/status'])
      assert.equal((await fetch(url + notice, { method: 'POST', headers, body })).status, 200)
    const { spaceId } = merchant.scope
    const instruction = await until(async () => {
      const [row] = await db.query<{ state: string; named: string | null }>(sql`
        select state, provider_reference as named from instructions where space_id = ${spaceId}`)
      return row?.state !== 'submitting' && row
    })
    assert.deepEqual(instruction, { state: 'unknown', named: null })
    assert.ok(gateway.seen.every((call) => !JSON.stringify(call.body).includes('forged')))
    const address = new URL('/callbacks/connections/live/mpesa-ke', t.baseUrl)
    assert.equal((await fetch(address, { method: 'POST', headers, body })).status, 401)
  })
})

test('callback URLs contain none of the words that Safaricom refuses, and still work', async () => {
  const { scope } = await t.merchant()
  for (let i = 0; i < 20_000; i++) {
    const id = `018bcfe5-6801-7000-8000-${String(i).padStart(12, '0')}`
    const url = callbackUrl({ ...t.app.parts, baseUrl: '' }, { ownerType: 'payment', scope, id })
    assert.doesNotMatch(url, /mpesa|safaricom|exe|cmd|sql|query/i)
    assert.deepEqual(openCallbackUrl(t.app.parts, 'payment', path.basename(url)), { scope, id })
  }
})

test('the books balance afterwards', () => t.verify())

const queries = async () =>
  (await providerCalls(t.app.parts.metrics).get()).values
    .filter(
      ({ labels, metricName }) =>
        labels.provider === 'mpesa-ke' && labels.call === 'query' && metricName?.endsWith('_count'),
    )
    .reduce((sum, { value }) => sum + value, 0)
