import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { verifyBooks } from '../../../../packages/server/src/finance/books/verify.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { rotateKeys } from '../../../../packages/server/src/operations/data-keys/keys.ts'
import { reencrypt } from '../../../../packages/server/src/operations/data-keys/reencryption.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { masterKeysOf } from '../../../../packages/server/src/platform/encryption/master-key.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { findChecks } from '../../../../packages/server/src/slices.ts'
import { sharedSecret, startTestApp, until } from '../../../support/harness.ts'
import type { Shown } from '../../money/refunds/shop.ts'
import { chained, customer, leftovers, openShopWithCustomers, tablesWith } from './customers.ts'

const rail = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: { FINANCIAL_RECORDS_RETENTION: '30d,400d,3653d', REFUND_WINDOW: '10d' },
})
after(() => t.close())
const { db } = t.app.parts

const dayMs = 86_400_000
const [fatu, musa] = [customer('700100'), customer('700200')]
type Shop = Awaited<ReturnType<typeof openShopWithCustomers>>
let shop: Shop
let visit: Awaited<ReturnType<Shop['visit']>>
let erasure: Shown
/** What identifies the person in rows whose values are encrypted. */
let hashes: string[]

const request = (of = fatu) => ({ person: { phoneNumber: of.phone }, reason: 'Request of 3 May' })
const countsOf = (list: { type: string; count: number }[]) =>
  Object.fromEntries(list.map(({ type, count }) => [type, count]))

before(async () => {
  shop = await openShopWithCustomers(t, rail)
  visit = await shop.visit(fatu)
  await shop.visit(musa)
  const [row] = await db.query<{ hash: string; fingerprint: string }>(sql`
    select payer_account as hash, payer_fingerprint as fingerprint from payments
    where id = ${readId(paymentIds, visit.payment.id)}`)
  hashes = [row!.hash, row!.fingerprint]
  await chained(t, shop.merchant)
})

describe('an export', () => {
  test('contains everything about the person and nothing about anybody else', async () => {
    const made = await shop.post('/v1/personal-data-exports', request())
    assert.equal(made.person, '+23276****00')
    const found = countsOf(made.found)
    assert.deepEqual(found, {
      ...{ payment: 3, payout: 2, payout_batch: 1, refund: 1, checkout_session: 2, payment_code: 1 },
      ...{ ussd_otp: 1, phone: 1 },
    })
    const document = await shop.read(`/v1/personal-data-exports/${made.id}/document`)
    assert.deepEqual(
      countsOf(
        Object.entries(Object.groupBy(document.records as { type: string }[], ({ type }) => type)).map(
          ([type, some]) => ({ type, count: some!.length }),
        ),
      ),
      found,
    )
    const text = JSON.stringify(document)
    for (const own of Object.values(fatu)) assert.ok(text.includes(own), own)
    for (const other of Object.values(musa)) assert.ok(!text.includes(other), other)
    for (const { keptUntil, keptBecause } of document.records)
      assert.ok(keptUntil || keptBecause !== 'retention_period')
  })

  test('is a file for spreadsheets, too, and expires after a day', async () => {
    const { id } = await shop.post('/v1/personal-data-exports', request())
    const download = () =>
      fetch(`${t.baseUrl}/v1/personal-data-exports/${id}/document`, {
        headers: {
          authorization: `Bearer ${shop.merchant.token}`,
          'service-space-id': shop.merchant.spaceId,
          accept: 'text/csv',
        },
      })
    const csv = await (await download()).text()
    assert.ok(csv.startsWith('type,id,createTime,retention,keptUntil,keptBecause,data'))
    assert.ok(csv.includes(fatu.phone) && !csv.includes(musa.phone))
    await t.advance(shop.merchant.scope, dayMs)
    assert.equal((await download()).status, 409)
  })

  test('is recorded without the number', async () => {
    const entries = (await shop.merchant.call('GET', '/v1/audit-entries?action=personal_data_export.create'))
      .body
    assert.ok(entries.result.length >= 2)
    const [{ details, reason }] = entries.result
    assert.equal(details.person, '+23276****00')
    assert.equal(reason, 'Request of 3 May')
    assert.ok(!JSON.stringify(entries).includes(fatu.phone.slice(1)))
  })
})

describe('an erasure', () => {
  test('shows what can be erased, and what is kept, why and until when, and erases nothing yet', async () => {
    erasure = await shop.post('/v1/personal-data-erasures', request())
    assert.equal(erasure.status, 'pending')
    assert.deepEqual(countsOf(erasure.erasable), {
      checkout_session: 2 - 1,
      payment_code: 1,
      ussd_otp: 1,
      phone: 1,
    })
    const reasons = new Set(erasure.kept.map(({ type, reason }: Shown) => `${type} ${reason}`))
    assert.deepEqual(
      reasons,
      new Set([
        ...['payment refundable', 'payment retention_period', 'payout retention_period'],
        ...['payout_batch retention_period', 'refund retention_period'],
      ]),
    )
    // A payment that can be refunded for ten days is kept for thirty, like any other.
    const inTwentyDays = new Date(Date.now() + 20 * 86_400_000).toISOString()
    for (const { type, until } of erasure.kept)
      assert.ok(until > inTwentyDays || !['payment', 'payout'].includes(type), `${type} ${until}`)
    assert.deepEqual(
      erasure.copies.map(({ place }: Shown) => place),
      ['events', 'idempotency_keys', 'request_log', 'ussd_sessions', 'backups'],
    )
    assert.equal((await shop.read(`/v1/payment-codes/${visit.code.id}`)).customer.name, fatu.name)
  })

  test('erases what may be erased when it is confirmed, and waits with the rest', async () => {
    assert.equal(
      (await shop.merchant.call('POST', `/v1/personal-data-erasures/${erasure.id}/confirm`, {})).status,
      200,
    )
    const waiting = await shop.erasureBecomes(erasure.id, 'waiting')
    assert.deepEqual(countsOf(waiting.erased), {
      checkout_session: 1,
      payment_code: 1,
      ussd_otp: 1,
      phone: 1,
    })
    const code = await shop.read(`/v1/payment-codes/${visit.code.id}`)
    assert.deepEqual([code.customer, code.authorizedPhoneNumber], [null, null])
    assert.equal((await shop.read(`/v1/payouts/${visit.payout.id}`)).destination.phoneNumber, fatu.phone)
    await t.verify()
  })

  test('waits for an object that is in progress', async () => {
    const other = customer('700300')
    const { status, body } = await shop.merchant.call('POST', '/v1/payment-codes', {
      ...{ name: 'Rent', amount: { currency: 'SLE', value: 100 }, authorizedPhoneNumber: other.phone },
    })
    assert.equal(status, 200)
    const made = await shop.post('/v1/personal-data-erasures', request(other))
    assert.deepEqual(
      made.kept.map(({ type, reason, until }: Shown) => ({ type, reason, until })),
      [{ type: 'payment_code', reason: 'in_progress', until: null }],
    )
    await shop.merchant.call('POST', `/v1/personal-data-erasures/${made.id}/confirm`, {})
    await shop.erasureBecomes(made.id, 'waiting')
    await shop.merchant.call('DELETE', `/v1/payment-codes/${body.result.id}`)
    await chained(t, shop.merchant)
    await t.advance(shop.merchant.scope, dayMs)
    const { erased } = await shop.erasureBecomes(made.id, 'completed')
    assert.deepEqual(countsOf(erased), { payment_code: 1 })
  })

  test('does nothing while a hold on the person is open, and continues when it is lifted', async () => {
    const hold = await shop.post('/v1/legal-holds', { ...request(musa), reason: 'Court order' })
    const made = await shop.post('/v1/personal-data-erasures', request(musa))
    assert.deepEqual(made.erasable, [])
    assert.ok(made.kept.every(({ reason }: Shown) => reason === 'legal_hold'))
    await shop.merchant.call('POST', `/v1/personal-data-erasures/${made.id}/confirm`, {})
    assert.deepEqual((await shop.erasureBecomes(made.id, 'waiting')).erased, [])
    const lifted = await shop.post(`/v1/legal-holds/${hold.id}/lift`, { reason: 'Case closed' })
    assert.equal(lifted.status, 'lifted')
    await until(async () => (await shop.read(`/v1/personal-data-erasures/${made.id}`)).erased.length > 0)
    assert.equal(
      (await shop.merchant.call('POST', `/v1/legal-holds/${hold.id}/lift`, { reason: 'x' })).status,
      409,
    )
  })

  test('erases the rest when it may, the books stay provable, and the person is found in no table but copies that expire', async () => {
    await t.advance(shop.merchant.scope, 31 * dayMs)
    const done = await shop.erasureBecomes(erasure.id, 'completed')
    assert.deepEqual(countsOf(done.erased), {
      ...{ payment: 3, payout: 2, payout_batch: 1, refund: 1, checkout_session: 1, payment_code: 1 },
      ...{ ussd_otp: 1, phone: 1 },
    })
    assert.deepEqual(done.kept, [])
    const payment = await shop.payment(visit.payment.id)
    assert.deepEqual([payment.channel.phoneNumber, payment.channel.fingerprint], ['****', null])
    assert.equal(payment.amount.value, 1_000)
    const payout = await shop.read(`/v1/payouts/${visit.payout.id}`)
    assert.equal(payout.destination.phoneNumber, '****')
    const refund = await shop.get(visit.refund.id)
    assert.deepEqual([refund.note, refund.payerMessage, refund.destination.phoneNumber], [null, null, '****'])
    assert.deepEqual(
      (await shop.merchant.call('GET', `/v1/payments?phoneNumber=${encodeURIComponent(fatu.phone)}`)).body
        .result,
      [],
    )
    await t.verify()
    await chained(t, shop.merchant)
    await t.verify()
    const copies = ['event_facts', 'idempotency_keys', 'api_requests', 'ussd_sessions', 'asked_phones']
    const found = await tablesWith(t, [
      ...[fatu.phone, fatu.phone.slice(1), fatu.name, fatu.typed],
      ...hashes,
    ])
    assert.deepEqual(
      found.filter((name) => !copies.includes(name) && !name.startsWith('simulator_')),
      [],
    )
    assert.deepEqual(await leftovers(t), [])
  })

  test('new keys leave what has been erased empty', async () => {
    const masters = masterKeysOf({}, () => sharedSecret)
    await rotateKeys(db, masters, { by: 'Aminata', reason: 'a test' })
    await reencrypt(db, { settleMs: 0 })
    assert.deepEqual(await leftovers(t), [])
    await chained(t, shop.merchant)
    await t.verify()
  })

  test('an erased row that somebody alters is found by verification', async () => {
    const proof = async (change: string) => {
      await t.app.parts.db.pool.query(change)
      const { checks } = await verifyBooks(db, findChecks, { seals: t.app.parts.seals })
      return checks.filter(({ differences }) => differences.length > 0).map(({ name }) => name)
    }
    const altered = await proof(
      `update payouts set payee_account = '+23276999999' where payee_account = '' and id = (select id from payouts where payee_account = '' order by id limit 1)`,
    )
    assert.ok(altered.includes('every payout matches its sealed terms and outcome'))
    assert.ok(
      (await proof(`update ussd_otps set phone_number = '+23276999999' where phone_number = ''`)).includes(
        'every USSD OTP matches its sealed terms and outcome',
      ),
    )
  })
})
