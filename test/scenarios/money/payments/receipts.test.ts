import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { only } from '@pesewa/values'
import fc from 'fast-check'
import { createOrders } from '../../../../packages/server/src/money/payments/orders.ts'
import { insertReceipts } from '../../../../packages/server/src/money/payments/receipt-store.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const other = await startTestApp({ work: false, anotherNodeOf: t, app: { simulatorClock: rail } })
after(async () => {
  await other.close()
  await t.close()
})
const { db, clock } = t.app.parts

const price = (value: number) => ({ currency: 'SLE', value })
const order = {
  name: 'Concert',
  lineItems: [
    { name: 'Seat', price: price(1_000), quantity: 3, reference: 'seat' },
    { name: 'Programme', price: price(200) },
  ],
}

/** Opens a session for a payer; `pay` completes the payment. */
async function openSession(more: object = {}, given?: Merchant) {
  const merchant = given ?? (await t.merchant())
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { ...order, ...more })).body.result
  const payer = createPayer(session.redirectUrl)
  const path = `/v1/receipts/${session.orderNumber}`
  return {
    merchant,
    session,
    payer,
    pay: async (phone = '076 123 456') => {
      await payer.pay('m17', phone)
      await until(async () => (await payer.status()) === 'done' || rail.advance(300))
    },
    read: () => merchant.call('GET', path),
    redeem: (body: object, headers = {}) => merchant.call('POST', `${path}/redeem`, body, headers),
  }
}

async function paidSession(more: object = {}) {
  const session = await openSession(more)
  await session.pay()
  return session
}

type Shown = { key: string; limit: number; current: number; remaining: number; exhausted: boolean }
const currents = ({ entitlements }: { entitlements: Shown[] }) => entitlements.map(({ current }) => current)
const issues = ({ status, body }: { status: number; body: { error: { details: { param: string }[] } } }) => {
  assert.equal(status, 400)
  return body.error.details.map(({ param }) => param)
}

describe('GET /v1/receipts/{orderNumber}', () => {
  test('404 until the payment has completed, then 200 with the items', async () => {
    const { merchant, session, pay, read } = await openSession()
    assert.equal((await read()).status, 404)
    await pay()
    const { status, body } = await read()
    assert.equal(status, 200)
    const [payment] = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
      .result
    assert.deepEqual(body.result, {
      status: 'not_redeemed',
      orderName: 'Concert',
      orderNumber: session.orderNumber,
      orderAmount: price(3_200),
      entitlements: [
        { key: 'seat', name: 'Seat', limit: 3, current: 0, remaining: 3, exhausted: false },
        {
          key: session.lineItems.data[1].id,
          name: 'Programme',
          limit: 1,
          current: 0,
          remaining: 1,
          exhausted: false,
        },
      ],
      createTime: payment.updateTime,
      updateTime: payment.updateTime,
      metadata: {},
    })
    await t.verify()
  })

  test('404 after a failed payment, 200 after a later attempt completes', async () => {
    const { pay, read } = await openSession()
    await pay('076 123 001')
    assert.equal((await read()).status, 404)
    await pay()
    assert.equal((await read()).status, 200)
  })

  test('404 for anything but an order number', async () => {
    const merchant = await t.merchant()
    for (const number of [
      '000000000000',
      '%00',
      'x',
      '1'.repeat(13),
      '%D9%A1'.repeat(12),
      '1%27%20or%201=1',
    ]) {
      assert.equal((await merchant.call('GET', `/v1/receipts/${number}`)).status, 404)
      const redeemed = await merchant.call('POST', `/v1/receipts/${number}/redeem`, { redeemAll: true })
      assert.equal(redeemed.status, 404)
    }
  })

  test('200 with receipts:read, 403 for redeeming without receipts:write, and 403 for strangers', async () => {
    const { merchant, session, read } = await paidSession()
    const path = `/v1/receipts/${session.orderNumber}`
    const reader = await t.merchant({ sameUserAs: merchant, scopes: ['receipts:read'] })
    const stranger = await t.merchant({ sameUserAs: merchant, scopes: ['payments:write'] })
    const gate = await t.merchant({ sameUserAs: merchant, scopes: ['receipts:write'] })
    assert.equal((await reader.call('GET', path)).status, 200)
    assert.equal((await reader.call('POST', `${path}/redeem`, { redeemAll: true })).status, 403)
    assert.equal((await stranger.call('GET', path)).status, 403)
    assert.equal((await read()).body.result.status, 'not_redeemed')
    assert.equal((await gate.call('POST', `${path}/redeem`, { redeemAll: true })).body.result.redeem, true)
  })
})

describe('POST /v1/receipts/{orderNumber}/redeem', () => {
  test('200 for single units, from not_redeemed to fully_redeemed', async () => {
    const { session, read, redeem } = await paidSession()
    const programme = session.lineItems.data[1].id
    const steps = [
      [{ entitlements: [{ key: 'seat' }] }, 'partially_redeemed', [1, 0]],
      [{ entitlements: [{ key: 'seat', units: 2 }] }, 'partially_redeemed', [3, 0]],
      [{ entitlements: [{ key: programme, units: null }] }, 'fully_redeemed', [3, 1]],
    ] as const
    for (const [body, status, redeemed] of steps) {
      const { result } = (await redeem(body)).body
      assert.equal(result.redeem, true)
      assert.equal(result.receipt.status, status)
      assert.deepEqual(currents(result.receipt), redeemed)
      assert.deepEqual((await read()).body.result, result.receipt)
      for (const { limit, current, remaining, exhausted } of result.receipt.entitlements)
        assert.deepEqual([remaining, exhausted], [limit - current, current === limit])
    }
  })

  test('200 with redeemAll redeems everything that remains, and returns false if nothing remains', async () => {
    const { redeem } = await paidSession()
    await redeem({ entitlements: [{ key: 'seat', units: 2 }] })
    const first = (await redeem({ redeemAll: true })).body.result
    assert.deepEqual(
      [first.redeem, first.receipt.status, currents(first.receipt)],
      [true, 'fully_redeemed', [3, 1]],
    )
    const second = (await redeem({ redeemAll: true, metadata: { gate: 2 } })).body.result
    assert.deepEqual(second, { redeem: false, receipt: first.receipt })
  })

  test('200 with redeem false for one unit too many: nothing is redeemed', async () => {
    const { session, read, redeem } = await paidSession()
    const before = (await read()).body.result
    const programme = session.lineItems.data[1].id
    const redemptionOf = (units: number) => ({
      entitlements: [{ key: programme }, { key: 'seat', units }],
      metadata: { gate: 1 },
    })
    for (const units of [4, 100_000]) {
      const { status, body } = await redeem(redemptionOf(units))
      assert.deepEqual([status, body.result], [200, { redeem: false, receipt: before }])
    }
    assert.equal((await redeem(redemptionOf(3))).body.result.receipt.status, 'fully_redeemed')
  })

  test('400 naming the field for requests that can never succeed; nothing is redeemed', async () => {
    const { read, redeem } = await paidSession()
    const seat = { key: 'seat' }
    assert.deepEqual(issues(await redeem({})), ['redeemAll'])
    assert.deepEqual(issues(await redeem({ redeemAll: false })), ['redeemAll'])
    assert.deepEqual(issues(await redeem({ redeemAll: null, entitlements: null })), ['redeemAll'])
    assert.deepEqual(issues(await redeem({ redeemAll: true, entitlements: [seat] })), ['redeemAll'])
    assert.deepEqual(issues(await redeem({ entitlements: [] })), ['entitlements'])
    const many = issues(await redeem({ entitlements: Array(17).fill(seat) }))
    assert.deepEqual(many.slice(0, 2), ['entitlements', 'entitlements[1].key'])
    assert.deepEqual(issues(await redeem({ entitlements: [{ key: 'Seat' }, seat, { key: 'seat ' }] })), [
      'entitlements[0].key',
      'entitlements[2].key',
    ])
    assert.deepEqual(issues(await redeem({ entitlements: [seat, seat] })), ['entitlements[1].key'])
    for (const units of [0, -1, 1.5, '1', 100_001])
      assert.deepEqual(issues(await redeem({ entitlements: [{ key: 'seat', units }] })), [
        'entitlements[0].units',
      ])
    assert.deepEqual(issues(await redeem({ redeemAll: true, metadata: [] })), ['metadata'])
    assert.equal((await read()).body.result.status, 'not_redeemed')
  })

  test('200 keeps the metadata of the last redemption that had any', async () => {
    const { redeem } = await paidSession()
    const one = { entitlements: [{ key: 'seat' }] }
    const metadataAfter = async (more: object) =>
      (await redeem({ ...one, ...more })).body.result.receipt.metadata
    assert.deepEqual(await metadataAfter({ metadata: { gate: 'north', b: 1 } }), { gate: 'north', b: 1 })
    assert.deepEqual(await metadataAfter({}), { gate: 'north', b: 1 })
    assert.deepEqual(await metadataAfter({ metadata: {} }), {})
  })

  test('200 sets updateTime by the Space’s clock, and never changes createTime', async () => {
    const { merchant, read, redeem } = await paidSession()
    const before = (await read()).body.result
    await t.advance(merchant.scope, 86_400_000)
    const after = (await redeem({ redeemAll: true })).body.result.receipt
    assert.equal(after.createTime, before.createTime)
    assert.ok(Date.parse(after.updateTime) - Date.parse(before.updateTime) >= 86_400_000)
  })

  test('200 again for a repeated idempotency key: redeemed once, with the same response', async () => {
    const { redeem } = await paidSession()
    const key = { 'idempotency-key': randomUUID() }
    const body = { entitlements: [{ key: 'seat' }] }
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(body, key)))
    await redeem({ redeemAll: true })
    answers.push(await redeem(body, key))
    for (const answer of answers) assert.deepEqual(answer.body, answers[0]!.body)
    assert.deepEqual(currents(answers[0]!.body.result.receipt), [1, 0])
    assert.equal(answers.filter(({ headers }) => headers.get('service-idempotent-replay')).length, 20)
  })
})

/** Creates a paid order directly in the database, and returns its order number. */
async function paidOrder({ scope }: Merchant, limits: number[]): Promise<string> {
  return db.transaction(async (tx) => {
    const at = clock.now(scope)
    const entitlements = limits.map((limit, i) => ({ key: `k${i}`, name: `Item ${i}`, limit }))
    const order = { scope, at, name: 'Order', amount: 1n, currency: 'SLE', entitlements }
    const { id, number } = only(await createOrders(tx, [order]))
    insertReceipts(tx, [{ scope, orderId: id, updatedAt: at }])
    return number
  })
}

describe('concurrent redemptions', () => {
  test('a hundred on one receipt with a limit of 50: exactly 50 succeed', async () => {
    const near = await t.merchant()
    const gates = [near, await other.merchant({ sameUserAs: near })]
    const number = await paidOrder(near, [50])
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        gates[i % 2]!.call('POST', `/v1/receipts/${number}/redeem`, { entitlements: [{ key: 'k0' }] }),
      ),
    )
    const results = answers.map(({ status, body }) => {
      assert.equal(status, 200)
      return body.result
    })
    const letIn = results.filter(({ redeem }) => redeem)
    assert.equal(letIn.length, 50)
    // Each response has a different number, so none was counted twice.
    assert.equal(new Set(letIn.flatMap(({ receipt }) => currents(receipt))).size, 50)
    const { result } = (await near.call('GET', `/v1/receipts/${number}`)).body
    assert.deepEqual([result.status, currents(result)], ['fully_redeemed', [50]])
  })

  const units = fc.integer({ min: 1, max: 4 })
  const request = fc.record({
    node: fc.nat({ max: 1 }),
    // There are few idempotency keys, so that most requests repeat one; a key always has the same body.
    key: fc.nat({ max: 11 }),
  })
  const body = fc.oneof(
    { weight: 1, arbitrary: fc.constant({ redeemAll: true }) },
    {
      weight: 5,
      arbitrary: fc
        .uniqueArray(fc.record({ key: fc.constantFrom('k0', 'k1', 'k2'), units }), {
          selector: ({ key }) => key,
          minLength: 1,
        })
        .map((entitlements) => ({ entitlements })),
    },
  )

  test('no limit is exceeded, every key has one effect, and a replay returns the first response', async () => {
    const near = await t.merchant()
    const gates = [near, await other.merchant({ sameUserAs: near })]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 3 }),
        fc.array(body, { minLength: 12, maxLength: 12 }),
        fc.array(request, { minLength: 1, maxLength: 30 }),
        async (limits, bodies, requests) => {
          const number = await paidOrder(near, limits)
          const path = `/v1/receipts/${number}`
          const answers = await Promise.all(
            requests.map(async ({ node, key }) => ({
              key,
              ...(
                await gates[node]!.call('POST', `${path}/redeem`, bodies[key], {
                  'idempotency-key': `${number}-${key}`,
                })
              ).body,
            })),
          )
          const receipt = (await near.call('GET', path)).body.result
          let wasAll = false
          const sums = [0, 0, 0]
          for (const [key, same] of Map.groupBy(answers, ({ key }) => key)) {
            for (const { result } of same) assert.deepEqual(result, same[0]!.result)
            const { redeem } = same[0]!.result
            const { entitlements } = bodies[key] as { entitlements?: { key: string; units: number }[] }
            if (redeem && !entitlements) wasAll = true
            if (redeem) for (const one of entitlements ?? []) sums[Number(one.key[1])]! += one.units
          }
          const now = currents(receipt)
          for (const [i, limit] of limits.entries()) {
            assert.ok(now[i]! <= limit)
            assert.ok(wasAll ? sums[i]! <= now[i]! && now[i] === limit : sums[i] === now[i])
          }
          const expected = now.every((n) => n === 0)
            ? 'not_redeemed'
            : now.every((n, i) => n === limits[i])
              ? 'fully_redeemed'
              : 'partially_redeemed'
          assert.equal(receipt.status, expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('payments that complete together each get a receipt', async () => {
    const merchant = await t.merchant()
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession({}, merchant)))
    await Promise.all(sessions.map(({ payer }, i) => payer.pay('m17', `076 123 4${String(i + 20)}`)))
    await until(async () => {
      await rail.advance(300)
      return (await Promise.all(sessions.map(({ read }) => read()))).every(({ status }) => status === 200)
    })
  })

  test('no statement redeems more than remains', async () => {
    const merchant = await t.merchant()
    await paidOrder(merchant, [2, 1])
    const { spaceId, environment } = merchant.scope
    for (const remaining of ['{-1,1}', '{2,-1}', '{NULL,0}'])
      await assert.rejects(
        db.transaction((tx) =>
          tx.run(sql`
            update receipts set remaining = ${remaining}::integer[]
            where space_id = ${spaceId} and environment = ${environment}`),
        ),
        /receipts_not_overdrawn/,
        remaining,
      )
  })
})
