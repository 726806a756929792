import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import {
  simulatedBusiness,
  simulatedShortCode,
} from '../../../packages/rails/mpesa-daraja/test-credentials.ts'
import { billUrls } from '../../../packages/server/src/ways-to-pay/bill-payments/addresses.ts'
import { createHandset } from '../../support/handset.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'
import { createPayer } from '../../support/payer.ts'
import { type Finding, formsOf, foundIn, searchTables } from '../../support/planted.ts'
import { openRestRail } from '../../support/rest-rail.ts'
import { startTraceReceiver } from '../../support/trace-receiver.ts'

/**
 * The columns that may contain payers' and payees' numbers and names as plain text, with the reason and for how long.
 * `docs/guides/personal-data.md` describes them.
 */
const allowed: Record<string, string> = {
  'event_facts.data': 'what webhooks deliver; until the end of EVENT_RETENTION',
  'webhook_deliveries.attempts': 'what the merchant’s endpoint answered; until the end of EVENT_RETENTION',
  'idempotency_keys.answer':
    'the response that a repeated request gets; until the end of IDEMPOTENCY_RETENTION',
  'simulator_collections.payer': 'a simulated payer of the test environment; without limit',
  'simulator_disbursements.payee': 'a simulated payee of the test environment; without limit',
}

const rail = await openRestRail()
const receiver = await startTraceReceiver()
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-planted-'))
const providersFile = path.join(folder, 'providers.json')
writeFileSync(providersFile, JSON.stringify({ connections: { shop: rail.connection } }))
const simulatorClock = createManualClock()
const t = await startTestApp({
  app: { simulatorClock },
  settings: {
    PROVIDERS_FILE: providersFile,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  },
})
const hook = createServer((request, response) => request.pipe(response))
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
after(async () => {
  await t.close()
  hook.close()
  await rail.close()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

/** Numbers and names, each of which is used in one flow only. */
const planted: string[] = []
let subscribers = 200
/** Returns a new phone number in Sierra Leone. Its last three digits decide what the simulated payer does. */
function phone(ending = '456'): string {
  const national = `76${subscribers++}${ending}`
  planted.push(national)
  return `+232${national}`
}
function named(name: string): string {
  planted.push(name)
  return name
}
const amount = { currency: 'SLE', value: 1_000 }
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 100_000 } }]

async function post(merchant: Merchant, url: string, body: object) {
  const answer = await merchant.call('POST', url, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

/** Waits until a condition holds, while the simulated rails work. */
const worked = <T>(look: () => Promise<T | undefined | false>) =>
  until(async () => {
    await simulatorClock.advance(300)
    return look()
  })

/** In live, only a bank is connected. */
async function pay(merchant: Merchant, ending: string) {
  const [provider, account] =
    merchant.scope.environment === 'test'
      ? ['m17', { phone: phone(ending) }]
      : ['slb001', { accountNumber: named(`0077${subscribers++}${ending}`) }]
  const session = await post(merchant, '/v1/checkout-sessions', { name: 'Order 42', lineItems })
  assert.equal((await createPayer(session.redirectUrl).pay(provider, account)).status, 303)
  return worked(async () => {
    const { result } = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
    return ['completed', 'failed'].includes(result[0]?.status) && result[0]
  })
}

/** Uses everything that stores the number or the name of a payer or payee. Each has a number of its own. */
async function useEverything(merchant: Merchant) {
  const { environment } = merchant.scope
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`
  await post(merchant, '/v1/webhooks', { name: 'Shop', url, events: ['*'] })
  if (environment === 'test') await fund(t.app.parts, merchant.scope, 1_000_000)
  const payment = await pay(merchant, '456')
  await pay(merchant, environment === 'test' ? '001' : '012')
  await post(merchant, '/v1/refunds', { paymentId: payment.id, amount, reason: 'requested_by_customer' })
  const bank = () => ({
    type: 'bank',
    providerId: 'slb001',
    accountNumber: named(`00448833${subscribers++}`),
  })
  const momo = () =>
    environment === 'test' ? { type: 'momo', providerId: 'm17', phoneNumber: phone() } : bank()
  const payouts =
    environment === 'test'
      ? [
          momo(),
          bank(),
          { type: 'wallet', providerId: 'dw001', walletId: named(`planted${subscribers++}@safulpay`) },
        ]
      : [momo()]
  for (const destination of payouts) await merchant.call('POST', '/v1/payouts', { amount, destination })
  await merchant.call('POST', '/v1/payouts', { amount: { currency: 'XXX', value: 1 }, destination: momo() })
  await merchant.call('POST', '/v1/payouts', `{"amount": ${phone()}`)
  const person = `Planted${environment} Kamara${environment}`
  named(`Planted${environment}`)
  named(`Kamara${environment}`)
  await post(merchant, '/v1/payout-batches', {
    name: 'Wages',
    rows: [{ amount, destination: momo(), name: person }],
  })
  const csv = `amount,currency,type,provider,account,name\n15.00,SLE,bank,slb001,${named(`00553344${subscribers++}`)},${person}`
  await post(merchant, '/v1/payout-batches', { name: 'Wages', csv })
  await merchant.call('GET', `/v1/payments?phoneNumber=${encodeURIComponent(phone())}`)
  await merchant.call('GET', `/v1/payouts?q=${encodeURIComponent(phone())}`)
  await merchant.call('GET', `/v1/search?q=${encodeURIComponent(phone())}`)
  await merchant.call('GET', `/v1/momos/m17/kyc?accountId=${encodeURIComponent(phone())}`)
  await post(merchant, '/v1/payment-codes', { name: 'Fees', amount, customer: { name: person } })
  const authorized = phone()
  const code = await post(merchant, '/v1/payment-codes', {
    name: 'Fees',
    amount,
    authorizedPhoneNumber: authorized,
  })
  const verified = phone()
  const otp = await post(merchant, '/v1/ussd-otps', { authorizedPhoneNumber: verified })
  if (environment !== 'test') return
  await createHandset(t, verified).dial(otp.dialCode)
  const handset = createHandset(t, authorized)
  await handset.dial(code.ussdCode)
  await handset.enter('1')
  await worked(
    async () =>
      (await merchant.call('GET', `/v1/payment-codes/${code.id}`)).body.result.status === 'completed',
  )
  await createHandset(t, phone()).dial('*715*1234567890#')
}

/** Pays at the PayBill number, for a code and with a reference that nobody knows. */
async function payBill(merchant: Merchant) {
  const kes = { currency: 'KES', value: 150_000 }
  const { parts } = t.app
  const connection = parts.connectors.billConnections().find(({ environment }) => environment === 'test')
  assert.ok(connection)
  await connection.bills.register(billUrls(parts, { environment: 'test', connection: 'mpesa-ke' }))
  const code = await post(merchant, '/v1/payment-codes', { name: 'Fees', amount: kes })
  const { consumerKey, consumerSecret } = simulatedBusiness(parts.seals)
  const at = `${t.baseUrl}/simulator/mpesa-daraja/mpesa-ke`
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const issued = await fetch(`${at}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: `Basic ${basic}` },
  })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  for (const reference of [code.ussdCode.slice(-11, -1), 'NOBODYS']) {
    const msisdn = `2547083${subscribers++}49`
    planted.push(msisdn.slice(3))
    await fetch(`${at}/mpesa/c2b/v2/simulate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ ShortCode: simulatedShortCode, CommandID: 'CustomerPayBillOnline', Amount: 1_500 },
        ...{ Msisdn: msisdn, BillRefNumber: reference },
      }),
    })
    await simulatorClock.advance(300)
  }
  await worked(async () => (await merchant.call('GET', '/v1/payments')).body.result.length > 0)
}

let found: Finding
before(async () => {
  const test = await t.merchant()
  const live = await t.merchant({ sameUserAs: test, environment: 'live' })
  for (const merchant of [test, live]) await useEverything(merchant)
  await payBill(await t.merchant({ country: 'KE' }))
  const { db } = t.app.parts
  const isIdle = async () => {
    const { rows } = await db.pool.query(
      `select 1 from webhook_deliveries where status = 'pending' union all select 1 from jobs where due_at < now()`,
    )
    return rows.length === 0
  }
  await worked(isIdle)
  found = await searchTables(db.pool, planted)
})

describe('numbers and names of payers and payees', () => {
  test('are in no column that is not allowed to contain them', () => {
    const others = [...found].filter(([column]) => !Object.hasOwn(allowed, column.replace(/_\d+\./, '.')))
    assert.deepEqual(
      others.map(([column, texts]) => `${column}: ${[...texts].join(', ')}`),
      [],
    )
  })

  test('are found by this search wherever they are allowed, in several forms', () => {
    assert.ok(found.size > 0)
    for (const form of formsOf('76200456')) assert.deepEqual(foundIn(`…${form}…`, ['76200456']), ['76200456'])
  })

  // Log lines are searched in test/program/logs.slow.test.ts.
  test('are in no trace', async () => {
    await receiver.take((spans) => spans.some(({ name }) => name === 'submit payment'))
    assert.deepEqual(foundIn(receiver.texts.join(''), planted), [])
  })

  test('are still shown to the merchant, and the books add up', async () => {
    await t.verify()
  })
})
