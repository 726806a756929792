import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { entriesOf, placeOf, type Shape } from '../../support/examples.ts'
import { type Answer, startTestApp, until } from '../../support/harness.ts'
import { createPayer } from '../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const merchant = await t.merchant({ isOperator: true })
const stranger = await t.merchant()
const make = async (path: string, body: object, as = merchant) =>
  (await as.call('POST', path, body)).body.result
const account = (currency: string, as = merchant) =>
  make('/v1/financial-accounts', { name: 'Rent', currency }, as)
const [sle, ghs, theirs] = [await account('SLE'), await account('GHS'), await account('SLE', stranger)]

const price = (value: number, currency = 'SLE') => ({ currency, value })
const item = (more: object = {}) => ({ name: 'Cloth', price: price(1_000), ...more })

const session = await make('/v1/checkout-sessions', { name: 'Concert', lineItems: [item()] })
const payer = createPayer(session.redirectUrl)
await payer.pay('m17', '076123456')
await until(async () => (await payer.status()) === 'done' || rail.advance(300))
const payment = (await merchant.call('GET', '/v1/payments')).body.result[0]
const code = await make('/v1/payment-codes', { name: 'Fees', amount: price(500) })
const hook = await make('/v1/webhooks', {
  name: 'Orders',
  url: 'https://shop.example/hook',
  events: ['*'],
  verificationMethod: { type: 'ED25519' },
})

/**
 * Issues of a body: issues of its shape, according to the schema; and issues of its meaning, compared with
 * other fields or existing objects.
 */
type Wrong = { body: object; shape: string[]; meaning: string[] }

const everyIssue: Record<string, Wrong[]> = {
  'POST /v1/checkout-sessions': [
    {
      body: {
        lineItems: [
          item({ price: price(0, 'XXX'), reference: 'a' }),
          item({ reference: 'a', quantity: 0 }),
          item({ name: 5, price: price(1, 'GHS') }),
          7,
          item({ price: { value: 5 } }),
        ],
        paymentOptions: { momo: { enabledProviders: ['m17', 'slb001', 5] }, bank: { disable: 'no' } },
        financialAccountId: theirs.id,
        duration: '1y',
      },
      shape: [
        'name',
        'lineItems[0].price.value',
        'lineItems[1].quantity',
        'lineItems[2].name',
        'lineItems[3]',
        'lineItems[4].price.currency',
        'paymentOptions.momo.enabledProviders[2]',
        'paymentOptions.bank.disable',
        'duration',
      ],
      meaning: [
        'lineItems[0].price.currency',
        'lineItems[1].reference',
        'lineItems[2].price.currency',
        'paymentOptions.momo.enabledProviders[1]',
        'financialAccountId',
      ],
    },
    {
      body: {
        name: '',
        lineItems: [item({ price: price(9_007_199_254_740_991), quantity: 2 })],
        paymentOptions: {
          momo: { disable: true },
          bank: { disable: true },
          wallet: { disable: true },
          card: { disable: true },
        },
        financialAccountId: ghs.id,
      },
      shape: ['name'],
      meaning: ['lineItems', 'paymentOptions', 'financialAccountId'],
    },
  ],
  'POST /v1/payment-codes': [
    {
      body: {
        name: 'a',
        mode: 'one_time',
        amount: price(500, 'XXX'),
        recurrentPaymentTarget: { expectedPaymentTotal: price(500), expectedPaymentCount: 0 },
        authorizedProviders: ['m17', 'dw001', 'mtn-gh', 'm17', 7],
        authorizedPhoneNumber: '123',
        financialAccountId: ghs.id,
      },
      shape: ['name', 'recurrentPaymentTarget.expectedPaymentCount', 'authorizedProviders[4]'],
      meaning: [
        'amount.currency',
        'recurrentPaymentTarget',
        'authorizedProviders[1]',
        'authorizedProviders[2]',
        'authorizedProviders[3]',
        'authorizedPhoneNumber',
        'financialAccountId',
      ],
    },
    {
      // Rules that depend on the mode apply only if the mode is valid.
      body: { name: 'Fees', mode: 'weekly', recurrentPaymentTarget: { expectedPaymentCount: 3 } },
      shape: ['mode'],
      meaning: [],
    },
    {
      body: { name: 'a', authorizedProviders: ['m17'], authorizedPhoneNumber: '076123456' },
      shape: ['name'],
      meaning: ['authorizedProviders', 'authorizedPhoneNumber'],
    },
  ],
  'PATCH /v1/payment-codes/:id': [
    {
      body: {
        name: 'a',
        amount: { currency: 'GHS' },
        recurrentPaymentTarget: { expectedPaymentCount: 3 },
        authorizedProviders: ['dw001'],
        authorizedPhoneNumber: '123',
        financialAccountId: theirs.id,
      },
      shape: ['name', 'amount.value'],
      meaning: [
        'amount.currency',
        'recurrentPaymentTarget',
        'authorizedProviders[0]',
        'authorizedPhoneNumber',
        'financialAccountId',
      ],
    },
  ],
  'POST /v1/payouts': [
    {
      body: {
        amount: price(0, 'XXX'),
        destination: { type: 'momo', providerId: 'nobody', phoneNumber: '123', walletId: 'fatu' },
        source: { financialAccountId: theirs.id },
        metadata: [],
      },
      shape: ['amount.value', 'metadata'],
      meaning: [
        'amount.currency',
        'destination.providerId',
        'destination.phoneNumber',
        'destination.walletId',
        'source.financialAccountId',
      ],
    },
    {
      body: {
        amount: price(0, 'GHS'),
        destination: { type: 'momo', providerId: 'm17', phoneNumber: '123' },
        source: { financialAccountId: sle.id },
      },
      shape: ['amount.value'],
      meaning: ['amount.currency', 'destination.phoneNumber', 'source.financialAccountId'],
    },
    {
      body: {
        amount: price(0, 'GHS'),
        destination: { type: 'momo', providerId: 'mtn-gh' },
        source: { financialAccountId: sle.id },
      },
      shape: ['amount.value'],
      meaning: ['destination.phoneNumber', 'source.financialAccountId'],
    },
    {
      body: { amount: price(0, 'XXX'), destination: { type: 'cash', providerId: 'nobody', phoneNumber: 5 } },
      shape: ['amount.value', 'destination.type', 'destination.phoneNumber'],
      meaning: ['amount.currency', 'destination.providerId'],
    },
    {
      body: { amount: price(0), destination: { type: 'bank', providerId: 'slb001', accountNumber: 5 } },
      shape: ['amount.value', 'destination.accountNumber'],
      meaning: [],
    },
  ],
  'POST /v1/internal-transfers': [
    {
      body: {
        amount: price(0, 'XXX'),
        sourceFinancialAccount: { id: sle.id },
        destinationFinancialAccount: { id: sle.id },
        executeTime: '2020-01-01T00:00:00Z',
        description: 5,
      },
      shape: ['amount.value', 'description'],
      meaning: ['amount.currency', 'destinationFinancialAccount.id', 'executeTime'],
    },
    {
      body: {
        amount: price(0),
        sourceFinancialAccount: { id: ghs.id },
        destinationFinancialAccount: { id: theirs.id },
        executeTime: '2999-01-01T00:00:00Z',
      },
      shape: ['amount.value'],
      meaning: ['sourceFinancialAccount.id', 'destinationFinancialAccount.id', 'executeTime'],
    },
    {
      body: { sourceFinancialAccount: {}, destinationFinancialAccount: { id: theirs.id } },
      shape: ['amount', 'sourceFinancialAccount.id'],
      meaning: ['destinationFinancialAccount.id'],
    },
  ],
  'PATCH /v1/internal-transfers/:id': [{ body: { description: 5 }, shape: ['description'], meaning: [] }],
  'PATCH /v1/payouts/:id': [{ body: { metadata: 5 }, shape: ['metadata'], meaning: [] }],
  'POST /v1/financial-accounts': [
    { body: { currency: 'XXX', reference: 5 }, shape: ['name', 'reference'], meaning: ['currency'] },
  ],
  'PATCH /v1/financial-accounts/:id': [{ body: { name: null }, shape: ['name'], meaning: [] }],
  'PATCH /v1/payments/:id': [
    { body: { name: 'x'.repeat(101), metadata: 5 }, shape: ['metadata'], meaning: ['name'] },
  ],
  'POST /v1/ussd-otps': [
    {
      body: { authorizedPhoneNumber: '123', duration: '1y' },
      shape: ['duration'],
      meaning: ['authorizedPhoneNumber'],
    },
  ],
  'POST /v1/webhooks': [
    {
      body: {
        url: 'http://10.0.0.1/hook',
        events: ['nothing'],
        verificationMethod: { type: 'ED25519', secret: 'a secret of thirty-two characters' },
      },
      shape: ['name', 'events[0]'],
      meaning: ['url', 'verificationMethod.secret'],
    },
    {
      body: {
        name: 'Orders',
        url: 'http://10.0.0.1/hook',
        events: ['*'],
        verificationMethod: { type: 'RS256', secret: 'a secret of thirty-two characters' },
      },
      shape: ['verificationMethod.type'],
      meaning: ['url'],
    },
  ],
  'PATCH /v1/webhooks/:id': [
    { body: { name: '', url: 'http://10.0.0.1/hook' }, shape: ['name'], meaning: ['url'] },
  ],
  'POST /v1/webhooks/:id/rotate-secret': [
    {
      body: { secret: 'a secret of thirty-two characters', type: 'HS256' },
      shape: ['type'],
      meaning: ['secret'],
    },
  ],
  'POST /v1/webhooks/:id/redeliver': [
    {
      body: { since: '2026-11-21T08:00:00Z', until: '2026-11-21T07:00:00Z', status: 'lost' },
      shape: ['status'],
      meaning: ['until'],
    },
    { body: { since: '2999-11-21T08:00:00Z', status: 'lost' }, shape: ['status'], meaning: ['until'] },
    { body: { since: '2999-11-21T08:00:00Z', until: 'soon' }, shape: ['until'], meaning: [] },
  ],
  'POST /v1/receipts/:orderNumber/redeem': [
    {
      body: { redeemAll: true, entitlements: [{ key: 'nothing', units: 0 }, { units: 1 }] },
      shape: ['entitlements[0].units', 'entitlements[1].key'],
      meaning: ['redeemAll', 'entitlements[0].key'],
    },
    { body: { metadata: 5 }, shape: ['metadata'], meaning: ['redeemAll'] },
    { body: { entitlements: [] }, shape: ['entitlements'], meaning: [] },
  ],
  'POST /v1/test-clock': [
    { body: { advance: '1h', reset: true, ahead: 1 }, shape: ['ahead'], meaning: ['reset'] },
    { body: { advance: '1y' }, shape: ['advance'], meaning: [] },
    { body: { ahead: 1 }, shape: ['ahead'], meaning: ['reset'] },
  ],
}

const ids: Record<string, string> = {
  pmc: code.id,
  pay: payment.id,
  whk: hook.id,
  fac: sle.id,
  pyt: 'pyt-01kaj3v5w8e4r9tbn2m6c7d0xz',
  trn: 'trn-01kaj3v5w8e4r9tbn2m6c7d0xz',
}
const withBodies = (await entriesOf(t)).filter(
  ({ route }) => Object.keys((route.body as Shape | undefined)?.properties ?? {}).length > 0,
)
const pathOf = ({ url, idKind }: ApiRoute, params: Record<string, string> = {}) =>
  url
    .replace(':id', ids[idKind?.prefix ?? ''] ?? `${idKind?.prefix}-01kaj3v5w8e4r9tbn2m6c7d0xz`)
    .replace(':orderNumber', session.orderNumber)
    .replace(/:(\w+)/, (whole, name: string) => params[name] ?? whole)

const paramsOf = ({ status, body }: Answer): string[] => {
  assert.deepEqual([status, body.error?.reason], [400, 'arguments_invalid'], JSON.stringify(body))
  return body.error.details.map(({ param }: { param: string }) => param).sort()
}

/** Returns a body in which every field has the wrong type, for routes that validate only the shape. */
function allWrong({ body }: ApiRoute) {
  const fields = Object.entries((body as Shape).properties!)
  const wrong = fields.map(([name, { type }]) => [name, [type].flat().includes('integer') ? 'x' : 5])
  return { body: Object.fromEntries(wrong) as object, shape: fields.map(([name]) => name), meaning: [] }
}

describe('all issues of a body are reported together', () => {
  for (const entry of withBodies) {
    const { route, name, examples } = entry
    test(`${name}: shape and meaning together, each issue on its own field`, async () => {
      const table =
        everyIssue[name] ??
        examples.issues?.[name] ??
        (route.validate || route.rules ? undefined : [allWrong(route)])
      assert.ok(table, `${name} has rules: add bodies that break them to "issues" of ${placeOf(entry)}`)
      const path = pathOf(route, examples.params)
      for (const { body, shape, meaning } of table) {
        const reported = paramsOf(await merchant.call(route.method, path, body))
        assert.deepEqual(reported, [...shape, ...meaning].sort(), JSON.stringify(body))
        const more = paramsOf(await merchant.call(route.method, path, { ...body, nonsense: 1 }))
        assert.deepEqual(more, [...shape, ...meaning, 'nonsense'].sort())
        const query = paramsOf(await merchant.call(route.method, `${path}?nonsense=1`, body))
        assert.deepEqual(query, [...shape, ...meaning, 'nonsense'].sort())
      }
    })
  }

  test('an issue of meaning is reported in the same way whether or not the shape is valid', async () => {
    const sound = {
      amount: price(5, 'XXX'),
      sourceFinancialAccount: { id: sle.id },
      destinationFinancialAccount: { id: ghs.id },
    }
    const detailsOf = async (body: object) =>
      (await merchant.call('POST', '/v1/internal-transfers', body)).body.error.details
    const expected = [{ param: 'amount.currency', errors: ['is not a supported currency'] }]
    assert.deepEqual(await detailsOf(sound), expected)
    assert.deepEqual((await detailsOf({ ...sound, metadata: 5 })).slice(1), expected)
  })

  test('a missing object hides no issue of shape', async () => {
    const path = '/v1/payment-codes/pmc-01kaj3v5w8e4r9tbn2m6c7d0xz'
    assert.deepEqual(paramsOf(await merchant.call('PATCH', path, { name: 5 })), ['name'])
    assert.equal((await merchant.call('PATCH', path, { name: 'Fees' })).status, 404)
  })

  test('at most a hundred issues are reported for one field, and none of another field is hidden', async () => {
    const lineItems = Array.from({ length: 500 }, () => ({ name: '', price: price(0), quantity: 0 }))
    const metadata = { list: Array(500).fill('\0') }
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, i]))
    const body = { ...unknown, lineItems, metadata, financialAccountId: theirs.id }
    const reported = paramsOf(await merchant.call('POST', '/v1/checkout-sessions', body))
    const count = (form: RegExp) => reported.filter((param) => form.test(param)).length
    for (const param of ['name', 'lineItems', 'financialAccountId'])
      assert.ok(reported.includes(param), param)
    assert.equal(count(/^metadata\.list\[\d+\]$/), 100)
    assert.equal(count(/^field\d+$/), 100)
    for (const field of ['name', 'price.value', 'quantity'])
      assert.equal(count(new RegExp(`^lineItems\\[\\d+\\]\\.${field}$`)), 16)
  })
})
