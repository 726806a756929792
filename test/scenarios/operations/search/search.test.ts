import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { invalidParamsOf, param } from '../../../support/lists.ts'
import { openShop, type Shown } from '../../money/refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

async function search(merchant: Merchant, q: string): Promise<Shown[]> {
  const { status, body } = await merchant.call('GET', `/v1/search?${param('q', q)}`)
  assert.equal(status, 200, `${q}: ${JSON.stringify(body)}`)
  return body.result
}
const found = async (merchant: Merchant, q: string) =>
  (await search(merchant, q)).map(({ type, id }) => `${type} ${id}`)

describe('GET /v1/search', () => {
  let shop: Awaited<ReturnType<typeof openShop>>
  let [paid, refund, payout, code, link, account, batch]: Shown[] = []
  let session: Shown
  before(async () => {
    shop = await openShop(t, rail)
    const { merchant, attempt, ended, payment } = shop
    const post = async (url: string, body: object) => {
      const answer = await merchant.call('POST', url, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.result
    }
    const attempted = await attempt(15_000)
    session = attempted.session
    paid = await until(async () => {
      await rail.advance(300)
      const read = await attempted.find()
      return read?.status === 'completed' && read
    })
    refund = await ended((await shop.refund(paid.id, 700)).body.result.id)
    paid = await payment(paid.id)
    payout = await post('/v1/payouts', {
      amount: { currency: 'SLE', value: 1_250 },
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '076555444' },
    })
    code = await post('/v1/payment-codes', {
      mode: 'one_time',
      name: 'Loan',
      customer: { name: 'Aminata Kamara' },
    })
    link = await post('/v1/payment-links', {
      name: 'École du soir',
      lineItems: [{ name: 'Fee', price: { currency: 'SLE', value: 999 } }],
    })
    account = await post('/v1/financial-accounts', { name: 'Harbour till', currency: 'SLE' })
    batch = await post('/v1/payout-batches', {
      name: 'Salaries',
      rows: [
        {
          amount: { currency: 'SLE', value: 100 },
          destination: { type: 'momo', providerId: 'm17', phoneNumber: '076100111' },
          name: 'Fatmata Sesay',
        },
      ],
    })
  })

  test('finds a payment, a payout and a refund by phone number, however it is written', async () => {
    for (const q of [
      '076 123 456',
      '076123456',
      '76123456',
      '+23276123456',
      '23276123456',
      '0023276123456',
      '+232 (76) 123-456',
      '+232 76–123–456',
      'tel:+23276123456',
      ' 076.123.456 ',
    ])
      assert.deepEqual(await found(shop.merchant, q), [`payment ${paid.id}`, `refund ${refund.id}`], q)
    assert.deepEqual(await found(shop.merchant, '076 555 444'), [`payout ${payout.id}`])
  })

  test('finds nothing for part of a phone number, because it could reveal a masked number', async () => {
    for (const q of ['076 123', '123456', '23276', '+23276****56'])
      assert.deepEqual(await found(shop.merchant, q), [], q)
  })

  test('finds an object of any type by its id', async () => {
    const { merchant } = shop
    const [event] = (await merchant.call('GET', '/v1/events')).body.result
    const [line] = (await merchant.call('GET', '/v1/financial-transactions')).body.result
    const ids = { payment: paid, refund, payout, checkout_session: session, payment_code: code }
    const others = { payment_link: link, financial_account: account, payout_batch: batch }
    for (const [type, { id }] of Object.entries({ ...ids, ...others, event, financial_transaction: line }))
      for (const q of [id, id.toUpperCase()]) assert.deepEqual(await found(merchant, q), [`${type} ${id}`])
    assert.deepEqual(await found(merchant, 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'), [])
  })

  test('finds objects by order number, by our reference and by the rail’s', async () => {
    const { merchant } = shop
    const both = [`payment ${paid.id}`, `refund ${refund.id}`, `checkout_session ${session.id}`]
    assert.deepEqual(await found(merchant, paid.orderNumber), both)
    assert.deepEqual(await found(merchant, paid.channel.reference), [`payment ${paid.id}`])
    assert.deepEqual(await found(merchant, paid.financialTransactionReference), [`payment ${paid.id}`])
    assert.deepEqual(await found(merchant, code.ussdCode), [`payment_code ${code.id}`])
    assert.deepEqual(await found(merchant, account.uvan), [`financial_account ${account.id}`])
  })

  test('finds payments, payouts and refunds by amount, with or without a currency', async () => {
    for (const q of ['150', '150.00', '150,00', 'Le 150', 'le150', '150 Le', 'SLE 150.00', '150 sle'])
      assert.deepEqual(await found(shop.merchant, q), [`payment ${paid.id}`], q)
    assert.deepEqual(await found(shop.merchant, '12.50'), [`payout ${payout.id}`])
    assert.deepEqual(await found(shop.merchant, '7.00'), [`refund ${refund.id}`])
    for (const q of ['USD 150', '1.50.00', '150 Le Le', '99999999999999999999'])
      assert.deepEqual(await found(shop.merchant, q), [], q)
  })

  test('finds objects by name, regardless of case and accents, and people by whole words', async () => {
    const { merchant } = shop
    assert.ok((await found(merchant, 'ORDER 42')).includes(`payment ${paid.id}`))
    assert.deepEqual(await found(merchant, 'ecole'), [`payment_link ${link.id}`])
    assert.deepEqual(await found(merchant, 'harbour'), [`financial_account ${account.id}`])
    assert.deepEqual(await found(merchant, 'kamara'), [`payment_code ${code.id}`])
    assert.deepEqual(await found(merchant, 'Aminata Kamara'), [`payment_code ${code.id}`])
    const [paidOut] = await until(async () => {
      const payouts = (await merchant.call('GET', `/v1/payouts?batchId=${batch.id}`)).body.result
      return payouts.length > 0 && payouts
    })
    assert.deepEqual(await found(merchant, 'SESAY'), [`payout ${paidOut.id}`])
    for (const q of ['sesa', 'fatmat', 'kamar', 'aminat', '%kamara', 'kamara_'])
      assert.deepEqual(await found(merchant, q), [], q)
  })

  test('shows what is needed to recognize an object, with masked numbers', async () => {
    const [hit] = await search(shop.merchant, paid.id)
    assert.deepEqual(hit, {
      type: 'payment',
      id: paid.id,
      title: 'Order 42',
      subtitle: '+23276****56',
      status: 'completed',
      amount: { currency: 'SLE', value: 15_000 },
      createTime: paid.createTime,
    })
    const [paidOut] = await search(shop.merchant, payout.id)
    assert.equal(paidOut.title, '+23276****44')
  })

  test('shows each role only the types that it may read', async () => {
    const { merchant } = shop
    const support = await t.merchant({ sameSpaceAs: merchant, role: 'support' })
    assert.deepEqual(await found(support, paid.id), [`payment ${paid.id}`])
    assert.deepEqual(await found(support, payout.id), [])
    assert.deepEqual(await found(support, '076 555 444'), [])
    assert.deepEqual(await found(support, 'harbour'), [])
    const scoped = await t.merchant({ sameUserAs: merchant, scopes: ['payments:read', 'refunds:read'] })
    assert.deepEqual(await found(scoped, payout.id), [])
    assert.deepEqual(await found(scoped, refund.id), [`refund ${refund.id}`])
    const unscoped = await t.merchant({ sameUserAs: merchant, scopes: ['refunds:read'] })
    assert.equal((await unscoped.call('GET', '/v1/search?q=harbour')).status, 403)
  })

  test('finds nothing of another Space or environment', async () => {
    const { merchant } = shop
    const strangers = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
    const texts = [paid.id, payout.id, code.id, link.id, account.id, batch.id, code.ussdCode, account.uvan]
    const more = [
      '076 123 456',
      '150',
      paid.orderNumber,
      paid.channel.reference,
      'ecole',
      'kamara',
      'harbour',
    ]
    for (const stranger of strangers)
      for (const q of [...texts, ...more]) assert.deepEqual(await found(stranger, q), [], q)
  })

  test('returns at most 20 objects, at most eight of each type, the newest first', async () => {
    const many = await openShop(t, rail)
    const made: string[] = []
    for (let i = 0; i < 10; i++) made.unshift((await many.pay(300)).id)
    const hits = await found(many.merchant, '076 123 456')
    assert.deepEqual(
      hits,
      made.slice(0, 8).map((id) => `payment ${id}`),
    )
  })

  test('400: refuses a text that is missing, too short, too long or has hidden characters', async () => {
    for (const query of ['', '?q=', '?q=x', `?q=${'x'.repeat(101)}`, '?q=%00ab', '?q=ab&q=cd'])
      assert.deepEqual(await invalidParamsOf(shop.merchant, `/v1/search${query}`), ['q'], query)
    for (const q of [
      '%%',
      '__',
      "'; drop table payments; --",
      '+'.repeat(100),
      '*'.repeat(50),
      '. . . .',
      '\\\\',
    ])
      assert.deepEqual(await found(shop.merchant, q), [], q)
  })
})
