import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import fc from 'fast-check'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import type { Payment } from '../../../../packages/server/src/money/payments/store.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { paymentCodeOrigin } from '../../../../packages/server/src/ways-to-pay/payment-codes/outcomes.ts'
import { type Answer, startTestApp, until } from '../../../support/harness.ts'
import { createCodes, price } from '../../../support/payment-code.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db, clock } = t.app.parts
const openCode = createCodes(t, rail)
type Code = Awaited<ReturnType<typeof openCode>>

const minuteMs = 60_000
/**
 * Payers who decline immediately, who never answer (and fail after a minute), and who answer after half a
 * minute.
 */
const [declined, silent, slow] = ['+23276123001', '+23276123003', '+23276123004']
const phone = (i: number, ending = 100 + i) => `+232767${String(i).padStart(2, '0')}${ending}`
const refusal = ({ status, body }: Answer) => `${status} ${body.error?.reason}`

/** Waits until no job of the Space is due or running. */
const dueJobsAreDone = ({ scope }: Code) =>
  until(async () => {
    const rows = await db.query(sql`
      select 1 from jobs
      where space_id = ${scope.spaceId} and environment = ${scope.environment}
        and (due_at <= ${clock.now(scope)} or timing = 'real_time' or taken_by is not null)`)
    return rows.length === 0
  })

const expiryJobs = async ({ scope }: Code) =>
  (
    await db.query(sql`
      select 1 from jobs
      where space_id = ${scope.spaceId} and environment = ${scope.environment} and job = 'payment-code.expire'`)
  ).length

describe('a one-time code', () => {
  test('is pending, then processing while it is paid, then completed, with its payment', async () => {
    const code = await openCode({ reference: 'fees-7' })
    const { merchant, read, begin, becomes, events } = code
    const { id, orderNumber } = await begin()
    assert.equal((await read()).status, 'processing')
    await becomes('completed')
    const payment = (await merchant.call('GET', `/v1/payments/${showId(paymentIds, id)}`)).body.result
    const receipt = (await merchant.call('GET', `/v1/receipts/${orderNumber}`)).body.result
    const { orderId, ...processed } = (await read()).processedPaymentData
    assert.match(orderId, /^ord-/)
    assert.deepEqual(processed, {
      amount: price(500),
      paymentId: payment.id,
      orderNumber,
      channelData: {
        providerId: 'm17',
        accountId: '+23276****56',
        reference: payment.channel.reference,
      },
      financialTransactionReference: payment.financialTransactionReference,
      metadata: {},
    })
    assert.deepEqual(
      [payment.name, payment.reference, payment.amount, payment.ownershipGraph.owner.id],
      ['School fees', 'fees-7', price(500), code.code.id],
    )
    assert.deepEqual(
      receipt.entitlements.map(({ key, name, limit }: Record<string, unknown>) => [key, name, limit]),
      [['payment', 'School fees', 1]],
    )
    assert.deepEqual(await events(), ['created', 'processed', 'completed'])
    for (const { data } of (await t.events(code.scope, code.id)).slice(1))
      assert.deepEqual(data, await read())
    assert.equal(await code.pay(), 'over')
    await t.verify()
  })

  test('becomes pending again when an attempt fails, and can then be paid, whatever the payer types', async () => {
    const { read, begin, becomes, events } = await openCode({ amount: undefined })
    await begin({ phoneNumber: declined, amount: 7n })
    await becomes('pending')
    assert.equal((await read()).processedPaymentData, null)
    await begin({ amount: 800n, providerId: 'm18' })
    await becomes('completed')
    assert.deepEqual((await read()).processedPaymentData.amount, price(800))
    assert.deepEqual(await events(), ['created', 'processed', 'completed'])
    await t.verify()
  })

  test('allows one attempt at a time', async () => {
    const { begin, pay, settle } = await openCode()
    await begin({ phoneNumber: silent })
    assert.equal(await pay(), 'busy')
    await settle(minuteMs)
    await begin()
    await settle()
  })

  test('starts one payment, even if many payers confirm at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 12 }), async (callers) => {
        const { pay, becomes, read } = await openCode()
        const answers = await Promise.all(
          Array.from({ length: callers }, (_, i) => pay({ phoneNumber: phone(i) })),
        )
        assert.equal(answers.filter((answer) => answer === 'busy').length, callers - 1)
        await becomes('completed')
        assert.deepEqual((await read()).processedPaymentData.amount, price(500))
      }),
      { numRuns: 4 },
    )
    await t.verify()
  })
})

describe('a payment does not start', () => {
  test('at or after the code’s expiry, at the moment of confirmation', async () => {
    const { pay, begin, code } = await openCode()
    const end = Date.parse(code.expireTime)
    assert.equal(await pay({}, new Date(end)), 'over')
    await begin({}, new Date(end - 1))
  })

  test('while the code is disabled, which does not change its status', async () => {
    const { pay, begin, change } = await openCode()
    assert.equal((await change({ enable: false })).body.result.status, 'pending')
    assert.equal(await pay(), 'disabled')
    await change({ enable: true })
    await begin()
  })

  test('if the code has changed since it was shown to the payer', async () => {
    const { pay, begin, change } = await openCode()
    assert.equal(await pay({ amount: 499n }), 'changed')
    await change({ authorizedProviders: ['m18'] })
    assert.equal(await pay(), 'changed')
    await change({ authorizedProviders: null, authorizedPhoneNumber: '076123456' })
    assert.equal(await pay({ phoneNumber: '+23276123457' }), 'changed')
    await begin()
  })

  describe('after a hundred consecutive failed attempts', () => {
    const failedOften = async (more: object = {}) => {
      const code = await openCode(more)
      const { spaceId, environment } = code.scope
      await db.transaction((tx) =>
        tx.run(sql`
          update payment_codes set failed_count = 99
          where space_id = ${spaceId} and environment = ${environment} and id = ${code.id}`),
      )
      return code
    }

    test('until the merchant changes the code', async () => {
      const { pay, begin, settle, change } = await failedOften()
      await begin({ phoneNumber: declined })
      await settle()
      assert.equal(await pay(), 'busy')
      await change({})
      await begin()
    })

    test('but a completed payment resets the count', async () => {
      const { begin, settle } = await failedOften({ mode: 'recurrent' })
      for (const phoneNumber of [phone(1), declined, phone(2)]) {
        await begin({ phoneNumber })
        await settle()
      }
    })
  })
})

describe('time', () => {
  test('expires a code and publishes an event', async () => {
    const { scope, becomes, events, pay, change, cancel } = await openCode({ duration: '10m' })
    await t.advance(scope, 10 * minuteMs)
    await becomes('expired', 0)
    assert.deepEqual(await events(), ['created', 'expired'])
    assert.equal(await pay(), 'over')
    assert.equal(refusal(await change({ duration: '1h' })), '409 state_conflict')
    assert.equal(refusal(await cancel()), '409 state_conflict')
  })

  test('does not expire it while a payment is in flight; its failure does', async () => {
    const code = await openCode({ duration: '1m' })
    await code.begin({ phoneNumber: silent })
    await t.advance(code.scope, 2 * minuteMs)
    await dueJobsAreDone(code)
    assert.equal((await code.read()).status, 'processing')
    assert.equal(refusal(await code.cancel()), '409 state_conflict')
    await code.becomes('expired', minuteMs)
    await t.verify()
  })

  test('does not expire it while a payment is in flight; its completion completes the code', async () => {
    const code = await openCode({ duration: '1m' })
    await code.begin({ phoneNumber: slow })
    await t.advance(code.scope, 2 * minuteMs)
    await dueJobsAreDone(code)
    await code.becomes('completed', 30_000)
    assert.deepEqual(await code.events(), ['created', 'processed', 'completed'])
  })

  test('ends a recurrent code after the payment in flight', async () => {
    const code = await openCode({ mode: 'recurrent', duration: '1m' })
    await code.begin({ phoneNumber: slow })
    await t.advance(code.scope, 2 * minuteMs)
    await dueJobsAreDone(code)
    await code.becomes('expired', 30_000)
    assert.deepEqual(await code.events(), ['created', 'processed', 'expired'])
    assert.deepEqual((await code.read()).processedPaymentData.amount, price(500))
  })

  test('starts again with a new duration, and the old expiry has no effect', async () => {
    const code = await openCode({ duration: '10m' })
    await code.change({ duration: '1h' })
    await t.advance(code.scope, 11 * minuteMs)
    await dueJobsAreDone(code)
    assert.equal((await code.read()).status, 'pending')
    assert.equal(await expiryJobs(code), 1)
    await code.change({ duration: '1m' })
    await t.advance(code.scope, minuteMs)
    await code.becomes('expired', 0)
    await t.advance(code.scope, 60 * minuteMs)
    await dueJobsAreDone(code)
    assert.deepEqual(await code.events(), ['created', 'expired'])
    assert.equal(await expiryJobs(code), 0)
  })
})

describe('a merchant', () => {
  test('can cancel a code, repeatedly; it stays readable', async () => {
    const { cancel, read, events, pay, change } = await openCode()
    for (let i = 0; i < 2; i++)
      assert.deepEqual((await cancel()).body, { success: true, messages: [], result: null })
    assert.equal((await read()).status, 'cancelled')
    assert.deepEqual(await events(), ['created', 'cancelled'])
    assert.equal(await pay(), 'over')
    assert.equal(refusal(await change({ name: 'Fees' })), '409 state_conflict')
  })

  test('cannot cancel while a payment is in flight, or a completed code', async () => {
    const { cancel, begin, becomes } = await openCode()
    await begin({ phoneNumber: silent })
    assert.equal(refusal(await cancel()), '409 state_conflict')
    await becomes('pending', minuteMs)
    await begin()
    await becomes('completed')
    assert.equal(refusal(await cancel()), '409 state_conflict')
  })

  test('who cancels at the same moment as a payer confirms either succeeds or is refused', async () => {
    for (let i = 0; i < 5; i++) {
      const { cancel, pay, read } = await openCode()
      const [cancelled, answer] = await Promise.all([cancel(), pay()])
      const isCancelled = cancelled.status === 200
      assert.equal(answer === 'over', isCancelled)
      assert.equal((await read()).status, isCancelled ? 'cancelled' : 'processing')
    }
  })

  test('can cancel a recurrent code that was paid', async () => {
    const { cancel, begin, settle, events } = await openCode({ mode: 'recurrent' })
    await begin()
    await settle()
    assert.equal((await cancel()).status, 200)
    assert.deepEqual(await events(), ['created', 'processed', 'cancelled'])
  })

  test('can change a code without affecting the payment in flight', async () => {
    const { begin, change, becomes, read } = await openCode()
    await begin({ phoneNumber: slow })
    const { status, body } = await change({ amount: price(900), name: 'Fees' })
    assert.deepEqual([status, body.result.amount, body.result.status], [200, price(900), 'processing'])
    await becomes('completed', 30_000)
    assert.deepEqual((await read()).processedPaymentData.amount, price(500))
  })
})

describe('a recurrent code', () => {
  const recurrent = (recurrentPaymentTarget?: object, more: object = {}) =>
    openCode({ mode: 'recurrent', ...(recurrentPaymentTarget && { recurrentPaymentTarget }), ...more })

  test('accepts payment after payment and stays processing, showing the last one', async () => {
    const { begin, settle, read, events } = await recurrent(undefined, { amount: undefined })
    await begin({ amount: 100n })
    await settle()
    await begin({ phoneNumber: declined, amount: 9n })
    await settle()
    await begin({ amount: 200n })
    await settle()
    assert.equal((await read()).status, 'processing')
    assert.deepEqual((await read()).processedPaymentData.amount, price(200))
    assert.deepEqual(await events(), ['created', 'processed', 'processed'])
    await t.verify()
  })

  test('completes at its count or total, whichever is reached first; the last payment may exceed the total', async () => {
    const target = { expectedPaymentCount: 3, expectedPaymentTotal: price(1_000) }
    const byTotal = await recurrent(target, { amount: undefined })
    for (const amount of [999n, 500n]) {
      await byTotal.begin({ amount })
      await byTotal.settle()
    }
    assert.equal((await byTotal.read()).status, 'completed')
    assert.deepEqual(await byTotal.events(), ['created', 'processed', 'processed', 'completed'])
    const byCount = await recurrent(target, { amount: undefined })
    for (const amount of [1n, 1n, 1n]) {
      await byCount.begin({ amount })
      await byCount.settle()
    }
    assert.equal((await byCount.read()).status, 'completed')
  })

  test('never starts more payments than its count, however many payers confirm and whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 9 }),
        async (count, failing) => {
          const code = await recurrent({ expectedPaymentCount: count })
          for (let paid = 0; paid < count; ) {
            const answers = await Promise.all(
              failing.map((fails, i) => code.pay({ phoneNumber: phone(i, fails ? 1 : 100) })),
            )
            const begun = answers.filter((answer) => typeof answer === 'object')
            assert.equal(begun.length, Math.min(count - paid, failing.length))
            await code.settle()
            // If all payments failed, another payer pays.
            const done = (await code.events()).filter((what) => what === 'processed').length
            if (done === paid) {
              await code.begin({ phoneNumber: phone(99) })
              await code.settle()
            }
            paid = (await code.events()).filter((what) => what === 'processed').length
          }
          const payments = (await code.merchant.call('GET', '/v1/payments?limit=50')).body.result
          const completed = payments.filter(({ status }: { status: string }) => status === 'completed')
          assert.equal(completed.length, count)
          assert.equal((await code.read()).status, 'completed')
          assert.equal(await code.pay(), 'over')
        },
      ),
      { numRuns: 4 },
    )
    await t.verify()
  })

  test('reserves its total for payments in flight, and accepts other payments when those fail', async () => {
    const { begin, pay, settle } = await recurrent(
      { expectedPaymentTotal: price(1_000) },
      { amount: undefined },
    )
    await begin({ phoneNumber: phone(1), amount: 999n })
    await begin({ phoneNumber: silent, amount: 1n })
    assert.equal(await pay({ phoneNumber: phone(2), amount: 1n }), 'busy')
    await settle(minuteMs)
    await begin({ phoneNumber: phone(2), amount: 1n })
    assert.equal(await pay({ phoneNumber: phone(3), amount: 1n }), 'busy')
  })

  test('prompts a phone once at a time', async () => {
    const { begin, pay, settle } = await recurrent()
    await begin({ phoneNumber: silent })
    assert.equal(await pay({ phoneNumber: silent, providerId: 'm18' }), 'busy')
    await begin()
    await settle(minuteMs)
    await begin({ phoneNumber: silent })
  })

  test('allows a hundred payments in flight', async () => {
    const { scope, id, pay, begin } = await recurrent()
    await db.transaction((tx) =>
      tx.run(sql`
        insert into payment_code_attempts (space_id, environment, payment_code_id, payment_id, phone_number, amount, created_at)
        select ${scope.spaceId}, ${scope.environment}, ${id}, gen_random_uuid(), 'x', 1, ${clock.now(scope)}
        from generate_series(1, 99)`),
    )
    await begin()
    assert.equal(await pay({ phoneNumber: phone(1) }), 'busy')
    // These attempts have no payments, which the integrity checks after the next test would find.
    await db.pool.query("delete from payment_code_attempts where phone_number = 'x'")
  })

  test('completes when its target is changed to one that is already met; a payment in flight is then published as processed', async () => {
    const { begin, settle, ...code } = await recurrent({ expectedPaymentCount: 5 })
    await begin()
    await settle()
    await begin({ phoneNumber: slow })
    const { body } = await code.change({ recurrentPaymentTarget: { expectedPaymentCount: 1 } })
    assert.equal(body.result.status, 'completed')
    await settle(30_000)
    const { status, updateTime } = await code.read()
    assert.equal(status, 'completed')
    assert.ok(updateTime > body.result.updateTime)
    assert.deepEqual(await code.events(), ['created', 'processed', 'completed', 'processed'])
    await t.verify()
  })

  test('becomes pending again when all attempts fail at the same time', async () => {
    const code = await recurrent()
    const attempts = [
      await code.begin({ phoneNumber: silent }),
      await code.begin({ phoneNumber: slow }),
      await code.begin({ phoneNumber: phone(1, 3) }),
    ]
    const { scope } = code
    await db.transaction((tx) =>
      paymentCodeOrigin(t.app.parts.settings).failed(
        tx,
        attempts.map((payment) => ({ ...payment, scope })),
      ),
    )
    const { status } = await code.read()
    assert.equal(status, 'pending')
  })

  test('counts a payment once, however often its outcome is reported', async () => {
    const code = await recurrent({ expectedPaymentCount: 2 })
    const paid = await code.begin()
    await code.settle()
    const failed = await code.begin({ phoneNumber: declined })
    await code.settle()
    const before = await code.read()
    const { scope } = code
    const again = (what: 'paid' | 'failed', payment: Payment) =>
      db.transaction((tx) => paymentCodeOrigin(t.app.parts.settings)[what](tx, [{ ...payment, scope }]))
    await Promise.all([again('paid', paid), again('paid', paid), again('failed', failed)])
    assert.deepEqual(await code.read(), before)
    assert.deepEqual(await code.events(), ['created', 'processed'])
  })
})
