import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { passOn, startTransferProxy, type Transfer } from '../../../support/transfer-proxy.ts'

// A live bank that reports every queried payment as paid.
const bank = createServer((request, response) => {
  const paid = { status: 'done', amount: 30_000, currency: 'SLE', transactionId: '7' }
  const [code, body] = request.method === 'PUT' ? [202, { status: 'pending' }] : [200, paid]
  request.resume()
  response.writeHead(code).end(JSON.stringify(body))
}).listen(0, '127.0.0.1')
await once(bank, 'listening')
const folder = mkdtempSync(path.join(tmpdir(), 'collections-'))
const providersFile = path.join(folder, 'providers.json')
const baseUrl = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
const dw001 = { protocol: 'rest', baseUrl, key: 'rail-key' }
writeFileSync(providersFile, JSON.stringify({ connections: { dw001 } }))

const clock = createManualClock()
const rail = await startTransferProxy()
const t = await startTestApp({
  app: { simulatorClock: clock },
  settings: { SIMULATOR_URL: rail.url, PROVIDERS_FILE: providersFile },
})
rail.simulatorUrl = `${t.baseUrl}/simulator`
after(async () => {
  rail.close()
  await t.close()
  bank.closeAllConnections()
  bank.close()
  rmSync(folder, { recursive: true })
})
const { db } = t.app.parts

const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

async function pay(
  merchant: Merchant,
  ...[provider, account]: Parameters<ReturnType<typeof createPayer>['pay']>
) {
  const order = { name: 'Order 42', lineItems }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
  assert.equal((await createPayer(session.redirectUrl).pay(provider, account)).status, 303)
  return async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
}

const railStates = async ({ scope }: Merchant) =>
  (
    await db.query<{ railState: string }>(sql`
      select state as rail_state from instructions
      where space_id = ${scope.spaceId} and environment = ${scope.environment}`)
  ).map(({ railState }) => railState)

const casesOf = async ({ scope }: Merchant) =>
  (
    await db.query(sql`
      select 1 from ledger_cases where space_id = ${scope.spaceId} and environment = ${scope.environment}`)
  ).length

const hourMs = 3_600_000

describe('a failed payment whose late success the rail does not report', () => {
  /** Fails after 300 ms. The rail never reports that the money moves later. */
  async function failedWithoutReport() {
    const merchant = await t.merchant()
    const payment = await pay(merchant, 'm17', '076123012')
    await until(async () => (await railStates(merchant))[0] === 'submitted')
    await clock.advance(300)
    await until(async () => (await payment()).status === 'failed')
    // every space: the simulator is the outside world
    await db.transaction((tx) => tx.run(sql`update simulator_collections set callback_url = null`))
    return { merchant, payment }
  }

  test('is queried an hour later: money that moved after all is in suspense, and a case is open', async () => {
    const { merchant, payment } = await failedWithoutReport()
    await clock.advance(5_000)
    await t.advance(merchant.scope, hourMs - 1_000)
    assert.equal(await casesOf(merchant), 0)
    await t.advance(merchant.scope, 1_000)
    await until(async () => (await casesOf(merchant)) === 1)
    assert.equal((await payment()).status, 'failed')
    await t.verify()
  })

  test('is queried again a day later if an hour was too early', async () => {
    const { merchant, payment } = await failedWithoutReport()
    const queries = () =>
      db.query<{ look: string }>(sql`
        select look from instructions
        where space_id = ${merchant.scope.spaceId} and environment = 'test' and look is not null`)
    await t.advance(merchant.scope, hourMs)
    await until(async () => (await queries())[0]?.look === 'day')
    await clock.advance(5_000)
    await t.advance(merchant.scope, 22 * hourMs)
    assert.equal(await casesOf(merchant), 0)
    await t.advance(merchant.scope, hourMs)
    await until(async () => (await casesOf(merchant)) === 1)
    assert.equal((await payment()).status, 'failed')
    assert.deepEqual(await queries(), [])
    await t.verify()
  })
})

test('a rail that hangs on every call does not delay another rail’s payers, in test or live, and loses none of its own', async () => {
  const merchant = await t.merchant()
  const live = await t.merchant({ environment: 'live' })
  const hung: Transfer[] = []
  rail.onTransfer = (transfer) =>
    void (transfer.providerId === 'm18' ? hung.push(transfer) : passOn(transfer))
  const waiting = await Promise.all(
    Array.from({ length: 40 }, (_, i) => pay(merchant, 'm18', `0771234${String(i + 50)}`)),
  )
  await until(() => hung.length >= 10)
  const others = [await pay(merchant, 'm17', '076123456'), await pay(live, 'dw001', { walletId: 'fatu456' })]
  await until(async () => {
    await clock.advance(300)
    const statuses = await Promise.all(others.map(async (payment) => (await payment()).status))
    return statuses.every((status) => status === 'completed')
  })
  rail.onTransfer = passOn
  for (const transfer of hung) void passOn(transfer)
  // Instructions without a slot are retried automatically.
  for (const some of [waiting.slice(0, 20), waiting])
    await until(async () => {
      await clock.advance(300)
      await t.advance(merchant.scope, 1_000)
      const statuses = await Promise.all(some.map(async (payment) => (await payment()).status))
      return statuses.every((status) => status === 'completed')
    })
  await t.verify()
})

test('a payroll that hangs at a provider does not delay that provider’s payers', async () => {
  const [employer, shop] = [await t.merchant(), await t.merchant()]
  await fund(t.app.parts, employer.scope, 100_000)
  const hung: Transfer[] = []
  rail.onTransfer = (transfer) => void hung.push(transfer)
  const destination = { type: 'momo', providerId: 'm18', phoneNumber: '077123456' }
  const body = { amount: { currency: 'SLE', value: 100 }, destination }
  await Promise.all(Array.from({ length: 40 }, () => employer.call('POST', '/v1/payouts', body)))
  await until(() => hung.length === 40)
  rail.onTransfer = passOn
  const payment = await pay(shop, 'm18', '077123456')
  await until(async () => {
    await clock.advance(300)
    return (await payment()).status === 'completed'
  })
  assert.ok((await railStates(employer)).every((state) => state === 'submitting'))
  for (const transfer of hung) void passOn(transfer)
  await until(async () => {
    await clock.advance(300)
    await t.advance(employer.scope, 10_000)
    return (await railStates(employer)).every((state) => state === 'succeeded')
  })
  await t.verify()
})

test('a node with a wrong clock submits nothing, but keeps querying what was submitted', async () => {
  const merchant = await t.merchant()
  const sent = await pay(merchant, 'm17', '076123456')
  await until(async () => (await railStates(merchant))[0] === 'submitted')
  const wrong = mock.method(t.app.parts.clockWatch, 'isCorrect', () => false)
  try {
    const waiting = await pay(merchant, 'm17', '076123457')
    await until(async () => {
      await clock.advance(300)
      return (await sent()).status === 'completed'
    })
    assert.equal((await waiting()).status, 'pending')
    wrong.mock.restore()
    await until(async () => {
      await clock.advance(300)
      return (await waiting()).status === 'completed'
    })
  } finally {
    wrong.mock.restore()
  }
  await t.verify()
})

test('a node whose clock is hours ahead does not delay the next query', async () => {
  const merchant = await t.merchant()
  await pay(merchant, 'm17', '076123004')
  await until(async () => (await railStates(merchant))[0] === 'submitted')
  const due = async () =>
    (await db.one<{ ms: number }>(sql`
      select (extract(epoch from due_at - submitted_at) * 1000)::float8 as ms from instructions
      where space_id = ${merchant.scope.spaceId} and environment = 'test'`))!.ms
  const first = await due()
  const hours = 10 * hourMs
  const { clock: nodeClock, clockWatch } = t.app.parts
  const now = nodeClock.now
  const ahead = mock.method(
    nodeClock,
    'now',
    (scope: Merchant['scope']) => new Date(now(scope).getTime() + hours),
  )
  const wrong = mock.method(clockWatch, 'isCorrect', () => false)
  try {
    const next = await until(async () => (await due()) > first && (await due()))
    assert.ok(next < hourMs, `queried again ${next} ms after it was submitted`)
  } finally {
    ahead.mock.restore()
    wrong.mock.restore()
  }
})
