import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import {
  type Entry,
  entriesOf,
  fullBodyOf,
  kindNamedBy,
  openStock,
  type Shape,
  type Stock,
} from '../../support/examples.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { send, type WireAnswer } from '../../support/wire.ts'

const simulatorClock = createManualClock()
// Nothing listens there, so a delivery fails immediately, in live, too.
const t = await startTestApp({
  hasLiveProvider: true,
  app: { simulatorClock },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
after(() => t.close())

// Every route is called with another owner's objects wherever a call can name one: in its path, query and body.
// The objects are created, and found, through the routes themselves and the slices' examples.

// Installation routes need an operator; test/scenarios/operations/installation covers those.
const entries = (await entriesOf(t)).filter(
  ({ route: { permission } }) => !permission?.startsWith('installation:'),
)
const guarded = entries.filter(({ name, examples }) => !examples.notGuarded?.[name])

/** Creates everything a Space can have in one environment. Every free-text field contains our marker. */
const stockOf = async (merchant: Merchant): Promise<Stock> => {
  const freeText = `k33p-0ut-${merchant.scope.environment}`
  const turn = () => simulatorClock.advance(300)
  return (await openStock(t, merchant, entries, { freeText, turn }).fill()).settle()
}
const owner = await t.merchant()
const ownerLive = await t.merchant({ sameUserAs: owner, environment: 'live' })
const stocks = [await stockOf(owner), await stockOf(ownerLive)]

type Attempt = { path: string; body?: object; headers?: Record<string, string> }

/** Returns the calls of a route that name a Space's objects. */
function attemptsOf(entry: Entry, stock: Stock, bodies: Map<string, object>): Attempt[] {
  const { route, name } = entry
  const path = stock.pathOf(route)
  if (route.kind === 'stream') return [{ path, headers: { 'last-event-id': stock.ids('evt')[0]! } }]
  const body = bodies.get(name)
  if (body) return [{ path, body }]
  return stock.queriesOf(entry).map((query) => ({
    path: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
  }))
}

/** Returns bodies that name a Space's objects, but contain nothing else from it. */
async function bodiesNaming(stock: Stock): Promise<Map<string, object>> {
  const bodies = new Map<string, object>()
  for (const entry of guarded)
    if (entry.route.body) bodies.set(entry.name, await stock.withIds(fullBodyOf(entry, 'Mine')))
  return bodies
}

const isOpen = ({ permission }: ApiRoute) => permission === null

/** Returns everything that the owner can read. */
async function inventory(stock: Stock): Promise<Map<string, unknown>> {
  const seen = new Map<string, unknown>()
  const reads = guarded.filter(({ route }) => !isOpen(route) && ['read', 'list'].includes(route.kind))
  for (const entry of reads)
    for (const { path } of attemptsOf(entry, stock, new Map())) {
      const { status, body } = await stock.merchant.call('GET', path)
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
      seen.set(path, withoutSignature(body.result))
    }
  return seen
}

/**
 * Returns everything that the owner can read before and after an action. Some results cover the hours before
 * they are read, so the action is repeated if a new hour begins meanwhile.
 */
async function changeWithinAnHour(
  stock: Stock,
  act: () => Promise<void>,
): Promise<Record<'before' | 'after', Map<string, unknown>>> {
  const hour = () => Math.floor(Date.now() / 3_600_000)
  const began = hour()
  const before = await inventory(stock)
  await act()
  const after = await inventory(stock)
  return hour() === began ? { before, after } : changeWithinAnHour(stock, act)
}

/** Removes the signature of a delivery, which is made when the delivery is read. */
const withoutSignature = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result).replaceAll(/("name":"webhook-(?:timestamp|signature)","value":")[^"]*/g, '$1'),
  )

/** Filters whose values many Spaces share. */
const sharedFilters = ['provider', 'phoneNumber']

/**
 * Returns the values that must not be shown: the marker, and anything that identifies one of the Space's
 * objects.
 */
const secretsOf = (stock: Stock): string[] => {
  const reads = guarded.filter(({ route }) => !isOpen(route) && route.kind === 'list')
  const values = reads.flatMap((entry) => {
    const shapes = (entry.route.query as Shape | undefined)?.properties ?? {}
    return stock.queriesOf(entry).flatMap((query) =>
      Object.entries(query).flatMap(([filter, value]) => {
        const { type, format, enum: choices } = shapes[filter]!
        return type === 'string' && !format && !choices && !sharedFilters.includes(filter) ? [value] : []
      }),
    )
  })
  const ids = guarded.flatMap(({ route }) => (route.idKind ? stock.ids(route.idKind.prefix) : []))
  return [...new Set([stock.freeText!, ...ids, ...values])]
}

test('every route has something to protect, and its owner finds it', async () => {
  for (const stock of stocks) {
    for (const [path, result] of await inventory(stock))
      assert.notDeepEqual(result, [], `${path} has nothing to protect`)
    for (const { route } of guarded)
      if (route.idKind) assert.ok(stock.ids(route.idKind.prefix).length > 0, route.url)
    for (const secret of secretsOf(stock)) assert.ok(secret.length >= 8, secret)
  }
})

test('every skipped route exists, with a reason', () => {
  const names = new Set(entries.map(({ name }) => name))
  for (const { examples } of entries)
    for (const [name, reason] of Object.entries(examples.notGuarded ?? {}))
      assert.ok(names.has(name) && reason.length > 10, name)
})

type Visitor = { token?: string; spaceId?: string; isStranger?: boolean; hasOwn?: boolean }

/** Sorts reads first, while the caller's own lists are still empty. */
const inReadingOrder = guarded.toSorted(
  (a, b) => Number(a.route.method !== 'GET') - Number(b.route.method !== 'GET'),
)

const call = ({ route }: Entry, { path, body, headers }: Attempt, { token, spaceId }: Visitor) =>
  send(t.baseUrl, {
    method: route.method,
    path,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(spaceId && { 'service-space-id': spaceId }),
      ...(route.kind === 'command' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/** Returns the parameters that refusals may report for an object; `q` may be something unknown. */
function* namesIn({ route }: Entry, { path, headers = {} }: Attempt): Generator<string> {
  function* named(shape: Shape, at: string): Generator<string> {
    if (kindNamedBy(shape)) yield at
    for (const [name, inner] of Object.entries(shape.properties ?? {}))
      yield* named(inner, at ? `${at}.${name}` : name)
  }
  if (route.body) yield* named(route.body as Shape, '')
  if (headers['last-event-id']) yield 'Last-Event-ID'
  for (const [name, value] of new URL(path, t.baseUrl).searchParams)
    if (name !== 'q' && /^[a-z]{3}-[0-9a-z]{26}$/.test(value)) yield name
}

function assertNothingOf(
  secrets: string[],
  { text, status, json }: WireAnswer,
  entry: Entry,
  attempt: Attempt,
  visitor: Visitor,
) {
  const { route, name } = entry
  for (const secret of secrets) assert.ok(!text.includes(secret), `${name} shows ${secret}: ${text}`)
  const { reason, details } = json.error ?? {}
  if (!visitor.token) return assert.equal(reason, 'token_missing')
  if (isOpen(route)) return assert.equal(status, 200)
  if (visitor.isStranger) return assert.equal(reason, 'access_denied')
  if (route.url.includes(':')) return assert.equal(reason, 'not_found', `${name}: ${text}`)
  const names = [...namesIn(entry, attempt)]
  if (names.length > 0) {
    // An unknown id in a query or a body is reported under its field.
    assert.equal(reason, 'arguments_invalid', `${name}: ${text}`)
    assert.ok(
      details.some(({ param }: { param: string }) => names.includes(param)),
      `${name}: ${text}`,
    )
  } else assert.equal(status, 200, `${name}: ${text}`)
  if (route.kind === 'list' && status === 200 && !visitor.hasOwn) assert.deepEqual(json.result, [])
}

for (const stock of stocks) {
  const { environment } = stock.merchant.scope
  const near = await t.merchant({ environment })
  const far = await t.merchant({ environment: environment === 'test' ? 'live' : 'test' })
  const sister = [owner, ownerLive].find((one) => one !== stock.merchant)!
  const { spaceId, token } = stock.merchant
  const visitors: Record<string, Visitor> = {
    'another Space': near,
    'another Space in the other environment': far,
    'the same Space in the other environment': { ...sister, hasOwn: true },
    'a stranger who names the Space': { token: near.token, spaceId, isStranger: true },
    'a stranger of the other environment who names the Space': {
      token: far.token,
      spaceId,
      isStranger: true,
    },
    'the owner in another Space': { token, spaceId: near.spaceId, isStranger: true },
    'a caller without a token who names the Space': { spaceId },
    nobody: {},
  }
  describe(`a Space’s data in ${environment} is not shown`, () => {
    for (const [who, visitor] of Object.entries(visitors))
      test(`to ${who}, by any route`, async () => {
        const secrets = secretsOf(stock)
        const bodies = await bodiesNaming(stock)
        const change = await changeWithinAnHour(stock, async () => {
          for (const entry of inReadingOrder)
            for (const attempt of attemptsOf(entry, stock, bodies))
              assertNothingOf(secrets, await call(entry, attempt, visitor), entry, attempt, visitor)
        })
        assert.deepEqual(change.after, change.before)
      })
  })
}
