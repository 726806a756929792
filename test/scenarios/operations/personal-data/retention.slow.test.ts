import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { eraseExpired } from '../../../../packages/server/src/operations/personal-data/retaining.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { hasLegalHold } from '../../../../packages/server/src/tenants/retention/hold-store.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { addJob } from '../../../support/jobs.ts'
import type { Shown } from '../../money/refunds/shop.ts'
import { chained, customer, openShopWithCustomers } from './customers.ts'

const rail = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: { FINANCIAL_RECORDS_RETENTION: '1d,400d,3653d', REFUND_WINDOW: '10d' },
})
after(() => t.close())
const { db, clock } = t.app.parts

const dayMs = 86_400_000
const [fatu, musa] = [customer('700100'), customer('700200')]
type Shop = Awaited<ReturnType<typeof openShopWithCustomers>>
let shop: Shop
let visits: Awaited<ReturnType<Shop['visit']>>[]

/** Runs the daily job of the Space, after the books' chain contains every change. */
async function runDailyJob(stopping = new AbortController().signal): Promise<void> {
  await chained(t, shop.merchant)
  const { scope } = shop.merchant
  await eraseExpired(db, t.app.parts, scope, clock.now(scope), stopping)
}

const numberOf = async (payout: Shown) =>
  (await shop.read(`/v1/payouts/${payout.id}`)).destination.phoneNumber
const otpOf = async (otp: Shown) => (await shop.read(`/v1/ussd-otps/${otp.id}`)).authorizedPhoneNumber

before(async () => {
  shop = await openShopWithCustomers(t, rail)
  visits = [await shop.visit(fatu), await shop.visit(musa)]
})

describe('the daily job', () => {
  test('erases nothing before a period ends', async () => {
    await runDailyJob()
    assert.equal(await otpOf(visits[0]!.otp), fatu.phone)
    assert.equal(await numberOf(visits[0]!.payout), fatu.phone)
  })

  test('erases only the class whose period has ended, and nothing while a hold on everybody is open', async () => {
    await t.advance(shop.merchant.scope, 91 * dayMs)
    const hold = await shop.post('/v1/legal-holds', { reason: 'Court order' })
    assert.ok(await hasLegalHold(db, shop.merchant.scope, clock.now(shop.merchant.scope)))
    await runDailyJob()
    assert.equal(await otpOf(visits[0]!.otp), fatu.phone)
    await shop.post(`/v1/legal-holds/${hold.id}/lift`, { reason: 'Case closed' })
    assert.ok(!(await hasLegalHold(db, shop.merchant.scope, clock.now(shop.merchant.scope))))
    await runDailyJob()
    for (const { otp } of visits) assert.equal(await otpOf(otp), '****')
    assert.equal(await numberOf(visits[0]!.payout), fatu.phone)
    await t.verify()
  })

  test('leaves a person whose data is held, tries them again when the hold has ended, and repeats nothing', async () => {
    const { scope } = shop.merchant
    const endTime = new Date(clock.now(scope).getTime() + 400 * dayMs).toISOString()
    await shop.post('/v1/legal-holds', {
      person: { phoneNumber: musa.phone },
      endTime,
      reason: 'Court order',
    })
    const change = { periods: [{ class: 'financial_records', days: 100 }] }
    assert.equal((await shop.merchant.call('PATCH', '/v1/retention-periods', change)).status, 200)
    await t.advance(scope, 20 * dayMs)
    await runDailyJob()
    assert.equal(await numberOf(visits[0]!.payout), '****')
    assert.equal(await numberOf(visits[1]!.payout), musa.phone)
    const batch = await shop.read(`/v1/payout-batches/${visits[0]!.batch.id}/rows`)
    assert.deepEqual([batch[0].destination.phoneNumber, batch[0].name], ['****', null])
    await t.verify()
    await t.advance(scope, 400 * dayMs)
    await runDailyJob()
    assert.equal(await numberOf(visits[1]!.payout), '****')
    const seals = async () => (await db.query(sql`select count(*) as count from book_seals`))[0]
    await chained(t, shop.merchant)
    const before = await seals()
    await runDailyJob()
    assert.deepEqual(await seals(), before)
    await t.verify()
  })

  test('keeps a payment that can still be refunded', async () => {
    const change = { periods: [{ class: 'financial_records', days: 1 }] }
    assert.equal((await shop.merchant.call('PATCH', '/v1/retention-periods', change)).status, 200)
    const payment = await shop.pay(1_000, 'm17', '076700400')
    const phoneOf = async () => (await shop.payment(payment.id)).channel.phoneNumber
    await t.advance(shop.merchant.scope, 2 * dayMs)
    await runDailyJob()
    assert.equal(await phoneOf(), '+23276****00')
    await t.advance(shop.merchant.scope, 10 * dayMs)
    await runDailyJob()
    assert.equal(await phoneOf(), '****')
    const refund = await shop.refund(payment.id)
    assert.equal(refund.body.error.reason, 'refund_window_closed')
  })

  test('runs for every Space every day', async () => {
    const payment = await shop.pay(1_000, 'm17', '076700500')
    await t.advance(shop.merchant.scope, 12 * dayMs)
    await chained(t, shop.merchant)
    await db.pool.query(addJob('personal-data.retain'))
    await until(async () => (await shop.payment(payment.id)).channel.phoneNumber === '****')
  })

  test('stops when the node stops', async () => {
    const payment = await shop.pay(1_000, 'm17', '076700600')
    await t.advance(shop.merchant.scope, 12 * dayMs)
    await runDailyJob(AbortSignal.abort())
    assert.equal((await shop.payment(payment.id)).channel.phoneNumber, '+23276****00')
  })
})

describe('the periods of a Space', () => {
  const set = (body: object) => shop.merchant.call('PATCH', '/v1/retention-periods', body)

  test('stay within the bounds that the operator sets', async () => {
    const { status, body } = await set({
      periods: [
        { class: 'financial_records', days: 3_654 },
        { class: 'financial_records', days: 400 },
      ],
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.error.details.map(({ param }: Shown) => param),
      ['periods[0].days', 'periods[1].class'],
    )
  })

  test('return to the standard, and the audit log shows both', async () => {
    const { body } = await set({
      periods: [{ class: 'financial_records', days: null }],
      reason: 'New policy',
    })
    assert.equal(body.result.periods[0].days, 400)
    const { result } = (await shop.merchant.call('GET', '/v1/audit-entries?action=space.set-retention')).body
    assert.deepEqual(
      [
        result[0].reason,
        result[0].details.before.financial_records,
        result[0].details.after.financial_records,
      ],
      ['New policy', 1, 400],
    )
  })
})

describe('permissions and isolation', () => {
  test('only owners and admins may read or change anything', async () => {
    const body = { person: { phoneNumber: fatu.phone }, reason: 'x' }
    for (const role of ['developer', 'finance', 'support', 'viewer']) {
      const member = await t.merchant({ sameSpaceAs: shop.merchant, role })
      for (const [method, path, sent] of [
        ['POST', '/v1/personal-data-exports', body],
        ['POST', '/v1/personal-data-erasures', body],
        ['POST', '/v1/legal-holds', body],
        ['GET', '/v1/personal-data-exports', undefined],
        ['GET', '/v1/legal-holds', undefined],
        ['GET', '/v1/retention-periods', undefined],
      ] as const)
        assert.equal((await member.call(method, path, sent)).status, 403, `${role} ${method} ${path}`)
    }
    const admin = await t.merchant({ sameSpaceAs: shop.merchant, role: 'admin' })
    assert.equal((await admin.call('POST', '/v1/personal-data-exports', body)).status, 200)
  })

  test('another Space and the other environment find nothing about the same person', async () => {
    const body = { person: { phoneNumber: fatu.phone }, reason: 'x' }
    for (const other of [
      await t.merchant(),
      await t.merchant({ sameSpaceAs: shop.merchant, environment: 'live' }),
    ])
      assert.deepEqual((await other.call('POST', '/v1/personal-data-exports', body)).body.result.found, [])
  })

  test('a repeated request with the same key makes one erasure, and a confirmed one cannot be cancelled', async () => {
    const body = { person: { phoneNumber: '+23276700700' }, reason: 'x' }
    const key = { 'idempotency-key': 'same' }
    const make = () => shop.merchant.call('POST', '/v1/personal-data-erasures', body, key)
    const [one, again] = [(await make()).body.result, (await make()).body.result]
    assert.equal(one.id, again.id)
    const path = `/v1/personal-data-erasures/${one.id}`
    for (let i = 0; i < 2; i++)
      assert.equal((await shop.merchant.call('POST', `${path}/confirm`, {})).status, 200)
    await shop.erasureBecomes(one.id, 'completed')
    assert.equal((await shop.merchant.call('DELETE', path)).status, 409)
    const other = (await shop.merchant.call('POST', '/v1/personal-data-erasures', body)).body.result
    for (let i = 0; i < 2; i++)
      assert.equal((await shop.merchant.call('DELETE', `/v1/personal-data-erasures/${other.id}`)).status, 200)
    assert.equal(
      (await shop.merchant.call('POST', `/v1/personal-data-erasures/${other.id}/confirm`, {})).status,
      409,
    )
  })
})

test('a person with a bank account is found by provider and account', async () => {
  const account = '0011223344'
  const payout = await shop.post('/v1/payouts', {
    amount: { currency: 'SLE', value: 500 },
    destination: { type: 'bank', providerId: 'slb001', accountNumber: account },
  })
  const made = await shop.post('/v1/personal-data-exports', {
    ...{ person: { providerId: 'slb001', account: '0011 2233 44' }, reason: 'x' },
  })
  assert.deepEqual(
    made.found.map(({ type, count }: Shown) => ({ type, count })),
    [{ type: 'payout', count: 1 }],
  )
  assert.equal(made.person, 'slb001 ****3344')
  const document = await shop.read(`/v1/personal-data-exports/${made.id}/document`)
  assert.deepEqual(
    document.records.map(({ id, data }: Shown) => [id, data.destination.accountNumber]),
    [[payout.id, account]],
  )
})
