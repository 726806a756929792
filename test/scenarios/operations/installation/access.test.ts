import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import type { Environment } from '../../../../packages/server/src/platform/scope.ts'
import { tokenIds, userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import {
  createToken,
  revokeToken,
  setOperator,
} from '../../../../packages/server/src/tenants/spaces/spaces.ts'
import { entriesOf, fullBodyOf, openStock, type Shape } from '../../../support/examples.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { send } from '../../../support/wire.ts'

const t = await startTestApp({ hasLiveProvider: true })
after(() => t.close())
const { home } = t.app.parts

// Each caller without access calls every installation route, for objects that exist.

const operator = await t.merchant({ isOperator: true })
const owner = await t.merchant()
const all = await entriesOf(t)
const entries = all.filter(({ route: { permission } }) => permission?.startsWith('installation:'))
const stock = await openStock(t, operator, all).fill()

// The newest user and token are those that the routes change, so that the operator keeps access.
const other = await t.merchant()
const otherToken = await home.transaction((tx) =>
  createToken(tx, {
    ...{ userId: other.userId, environment: 'live', name: 'other', scopes: ['*'] },
    ...{ lifeMs: null, spaceIds: null, networks: null },
  }),
)
stock.add(showId(userIds, other.userId))
stock.add(showId(tokenIds, otherToken.token.id))

const tokenOf = async (userId: string, environment: Environment, scopes: string[], spaceIds?: string[]) =>
  home.transaction((tx) =>
    createToken(tx, {
      userId,
      environment,
      name: 'tried',
      scopes,
      lifeMs: null,
      spaceIds: spaceIds ?? null,
      networks: null,
    }),
  )

const isReading = ({ route }: (typeof entries)[number]) => route.permission === 'installation:read'

async function call(entry: (typeof entries)[number], token: string | undefined, spaceId?: string) {
  const { route } = entry
  const { properties = {}, required = [] } = (route.query ?? {}) as Shape
  const needed = required.map((name): [string, string] => [name, String(properties[name]?.examples?.[0])])
  const query = needed.length > 0 ? `?${new URLSearchParams(needed)}` : ''
  return send(t.baseUrl, {
    method: route.method,
    path: stock.pathOf(route, -1) + query,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(spaceId && { 'service-space-id': spaceId }),
      ...(route.body && { 'content-type': 'application/json' }),
      ...(route.kind === 'command' && { 'idempotency-key': randomUUID() }),
    },
    ...(route.body && { body: JSON.stringify(await stock.withIds(fullBodyOf(entry, 'tried'))) }),
  })
}

test('installation routes exist, and each is tested', () => assert.ok(entries.length >= 8))

const { userId } = operator
const spaceId = operator.scope.spaceId
const refused: Record<string, [token: string | undefined, mayRead?: boolean]> = {
  'the owner of a Space, with all scopes': [(await tokenOf(owner.userId, 'live', ['*'])).text],
  'the owner of a Space, with the scope itself': [
    (await tokenOf(owner.userId, 'live', ['installation:write'])).text,
  ],
  'an operator with a token without the scope': [(await tokenOf(userId, 'live', ['payments:write'])).text],
  'an operator with a token limited to a Space': [(await tokenOf(userId, 'live', ['*'], [spaceId])).text],
  'an operator writing with a read-only token': [
    (await tokenOf(userId, 'live', ['installation:read'])).text,
    true,
  ],
  'an operator writing with a test token': [(await tokenOf(userId, 'test', ['*'])).text, true],
}

describe('installation routes refuse', () => {
  for (const [who, [token, mayRead = false]] of Object.entries(refused))
    test(who, async () => {
      for (const entry of entries.filter((one) => !mayRead || !isReading(one)))
        for (const space of [undefined, owner.spaceId]) {
          const { status, json, text } = await call(entry, token, space)
          assert.deepEqual([status, json.error?.reason], [403, 'access_denied'], `${entry.name}: ${text}`)
        }
    })

  test('callers without a token', async () => {
    for (const entry of entries)
      assert.equal((await call(entry, undefined)).json.error?.reason, 'token_missing', entry.name)
  })
})

test('an operator needs the scope or all scopes, and no Space', async () => {
  for (const scopes of [['*'], ['installation:write']]) {
    const { text: token } = await tokenOf(userId, 'live', scopes)
    for (const entry of entries) {
      const { status, text } = await call(entry, token)
      // Some routes name an object that does not exist, or is in another state.
      assert.ok([200, 404, 409].includes(status), `${entry.name}: ${text}`)
    }
  }
  for (const environment of ['test', 'live'] as const) {
    const { text: token } = await tokenOf(userId, environment, ['installation:read'])
    for (const entry of entries.filter(isReading)) {
      const { status, text } = await call(entry, token)
      assert.equal(status, 200, `${entry.name}: ${text}`)
    }
  }
})

describe('within a second', () => {
  const list = (token: string) =>
    send(t.baseUrl, {
      method: 'GET',
      path: '/v1/installation/spaces',
      headers: { authorization: `Bearer ${token}` },
    })
  const refusedAfterMs = async (token: string) => {
    const since = performance.now()
    await until(async () => (await list(token)).status !== 200)
    return performance.now() - since
  }

  test('a user loses and regains operator rights', async () => {
    const second = await t.merchant({ isOperator: true })
    const { text } = await tokenOf(second.userId, 'live', ['*'])
    assert.equal((await list(text)).status, 200)
    await home.transaction((tx) => setOperator(tx, second.userId, false))
    assert.ok((await refusedAfterMs(text)) < 1_000)
    await home.transaction((tx) => setOperator(tx, second.userId, true))
    await until(async () => (await list(text)).status === 200)
  })

  test('a revoked token reads nothing', async () => {
    const { text, token } = await tokenOf(userId, 'live', ['*'])
    assert.equal((await list(text)).status, 200)
    await home.transaction((tx) => revokeToken(tx, token.id))
    assert.ok((await refusedAfterMs(text)) < 1_000)
  })
})
