import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { markAsked, recordAnswer } from '../../../../packages/server/src/rails/instructions/store.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { openShop, reasonOf, type Shown } from '../../money/refunds/shop.ts'

// The rails' clock stands still until a test moves it.
const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const [neverCallsBack, acceptsNothing] = ['076000006', '076000008']
const minuteMs = 60_000

async function shop() {
  const opened = await openShop(t, rail)
  const { merchant, attempt } = opened
  const ask = (id: string, { as = merchant, of = 'payments' } = {}) =>
    as.call('POST', `/v1/${of}/${id}/ask-provider`, {})
  const file = async (id: string, of = 'payments'): Promise<Shown> =>
    (await merchant.call('GET', `/v1/${of}/${id}/case-file`)).body.result
  const answered = (id: string, of?: string) =>
    until(async () => {
      const { question } = await file(id, of)
      return question?.answer && question
    })
  const sent = (find: () => Promise<Shown>) =>
    until(async () => {
      const found = await find()
      return found?.status === 'processing' && found
    })
  return {
    ...opened,
    ...{ ask, file, answered },
    /** Creates a payment whose outcome the rail does not report. */
    payUnknown: async (phone = '076123456') => sent((await attempt(1_000, 'm17', phone)).find),
    async payOut() {
      const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
      const body = { amount: { currency: 'SLE', value: 300 }, destination }
      return (await merchant.call('POST', '/v1/payouts', body)).body.result as Shown
    },
    sent,
  }
}

describe('a member who asks the provider about a payment', () => {
  test('is told that it is still pending, and asks again after ten seconds and learns the outcome', async () => {
    const { merchant, ask, file, answered, payUnknown, payment } = await shop()
    const { id } = await payUnknown(neverCallsBack)
    // The next scheduled query is so far away that only a question can find the outcome.
    await t.advance(merchant.scope, 40 * minuteMs)
    const farAway = await until(async () => {
      const { next } = await file(id)
      return Date.parse(next.time) > t.app.parts.clock.now(merchant.scope).getTime() + 20 * minuteMs && next
    })
    assert.equal((await file(id)).question, null)
    const { status, body } = await ask(id)
    assert.equal(status, 200)
    assert.equal(body.result.answer, null)
    const question = await answered(id)
    assert.equal(question.answer, 'pending')
    assert.ok(Date.parse(question.answerTime) >= Date.parse(question.askedTime))
    assert.ok(Date.parse(question.answerTime) < Date.parse(farAway.time))
    assert.equal((await payment(id)).status, 'processing')

    await rail.advance(300)
    const refused = await ask(id)
    assert.equal(reasonOf(refused), '429 too_many_requests')
    assert.match(refused.body.error.message, /less than 10 seconds ago/)
    assert.ok(Number(refused.headers.get('retry-after')) <= 10)
    assert.equal((await payment(id)).status, 'processing')

    await t.advance(merchant.scope, 10_000)
    assert.equal((await ask(id)).status, 200)
    await until(async () => (await payment(id)).status === 'completed')
    assert.equal(reasonOf(await ask(id)), '409 state_conflict')
  })

  test('learns that the provider gave no clear answer', async () => {
    const { ask, answered, payUnknown } = await shop()
    const { id } = await payUnknown(acceptsNothing)
    await ask(id)
    assert.equal((await answered(id)).answer, 'unclear')
  })

  test('asks once, even if several members ask at the same time', async () => {
    const { ask, payUnknown } = await shop()
    const { id } = await payUnknown()
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(id)))
    assert.deepEqual(answers.map(reasonOf).sort(), ['200', ...Array(3).fill('429 too_many_requests')])
  })

  test('needs the permission to write payments', async () => {
    const { merchant, ask, payUnknown } = await shop()
    const { id } = await payUnknown()
    const member = (role: string) => t.merchant({ sameSpaceAs: merchant, role })
    const token = (scope: string) => t.merchant({ sameUserAs: merchant, scopes: [scope] })
    const asked = async (as: Merchant) => (await ask(id, { as })).status
    assert.equal(await asked(await member('viewer')), 403)
    assert.equal(await asked(await member('support')), 403)
    assert.equal(await asked(await token('payments:read')), 403)
    assert.equal(await asked(await member('finance')), 200)
    await t.advance(merchant.scope, 10_000)
    assert.equal(await asked(await token('payments:write')), 200)
  })

  test('cannot ask about another Space’s payments, other types or what does not exist', async () => {
    const { merchant, ask, payUnknown, payOut } = await shop()
    const { id } = await payUnknown()
    await fund(t.app.parts, merchant.scope, 1_000)
    const payout = await payOut()
    const others = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
    for (const as of others) assert.equal(reasonOf(await ask(id, { as })), '404 not_found')
    for (const wrong of [
      payout.id,
      'pay-none',
      'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
      payout.id.replace('pot', 'pay'),
    ])
      assert.equal(reasonOf(await ask(wrong)), '404 not_found', wrong)
  })

  test('is not shown the answer to an earlier question', async () => {
    const { merchant, ask, file, answered, payUnknown } = await shop()
    const { id: shownId } = await payUnknown(neverCallsBack)
    assert.equal((await ask(shownId)).status, 200)
    const first = await answered(shownId)
    const { db } = t.app.parts
    const key = { scope: merchant.scope, id: readId(paymentIds, shownId)! }
    const askedAt = new Date(Date.parse(first.askedTime) + 10_000)
    await db.transaction((tx) => markAsked(tx, key.scope, key.id, askedAt))
    const record = (at: Date) => recordAnswer(db, key, { askedAt: at, answer: 'unclear' }, askedAt)
    await record(new Date(first.askedTime))
    assert.equal((await file(shownId)).question.answer, null)
    await record(askedAt)
    assert.equal((await file(shownId)).question.answer, 'unclear')
  })
})

test('a member asks about a payout or a refund only after it was sent', async () => {
  const { merchant, ask, answered, pay, payOut, refund, get, sent } = await shop()
  await pay(3_000)
  const { id: paymentId } = await pay(2_000)
  const openRefund = (await refund(paymentId, 500)).body.result
  await sent(() => get(openRefund.id))
  const openPayout = await payOut()
  await sent(async () => (await merchant.call('GET', `/v1/payouts/${openPayout.id}`)).body.result)
  for (const [id, of] of [
    [openPayout.id, 'payouts'],
    [openRefund.id, 'refunds'],
  ]) {
    assert.equal((await ask(id, { of })).status, 200)
    assert.equal((await answered(id, of)).answer, 'pending')
  }
  await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'payout', 'SLE', 0n))
  const waiting = await payOut()
  const refused = await ask(waiting.id, { of: 'payouts' })
  assert.equal(reasonOf(refused), '409 state_conflict')
  assert.equal(refused.body.error.message, 'This payout has not been sent yet.')
  await t.verify()
})
