import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, mock, test } from 'node:test'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// Live banks: their submission rate limits, and what payers see while a bank gives no clear response.
type Bank = { asked: number; collect: (response: ServerResponse, reference: string) => void }
const banks = new Map<string, Bank>()
const done = { status: 'done', amount: 30_000, currency: 'SLE', transactionId: '7' }
const answer = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status).end(JSON.stringify(body))
const server = createServer((request, response) => {
  const bank = banks.get(request.url!.split('/')[1]!)!
  request.resume()
  if (request.method === 'GET') return answer(200, done)(response)
  bank.asked++
  bank.collect(response, path.basename(request.url!))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const connectionTo = (bank: string, more: object = {}) => {
  banks.set(bank, { asked: 0, collect: answer(202, { status: 'pending' }) })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bank}`
  return { protocol: 'rest', baseUrl, key: 'rail-key', ...more }
}
const folder = mkdtempSync(path.join(tmpdir(), 'collection-traffic-'))
const providersFile = path.join(folder, 'providers.json')
const connections = {
  slb001: connectionTo('slb001'),
  slb004: connectionTo('slb004'),
  slb007: connectionTo('slb007', { collections: { maxAtOnce: 2 } }),
}
writeFileSync(providersFile, JSON.stringify({ connections }))
const t = await startTestApp({
  settings: { PROVIDERS_FILE: providersFile },
  // The test moves its clock below.
  app: { maxClockDifferenceMs: Number.POSITIVE_INFINITY },
})
after(async () => {
  await t.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
const merchant = await t.merchant({ environment: 'live' })
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]
const account = { accountNumber: '0011223344' }

/** Opens a session for a payer, who can try again. */
async function openSession(of = merchant) {
  const { result } = (await of.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
  const payer = createPayer(result.redirectUrl)
  const newest = async () =>
    (await of.call('GET', `/v1/payments?orderNumber=${result.orderNumber}`)).body.result[0]
  /** Returns once the bank's response is recorded, or it is clear that the bank was not called. */
  const pay = async (provider: string) => {
    assert.equal((await payer.pay(provider, account)).status, 303)
    return until(async () => {
      const payment = await newest()
      const state = await stateOf(payment.id)
      return state !== 'created' && state !== 'submitting' && payment
    })
  }
  const session = async () => (await of.call('GET', `/v1/checkout-sessions/${result.id}`)).body.result
  return { payer, pay, newest, session }
}

async function instructionOf(id: string) {
  return t.app.parts.db.one<{ state: string; reference: string }>(sql`
    select state, reference from instructions -- every space: the test reads instructions of all
    where id = ${readId(paymentIds, id)}`)
}
const stateOf = async (id: string) => (await instructionOf(id))?.state

test('while a bank gives no clear response, payers see that immediately and can pay another way', async () => {
  const bank = banks.get('slb004')!
  bank.collect = answer(500, {})
  for (let i = 0; i < 5; i++) await (await openSession()).pay('slb004')
  assert.equal(bank.asked, 5)

  const { payer, pay, newest, session } = await openSession()
  await pay('slb004')
  const { status, failureDetail } = await newest()
  assert.deepEqual([status, failureDetail.code, bank.asked], ['failed', 'provider_unavailable', 5])
  assert.match((await payer.look()).text, /is not responding right now. You have not been charged/)
  await pay('slb001')
  assert.equal((await newest()).status, 'processing')
  assert.equal((await session()).status, 'pending')

  // The breaker is half-open.
  const real = performance.now.bind(performance)
  const later = mock.method(performance, 'now', () => real() + 10_000)
  bank.collect = answer(202, { status: 'pending' })
  for (const asked of [6, 7]) {
    const next = await openSession()
    await next.pay('slb004')
    assert.deepEqual([(await next.newest()).status, bank.asked], ['processing', asked])
  }
  later.mock.restore()
  await t.verify()
})

test('a bank has at most as many calls in progress as its connection allows; the others wait', async () => {
  const bank = banks.get('slb007')!
  const held: ServerResponse[] = []
  bank.collect = (response) => void held.push(response)
  const paid = []
  for (let i = 0; i < 4; i++) paid.push((await openSession()).pay('slb007'))
  await until(() => held.length === 2)
  await (await openSession()).pay('slb001')
  assert.equal(held.length, 2)
  answer(202, { status: 'pending' })(held[0]!)
  await until(() => held.length === 3)
  for (const response of held.slice(1)) answer(202, { status: 'pending' })(response)
  await until(() => held.length === 4)
  answer(202, { status: 'pending' })(held[3]!)
  for (const payment of await Promise.all(paid)) assert.equal(await stateOf(payment.id), 'submitted')
})

test('Spaces take turns at a slow bank: the many payers of one Space do not delay a payer of another', async () => {
  const bank = banks.get('slb007')!
  const arrived: string[] = []
  const held: ServerResponse[] = []
  bank.collect = (response, reference) => {
    arrived.push(reference)
    held.push(response)
  }
  const other = await t.merchant({ environment: 'live' })
  const many = await Promise.all(Array.from({ length: 20 }, () => openSession()))
  const single = await openSession(other)
  const paid = many.map(({ pay }) => pay('slb007'))
  await until(() => held.length === 2)
  for (const { newest } of many) await until(newest)
  const last = single.pay('slb007')
  await until(single.newest)
  bank.collect = (response, reference) => {
    arrived.push(reference)
    answer(202, { status: 'pending' })(response)
  }
  for (const response of held) answer(202, { status: 'pending' })(response)
  await Promise.all(paid)
  const { reference } = (await instructionOf((await last).id))!
  assert.equal(arrived.length, 21)
  assert.ok(arrived.indexOf(reference) < 10, `it was sent after ${arrived.indexOf(reference)} others`)
})
