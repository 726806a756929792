import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../../../packages/sdk/src/generated/operations.ts'
import { ApiError, type Call, List, Pesewa } from '../../../packages/sdk/src/index.ts'
import { type Entry, entriesOf, exampleOf, openStock, type Stock } from '../../support/examples.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
const entries = await entriesOf(t)
const fetched: string[] = []
let merchant: Merchant
let stock: Stock
let pesewa: Pesewa

before(async () => {
  // Operators can only make changes in live. These calls run in test, where operators can only read.
  merchant = await t.merchant({ isOperator: true })
  stock = await openStock(t, merchant, entries).fill()
  pesewa = new Pesewa({
    ...{ token: merchant.token, space: merchant.spaceId, baseUrl: t.baseUrl, maxRetries: 0 },
    fetch: (url, init) => {
      fetched.push(`${init?.method} ${new URL(String(url)).pathname}`)
      return fetch(url, init)
    },
  })
})

/** The SDK's operations. Functions are written by hand and tested separately. */
type Table = { readonly [name: string]: string | Table | ((...args: never[]) => unknown) }

/** Returns each method of the client with its path, such as `payouts.approve`. */
const methodsIn = (table: Table, path: string[] = []): { path: string[]; entry: string }[] =>
  Object.entries(table).flatMap(([name, entry]) => {
    if (typeof entry === 'function') return []
    return typeof entry === 'string' ? [{ path: [...path, name], entry }] : methodsIn(entry, [...path, name])
  })
const methods = methodsIn(operations)

const routeOf = (entry: string): Entry => {
  const [method, url = ''] = entry.split(' ')
  const found = entries.find(({ name }) => name === `${method} ${url.replace(/\{(\w+)\}/g, ':$1')}`)
  assert.ok(found, `there is no route ${entry}`)
  return found
}

/** Sorts reads first and deletes last. */
const order = ['GET', 'POST', 'PATCH', 'DELETE']
const rank = ({ entry }: { entry: string }) => order.indexOf(entry.split(' ', 1)[0] ?? '')

describe('the client’s', () => {
  for (const { path, entry } of methods.toSorted((a, b) => rank(a) - rank(b)))
    test(path.join('.'), async () => {
      const { route, ...own } = routeOf(entry)
      const [method, , kinds = ''] = entry.split(' ')
      const address = stock.pathOf(route)
      const args: unknown[] = segmentsIn(route.url, address)
      if (kinds.includes('b')) args.push(await stock.withIds(exampleOf({ route, ...own })))
      const query = queryOf(own.name)
      if (kinds.includes('q')) args.push(query)
      const call = methodAt(path)(...args)
      const shown: unknown = await (call instanceof List ? call.page() : call).catch(
        (error: unknown) => error,
      )
      assert.equal(decodeURIComponent(fetched.at(-1) ?? ''), `${method} ${address}`)
      assert.equal(call instanceof List, route.kind === 'list')
      if (shown instanceof ApiError) {
        // The state is wrong, or the call is not allowed in test: the service understood the call and its
        // arguments.
        assert.ok(
          [403, 409].includes(shown.status),
          `${shown.status} ${shown.reason} ${JSON.stringify(shown.details)}`,
        )
      } else if (method === 'GET') await assertSame(shown, address + searchOf(query, kinds))
    })
})

function methodAt(path: string[]): (...args: unknown[]) => Call<unknown> | List<unknown> {
  const found = path.reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], pesewa)
  assert.ok(typeof found === 'function', `there is no ${path.join('.')}`)
  return found as ReturnType<typeof methodAt>
}

const segmentsIn = (pattern: string, address: string): string[] => {
  const parts = address.split('/')
  return pattern
    .split('/')
    .flatMap((segment, i) => (segment.startsWith(':') ? [decodeURIComponent(parts[i] ?? '')] : []))
}

/** Required queries of some routes. */
const queries: Record<string, Record<string, string>> = {
  'GET /v1/search': { q: '+23276123456' },
  'GET /v1/provider-kyc/:providerId': { accountId: '+23276123456' },
  'GET /v1/installation/month-end': { environment: 'test' },
  'GET /v1/installation/open-items': { environment: 'test', providerId: 'm17' },
  'GET /v1/installation/closed-days': { environment: 'test', providerId: 'm17' },
  'GET /v1/installation/providers/:connection/test': { environment: 'test' },
  'GET /v1/installation/spaces/:id/settlements': { environment: 'test' },
  'GET /v1/installation/spaces/:id/fee-preview': { rule: '1%' },
  'GET /v1/installation/unknown-outcomes': { type: 'payment' },
}
const queryOf = (name: string) => queries[name]
const searchOf = (query: Record<string, string> | undefined, kinds: string) =>
  query && kinds.includes('q') ? `?${new URLSearchParams(query)}` : ''

/** Asserts that a value has the same keys as a plain response; values may change between the two. */
async function assertSame(shown: unknown, path: string): Promise<void> {
  const { body } = await merchant.call('GET', path)
  const keys = (value: unknown) =>
    Object.keys(typeof value === 'object' && value !== null ? value : {}).sort()
  const isPage = typeof shown === 'object' && shown !== null && 'items' in shown && 'next' in shown
  if (isPage) assert.deepEqual((shown.items as unknown[]).map(keys), body.result.map(keys))
  else assert.deepEqual(keys(shown), keys(body.result))
}

test('every route open to tokens has a method', () => {
  const named = new Set(methods.map(({ entry }) => routeOf(entry).name))
  const left = entries
    .filter(({ name, route }) => !named.has(name) && route.kind !== 'stream')
    .map(({ name }) => name)
  assert.deepEqual(left, [
    'GET /v1/sessions',
    'DELETE /v1/sessions/:session',
    'GET /v1/passkeys',
    'GET /v1/totp',
    'GET /v1/sign-ins',
  ])
})
