import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { startHook } from '../../../support/hook.ts'

const t = await startTestApp()
after(() => t.close())

const path = '/v1/test-clock'
const advance = (merchant: Merchant, by: string) => merchant.call('POST', path, { advance: by })
const nowOf = async (merchant: Merchant) => Date.parse((await merchant.call('GET', path)).body.result.now)

const hour = 3_600_000

async function openSession(merchant: Merchant, duration = '1h') {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 1_000 } }]
  const body = { name: 'Order', lineItems, duration }
  const { id } = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  return async () => (await merchant.call('GET', `/v1/checkout-sessions/${id}`)).body.result.status
}

describe('a test clock', () => {
  test('shows the current time until it is moved, and then the new time', async () => {
    const merchant = await t.merchant()
    assert.equal((await merchant.call('GET', path)).body.result.offsetMs, 0)
    const before = await nowOf(merchant)
    const moved = (await advance(merchant, '2h')).body.result
    assert.equal(moved.offsetMs, 2 * hour)
    assert.ok(Date.parse(moved.now) >= before + 2 * hour)
    assert.equal((await advance(merchant, '30m')).body.result.offsetMs, 2.5 * hour)
  })

  test('runs jobs that become due in its Space, but not in others', async () => {
    const [merchant, other] = [await t.merchant(), await t.merchant()]
    const [mine, theirs] = [await openSession(merchant), await openSession(other)]
    await advance(merchant, '1h')
    await until(async () => (await mine()) === 'expired')
    assert.equal(await theirs(), 'pending')
    const created = await openSession(merchant)
    assert.equal(await created(), 'pending')
  })

  test('runs jobs that become due in order of time, whatever their kind', async () => {
    const merchant = await t.merchant()
    const make = async (path: string, body: object) => {
      const { id, expireTime } = (await merchant.call('POST', path, body)).body.result
      return { id, expireTime }
    }
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const duration = `${5 + ((i * 17) % 30)}m`
        const price = { currency: 'SLE', value: 1_000 }
        if (i % 3 === 0) return make('/v1/payment-codes', { name: 'Cloth', amount: price, duration })
        if (i % 3 === 1)
          return make('/v1/ussd-otps', { authorizedPhoneNumber: `+232762001${10 + i}`, duration })
        return make('/v1/checkout-sessions', {
          name: 'Order',
          lineItems: [{ name: 'Cloth', price }],
          duration,
        })
      }),
    )
    await advance(merchant, '2h')
    const expired = await until(async () => {
      const { result } = (await merchant.call('GET', '/v1/events?limit=50')).body
      const ids = result
        .filter(({ type }: { type: string }) => type.endsWith('.expired'))
        .map(({ object }: { object: { id: string } }) => object.id)
      return ids.length === made.length && ids.reverse()
    })
    const inOrder = made.toSorted((a, b) => Date.parse(a.expireTime) - Date.parse(b.expireTime))
    assert.deepEqual(
      expired,
      inOrder.map(({ id }) => id),
    )
  })

  test('runs webhook retries that become due', async () => {
    const merchant = await t.merchant()
    const hook = await startHook()
    hook.answer = 500
    await merchant.call('POST', '/v1/webhooks', {
      name: 'Shop',
      url: hook.url,
      events: ['checkout_session.*'],
    })
    await openSession(merchant)
    await hook.take(1)
    await until(async () => {
      await advance(merchant, '10s')
      return hook.received.length === 2
    })
    await hook.close()
  })

  test('applies on every node, and can be reset to the current time', async () => {
    const merchant = await t.merchant()
    const node = await startTestApp({ anotherNodeOf: t })
    const there = () => node.app.parts.clock.now(merchant.scope).getTime()
    await advance(merchant, '3d')
    await until(() => there() > Date.now() + 71 * hour)
    const back = (await merchant.call('POST', path, { reset: true })).body.result
    assert.equal(back.offsetMs, 0)
    await until(() => there() < Date.now() + hour)
    await node.close()
  })

  test('applies to the next request on the node that moved it, however often it is moved, and by whom', async () => {
    const merchant = await t.merchant()
    const node = await startTestApp({ anotherNodeOf: t })
    const there = await node.merchant({ sameUserAs: merchant })
    // Concurrent moves make the nodes reload all clocks repeatedly.
    const other = await t.merchant()
    let isOver = false
    const noise = Promise.all(
      [t, node].map(async () => {
        while (!isOver) await advance(other, '1s')
      }),
    )
    const late: string[] = []
    for (let i = 0; i < 150; i++) {
      const [name, caller] = i % 2 === 0 ? ['first', merchant] : ['second', there]
      const { now } = (await advance(caller, '10m')).body.result
      const account = { name: 'Rent', currency: 'SLE' }
      const { createTime } = (await caller.call('POST', '/v1/financial-accounts', account)).body.result
      if (createTime < now) late.push(`${name} node, try ${i}: ${createTime} after ${now}`)
    }
    isOver = true
    await noise
    await node.close()
    assert.deepEqual(late, [])
  })

  test('also applies to the next request after a reset or a repeated idempotency key', async () => {
    const merchant = await t.merchant()
    const node = await startTestApp({ anotherNodeOf: t })
    const there = await node.merchant({ sameUserAs: merchant })
    const key = { 'idempotency-key': 'moved-once' }
    await merchant.call('POST', path, { advance: '1h' }, key)
    await there.call('POST', path, { advance: '1h' }, key)
    assert.ok(node.app.parts.clock.now(merchant.scope).getTime() > Date.now() + hour - 1_000)
    await there.call('POST', path, { reset: true })
    assert.ok(node.app.parts.clock.now(merchant.scope).getTime() <= Date.now())
    await node.close()
  })

  test('POST /v1/test-clock with a repeated idempotency key moves it once', async () => {
    const merchant = await t.merchant()
    const key = { 'idempotency-key': 'clock-1' }
    for (let i = 0; i < 3; i++) await merchant.call('POST', path, { advance: '1h' }, key)
    assert.equal((await merchant.call('GET', path)).body.result.offsetMs, hour)
  })

  test('GET, POST /v1/test-clock: 403 in live, and to POST with read permission only', async () => {
    const merchant = await t.merchant()
    const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
    for (const answer of [await live.call('GET', path), await advance(live, '1h')])
      assert.deepEqual([answer.status, answer.body.error.reason], [403, 'access_denied'])
    const viewer = await t.merchant({ role: 'viewer' })
    assert.equal((await viewer.call('GET', path)).status, 200)
    assert.equal((await advance(viewer, '1h')).status, 403)
  })

  test('POST /v1/test-clock: 400 for an invalid move, 409 beyond ten years', async () => {
    const merchant = await t.merchant()
    const issuesOf = async (body: object) => {
      const answer = await merchant.call('POST', path, body)
      return answer.body.error?.details.map(({ param }: { param: string }) => param)
    }
    assert.deepEqual(await issuesOf({}), ['reset'])
    assert.deepEqual(await issuesOf({ reset: false }), ['reset'])
    assert.deepEqual(await issuesOf({ advance: '1h', reset: true }), ['reset'])
    for (const bad of ['0s', '31d', '-1h', 'soon', ''])
      assert.deepEqual(await issuesOf({ advance: bad }), ['advance'])
    await t.app.parts.db.pool.query(
      `insert into test_clocks (space_id, environment, offset_ms) values ($1, 'test', $2)`,
      [merchant.scope.spaceId, 10 * 366 * 24 * hour - hour],
    )
    assert.equal((await advance(merchant, '1h')).status, 200)
    assert.equal((await advance(merchant, '1s')).body.error.reason, 'state_conflict')
  })
})
