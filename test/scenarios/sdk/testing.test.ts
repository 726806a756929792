import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Pesewa } from '../../../packages/sdk/src/index.ts'
import { payAs, TestPhone, until } from '../../../packages/sdk/src/testing.ts'
import { startTestApp } from '../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
let pesewa: Pesewa
before(async () => {
  const { token, spaceId } = await t.merchant()
  pesewa = new Pesewa({ token, space: spaceId, baseUrl: t.baseUrl })
})

const phoneOf = (number: string) => new TestPhone({ baseUrl: t.baseUrl, provider: 'm17', number })
const order = (value = 500) =>
  pesewa.checkoutSessions.create({
    name: 'Rice',
    lineItems: [{ name: 'Rice', price: { currency: 'SLE', value } }],
  })
const statusOf = async ({ orderNumber }: { orderNumber: string }) => {
  const [payment] = await pesewa.payments.list({ orderNumber }).all({ limit: 1 })
  return payment?.status
}
const becomes = (session: { orderNumber: string }, status: string) =>
  until(
    () => statusOf(session),
    (each) => each === status,
  )

describe('a shop’s test', () => {
  test('pays a session as a payer would, by phone, bank and card', async () => {
    for (const [payer, options, status] of [
      [{ provider: 'm17', phone: '076 123 450' }, {}, 'completed'],
      [{ provider: 'm17', phone: '076 000 001' }, {}, 'failed'],
      [{ provider: 'card' }, {}, 'completed'],
      [{ provider: 'card' }, { page: { answer: 'decline' } }, 'failed'],
      [{ provider: 'slb001', accountNumber: '0011223344' }, { page: { answer: 'cancel' } }, 'failed'],
    ] as const) {
      const session = await order()
      await payAs(session, payer, options)
      await becomes(session, status)
    }
  })

  test('gets an error for a session that cannot be paid, or not with this account', async () => {
    const session = await order()
    await assert.rejects(payAs(session, { provider: 'm17', phone: '1' }), /refused .*"1"/)
    await pesewa.checkoutSessions.delete(session.id)
    await assert.rejects(payAs(session, { provider: 'm17', phone: '076 123 450' }), /cannot be paid/)
  })

  test('operates a phone that shows prompts, and approves and declines them', async () => {
    const phone = phoneOf('076 222 300')
    await phone.askMe()
    const [one, two] = [await order(31_550), await order()]
    await payAs(one, { provider: 'm17', phone: '076 222 300' })
    const { amount, what } = await phone.approve()
    assert.match(`${amount} for ${what}`, /315\.50 for /)
    await becomes(one, 'completed')
    await payAs(two, { provider: 'm17', phone: '076 222 300' })
    await phone.decline()
    await becomes(two, 'failed')
    assert.deepEqual(await phone.prompts(), [])
    const [declined, paid] = await phone.messages()
    assert.match(`${declined} ${paid}`, /you declined it.*You paid/)
    await phone.payByItself()
    const three = await order()
    await payAs(three, { provider: 'm17', phone: '076 222 300' })
    await becomes(three, 'completed')
  })

  test('dials a payment code and pays it', async () => {
    const code = await pesewa.paymentCodes.create({
      name: 'School fees',
      amount: { currency: 'SLE', value: 900 },
    })
    const phone = phoneOf('076 222 301')
    const menu = await phone.dial(code.ussdCode)
    assert.match(menu.text, /School fees/)
    assert.equal(menu.isEnd, false)
    assert.equal((await phone.enter('1')).isEnd, true)
    await until(
      () => pesewa.paymentCodes.retrieve(code.id),
      ({ status }) => status === 'completed',
    )
    await assert.rejects(phone.enter('1'), /No menu is open/)
  })

  test('moves the clock until an object expires', async () => {
    const session = await order()
    await pesewa.testClock.move({ advance: '30d' })
    await until(
      () => pesewa.checkoutSessions.retrieve(session.id),
      ({ status }) => status === 'expired',
    )
    await pesewa.testClock.move({ reset: true })
  })

  test('gets an error for an unknown number, and the last value when time runs out', async () => {
    await assert.rejects(phoneOf('1').prompts(), /is not a phone number/)
    await assert.rejects(
      until(
        () => 1,
        (value) => value === 2,
        { timeoutMs: 10 },
      ),
      /within 10 ms. Last value: 1/,
    )
    await assert.rejects(phoneOf('076 222 309').approve({ timeoutMs: 10 }), /within 10 ms/)
    const nowhere = new TestPhone({ baseUrl: `${t.baseUrl}/nowhere`, provider: 'm17', number: '076 222 309' })
    await assert.rejects(nowhere.messages(), /no simulator/)
  })
})
