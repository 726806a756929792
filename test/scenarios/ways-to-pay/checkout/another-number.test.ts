import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { enqueue } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes } from '../../../support/payment-code.ts'
import { sendForm } from '../payment-links/visitor.ts'
import { fee, followAttempts, openAttempts, type Shown, total } from './attempts.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const open = async (more: object = {}, merchant?: Merchant) => {
  const of = merchant ?? (await t.merchant())
  return { ...(await openAttempts(t, rail, of, more)), merchant: of }
}

/** Pays twice: the first attempt after 30 seconds, the second one, with another number, at once. */
async function payTwice(merchant?: Merchant) {
  const order = await open({}, merchant)
  await order.payer.pay('m17', '076123004')
  await order.payer.another('m17', '076123456')
  await order.pass(300)
  await until(async () => (await order.status()) === 'completed')
  await order.pass(30_000)
  await until(async () => (await order.statuses()).join() === 'completed,completed')
  const [second, first] = await order.payments()
  return { ...order, first, second }
}
const ended = (order: Awaited<ReturnType<typeof open>>) =>
  until(async () => {
    await order.pass(300)
    const [refund] = await order.refunds()
    return ['completed', 'failed'].includes(refund?.status) && refund
  })

describe('"Use another number"', () => {
  test('GET /pay/{key}/another: 200 with the form while a payment is in flight, and its payment starts at once', async () => {
    const { payer, payments, statuses, pass, merchant } = await open()
    await payer.pay('m17', '076123003')
    const waiting = (await payer.look('/wait')).text
    assert.match(waiting, /href="\/pay\/[^"]+\/another">Use another number</)
    const form = (await payer.look('/another')).text
    assert.match(form, /The request to \+23276\*\*\*\*03 is still open/)
    assert.doesNotMatch(form, /Cancel payment/)
    const { status, location } = await payer.another('m17', '076123456')
    assert.deepEqual([status, location?.endsWith('/wait')], [303, true])
    assert.deepEqual(
      (await payments()).map(({ channel }) => channel.phoneNumber),
      ['+23276****03', '+23276****56'],
    )
    assert.match((await payer.look('/wait')).text, /\+23276\*\*\*\*56/)
    await pass(300)
    await until(async () => (await statuses())[1] === 'completed')
    assert.equal((await statuses())[0], 'processing')
    await t.verify()
    assert.equal((await merchant.call('GET', '/v1/refunds')).body.result.length, 0)
  })

  test('a superseded attempt that fails changes nothing on the page', async () => {
    const { payer, statuses, pass, status } = await open()
    await payer.pay('m17', '076123002')
    await payer.another('m17', '076123003')
    await pass(300)
    await until(async () => (await statuses())[0] === 'failed')
    assert.equal(await payer.status(), 'waiting')
    const { text } = await payer.look('/wait')
    assert.match(text, /\+23276\*\*\*\*03/)
    assert.doesNotMatch(text, /\+23276\*\*\*\*02|failed/)
    assert.equal(await status(), 'pending')
  })

  test('POST /pay/{key}: at most two attempts are in flight, and the waiting page offers no third', async () => {
    const { payer, payments, pass } = await open()
    await payer.pay('m17', '076123003')
    const [, formToken] = /name="formToken" value="([^"]+)"/.exec((await payer.look('/another')).text)!
    await payer.another('m17', '076124003')
    assert.doesNotMatch((await payer.look('/wait')).text, /\/another/)
    assert.ok((await payer.look('/another')).location?.endsWith('/wait'))
    const [, second] = await payments()
    const forms = [second.id, (await payments())[0].id, 'pmt-x'].map((supersedes) => ({ supersedes }))
    for (const form of forms)
      assert.equal(
        (await payer.post('', { provider: 'm17', phone: '076125003', formToken: formToken!, ...form }))
          .status,
        303,
      )
    assert.equal((await payments()).length, 2)
    await pass(60_000)
  })

  test('POST /pay/{key}: a double click starts one other attempt, and so do two tabs', async () => {
    const { payer, payments } = await open()
    await payer.pay('m17', '076123003')
    const { text } = await payer.look('/another')
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!
    const form = { provider: 'm17', formToken: hidden('formToken'), supersedes: hidden('supersedes') }
    const phones = ['076124003', '076124003', '076125003', '076126003']
    const pressed = await Promise.all(phones.map((phone) => payer.post('', { ...form, phone })))
    assert.deepEqual(new Set(pressed.map(({ status }) => status)), new Set([303]))
    assert.equal((await payments()).length, 2)
  })

  test('POST /pay/{key}: 422 for the number that was already asked', async () => {
    const { payer, payments } = await open()
    await payer.pay('m17', '076123003')
    const { status, text } = await payer.another('m17', '076 123 003')
    assert.equal(status, 422)
    assert.match(text, /The request to this account is still open/)
    assert.equal((await payments()).length, 1)
  })

  test('if only the second attempt fails, the form says that the first request is still open', async () => {
    const { payer, statuses, pass, status, refunds } = await open()
    await payer.pay('m17', '076123004')
    await payer.another('m17', '076123002')
    await pass(300)
    await until(async () => (await statuses())[1] === 'failed')
    const { text } = await payer.look()
    assert.match(text, /The payment failed/)
    assert.match(text, /The request to \+23276\*\*\*\*04 is still open/)
    assert.doesNotMatch(text, /Back to the open request|Cancel payment/)
    await payer.pay('m17', '076123456')
    await pass(300)
    await until(async () => (await status()) === 'completed')
    await pass(30_000)
    await until(async () => (await statuses()).join() === 'completed,failed,completed')
    await until(async () => (await refunds()).length === 1)
    await t.verify()
  })

  test('a session whose time is up waits for both attempts', async () => {
    const { payer, statuses, pass, status, merchant, session } = await open({ duration: '5m' })
    await payer.pay('m17', '076123003')
    await payer.another('m17', '076123002')
    await t.advance(merchant.scope, 6 * 60_000)
    await pass(300)
    await until(async () => (await statuses())[1] === 'failed')
    assert.equal(await status(), 'pending')
    assert.equal((await merchant.call('DELETE', `/v1/checkout-sessions/${session.id}`)).status, 409)
    assert.match((await payer.look('/wait')).text, /\+23276\*\*\*\*03/)
    await pass(60_000)
    await until(async () => (await status()) === 'expired')
    await t.verify()
  })
})

describe('an order that was paid twice', () => {
  test('the later payment is refunded in full without a fee, and the pages say so', async () => {
    const order = await payTwice()
    const { payer, first, second, refundsOf, read, merchant } = order
    const refund = await ended(order)
    assert.deepEqual(await refundsOf(first.id), [])
    assert.deepEqual(
      [
        refund.paymentId,
        refund.reason,
        refund.amount.value,
        refund.fees,
        refund.createUserId,
        refund.approval,
      ],
      [second.id, 'paid_twice', total, [], null, null],
    )
    const account = await read(`/v1/financial-accounts/${first.financialAccountId}?withBalance=true`)
    assert.equal(account.balance.available.value, total - 2 * fee)
    const { text } = await payer.look()
    assert.match(text, /You paid twice\. Le.150\.00 was returned to \+23276\*\*\*\*04 on \d+ \w+ \d{4}\./)
    assert.match((await payer.look('/receipt')).text, /You paid twice\. Le.150\.00 was returned/)
    const events = (await t.events(merchant.scope)).map(({ type }) => type)
    const count = (type: string) => events.filter((each) => each === type).length
    assert.deepEqual(
      ['payment.completed', 'checkout_session.completed', 'refund.completed'].map(count),
      [2, 1, 1],
    )
    for (const [payment, neighbour] of [
      [first, second],
      [second, first],
    ]) {
      const { entries } = await read(`/v1/payments/${payment.id}/case-file`)
      const attempts = entries.filter(({ kind }: Shown) => kind === 'attempt')
      assert.deepEqual(
        attempts.map(({ paymentId, status }: Shown) => [paymentId, status]),
        [[neighbour.id, 'completed']],
      )
    }
    await t.verify()
  })

  test('the page says which requests are still open, and what is being returned', async () => {
    const order = await open()
    await order.payer.pay('m17', '076123004')
    await order.payer.another('m17', '076123456')
    await order.pass(300)
    await until(async () => (await order.status()) === 'completed')
    assert.match((await order.payer.look()).text, /The request to \+23276\*\*\*\*04 is still open\./)
    await order.pass(30_000)
    await until(async () => (await order.refunds()).length === 1)
    assert.match((await order.payer.look()).text, /You paid twice\. Le.150\.00 is being returned to \+23276/)
  })

  test('the refund needs no approval, and waits without a time limit until the balance suffices', async () => {
    const order = await open()
    const { merchant, payer, pass, refunds, status } = order
    await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 1n))
    await payer.pay('m17', '076123004')
    await payer.another('m17', '076123456')
    await pass(300)
    await until(async () => (await status()) === 'completed')
    await drain(merchant)
    await pass(30_000)
    const refund = await until(async () => (await refunds())[0])
    assert.deepEqual(
      [refund.status, refund.pendingReason, refund.approval],
      ['pending', 'insufficient_balance', null],
    )
    await t.advance(merchant.scope, 40 * 86_400_000)
    await fund(t.app.parts, merchant.scope, fee)
    await t.app.parts.db.transaction((tx) => enqueue(tx, 'refunds.take-up', merchant.scope))
    assert.equal((await ended(order)).status, 'completed')
    await t.verify()
  })

  test('POST /v1/refunds/{id}/cancel: 409, because the payer paid twice', async () => {
    const order = await payTwice()
    const refund = await until(async () => (await order.refunds())[0])
    const { status, body } = await order.merchant.call('POST', `/v1/refunds/${refund.id}/cancel`, {})
    assert.deepEqual([status, body.error.reason], [409, 'state_conflict'])
    assert.equal((await ended(order)).status, 'completed')
  })

  test('POST /v1/refunds: 400 with the reason that only Pesewa uses', async () => {
    const { merchant, first } = await payTwice()
    const { status } = await merchant.call('POST', '/v1/refunds', {
      paymentId: first.id,
      reason: 'paid_twice',
    })
    assert.equal(status, 400)
  })

  test('the job that returns a payment can run any number of times', async () => {
    const order = await payTwice()
    const { db } = t.app.parts
    const payload = { ...order.merchant.scope, paymentId: readId(paymentIds, order.second.id)! }
    for (let i = 0; i < 3; i++)
      await db.transaction((tx) => enqueue(tx, 'checkout-session.return-payment', payload))
    await ended(order)
    await until(async () => {
      const { spaceId } = order.merchant.scope
      const jobs = await db.query(sql`
        select 1 from jobs
        where space_id = ${spaceId} and environment = 'test' and job = 'checkout-session.return-payment'`)
      return jobs.length === 0
    })
    assert.equal((await order.refunds()).length, 1)
    await t.verify()
  })

  test('the rest of the later payment is returned after the merchant’s refund of a part had failed and yet arrived', async () => {
    const merchant = await t.merchant()
    const code = await createCodes(t, rail)({}, merchant)
    const { id: paymentId } = await code.begin()
    await code.becomes('completed')
    await fund(t.app.parts, merchant.scope, total)
    const shownId = showId(paymentIds, paymentId)
    const payment = async () => (await merchant.call('GET', `/v1/payments/${shownId}`)).body.result
    const { amount: paid } = await payment()
    const amount = { ...paid, value: 400 }
    const lost = { paymentId: shownId, reason: 'duplicate', amount, payerMessage: '012' }
    const { id } = (await merchant.call('POST', '/v1/refunds', lost)).body.result
    const statusOf = async () => (await merchant.call('GET', `/v1/refunds/${id}`)).body.result.status
    await until(async () => {
      await rail.advance(300)
      return (await statusOf()) === 'failed'
    })
    await rail.advance(6_000)
    await t.advance(merchant.scope, 3_700_000)
    await until(async () => (await payment()).refund.refundable.value === paid.value - amount.value)
    const { db } = t.app.parts
    await db.transaction((tx) =>
      enqueue(tx, 'checkout-session.return-payment', { ...merchant.scope, paymentId }),
    )
    const returned = await until(async () => {
      const refunds: Shown[] = (await merchant.call('GET', '/v1/refunds')).body.result
      return refunds.find(({ reason }) => reason === 'paid_twice')
    })
    assert.equal(returned.amount.value, paid.value - amount.value)
  })

  for (const { part, divisor } of [
    { part: 'whole', divisor: 1 },
    { part: 'half', divisor: 2 },
  ])
    test(`the later payment is returned in full although the merchant’s refund of the ${part} came first and was then cancelled`, async () => {
      const merchant = await t.merchant()
      await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 1n))
      // The payment of a code, because the books' proof would notice the refund of one that paid its session.
      const code = await createCodes(t, rail)({}, merchant)
      const { id: paymentId } = await code.begin()
      await code.becomes('completed')
      await fund(t.app.parts, merchant.scope, total)
      const { db } = t.app.parts
      const shownId = showId(paymentIds, paymentId)
      const { amount: paid } = (await merchant.call('GET', `/v1/payments/${shownId}`)).body.result
      const refunds = async (): Promise<Shown[]> => (await merchant.call('GET', '/v1/refunds')).body.result
      const returning = () =>
        db.query<{ dueAt: Date }>(sql`
        select due_at from jobs
        where space_id = ${merchant.scope.spaceId} and environment = 'test' and job = 'checkout-session.return-payment'`)
      const run = () =>
        db.transaction((tx) =>
          enqueue(tx, 'checkout-session.return-payment', { ...merchant.scope, paymentId }),
        )
      const own = await merchant.call('POST', '/v1/refunds', {
        ...{ paymentId: shownId, reason: 'duplicate' },
        amount: { currency: 'SLE', value: paid.value / divisor },
      })
      assert.equal(own.body.result.pendingReason, 'approval')
      await run()
      const [later] = await until(async () => {
        const jobs = await returning()
        return jobs.length === 1 && jobs[0]!.dueAt.getTime() > Date.now() + 60_000 && jobs
      })
      assert.ok(later)
      assert.equal((await refunds()).length, 1)
      const cancelled = await merchant.call('POST', `/v1/refunds/${own.body.result.id}/cancel`, {})
      assert.equal(cancelled.body.result.status, 'cancelled')
      await run()
      const returned = await until(async () =>
        (await refunds()).find(({ reason }) => reason === 'paid_twice'),
      )
      assert.deepEqual(returned.amount, paid)
    })
})

test('a payment link for one payment accepts one session with two attempts, and counts one payment', async () => {
  const merchant = await t.merchant()
  const link = (
    await merchant.call('POST', '/v1/payment-links', {
      ...{ name: 'Ticket', maxPayments: 1 },
      lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: total } }],
    })
  ).body.result
  const visit = async () => {
    const answer = await sendForm(link.url)
    return createPayer(new URL(answer.headers.get('location')!, link.url).href)
  }
  const [payer, other] = [await visit(), await visit()]
  const [session] = (
    await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${link.id}&limit=50`)
  ).body.result.filter(({ redirectUrl }: { redirectUrl: string }) => redirectUrl)
  assert.ok(session)
  await payer.pay('m17', '076123004')
  await payer.another('m17', '076123002')
  const counts = async () => {
    const { paymentCount, status } = (await merchant.call('GET', `/v1/payment-links/${link.id}`)).body.result
    return [paymentCount, status]
  }
  const sessions = (await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${link.id}&limit=50`))
    .body.result
  const orders = sessions.map((each: { id: string; orderNumber: string }) =>
    followAttempts(t, rail, merchant, each),
  )
  const pass = orders[0].pass
  await pass(300)
  await until(async () => (await payer.status()) === 'done')
  await t.verify()
  // The failed attempt has not released the slot, because the first one is still in flight.
  await other.pay('m17', '076123456')
  assert.match((await other.look()).text, /could not accept your payment/)
  await payer.pay('m17', '076123456')
  await pass(300)
  await until(async () => (await counts()).join() === '1,completed')
  await pass(30_000)
  await until(async () => {
    const refunds = (
      await Promise.all(orders.map((order: { refunds(): Promise<object[]> }) => order.refunds()))
    ).flat()
    return refunds.length === 1
  })
  assert.deepEqual(await counts(), [1, 'completed'])
  await t.verify()
})

/** Moves the whole balance of the main account to another account. */
async function drain(merchant: Merchant) {
  const [main] = (await merchant.call('GET', '/v1/financial-accounts?withBalance=true')).body.result
  const savings = (
    await merchant.call('POST', '/v1/financial-accounts', { name: 'Savings', currency: 'SLE' })
  ).body.result
  const { status } = await merchant.call('POST', '/v1/internal-transfers', {
    amount: main.balance.available,
    sourceFinancialAccount: { id: main.id },
    destinationFinancialAccount: { id: savings.id },
  })
  assert.equal(status, 200)
}
