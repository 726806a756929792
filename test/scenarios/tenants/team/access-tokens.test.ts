import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import type { Environment } from '../../../../packages/server/src/platform/scope.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { createToken, setMember } from '../../../../packages/server/src/tenants/spaces/spaces.ts'
import { maxTokens } from '../../../../packages/server/src/tenants/team/access-tokens.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'

const t = await startTestApp({ hasLiveProvider: true })
after(() => t.close())
const { db, home } = t.app.parts
const url = '/v1/access-tokens'

let shop: Merchant
before(async () => {
  shop = await t.merchant()
})

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Body = any

const newToken = { name: 'Website', scopes: ['payments:read'] }
const create = async (merchant: Merchant, body: object = newToken) => {
  const made = await merchant.call('POST', url, body)
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return made.body.result
}
const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) => [
  status,
  body.error?.reason,
]

/** Sends a request with a token. */
const by = (token: string, path = '/v1/payments', { spaceId } = shop, init: RequestInit = {}) =>
  fetch(t.baseUrl + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId, ...init.headers },
  })

/** Returns the same merchant with another token, which has these rights. */
async function limited(
  merchant: Merchant,
  rights: { scopes?: string[]; networks?: string[]; spaceIds?: string[] },
) {
  const { text } = await home.transaction((tx) =>
    createToken(tx, {
      userId: merchant.userId,
      environment: merchant.scope.environment,
      name: 'limited',
      scopes: ['*'],
      lifeMs: null,
      spaceIds: null,
      networks: null,
      ...rights,
    }),
  )
  return (method: string, path: string, body?: object) =>
    by(text, path, merchant, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as Body }))
}

describe('an access token created over the API', () => {
  test('works immediately, in its Space and environment, with exactly its scopes', async () => {
    const made = await create(shop)
    assert.match(made.token, /^psw_test_\w{38}$/)
    assert.deepEqual(
      [made.status, made.environment, made.isOfThisSpaceOnly, made.networks, made.lastCharacters],
      ['active', 'test', true, null, made.token.slice(-4)],
    )
    assert.equal(Date.parse(made.expireTime) - Date.parse(made.createTime), 90 * 86_400_000)
    assert.equal((await by(made.token)).status, 200)
    assert.equal((await by(made.token, '/v1/payouts')).status, 403)
    const elsewhere = await t.merchant({ sameUserAs: shop })
    const other = await t.merchant()
    await home.transaction((tx) =>
      setMember(tx, { spaceId: other.scope.spaceId, userId: shop.userId, role: 'owner' }),
    )
    assert.equal((await by(made.token, '/v1/payments', other)).status, 403)
    assert.equal((await by(elsewhere.token, '/v1/payments', other)).status, 200)
  })

  test('is never shown again, and only its hash is stored', async () => {
    const made = await create(shop)
    const { token, ...rest } = made
    assert.deepEqual((await shop.call('GET', `${url}/${made.id}`)).body.result, rest)
    const { result } = (await shop.call('GET', `${url}?limit=50`)).body
    assert.deepEqual(
      result.find(({ id }: { id: string }) => id === made.id),
      rest,
    )
    const stored = await db.query<{ text: string }>(sql`
      select tokens::text as text from tokens union all select audit_entries::text from audit_entries
      union all select idempotency_keys::text from idempotency_keys union all select jobs::text from jobs
      union all select event_facts::text from event_facts`)
    const all = stored.map(({ text }) => text).join('\n')
    const random = token.slice(9)
    for (const text of [
      token,
      random,
      Buffer.from(token).toString('hex'),
      Buffer.from(token).toString('base64'),
    ])
      assert.ok(!all.includes(text), text)
  })

  test('can be created without an expiry, and works only from its networks', async () => {
    const made = await create(shop, { ...newToken, duration: 'never', networks: ['192.0.2.0/24'] })
    assert.deepEqual([made.expireTime, made.networks], [null, ['192.0.2.0/24']])
    assert.equal((await by(made.token)).status, 403)
    const short = await create(shop, { ...newToken, duration: '1h', networks: ['127.0.0.0/8'] })
    assert.equal(Date.parse(short.expireTime) - Date.parse(short.createTime), 3_600_000)
    assert.equal((await by(short.token)).status, 200)
  })

  test('shows when it was last used', async () => {
    const made = await create(shop)
    assert.equal(made.lastUseTime, null)
    const node = await startTestApp({ anotherNodeOf: t })
    await fetch(`${node.baseUrl}/v1/payments`, {
      headers: { authorization: `Bearer ${made.token}`, 'service-space-id': shop.spaceId },
    })
    await node.close()
    const { result } = (await shop.call('GET', `${url}/${made.id}`)).body
    assert.ok(Date.parse(result.lastUseTime) >= Date.parse(made.createTime))
  })

  test('400 for an invalid scope, network or lifetime', async () => {
    const bad: [object, string][] = [
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['payments:reads'] }, 'scopes[0]'],
      [{ scopes: ['installation:read'] }, 'scopes[0]'],
      [{ networks: [] }, 'networks'],
      [{ networks: ['10.0.0.0'] }, 'networks'],
      [{ networks: ['10.0.0.0/33'] }, 'networks'],
      [{ duration: '59m' }, 'duration'],
      [{ duration: '3651d' }, 'duration'],
      [{ duration: 'ever' }, 'duration'],
      [{ name: ' ' }, 'name'],
      [{ environment: 'live' }, 'environment'],
      [{ spaceIds: [shop.spaceId] }, 'spaceIds'],
    ]
    for (const [field, param] of bad) {
      const { status, body } = await shop.call('POST', url, { ...newToken, ...field })
      assert.deepEqual(
        [status, body.error.details.map((one: { param: string }) => one.param)],
        [400, [param]],
      )
    }
  })
})

describe('a new token never exceeds its creator’s rights', () => {
  test('as limited by their role', async () => {
    const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
    const refused = await developer.call('POST', url, {
      ...newToken,
      scopes: ['payments:read', 'members:write'],
    })
    assert.deepEqual(refused.body.error.details, [
      { param: 'scopes', errors: ['"members:write" exceeds your permissions in this Space'] },
    ])
    const all = await create(developer, { ...newToken, scopes: ['*'] })
    assert.equal((await by(all.token, '/v1/payments')).status, 200)
    const { result } = (await (await by(all.token, '/v1/me')).json()) as Body
    assert.deepEqual(
      ['payments:write', 'members:read'].map((name) => result.spaces[0].permissions.includes(name)),
      [true, false],
    )
    for (const role of ['viewer', 'finance']) {
      const member = await t.merchant({ sameSpaceAs: shop, role })
      assert.deepEqual(reasonOf(await member.call('POST', url, newToken)), [403, 'access_denied'])
    }
  })

  test('as limited by the scopes, networks and Spaces of their own token', async () => {
    const call = await limited(shop, {
      scopes: ['access-tokens:write', 'payments:write'],
      networks: ['127.0.0.0/8'],
    })
    for (const scope of ['*', 'payouts:read', 'members:write']) {
      const { status, body } = await call('POST', url, { ...newToken, scopes: [scope] })
      assert.deepEqual([status, body.error.details[0].param], [400, 'scopes'], scope)
    }
    for (const network of ['0.0.0.0/0', '126.0.0.0/7', '::/0', '10.0.0.0/8'])
      assert.equal((await call('POST', url, { ...newToken, networks: [network] })).status, 400, network)
    const inside = await call('POST', url, { ...newToken, networks: ['127.0.0.1/32'] })
    assert.equal(inside.status, 200)
    const same = await call('POST', url, { ...newToken, scopes: ['payments:read', 'payments:write'] })
    assert.deepEqual(same.body.result.networks, ['127.0.0.0/8'])
    const { body } = await shop.call('GET', `${url}?limit=50`)
    const wide = body.result.find(
      ({ name, user }: Body) => name === 'test' && user.id === showId(userIds, shop.userId),
    )
    assert.equal(wide.isOfThisSpaceOnly, false)
    assert.deepEqual(reasonOf(await call('POST', `${url}/${wide.id}/roll`, {})), [403, 'access_denied'])
    const bound = await limited(shop, { spaceIds: [shop.scope.spaceId] })
    assert.deepEqual(reasonOf(await bound('POST', `${url}/${wide.id}/roll`, {})), [403, 'access_denied'])
    assert.equal((await bound('POST', `${url}/${inside.body.result.id}/roll`, {})).status, 200)
  })
})

describe('rolling a token', () => {
  test('creates one with the same rights and lifetime, and the old one works during the overlap', async () => {
    const old = await create(shop, { ...newToken, duration: '30d' })
    const rolled = await shop.call('POST', `${url}/${old.id}/roll`, { overlap: '2d' })
    const { result } = rolled.body
    assert.notEqual(result.token, old.token)
    assert.deepEqual([result.name, result.scopes, result.environment], [old.name, old.scopes, 'test'])
    assert.equal(Date.parse(result.expireTime) - Date.parse(result.createTime), 30 * 86_400_000)
    assert.deepEqual([(await by(old.token)).status, (await by(result.token)).status], [200, 200])
    const before = (await shop.call('GET', `${url}/${old.id}`)).body.result
    assert.equal(before.replacedById, result.id)
    const overlapMs = Date.parse(before.expireTime) - Date.parse(result.createTime)
    assert.ok(Math.abs(overlapMs - 48 * 3_600_000) < 5_000, String(overlapMs))
    const again = await shop.call('POST', `${url}/${old.id}/roll`, {})
    assert.deepEqual(reasonOf(again), [409, 'state_conflict'])
  })

  test('without an overlap ends the old one within a second on every node', async () => {
    const old = await create(shop)
    const node = await startTestApp({ anotherNodeOf: t })
    const there = () =>
      fetch(`${node.baseUrl}/v1/payments`, {
        headers: { authorization: `Bearer ${old.token}`, 'service-space-id': shop.spaceId },
      })
    assert.equal((await there()).status, 200)
    assert.equal((await shop.call('POST', `${url}/${old.id}/roll`, { overlap: '0s' })).status, 200)
    await until(async () => (await there()).status === 401 && (await by(old.token)).status === 401)
    await node.close()
  })

  test('never extends the life of the old one', async () => {
    const old = await create(shop, { ...newToken, duration: '2h' })
    await shop.call('POST', `${url}/${old.id}/roll`, { overlap: '7d' })
    assert.equal((await shop.call('GET', `${url}/${old.id}`)).body.result.expireTime, old.expireTime)
  })

  test('with itself keeps its rights', async () => {
    const old = await create(shop, { ...newToken, scopes: ['access-tokens:write'] })
    const response = await by(old.token, `${url}/${old.id}/roll`, shop, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: '{}',
    })
    assert.equal(response.status, 200)
  })

  test('twenty times concurrently creates one', async () => {
    const old = await create(shop)
    const rolls = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', `${url}/${old.id}/roll`, {})),
    )
    assert.deepEqual(rolls.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)])
  })

  test('is refused for another user’s token and for one that no longer works', async () => {
    const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
    const theirs = await create(developer)
    assert.deepEqual(reasonOf(await shop.call('POST', `${url}/${theirs.id}/roll`, {})), [
      403,
      'access_denied',
    ])
    await shop.call('DELETE', `${url}/${theirs.id}`)
    assert.deepEqual(reasonOf(await developer.call('POST', `${url}/${theirs.id}/roll`, {})), [
      409,
      'state_conflict',
    ])
    for (const overlap of ['-1h', '169h', '7d1s', 24, ''])
      assert.equal((await shop.call('POST', `${url}/${theirs.id}/roll`, { overlap })).status, 400)
  })
})

describe('listing and revoking tokens', () => {
  test('covers a member’s own, or all members’ for owners and admins, but never another Space’s or environment’s', async () => {
    const space = await t.merchant()
    const [admin, developer, viewer] = await Promise.all(
      ['admin', 'developer', 'viewer'].map((role) => t.merchant({ sameSpaceAs: space, role })),
    )
    const sees = async (merchant: Merchant | undefined) => {
      const { body } = await merchant!.call('GET', url)
      return new Set(body.result.map(({ user }: { user: { id: string } }) => user.id)).size
    }
    assert.deepEqual(await Promise.all([space, admin, developer, viewer].map(sees)), [4, 4, 1, 1])
    const made = await create(developer!)
    const live = await t.merchant({ sameUserAs: space, environment: 'live' })
    const stranger = await t.merchant()
    for (const merchant of [viewer!, live, stranger])
      assert.deepEqual(reasonOf(await merchant.call('GET', `${url}/${made.id}`)), [404, 'not_found'])
    for (const merchant of [live, stranger])
      for (const [method, path] of [
        ['DELETE', `${url}/${made.id}`],
        ['POST', `${url}/${made.id}/roll`],
      ] as const)
        assert.deepEqual(reasonOf(await merchant.call(method, path, method === 'POST' ? {} : undefined)), [
          404,
          'not_found',
        ])
    assert.deepEqual(reasonOf(await viewer!.call('DELETE', `${url}/${made.id}`)), [403, 'access_denied'])
    assert.equal((await by(made.token, '/v1/payments', space)).status, 200)
    assert.equal((await admin!.call('DELETE', `${url}/${made.id}`)).status, 200)
    assert.equal((await admin!.call('DELETE', `${url}/${made.id}`)).status, 200)
    await until(async () => (await by(made.token, '/v1/payments', space)).status === 401)
    assert.equal((await developer!.call('GET', `${url}/${made.id}`)).body.result.status, 'revoked')
    const idsOf = async (status: string) => {
      const { body } = await space.call('GET', `${url}?status=${status}`)
      return body.result.map(({ id }: { id: string }) => id)
    }
    const [active, expired, revoked] = await Promise.all(['active', 'expired', 'revoked'].map(idsOf))
    assert.deepEqual([active.length, expired, revoked], [4, [], [made.id]])
  })

  test('leaves a token that is also valid in other Spaces to its own user', async () => {
    const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
    const [wide] = (await developer.call('GET', url)).body.result
    assert.equal(wide.isOfThisSpaceOnly, false)
    assert.deepEqual(reasonOf(await shop.call('DELETE', `${url}/${wide.id}`)), [409, 'state_conflict'])
    assert.equal((await developer.call('DELETE', `${url}/${wide.id}`)).status, 200)
  })

  test('pages through all tokens, each once', async () => {
    const space = await t.merchant()
    const developer = await t.merchant({ sameSpaceAs: space, role: 'developer' })
    for (let i = 0; i < 3; i++) for (const merchant of [space, developer]) await create(merchant)
    const ids: string[] = []
    for (let next = ''; ; ) {
      const { body } = await space.call('GET', `${url}?limit=3${next && `&after=${next}`}`)
      ids.push(...body.result.map(({ id }: { id: string }) => id))
      next = body.pagination.next
      if (!next) break
    }
    assert.deepEqual([ids.length, new Set(ids).size], [8, 8])
    assert.deepEqual(ids, ids.toSorted().reverse())
  })
})

describe('repeating the request', () => {
  const send = (merchant: Pick<Merchant, 'token' | 'spaceId'>, key: string) =>
    fetch(t.baseUrl + url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.token}`,
        'service-space-id': merchant.spaceId,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(newToken),
    })

  test('returns the same text to the same caller, and to nobody else', async () => {
    const [first, second] = [await send(shop, 'new-token-1'), await send(shop, 'new-token-1')]
    assert.equal(await second.text(), await first.text())
    assert.equal(second.headers.get('service-idempotent-replay'), 'true')
    const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
    const response = await send(developer, 'new-token-1')
    assert.deepEqual(reasonOf({ status: response.status, body: (await response.json()) as Body }), [
      409,
      'idempotency_key_in_use',
    ])
  })
})

test(`a user has at most ${maxTokens} active tokens, even if many are created concurrently`, async () => {
  const person = await t.merchant()
  const made: { status: number; body: Body }[] = []
  while (made.length < maxTokens + 5)
    made.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => person.call('POST', url, newToken)))))
  // One is the calling token.
  assert.equal(made.filter(({ status }) => status === 200).length, maxTokens - 1)
  const { id } = made.find(({ status }) => status === 200)!.body.result
  await person.call('DELETE', `${url}/${id}`)
  assert.equal((await person.call('POST', url, newToken)).status, 200)
  // Tokens in their overlap count, too.
  let last = (await person.call('GET', `${url}?limit=1`)).body.result[0]
  const statuses = new Map<number, number>()
  for (let i = 0; i < maxTokens + 2; i++) {
    const { status, body } = await person.call('POST', `${url}/${last.id}/roll`, {})
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 200) last = body.result
  }
  assert.deepEqual(Object.fromEntries(statuses), { 200: maxTokens, 409: 2 })
})

test('a session needs a fresh sign-in to create and roll tokens, but not to revoke them', async () => {
  const session = (at: Date) =>
    home.transaction((tx) =>
      beginSession(tx, { userId: shop.userId, method: 'link', address: '127.0.0.1', agent: '' }, at),
    )
  const call = (secret: string, method: string, path: string, environment: Environment = 'test') =>
    fetch(t.baseUrl + path, {
      method,
      headers: {
        cookie: `pesewa=${secret}`,
        'service-space-id': shop.spaceId,
        'service-environment': environment,
        origin: t.app.parts.baseUrl,
        'idempotency-key': randomUUID(),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(path === url ? { ...newToken, scopes: ['*'] } : {}) }),
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as Body }))
  const [fresh, stale] = [await session(new Date()), await session(new Date(Date.now() - 11 * 60_000))]
  const made = await call(fresh, 'POST', url, 'live')
  const { id, token } = made.body.result
  assert.match(token, /^psw_live_/)
  for (const path of [url, `${url}/${id}/roll`])
    assert.deepEqual(reasonOf(await call(stale, 'POST', path, 'live')), [403, 'step_up_required'])
  assert.equal((await call(stale, 'DELETE', `${url}/${id}`, 'live')).status, 200)
})

test('creating, rolling and revoking write audit entries', async () => {
  const person = await t.merchant()
  const made = await create(person)
  await person.call('POST', `${url}/${made.id}/roll`, {})
  await person.call('DELETE', `${url}/${made.id}`)
  await person.call('DELETE', `${url}/${made.id}`)
  const rows = await db.query<{ action: string; actor: string; email: string }>(sql`
    select action, actor, (select email from users where id = ${person.userId}) as email from audit_entries
    where space_id = ${person.scope.spaceId} and environment = 'test' order by id`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['token.create', 'token.roll', 'token.revoke'],
  )
  assert.ok(rows.every(({ actor, email }) => actor === email))
})
