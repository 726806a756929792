import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { paymentIds } from '../../../src/payments/resources.ts'
import { visible } from '../../../src/platform/bounds.ts'
import { querySchema } from '../../../src/platform/http/lists.ts'
import type { ApiRoute } from '../../../src/platform/http/route.ts'
import { startTestApp } from '../../harness.ts'
import { send, type WireAnswer } from '../../wire.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const merchant = await t.merchant()
const make = async (path: string, body: object) => (await merchant.call('POST', path, body)).body.result
const account = await make('/v1/financial-accounts', { name: 'Shop', currency: 'SLE' })
const otherAccount = await make('/v1/financial-accounts', { name: 'Other', currency: 'SLE' })

const metadata = { cart: '42' }
const accountBody = { name: 'Rent', currency: 'SLE', reference: 'rent', description: 'Shop', metadata }
const codeChange = {
  name: 'Fees',
  enable: true,
  amount: { currency: 'SLE', value: 1 },
  duration: '1h',
  customer: { name: 'Aminata' },
  reference: 'fees',
  authorizedProviders: ['m17'],
  authorizedPhoneNumber: '076123456',
  recurrentPaymentTarget: {
    expectedPaymentCount: 1,
    expectedPaymentTotal: { currency: 'SLE', value: 1 },
  },
  financialAccountId: account.id,
  metadata,
}
/** For every route with a body: one that names every field there is, each in bounds. */
const fullBodies: Record<string, Record<string, unknown>> = {
  'POST /v1/financial-accounts': accountBody,
  'PATCH /v1/financial-accounts/:id': { name: 'Rent', reference: 'rent 2', description: 'Shop', metadata },
  'PATCH /v1/payments/:id': { name: 'Invoice', metadata },
  'POST /v1/receipts/:orderNumber/redeem': {
    redeemAll: false,
    entitlements: [{ key: 'cloth', units: 1 }],
    metadata,
  },
  'POST /v1/ussd-otps': {
    authorizedPhoneNumber: '+23276123456',
    verificationMessage: 'Welcome',
    duration: '5m',
    metadata,
  },
  'POST /v1/test-clock': { advance: '1s', reset: false },
  'POST /v1/internal-transfers': {
    amount: { currency: 'SLE', value: 1 },
    sourceFinancialAccount: { id: account.id },
    destinationFinancialAccount: { id: otherAccount.id },
    description: 'Rent',
    executeTime: new Date(Date.now() + 3_600_000).toISOString(),
    metadata,
  },
  'PATCH /v1/internal-transfers/:id': { description: 'Rent', metadata },
  // The account stands in the field of its type; null stands for the others.
  'POST /v1/payouts': {
    amount: { currency: 'SLE', value: 1 },
    destination: {
      type: 'momo',
      providerId: 'm17',
      phoneNumber: '076123456',
      accountNumber: null,
      walletId: null,
    },
    source: { financialAccountId: account.id },
    metadata,
  },
  'PATCH /v1/payouts/:id': { metadata },
  'POST /v1/payouts/:id/approve': {},
  'POST /v1/payouts/:id/reject': {},
  'POST /v1/webhooks': {
    name: 'Orders',
    apiRelease: 'baobab',
    url: 'https://shop.example/hook',
    events: ['payment.completed'],
    enabled: true,
    headers: { 'X-Shop': '42' },
    alertEmails: ['dev@shop.example'],
    verificationMethod: { type: 'HS256', secret: 'a secret of thirty-two characters' },
    metadata,
  },
  'PATCH /v1/webhooks/:id': {
    name: 'Orders',
    apiRelease: 'baobab',
    url: 'https://shop.example/hook',
    events: ['payment.completed'],
    enabled: true,
    headers: { 'X-Shop': '42' },
    alertEmails: ['dev@shop.example'],
    metadata,
  },
  'POST /v1/webhooks/:id/rotate-secret': { secret: 'a secret of thirty-two characters' },
  'POST /v1/webhooks/:id/ping': {},
  'POST /v1/webhooks/:id/redeliver': {
    since: '2026-11-21T08:00:00Z',
    until: '2026-11-21T09:00:00Z',
    status: 'failed',
  },
  'POST /v1/deliveries/:id/redeliver': {},
  'POST /v1/checkout-sessions': {
    name: 'Order',
    description: 'Cloth',
    successUrl: 'https://shop.example/a',
    cancelUrl: 'https://shop.example/b',
    callbackState: 'x',
    reference: 'r',
    financialAccountId: account.id,
    lineItems: [
      {
        type: 'custom',
        name: 'Cloth',
        price: { currency: 'SLE', value: 1 },
        quantity: 1,
        reference: 'a',
        description: 'b',
        images: ['https://shop.example/c'],
      },
    ],
    paymentOptions: {
      card: { disable: true },
      bank: { disable: true, enabledProviders: ['slb001'], disabledProviders: ['slb004'] },
      momo: { disable: false, enabledProviders: ['m17'], disabledProviders: ['m18'] },
      wallet: { disable: true, enabledProviders: ['dw001'], disabledProviders: ['dw001'] },
    },
    brandingOptions: { primaryColor: '#0a7' },
    duration: '1h',
    metadata,
  },
  // Providers and a phone number exclude each other; null stands for the one that is left out.
  'POST /v1/payment-codes': {
    ...codeChange,
    mode: 'recurrent',
    authorizedPhoneNumber: null,
  },
  'PATCH /v1/payment-codes/:id': codeChange,
}

const routes = t.app.routes.filter((route): route is ApiRoute => route.kind !== 'raw')
const nameOf = ({ method, url }: ApiRoute) => `${method} ${url}`
const paths: Record<string, string> = { ':code': 'SL', ':providerId': 'm17' }
const ids: Record<string, string> = { fac: account.id }
const pathOf = ({ url, idKind }: ApiRoute) =>
  url.replace(
    /:\w+/,
    (name) =>
      paths[name] ??
      ids[idKind?.prefix ?? ''] ??
      account.id.replace('fac', idKind === paymentIds ? 'pay' : 'cos'),
  )

const post = (route: ApiRoute, body: string | Buffer, query = '') =>
  send(t.baseUrl, {
    method: route.method,
    path: pathOf(route) + query,
    headers: {
      authorization: `Bearer ${merchant.token}`,
      'service-space-id': merchant.spaceId,
      ...(route.body && { 'content-type': 'application/json' }),
      ...(route.kind === 'command' && { 'idempotency-key': randomUUID() }),
    },
    ...(route.body && { body }),
  })

const faultyParams = ({ status, json }: WireAnswer): string[] => {
  assert.ok(status < 500, `answered ${status}`)
  return json.error?.reason === 'arguments_invalid'
    ? json.error.details.map(({ param }: { param: string }) => param)
    : []
}

type Shape = {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  enum?: unknown[]
} & Partial<
  Record<
    'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties',
    number
  >
> &
  Partial<Record<'pattern' | 'format' | '~refine', unknown>>

/** A number that is not to pass through a number on its way into the text. */
const raw = (text: string) => `@raw ${text}@`
const textOf = (body: unknown) => JSON.stringify(body).replace(/"@raw ([^"]*)@"/g, '$1')

const ofEveryType: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  boolean: true,
  array: [],
  object: {},
}
const typesOf = ({ type, enum: choices }: Shape) => (choices ? ['string'] : [type!].flat())

/** Any text with something to see. */
const isName = ({ pattern }: Shape) => typeof pattern === 'string' && pattern.endsWith(visible)

/** What a field of this shape must refuse. */
function* refused(shape: Shape): Generator<unknown> {
  const types = typesOf(shape)
  for (const [type, value] of Object.entries(ofEveryType)) if (!types.includes(type)) yield value
  if (shape.enum) yield* ['other', '', 'Custom']
  if (types.includes('string'))
    yield* ['a\0b', '\ud800', 'x'.repeat(200_000), 'x'.repeat((shape.maxLength ?? 200) + 1)]
  if (isName(shape)) return yield* [' ', '\u00a0\u200b', '\t\n\u0007', ...(shape.minLength ? [''] : [])]
  if (shape.minLength || shape.pattern || shape['~refine'] || shape.format) yield ''
  if (shape.pattern || shape['~refine'] || shape.format) yield* ['🦜', 'مرحبا', ' ']
  if (types.includes('integer')) yield* outOfRange(shape)
  if (types.includes('array') && shape.maxItems) yield Array(shape.maxItems + 1).fill('m17')
  if (types.includes('array') && shape.minItems) yield []
}

const outOfRange = ({ minimum = 0, maximum = 0 }: Shape) => [
  ...[
    '1e400',
    '-1e400',
    '1.00000000000000000001',
    '9007199254740992',
    '9007199254740993',
    '-0',
    '1.5',
    '0.1',
    '1e-9',
  ].map(raw),
  minimum - 1,
  maximum + 1,
]

/** What it must accept: both edges, and text of any script. */
function* accepted(shape: Shape): Generator<unknown> {
  const free = (!shape.pattern || isName(shape)) && !shape['~refine'] && !shape.format && !shape.enum
  if (typesOf(shape).includes('string') && free) {
    yield* ['مرحبا \u202e', '🦜'.repeat(shape.maxLength!), 'x'.repeat(shape.maxLength!)]
    yield 'x'.repeat(shape.minLength ?? 0)
  }
  if (shape.type === 'integer') yield* [shape.minimum, shape.maximum, raw('1.0'), raw('1e0'), raw('10e-1')]
}

type Field = {
  param: string
  shape: Shape
  isRequired: boolean
  put(value: unknown): unknown
  remove(): unknown
}

type Json = Record<string, unknown>

/** What stands at a path such as `lineItems[0].price`. */
const holderOf = (body: Json, at: string): Json =>
  (at.match(/\w+/g) ?? []).reduce((inner, step) => inner[step] as Json, body)

/** Every field of a shape, each with a way to put something else in its place in a copy of the body. */
function* fieldsOf(shape: Shape, body: Json, at = '', whole = body): Generator<Field> {
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    const param = at ? `${at}.${name}` : name
    assert.ok(Object.hasOwn(body, name), `the full body lacks ${param}`)
    const change = (edit: (holder: Json) => void) => {
      const copy = structuredClone(whole)
      edit(holderOf(copy, at))
      return copy
    }
    yield {
      param,
      shape: field,
      isRequired: shape.required?.includes(name) ?? false,
      put: (value) => change((holder) => Object.assign(holder, { [name]: value })),
      remove: () => change((holder) => void delete holder[name]),
    }
    yield* fieldsOf(field, body[name] as Json, param, whole)
    if (field.items) yield* fieldsOf(field.items, (body[name] as Json[])[0]!, `${param}[0]`, whole)
  }
}

/** Account ids and provider ids are judged by what they name, a payee's account by its provider. */
const judgedByMeaning = /[fF]inancialAccount(Id|\.id)|Providers|currency$|^destination\./
/** Not required by the shape, but by what stands beside it. */
const requiredByOthers = 'destination.phoneNumber'
/** Fields of a PATCH that `null` clears. */
const takesNull = ({ type }: Shape) => Array.isArray(type) && type.includes('null')

for (const route of routes.filter(({ body }) => body))
  describe(`${nameOf(route)}: every field`, () => {
    const shape = route.body as Shape
    const full = fullBodies[nameOf(route)]
    assert.ok(full, `${nameOf(route)} has no full body here`)

    test('is known in the full body, which is taken', async () => {
      assert.deepEqual(faultyParams(await post(route, textOf(full))), [])
    })

    for (const { param, shape: field, isRequired, put, remove } of fieldsOf(shape, full))
      test(`${param} refuses what it cannot hold and takes what it can`, async () => {
        const faultsWith = async (body: unknown) => faultyParams(await post(route, textOf(body)))
        const isTold = (params: string[]) =>
          params.some((told) => told === param || told.startsWith(`${param}[`))
        for (const value of refused(field)) {
          const told = await faultsWith(put(value))
          assert.ok(isTold(told), `${param} took ${textOf(value).slice(0, 80)}; told: ${told}`)
        }
        if (!judgedByMeaning.test(param))
          for (const value of accepted(field))
            assert.ok(!isTold(await faultsWith(put(value))), `${param} refused ${textOf(value).slice(0, 80)}`)
        const isNeeded = isRequired || param === requiredByOthers
        const cannotClear = route.method === 'PATCH' && !param.includes('.')
        const refusesNull = (isNeeded || cannotClear) && !takesNull(field)
        assert.equal(isTold(await faultsWith(put(null))), refusesNull, 'null')
        assert.equal(isTold(await faultsWith(remove())), isNeeded, 'left out')
      })

    test('an unknown one is refused on every level that has names', async () => {
      const levels = [{ param: '', shape, put: (value: unknown) => value }, ...fieldsOf(shape, full)]
      for (const { param, shape: level, put } of levels)
        if (level.properties)
          for (const name of ['nonsense', 'constructor', 'toString', '__proto__', 'a.b', '0']) {
            const holder = holderOf(full, param)
            const unknown = `{${JSON.stringify(name)}:{"a":1}`
            const extra = textOf(holder).replace(/^\{(?=(\})?)/, (_, isEmpty) =>
              isEmpty ? unknown : `${unknown},`,
            )
            const told = faultyParams(
              await post(
                route,
                textOf(put(raw('HERE'))).replace('HERE', () => extra),
              ),
            )
            const path = param ? `${param}.${name}` : name
            assert.ok(told.includes(path), `${path} was taken; told: ${told}`)
          }
    })
  })

/** What a query must have. */
const requiredInQuery: Record<string, string> = { accountId: '076123456' }

describe('the query of every route', () => {
  for (const route of routes)
    test(`${nameOf(route)} refuses what it does not know and what is out of bounds`, async () => {
      const { properties = {}, required = [] } = querySchema(route) as Shape
      const told = async (query: string) => {
        const others = required.filter((name) => !query.startsWith(`${name}=`))
        const whole = [query, ...others.map((name) => `${name}=${requiredInQuery[name]}`)].join('&')
        return faultyParams(await post(route, textOf(fullBodies[nameOf(route)] ?? {}), `?${whole}`))
      }
      for (const name of [
        'nonsense',
        '__proto__',
        'constructor',
        'hasOwnProperty',
        'Limit',
        'limit[]',
        'limit.a',
      ])
        for (const value of ['1', '', 'null'])
          assert.deepEqual(await told(`${name}=${value}`), [name], `${name}=${value}`)
      assert.deepEqual(await told('__proto__=1&__proto__=2'), ['__proto__'])
      for (const [name, shape] of Object.entries(properties)) {
        const wrong = {
          string: [`${'x'.repeat(shape.maxLength! + 1)}`, '%00'],
          boolean: ['1', 'yes', 'TRUE', '%00'],
          integer: wrongLimits,
        }
        const values = shape.enum ? ['other', 'Credit'] : wrong[shape.type as keyof typeof wrong]
        for (const value of [...values, `1&${name}=2`])
          assert.deepEqual(await told(`${name}=${value}`), [name], value)
        const whenAbsent = required.includes(name) ? [name] : []
        for (const value of ['', 'null']) assert.deepEqual(await told(`${name}=${value}`), whenAbsent, value)
      }
    })
})

const wrongLimits = [
  '0',
  '51',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  '%2010',
  'ten',
  'NaN',
  'Infinity',
  '9007199254740993',
  '%F0%9F%A6%9C',
]

describe('however much is wrong at once', () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]))
  const wrong = { name: 'x', lineItems: [{ name: 'x', price: { currency: 'SLE', value: -5 } }] }

  test('a body whose unknown fields alone exceed what is told is refused', async () => {
    const merchant = await t.merchant()
    for (const body of [
      { ...unknown, ...wrong },
      { ...wrong, ...unknown },
      { ...wrong, lineItems: [{ ...wrong.lineItems[0], ...unknown }] },
    ]) {
      const { status, body: answer } = await merchant.call('POST', '/v1/checkout-sessions', body)
      assert.deepEqual([status, answer.error.reason], [400, 'arguments_invalid'])
      assert.ok(answer.error.details.length > 0)
    }
  })

  test('a query of a thousand unknown parameters is refused', async () => {
    const merchant = await t.merchant()
    const { status } = await merchant.call(
      'GET',
      `/v1/payments?${new URLSearchParams(unknown as never).toString().slice(0, 12_000)}`,
    )
    assert.equal(status, 400)
  })
})
