import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { entriesOf, openStock, type Shape } from '../../support/examples.ts'
import { startTestApp } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'
import { createPayer } from '../../support/payer.ts'

const t = await startTestApp({ work: false })
after(() => t.close())

const merchant = await t.merchant()
const entries = await entriesOf(t)
const make = async (path: string, body: object) => {
  const { status, body: answer } = await merchant.call('POST', path, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer.result
}
const price = { currency: 'SLE', value: 1_000 }
const main = await fund(t.app.parts, merchant.scope, 100_000)
const rent = await make('/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })

async function payOf(name: string) {
  const session = await make('/v1/checkout-sessions', { name, lineItems: [{ name: 'Cloth', price }] })
  await createPayer(session.redirectUrl).pay('m17', '076123456')
  return (await merchant.call('GET', '/v1/payments')).body.result[0]
}

/** Objects of every kind that can be changed, with as few and with as many fields as possible. */
const objects: Record<string, object[]> = {
  fac: [
    rent,
    await make('/v1/financial-accounts', {
      name: 'Wages',
      currency: 'SLE',
      reference: 'wages',
      description: 'Each month',
      metadata: { a: [null, { b: null }] },
    }),
  ],
  pmc: [
    await make('/v1/payment-codes', { name: 'Fees' }),
    await make('/v1/payment-codes', {
      name: 'Fees',
      mode: 'recurrent',
      amount: price,
      customer: { name: null },
      recurrentPaymentTarget: { expectedPaymentCount: 3, expectedPaymentTotal: null },
      authorizedProviders: ['m17', 'm18'],
      financialAccountId: rent.id,
    }),
    await make('/v1/payment-codes', {
      name: 'Fees',
      mode: 'recurrent',
      customer: { name: 'Aminata' },
      recurrentPaymentTarget: { expectedPaymentTotal: price },
      authorizedPhoneNumber: '076123456',
      enable: false,
      reference: 'fees',
      metadata: { cart: null },
    }),
  ],
  pay: [await payOf('Order 42'), await payOf('An order with a long name '.padEnd(150, 'x'))],
  pyt: [
    await make('/v1/payouts', {
      amount: price,
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
    }),
  ],
  trn: [
    await make('/v1/internal-transfers', {
      amount: price,
      sourceFinancialAccount: { id: main },
      destinationFinancialAccount: { id: rent.id },
    }),
  ],
  whk: [
    await make('/v1/webhooks', { name: 'Orders', url: 'https://shop.example/hook', events: ['*'] }),
    await make('/v1/webhooks', {
      name: 'Orders',
      url: 'https://shop.example/hook',
      events: ['payment.*'],
      enabled: false,
      headers: { 'X-Shop': '42' },
      alertEmails: ['dev@shop.example'],
      verificationMethod: { type: 'ED25519' },
    }),
  ],
}

objects.usr = (await merchant.call('GET', '/v1/members')).body.result

/** Returns objects of other kinds, created by the examples of their slice, one with as many fields as possible. */
async function makeSome(slice: string, prefix: string): Promise<object[]> {
  const stock = openStock(t, merchant, entries)
  await stock.postExamples(slice)
  const made = stock.ids(prefix)
  assert.ok(made.length > 0, `no POST of ${slice} creates a ${prefix}-…: add some to the objects above`)
  return made.map((id) => ({ id }))
}

describe('a PATCH accepts what GET returned', () => {
  for (const { route, name, slice } of entries.filter(({ route }) => route.method === 'PATCH')) {
    const { url, idKind, body } = route
    test(`${name} accepts its fields as they were read, and does not change`, async () => {
      const names = Object.keys((body as Shape).properties!)
      // An object that exists once per Space has no id.
      const made = idKind ? (objects[idKind.prefix] ?? (await makeSome(slice, idKind.prefix))) : [{ id: '' }]
      for (const { id } of made as { id: string }[]) {
        const path = url.replace(':id', id)
        const { updateTime: _, ...before } = (await merchant.call('GET', path)).body.result
        const fields = Object.entries(before).filter(([name]) => names.includes(name))
        const change = Object.fromEntries(fields)
        const answer = await merchant.call('PATCH', path, change)
        assert.equal(answer.status, 200, `${JSON.stringify(change)}: ${JSON.stringify(answer.body)}`)
        const { updateTime: __, ...after } = (await merchant.call('GET', path)).body.result
        assert.deepEqual(after, before)
        for (const [name, value] of fields)
          assert.equal((await merchant.call('PATCH', path, { [name]: value })).status, 200, name)
      }
    })
  }

  test('a payment keeps a name that is too long for new payments, but accepts no other long name', async () => {
    const [, { id, name }] = objects.pay as [unknown, { id: string; name: string }]
    const rename = async (given: string) =>
      (await merchant.call('PATCH', `/v1/payments/${id}`, { name: given })).status
    assert.equal(await rename(`${name.slice(0, -1)}y`), 400)
    assert.equal(await rename('x'.repeat(101)), 400)
    assert.equal(await rename(name), 200)
    assert.equal(await rename('🦜'.repeat(100)), 200)
  })

  test('a nested null means the same as leaving the field out, as in a POST', async () => {
    const [, { id }] = objects.pmc as [unknown, { id: string }]
    const target = { expectedPaymentCount: null, expectedPaymentTotal: price }
    const body = { recurrentPaymentTarget: target, customer: { name: null } }
    const { result } = (await merchant.call('PATCH', `/v1/payment-codes/${id}`, body)).body
    assert.deepEqual([result.recurrentPaymentTarget, result.customer], [target, null])
  })

  test('an empty id, URL or colour means none in a POST, and clears it in a PATCH', async () => {
    const session = await make('/v1/checkout-sessions', {
      name: 'Order 42',
      lineItems: [{ name: 'Cloth', price }],
      successUrl: '',
      cancelUrl: '',
      financialAccountId: '',
      brandingOptions: { primaryColor: '' },
    })
    const { successUrl, cancelUrl, brandingOptions, financialAccountId } = session
    assert.deepEqual(
      [successUrl, cancelUrl, brandingOptions, financialAccountId],
      [null, null, { primaryColor: null }, main],
    )
    const link = await make('/v1/payment-links', {
      name: 'Tickets',
      lineItems: [{ name: 'Ticket', price }],
      successUrl: 'https://shop.example/thanks',
    })
    const { body } = await merchant.call('PATCH', `/v1/payment-links/${link.id}`, { successUrl: '' })
    assert.equal(body.result.successUrl, null)
    const brand = { color: '#0f6b4f', termsUrl: 'https://shop.example/terms' }
    await merchant.call('PATCH', '/v1/settings', { brand })
    const cleared = await merchant.call('PATCH', '/v1/settings', { brand: { color: '', termsUrl: '' } })
    const { color, termsUrl } = cleared.body.result.brand
    assert.deepEqual([color, termsUrl], [null, null])
  })

  test('an empty URL that cannot be cleared is refused, and so is an empty phone number, with which anyone could pay', async () => {
    const [{ id }] = objects.whk as [{ id: string }]
    const issueOf = async (method: string, path: string, body: object) =>
      (await merchant.call(method, path, body)).body.error?.details[0].param
    assert.equal(await issueOf('PATCH', `/v1/webhooks/${id}`, { url: '' }), 'url')
    const code = { name: 'Fees', authorizedPhoneNumber: '' }
    assert.equal(await issueOf('POST', '/v1/payment-codes', code), 'authorizedPhoneNumber')
  })
})
