import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { type Account, createPayer } from '../../../test/support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

/** A code that only the payer and the provider know. */
const secretCode = '739104628517'

/** Opens a session for a payer who has chosen a provider. */
async function checkout(provider: string, account: Account, currency: string, of?: Merchant) {
  const merchant = of ?? (await t.merchant())
  const lineItems = [{ name: 'Kente', price: { currency, value: 15_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  const { status, text } = await payer.pay(provider, account)
  assert.equal(status, 303, text)
  const find = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  const ended = () =>
    until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, 30_000)
      const { status } = await find()
      return (status === 'completed' || status === 'failed') && find()
    })
  const untilCodeRequested = () => until(async () => (await find()).instructions?.asksForCode && find())
  const giveCode = async (code: string) => {
    const { text } = await payer.look('/wait')
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? []
    return payer.post('/code', { code, formToken })
  }
  const submitCode = async (code: unknown, key: string = randomUUID()) =>
    merchant.call(
      'POST',
      `/v1/payments/${(await find()).id}/submit-code`,
      { code },
      { 'idempotency-key': key },
    )
  return { merchant, payer, find, ended, asked: untilCodeRequested, giveCode, submitCode }
}

const telecel = (digits: string, of?: Merchant) =>
  checkout('telecel-gh', { phone: `020 123 4${digits}` }, 'GHS', of)

describe('a payer with Telecel enters a code on the page', () => {
  for (const [digits, status, code] of [
    ['456', 'completed', undefined],
    ['002', 'failed', 'authorization_failed'],
    ['012', 'failed', 'authorization_failed'],
  ] as const)
    test(`…${digits} is ${status}`, async () => {
      const { asked, giveCode, ended, payer } = await telecel(digits)
      await asked()
      assert.match((await payer.look('/wait')).text, /name="code"/)
      assert.equal((await giveCode('12 34-56')).location?.endsWith('/wait'), true)
      assert.doesNotMatch((await payer.look('/wait')).text, /name="code"/, 'it shows the next step instead')
      const payment = await ended()
      assert.deepEqual([payment.status, payment.failureDetail?.code], [status, code])
    })

  test('a payment with a lost response (…007) is found without a code, and one that never started (…008) fails', async () => {
    const lost = await (await telecel('007')).ended()
    assert.equal(lost.status, 'completed')
    const never = await (await telecel('008')).ended()
    assert.deepEqual([never.status, never.failureDetail.code], ['failed', 'unknown'])
  })

  test('a wrong code can be entered again, up to five times; invalid codes are not passed on', async () => {
    const { asked, giveCode, find, payer, ended, merchant } = await telecel('456')
    await asked()
    for (const text of ['', '123', '1234567890123', '12<34', '12a456', 'é1234']) {
      const { status, text: page } = await giveCode(text)
      assert.deepEqual([status, /role="alert"/.test(page)], [422, true], text)
    }
    assert.equal((await payer.post('/code', { code: '123456', formToken: 'forged' })).status, 303)
    const tries = async () =>
      (
        await t.app.parts.db.pool.query('select codes_submitted from payments where space_id = $1', [
          merchant.scope.spaceId,
        ])
      ).rows[0].codes_submitted
    assert.equal(await tries(), 0)
    for (let i = 0; i < 4; i++) {
      await giveCode('000000')
      assert.match((await payer.look('/wait')).text, /name="code"/)
    }
    assert.equal((await find()).status, 'processing')
    await giveCode('123456')
    assert.equal(await tries(), 5)
    assert.equal((await ended()).status, 'completed')
  })

  test('after five codes the page asks for no more, and the API refuses more', async () => {
    const { asked, giveCode, payer, submitCode } = await telecel('456')
    await asked()
    for (let i = 0; i < 5; i++) await giveCode('000000')
    assert.doesNotMatch((await payer.look('/wait')).text, /name="code"/)
    assert.equal((await submitCode('123456')).status, 429)
  })
})

describe('a merchant’s program passes the code on', () => {
  test('once per idempotency key, and it is not stored', async () => {
    const { asked, submitCode, ended } = await telecel('456')
    assert.equal((await asked()).instructions.dialString, '*110#')
    const key = randomUUID()
    const first = await submitCode(secretCode, key)
    assert.deepEqual([first.status, first.body.result.status], [200, 'processing'])
    const again = await submitCode(secretCode, key)
    assert.equal(again.headers.get('service-idempotent-replay'), 'true')
    assert.equal((await submitCode('111111', key)).body.error.reason, 'idempotency_key_in_use')
    assert.equal((await ended()).status, 'completed')
    const { pool } = t.app.parts.db
    const { rows } = await pool.query(`select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`)
    for (const { name } of rows) {
      const found = await pool.query(`select from "${name}" each where each::text like '%' || $1 || '%'`, [
        secretCode,
      ])
      assert.equal(found.rowCount, 0, name)
    }
  })

  test('a code that is invalid or was not requested is refused', async () => {
    const { asked, submitCode, ended, merchant } = await telecel('456')
    await asked()
    for (const wrong of ['', '12', 123456, null, '1234 5678', 'x'.repeat(13), ['123456']]) {
      const { status, body } = await submitCode(wrong)
      assert.deepEqual([status, body.error.details[0].param], [400, 'code'])
    }
    await submitCode('123456')
    assert.equal((await submitCode('123456')).body.error.reason, 'state_conflict')
    await ended()
    assert.equal((await submitCode('123456')).body.error.reason, 'state_conflict')
    const nobody = `/v1/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz/submit-code`
    assert.equal((await merchant.call('POST', nobody, { code: '123456' })).status, 404)
  })
})

test('a bank’s payer sees what to dial and pays; the payment is refunded', async () => {
  const { ended, find, merchant, payer } = await checkout('ng-gtb', { accountNumber: '0123456456' }, 'NGN')
  await until(async () => (await find()).instructions !== null)
  assert.match((await payer.look('/wait')).text, /\*737\*/)
  const payment = await ended()
  assert.equal(payment.status, 'completed')
  const refund = async (value: number) =>
    (
      await merchant.call('POST', '/v1/refunds', {
        paymentId: payment.id,
        amount: { currency: 'NGN', value },
        reason: 'requested_by_customer',
      })
    ).body.result.id
  const ids = [await refund(5_000), await refund(5_000)]
  for (const id of ids) {
    const done = await until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, 30_000)
      const { result } = (await merchant.call('GET', `/v1/refunds/${id}`)).body
      return result.status === 'completed'
    })
    assert.ok(done)
  }
})

for (const [digits, status] of [
  ['456', 'completed'],
  ['001', 'failed'],
  ['007', 'completed'],
  ['008', 'failed'],
] as const)
  test(`a payout to Telecel, …${digits}, is ${status}`, async () => {
    const merchant = await t.merchant({ country: 'GH' })
    await fund(t.app.parts, merchant.scope, 100_000, { currency: 'GHS' })
    const made = await merchant.call('POST', '/v1/payouts', {
      amount: { currency: 'GHS', value: 1_000 },
      destination: { type: 'momo', providerId: 'telecel-gh', phoneNumber: `+233201234${digits}` },
    })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const ended = await until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, 30_000)
      const { result } = (await merchant.call('GET', `/v1/payouts/${made.body.result.id}`)).body
      return (result.status === 'completed' || result.status === 'failed') && result
    })
    assert.equal(ended.status, status)
  })

for (const [digits, status] of [
  ['456', 'completed'],
  ['010', 'failed'],
] as const)
  test(`a payout to a bank in Nigeria, …${digits}, is ${status}, and its holder can be looked up`, async () => {
    const merchant = await t.merchant({ country: 'NG' })
    await fund(t.app.parts, merchant.scope, 100_000, { currency: 'NGN' })
    const accountNumber = `0123456${digits}`
    const found = await merchant.call('GET', `/v1/provider-kyc/ng-gtb?accountId=${accountNumber}`)
    assert.equal(found.status, status === 'completed' ? 200 : 404)
    const made = await merchant.call('POST', '/v1/payouts', {
      amount: { currency: 'NGN', value: 1_000 },
      destination: { type: 'bank', providerId: 'ng-gtb', accountNumber },
    })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const ended = await until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, 30_000)
      const { result } = (await merchant.call('GET', `/v1/payouts/${made.body.result.id}`)).body
      return (result.status === 'completed' || result.status === 'failed') && result
    })
    assert.equal(ended.status, status)
  })

test('the books balance afterwards', () => t.verify())
