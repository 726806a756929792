import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { findDialledCodes } from '../../../../packages/server/src/ways-to-pay/payment-codes/payment-codes.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const operator = await t.merchant({ isOperator: true })
const url = '/v1/installation/spaces'
const price = (value: number) => ({ currency: 'SLE', value })

async function operate(path: string, body?: object) {
  const answer = await operator.call(body ? 'POST' : 'GET', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

async function openSession(merchant: Merchant) {
  const body = { name: 'Order 42', lineItems: [{ name: 'Cloth', price: price(15_000) }] }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  return { session, payer: createPayer(session.redirectUrl) }
}

/** Lists audit entries about a Space, in both environments. */
const entriesOf = (merchant: Merchant) =>
  // every space: the operator's list
  t.app.parts.db.query<{ action: string; environment: string; actor: string; reason: string }>(sql`
    select action, environment, actor, reason from audit_entries where object_id = ${merchant.scope.spaceId}
    order by environment, at`)

test('a Space is opened with its main accounts and its owner, who may already be a user', async () => {
  const space = await operate(url, { name: 'Kroo Bay Fish', country: 'SL', ownerEmail: 'fish@shop.example' })
  const other = await operate(url, { name: 'Fish Two', country: 'GH', ownerEmail: 'FISH@shop.example' })
  assert.deepEqual([space.status, space.suspension], ['active', null])
  const listed = await operate(url)
  assert.deepEqual(
    listed.slice(0, 2).map((one: { id: string; memberCount: number }) => [one.id, one.memberCount]),
    [
      [other.id, 1],
      [space.id, 1],
    ],
  )
  // every space: checks users, not Spaces
  const users = await t.app.parts.db.query(sql`select email from users where email ilike 'fish@%'`)
  assert.equal(users.length, 1)
})

const merchant = await t.merchant()
const [open, underWay] = [await openSession(merchant), await openSession(merchant)]
const code = (await merchant.call('POST', '/v1/payment-codes', { name: 'School fees', amount: price(500) }))
  .body.result

describe('a suspended Space', () => {
  const shown = `${url}/${merchant.spaceId}`
  const number = code.ussdCode.slice(-11, -1)
  const isDialled = async () =>
    (await findDialledCodes(t.app.parts.db, 'test', [number])).get(number)?.code.enabled

  test('accepts no calls within a second, and says why', async () => {
    await underWay.payer.pay('m17', '076123456')
    assert.equal(await isDialled(), true)
    const space = await operate(`${shown}/suspend`, { reason: 'Its documents have run out' })
    assert.deepEqual([space.status, space.suspension.reason], ['suspended', 'Its documents have run out'])
    const since = performance.now()
    const calls = () => merchant.call('GET', '/v1/payments')
    await until(async () => (await calls()).status === 403)
    assert.ok(performance.now() - since < 1_000)
    const { error } = (await calls()).body
    assert.equal(error.reason, 'access_denied')
    assert.match(error.message, /^This Space is suspended/)
  })

  test('accepts no payments, neither on its page nor by a code', async () => {
    const { text } = await open.payer.look()
    assert.match(text, /cannot accept payments right now/)
    assert.ok(!text.includes('name="formToken"'))
    assert.equal((await open.payer.post('', { provider: 'm17', phone: '076123456' })).status, 303)
    assert.equal(await isDialled(), false)
    // every space: asserts that no payment exists
    const { count } = await t.app.parts.db.only<{ count: number }>(sql`
      select count(*)::int as count from payments where space_id = ${merchant.scope.spaceId}`)
    assert.equal(count, 1)
  })

  test('records the outcome of payments in progress', async () => {
    await until(async () => (await underWay.payer.status()) === 'done' || rail.advance(300))
    assert.match((await underWay.payer.look()).text, /Payment received/)
  })

  test('cannot be suspended again; it can be resumed, and both are recorded in both environments', async () => {
    const again = await operator.call('POST', `${shown}/suspend`, { reason: 'Twice' })
    assert.deepEqual([again.status, again.body.error.reason], [409, 'state_conflict'])
    assert.equal((await operate(`${shown}/resume`, { reason: 'They are renewed' })).status, 'active')
    await until(async () => (await merchant.call('GET', '/v1/payments')).status === 200)
    assert.match((await open.payer.look()).text, /name="formToken"/)
    const entries = await entriesOf(merchant)
    assert.deepEqual(
      entries.map(({ action, environment, reason }) => [action, environment, reason]),
      [
        ['space.suspend', 'test', 'Its documents have run out'],
        ['space.resume', 'test', 'They are renewed'],
        ['space.suspend', 'live', 'Its documents have run out'],
        ['space.resume', 'live', 'They are renewed'],
      ],
    )
    assert.match(entries[0]!.actor, /@shop\.example$/)
  })

  test('an unknown Space cannot be suspended', async () => {
    const nowhere = `${url}/spc-01kaj3v5w8e4r9tbn2m6c7d0xz`
    for (const [method, path, body] of [
      ['GET', nowhere, undefined],
      ['POST', `${nowhere}/suspend`, { reason: 'x' }],
      ['GET', `${nowhere}/fees`, undefined],
    ] as const)
      assert.equal((await operator.call(method, path, body)).status, 404, path)
  })
})

test('fees are read, previewed for past payments, and set', async () => {
  const merchant = await t.merchant()
  const shown = `${url}/${merchant.spaceId}`
  for (const phone of ['076123456', '076123457']) {
    const { payer } = await openSession(merchant)
    await payer.pay('m17', phone)
    await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  }
  assert.deepEqual((await operate(`${shown}/fees`)).fees[0], {
    code: 'payment',
    rule: '1%',
    isStandard: true,
  })
  const preview = (rule: string, environment = 'test') =>
    operate(`${shown}/fee-preview?rule=${encodeURIComponent(rule)}&environment=${environment}`)
  const { isWhole, payments, sums } = await preview('2.5%')
  assert.deepEqual([isWhole, payments], [true, 2])
  assert.deepEqual(sums, [
    { payments: 2, collected: price(30_000), charged: price(300), wouldBe: price(750) },
  ])
  assert.deepEqual((await preview('0%,min=SLE:50')).sums[0].wouldBe, price(100))
  assert.equal((await preview('1%', 'live')).payments, 0)

  const body = { code: 'payment', rule: '2.5%,min=SLE:50', reason: 'As agreed' }
  const { fees } = await operate(`${shown}/fees`, body)
  assert.deepEqual(fees[0], { code: 'payment', rule: '2.5%,min=SLE:50', isStandard: false })
  assert.deepEqual(
    (await entriesOf(merchant)).map(({ action }) => action),
    ['space.set_fee', 'space.set_fee'],
  )
})

test('an approval limit is removed only by an explicit null', async () => {
  const merchant = await t.merchant()
  const rules = `${url}/${merchant.spaceId}/rules`
  const limitsOf = async () => {
    const { payoutApprovalAbove, refundApprovalAbove } = (await merchant.call('GET', '/v1/settings')).body
      .result
    return [payoutApprovalAbove, refundApprovalAbove]
  }
  const reason = 'As agreed'
  const set = [{ currency: 'SLE', value: 100_000 }]
  await operate(rules, { payoutApprovalAbove: set, refundApprovalAbove: set, reason })
  assert.deepEqual(await limitsOf(), [set, set])

  const entries = (await entriesOf(merchant)).length
  for (const field of ['payoutApprovalAbove', 'refundApprovalAbove']) {
    const limits = [{ currency: 'GHS', value: 5 }, { currency: 'SLE' }, { currency: 'USD', value: 'none' }]
    const { status, body } = await operator.call('POST', rules, { [field]: limits, reason })
    assert.equal(status, 400)
    assert.deepEqual(body.error.details, [
      { param: `${field}[1].value`, errors: ['is required'] },
      { param: `${field}[2].value`, errors: ['must be integer or null'] },
    ])
  }
  assert.deepEqual(await limitsOf(), [set, set])
  assert.equal((await entriesOf(merchant)).length, entries)

  await operate(rules, { refundApprovalAbove: [{ currency: 'SLE', value: null }], reason })
  assert.deepEqual(await limitsOf(), [set, []])
})
