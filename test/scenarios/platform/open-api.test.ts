import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { webhookIds } from '../../../src/events/resources.ts'
import type { ApiRoute } from '../../../src/platform/http/route.ts'
import { createManualClock } from '../../../src/simulator/engine/clock.ts'
import { type Answer, type Merchant, startTestApp, until } from '../../harness.ts'
import { fund } from '../../money.ts'
import { arbitraryOf, createDocumentCheck, type Described, type OpenApi } from '../../open-api.ts'
import { createPayer } from '../../payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const document = (await (await fetch(`${t.baseUrl}/openapi.json`)).json()) as OpenApi
const check = createDocumentCheck(document)

const apiRoutes = t.app.routes.filter((route): route is ApiRoute => route.kind !== 'raw')
const pathOf = ({ url }: ApiRoute) => url.replace(/:(\w+)/g, '{$1}')
const operationOf = (route: ApiRoute) => document.paths[pathOf(route)]![route.method.toLowerCase()]!

const merchant = await t.merchant()
const make = async (path: string, body: object) => {
  const { status, body: answer } = await merchant.call('POST', path, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer.result
}
const price = { currency: 'SLE', value: 1_000 }
const main = await fund(t.app.parts, merchant.scope, 1_000_000)
const rent = await make('/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
const hook = await make('/v1/webhooks', { name: 'Orders', url: 'https://shop.example/a', events: ['*'] })
const session = await make('/v1/checkout-sessions', {
  name: 'Concert',
  lineItems: [{ name: 'Seat', price, quantity: 5, reference: 'seat' }],
  metadata: { cart: '42' },
})
const payer = createPayer(session.redirectUrl)
await payer.pay('m17', '076123456')
await until(async () => (await payer.status()) === 'done' || rail.advance(300))
const payment = (await merchant.call('GET', '/v1/payments')).body.result[0]
const code = await make('/v1/payment-codes', { name: 'Fees', mode: 'recurrent' })
const payout = await make('/v1/payouts', {
  amount: price,
  destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
})
const transfer = await make('/v1/internal-transfers', {
  amount: price,
  sourceFinancialAccount: { id: main },
  destinationFinancialAccount: { id: rent.id },
})
const otp = await make('/v1/ussd-otps', { authorizedPhoneNumber: '076123456' })
const listOf = (path: string) =>
  until(async () => {
    const { result } = (await merchant.call('GET', path)).body
    return result.length > 0 && result
  })
const [event] = await listOf('/v1/events')
const [delivery] = await listOf(`/v1/webhooks/${hook.id}/deliveries`)
const [line] = await listOf('/v1/financial-transactions')

const ids: Record<string, string> = {
  fac: rent.id,
  ftx: line.id,
  pmc: code.id,
  pay: payment.id,
  pyt: payout.id,
  trn: transfer.id,
  cos: session.id,
  whk: hook.id,
  dlv: delivery.id,
  evt: event.id,
  otp: otp.id,
}
const places: Record<string, string> = { ':code': 'SL', ':orderNumber': session.orderNumber }
const providers: Record<string, string> = { momos: 'm17', banks: 'slb001', wallets: 'dw001' }
/** A webhook that a change may have disabled is no use to the others. */
const changed = await make('/v1/webhooks', { name: 'Orders', url: 'https://shop.example/b', events: ['*'] })
const idOf = ({ method, idKind }: ApiRoute) =>
  method === 'PATCH' && idKind === webhookIds ? changed.id : ids[idKind?.prefix ?? '']
const addressOf = (route: ApiRoute) =>
  route.url.replace(
    /:\w+/,
    (name) => places[name] ?? idOf(route) ?? providers[route.url.split('/')[2]!] ?? 'm17',
  )

/** What these fields can name in this Space. */
const account = fc.constantFrom(main, rent.id)
const known = {
  financialAccountId: account,
  'source.financialAccountId': account,
  'sourceFinancialAccount.id': fc.constant(main),
  'destinationFinancialAccount.id': fc.constant(rent.id),
  'entitlements[].key': fc.constant('seat'),
  ...Object.fromEntries(
    ['bank', 'momo', 'wallet'].flatMap((type) =>
      ['enabledProviders', 'disabledProviders'].map((list) => [
        `paymentOptions.${type}.${list}[]`,
        fc.constant(providers[`${type}s`]),
      ]),
    ),
  ),
  'authorizedProviders[]': fc.constantFrom('m17', 'm18'),
}

const assertDocumented = (route: ApiRoute, { status, body }: Answer) =>
  assert.deepEqual(check(route.method, pathOf(route), status, body), [], JSON.stringify(body))

/** That a body is refused by a rule of the operation, in the document's own words. */
function assertRuled(route: ApiRoute, { body }: Answer, given: unknown): void {
  assert.equal(body.error.reason, 'arguments_invalid')
  const { description } = operationOf(route)
  const rules = (route.rules ?? []).filter(({ says }) => description.includes(says))
  for (const { param } of body.error.details) {
    const field = param.replaceAll(/\[\d+\]/g, '[]')
    const isTold = rules.some(({ about }) => about.includes(field))
    assert.ok(
      isTold,
      `no rule tells of ${field}: ${JSON.stringify(body.error.details)} ${JSON.stringify(given)}`,
    )
  }
}

describe('a request that the document allows is accepted, or refused by a rule that it tells', () => {
  /** Nobody has to approve these payouts. */
  const alwaysInConflict = ['/v1/payouts/:id/approve', '/v1/payouts/:id/reject']
  // Each in a Space where neither clocks nor limits of another route are in the way.
  const elsewhere = ['/v1/test-clock', '/v1/webhooks', '/v1/ussd-otps']

  for (const route of apiRoutes.filter(({ body }) => body))
    test(`${route.method} ${route.url}`, async () => {
      const isElsewhere = route.method === 'POST' && elsewhere.includes(route.url)
      const caller: Merchant = isElsewhere ? await t.merchant() : merchant
      const { schema } = operationOf(route).requestBody!.content!['application/json']!
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(arbitraryOf(document, schema, known), async (body) => {
          const answer = await caller.call(route.method, addressOf(route), body)
          assertDocumented(route, answer)
          if (answer.status === 400) return assertRuled(route, answer, body)
          assert.ok([200, 409].includes(answer.status), JSON.stringify([answer.status, answer.body, body]))
          if (answer.status === 200) accepted++
        }),
        { numRuns: 40 },
      )
      if (!alwaysInConflict.includes(route.url)) assert.ok(accepted > 0, 'none was accepted')
    })
})

describe('what is answered is what the document says', () => {
  for (const route of apiRoutes.filter(({ kind }) => kind === 'read' || kind === 'list'))
    test(`${route.method} ${route.url}`, async () => {
      const query = route.url.includes('provider-kyc') ? '?accountId=076123456' : ''
      const answer = await merchant.call('GET', addressOf(route) + query)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertDocumented(route, answer)
      assertDocumented(route, await merchant.call('GET', `${addressOf(route)}?nonsense=1`))
      assertDocumented(route, await merchant.call('GET', addressOf(route), undefined, { authorization: '' }))
    })

  test('GET /, with a token and without', async () => {
    for (const headers of [{}, { authorization: `Bearer ${merchant.token}` }]) {
      const answer = await fetch(`${t.baseUrl}/`, { headers })
      assert.deepEqual(check('GET', '/', answer.status, await answer.json()), [])
    }
  })

  test('where a token is refused for the caller’s address, on routes without a Space too', async () => {
    for (const route of apiRoutes.filter(({ permission }) => permission === null))
      assert.ok(operationOf(route).responses[403], route.url)
  })
})

describe('the document', () => {
  const schemaOf = (name: string) => document.components.schemas[name]!

  test('has an owner that holds an owner, to the Space, which has none', async () => {
    const [owner] = schemaOf('Owner').anyOf!
    assert.deepEqual(owner!.properties!.owner, { $ref: '#/components/schemas/Owner' })
    const validate = (value: unknown) => {
      const graph = { ...payment, ownershipGraph: { owner: value } }
      return check('GET', '/v1/payments/{id}', 200, { success: true, messages: [], result: graph }).length
    }
    const space = { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} }
    assert.equal(validate({ ...space, owner: { ...space, owner: { ...space, owner: space } } }), 0)
    assert.ok(validate({ ...space, owner: { ...space, owner: { id: 5 } } }) > 0)
  })

  test('names the versions there are, and gives no key that would be used twice', () => {
    const { Version, IdempotencyKey } = document.components.parameters
    assert.deepEqual(Version!.schema.enum, ['baobab.2026-11-21'])
    assert.equal(JSON.stringify(IdempotencyKey).includes('example'), false)
  })

  test('takes null for whatever a POST may leave out, at any depth', () => {
    const takesNull = ({ type, enum: choices, anyOf }: Described) =>
      [type].flat().includes('null') || choices?.includes(null) || anyOf?.some((one) => one.type === 'null')
    const resolve = ({ $ref, ...rest }: Described): Described =>
      $ref ? schemaOf($ref.split('/').at(-1)!) : rest
    function* optionalIn(schema: Described, at: string): Generator<string> {
      const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = resolve(schema)
      for (const one of [...anyOf, ...oneOf]) yield* optionalIn(one, at)
      if (items) yield* optionalIn(items, `${at}[]`)
      for (const [name, field] of Object.entries(properties)) {
        if (!required.includes(name) && !takesNull(field)) yield `${at}.${name}`
        yield* optionalIn(field, `${at}.${name}`)
      }
    }
    for (const route of apiRoutes.filter(({ body, method }) => body && method === 'POST')) {
      const { schema } = operationOf(route).requestBody!.content!['application/json']!
      assert.deepEqual([...optionalIn(schema, route.url)], [])
    }
  })

  test('asks of a payout the account of its type', () => {
    const body = document.paths['/v1/payouts']!.post!.requestBody!.content!['application/json']!.schema
    const required = body.properties!.destination!.oneOf!.map(({ properties, required }) => [
      properties!.type!.const,
      required!.at(-1),
    ])
    assert.deepEqual(required, [
      ['momo', 'phoneNumber'],
      ['bank', 'accountNumber'],
      ['wallet', 'walletId'],
    ])
  })

  test('tells what is so when nothing is said, as the service does it', async () => {
    const bare = await make('/v1/payment-codes', { name: 'Fees' })
    const { mode, enable } = schemaOf('NewPaymentCode').properties as Record<string, { default?: unknown }>
    assert.deepEqual([mode!.default, enable!.default], [bare.mode, bare.enable])
    const item = schemaOf('NewCheckoutSession').properties!.lineItems!.items!.properties as Record<
      string,
      { default?: unknown }
    >
    const [shown] = (await make('/v1/checkout-sessions', { name: 'a', lineItems: [{ name: 'b', price }] }))
      .lineItems.data
    assert.deepEqual([item.quantity!.default, item.type!.default], [shown.quantity, shown.type])
  })

  test('knows every code of failure that a transfer can have', () => {
    const { failureDetail } = schemaOf('InternalTransfer').properties!
    assert.deepEqual(failureDetail!.properties!.code!.enum, ['fund_insufficient', 'cancelled', 'unknown'])
  })
})
