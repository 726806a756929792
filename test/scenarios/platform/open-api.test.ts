import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import fc from 'fast-check'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { querySchema } from '../../../packages/server/src/platform/http/lists/lists.ts'
import { ownReasons } from '../../../packages/server/src/platform/http/openapi/openapi-errors.ts'
import { type RefusalReason, refusalCatalogue } from '../../../packages/server/src/platform/refusals.ts'
import { type Entry, entriesOf, kindNamedBy, openStock, placeOf, type Shape } from '../../support/examples.ts'
import { type Answer, type Merchant, startTestApp } from '../../support/harness.ts'
import {
  arbitraryOf,
  assertDocumented as assertAnswer,
  createDocumentCheck,
  type Described,
  type OpenApi,
  operationIn,
} from '../../support/open-api.ts'

const rail = createManualClock()
// A webhook's first delivery fails immediately.
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
after(() => t.close())
const document = (await (await fetch(`${t.baseUrl}/openapi.json`)).json()) as OpenApi
const check = createDocumentCheck(document)

const apiRoutes = t.app.routes.filter((route): route is ApiRoute => route.kind !== 'raw')
const operationOf = (route: ApiRoute) => operationIn(document, route)

const entries = await entriesOf(t)
const merchant = await t.merchant({ isOperator: true })
const stockOf = (caller: Merchant) => openStock(t, caller, entries, { turn: () => rail.advance(300) })
const stock = await stockOf(merchant).fill()
const price = { currency: 'SLE', value: 1_000 }
const [payment] = stock.objects('/v1/payments')

/**
 * Returns generators for fields that refer to something, by path: to objects of this Space, or to values from
 * the slices.
 */
function namedIn(
  { route, examples }: Entry,
  at = '',
  shape = route.body as Shape,
): Record<string, fc.Arbitrary<unknown>> {
  const ids = stock.ids(kindNamedBy(shape) ?? '')
  const values = examples.fields?.[at] ?? ids
  if (values.length > 0) return { [at]: fc.constantFrom(...values) }
  const inner = [
    ...Object.entries(shape.properties ?? {}).map(
      ([name, one]) => [at ? `${at}.${name}` : name, one] as const,
    ),
    ...(shape.items ? [[`${at}[]`, shape.items] as const] : []),
  ]
  return Object.assign({}, ...inner.map(([path, one]) => namedIn({ route, examples } as Entry, path, one)))
}

const assertDocumented = (route: ApiRoute, answer: Answer) => assertAnswer(check, route, answer)

/** Asserts that a body was refused by a documented rule of the operation. */
function assertRuled(route: ApiRoute, { body }: Answer, given: unknown): void {
  assert.equal(body.error.reason, 'arguments_invalid')
  const { description } = operationOf(route)
  const rules = (route.rules ?? []).filter(({ says }) => description.includes(says))
  for (const { param } of body.error.details) {
    const field = param.replaceAll(/\[\d+\]/g, '[]')
    const isDocumented = rules.some(({ about }) => about.includes(field))
    assert.ok(
      isDocumented,
      `no rule mentions ${field}: ${JSON.stringify(body.error.details)} ${JSON.stringify(given)}`,
    )
  }
}

describe('a request that the document allows is accepted, or refused by a documented rule', () => {
  for (const entry of entries.filter(({ route }) => route.body))
    test(entry.name, async () => {
      const { route, name, examples } = entry
      const caller = examples.inSeparateSpace?.includes(name) ? await t.merchant() : merchant
      // An object that has ended is useless to the other operations.
      const path = stock.pathOf(route, route.method === 'PATCH' ? -1 : 0)
      const { schema } = operationOf(route).requestBody!.content!['application/json']!
      let accepted = 0
      const property = fc.asyncProperty(arbitraryOf(document, schema, namedIn(entry)), async (body) => {
        const answer = await caller.call(route.method, path, body)
        assertDocumented(route, answer)
        if (answer.status === 400) return assertRuled(route, answer, body)
        // A body can name an object that does not exist.
        const isMissing = answer.status === 404 && route.reasons?.includes('not_found')
        assert.ok(
          isMissing || [200, 409].includes(answer.status),
          JSON.stringify([answer.status, answer.body, body]),
        )
        if (answer.status === 200) accepted++
      })
      // With many rules, forty random bodies can all be refused.
      const rounds = examples.withoutSuitableObject?.includes(name) ? 1 : 5
      for (let round = 0; round < rounds && accepted === 0; round++)
        await fc.assert(property, { numRuns: 40 })
      const hint = `it requires more than its schema and example say: add to ${placeOf(entry)}`
      if (!examples.withoutSuitableObject?.includes(name))
        assert.ok(accepted > 0, `none was accepted; ${hint}`)
    })
})

describe('responses match the document', () => {
  for (const { route, name: title } of entries.filter(
    ({ route: { kind } }) => kind === 'read' || kind === 'list',
  ))
    test(title, async () => {
      const path = stock.pathOf(route)
      const { properties = {}, required = [] } = querySchema(route) as Shape
      const query = required.map(
        (name) => `${name}=${encodeURIComponent(String(properties[name]?.examples?.[0]))}`,
      )
      const requestUrl = query.length > 0 ? `${path}?${query.join('&')}` : path
      const answer = await merchant.call('GET', requestUrl)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertDocumented(route, answer)
      assertDocumented(route, await merchant.call('GET', `${path}?nonsense=1`))
      assertDocumented(route, await merchant.call('GET', path, undefined, { authorization: '' }))
    })

  test('every URL in a response is absolute, and its schema declares it as a URL', () => {
    const seen = new Set<string>()
    const inspect = (value: unknown, shape: Shape | undefined, at: string): void => {
      if (Array.isArray(value)) for (const entry of value) inspect(entry, shape?.items, `${at}[]`)
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value))
          inspect(inner, shape?.properties?.[name], `${at}.${name}`)
      // A value without a shape of its own is the merchant's, as metadata is.
      else if (shape && typeof value === 'string' && /^https?:/.test(value)) {
        seen.add(at)
        assert.ok(URL.canParse(value), at)
        assert.equal(shape.format, 'uri', at)
      } else if (shape && /url$/i.test(at)) assert.equal(shape.format, 'uri', at)
    }
    for (const { route } of entries.filter(({ route: { kind } }) => kind === 'list'))
      for (const entry of stock.objects(route.url)) inspect(entry, route.result as Shape, route.url)
    for (const at of ['/v1/checkout-sessions.redirectUrl', '/v1/payment-links.qrUrl', '/v1/webhooks.url'])
      assert.ok(seen.has(at), at)
    const named = [...namesIn(document.components.schemas)].filter(({ name }) => /Url$|^url$/.test(name))
    assert.ok(named.length > 5)
    for (const { name, schema } of named) assert.equal(schema.format, 'uri', name)
  })

  test('GET /, with a token and without', async () => {
    for (const headers of [{}, { authorization: `Bearer ${merchant.token}` }]) {
      const answer = await fetch(`${t.baseUrl}/`, { headers })
      assert.deepEqual(check('GET', '/', answer.status, await answer.json()), [])
    }
  })

  test('operations document their usual refusal statuses and their own reasons', () => {
    const responseOf: Record<string, string> = {
      400: 'BadRequest',
      401: 'Unauthorized',
      403: 'Forbidden',
      404: 'NotFound',
      409: 'Conflict',
      429: 'TooManyRequests',
    }
    for (const route of apiRoutes) {
      const { responses, 'x-reasons': own = [] } = operationOf(route)
      const isRefusedFor = (status: number) => own.some((reason) => statusOf(reason) === status)
      const statuses = [400, 401, 403, 404, 409, 429].filter(
        (status) =>
          isRefusedFor(status) ||
          [400, 401, 403, 429].includes(status) ||
          (status === 404 && route.url.includes(':')) ||
          (status === 409 && route.method === 'POST'),
      )
      const { 200: _, default: other, ...usual } = responses
      assert.deepEqual(
        Object.entries(usual).map(([status, { $ref }]) => [Number(status), $ref]),
        statuses.map((status) => [status, `#/components/responses/${responseOf[status]}`]),
        route.url,
      )
      assert.equal(other!.$ref, '#/components/responses/Refusal')
      assert.deepEqual(own, ownReasons(route))
    }
    for (const [status, name] of Object.entries(responseOf)) {
      const { description, content } = document.components.responses[name]!
      const { example } = content!['application/json']!
      assert.equal((example as { error: { code: number } }).error.code, Number(status))
      for (const [reason, [code]] of Object.entries(refusalCatalogue))
        assert.equal(description!.includes(`\`${reason}\``), code === Number(status), `${name}: ${reason}`)
    }
    const { description } = document.components.responses.Refusal!
    for (const reason of Object.keys(refusalCatalogue))
      assert.ok(description!.includes(`\`${reason}\``), reason)
  })
})

const statusOf = (reason: string) => refusalCatalogue[reason as RefusalReason][0]

/** Returns every field of any schema. */
function* namesIn(schemas: Record<string, Described>): Generator<{ name: string; schema: Described }> {
  for (const schema of Object.values(schemas)) {
    const { properties = {}, items, anyOf = [], oneOf = [] } = schema
    for (const [name, inner] of Object.entries(properties)) yield { name, schema: inner }
    yield* namesIn({
      ...properties,
      ...(items && { items }),
      ...Object.fromEntries([...anyOf, ...oneOf].entries()),
    })
  }
}

describe('the document', () => {
  const schemaOf = (name: string) => document.components.schemas[name]!

  test('nests owners up to the Space, which has no owner', async () => {
    const [owner] = schemaOf('Owner').anyOf!
    assert.equal(owner!.properties!.owner!.$ref, '#/components/schemas/Owner')
    const validate = (value: unknown) => {
      const graph = { ...payment, ownershipGraph: { owner: value } }
      return check('GET', '/v1/payments/{id}', 200, { success: true, messages: [], result: graph }).length
    }
    const space = { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} }
    assert.equal(validate({ ...space, owner: { ...space, owner: { ...space, owner: space } } }), 0)
    assert.ok(validate({ ...space, owner: { ...space, owner: { id: 5 } } }) > 0)
  })

  test('lists the existing versions, and shows no example idempotency key', () => {
    const { Version, IdempotencyKey } = document.components.parameters
    assert.deepEqual(Version!.schema.enum, ['baobab.2026-11-21'])
    assert.equal(JSON.stringify(IdempotencyKey).includes('example'), false)
  })

  test('allows null in every optional field of a POST, at any depth', () => {
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

  test('requires a payout to have the account of its type', () => {
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

  test('documents the defaults that the service uses', async () => {
    const bare = await stock.post('/v1/payment-codes', { name: 'Fees' })
    const { mode, enable } = schemaOf('NewPaymentCode').properties as Record<string, { default?: unknown }>
    assert.deepEqual([mode!.default, enable!.default], [bare.mode, bare.enable])
    const item = schemaOf('NewCheckoutSession').properties!.lineItems!.items!.properties as Record<
      string,
      { default?: unknown }
    >
    const [shown] = (
      await stock.post('/v1/checkout-sessions', { name: 'a', lineItems: [{ name: 'b', price }] })
    ).lineItems.data
    assert.deepEqual([item.quantity!.default, item.type!.default], [shown.quantity, shown.type])
  })

  test('lists every failure code that a transfer can have', () => {
    const { failureDetail } = schemaOf('InternalTransfer').properties!
    assert.deepEqual(failureDetail!.properties!.code!.enum, ['fund_insufficient', 'cancelled', 'unknown'])
  })
})
