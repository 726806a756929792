import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { railKinds } from '@pesewa/connector-kit'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { upsertOpenBreaker } from '../../../../packages/server/src/rails/routing/store.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail }, hasLiveProvider: true })
after(() => t.close())
const operator = await t.merchant({ isOperator: true })
const url = '/v1/installation/providers'

const stateOf = async (connection: string, environment = 'test') =>
  (await operator.call('GET', url)).body.result.connections.find(
    (one: { connection: string; environment: string }) =>
      one.connection === connection && one.environment === environment,
  )

test('the list has all connections of both environments', async () => {
  const { connections } = (await operator.call('GET', url)).body.result
  const live = connections.filter(({ environment }: { environment: string }) => environment === 'live')
  assert.deepEqual(
    live.map(({ connection, protocol, isOpen }: Record<string, unknown>) => [connection, protocol, isOpen]),
    [['card', 'acquirer', true]],
  )
  assert.ok(live[0].credentialsTime !== null)
  assert.equal((await stateOf('m17')).credentialsTime, null)
  assert.ok(!JSON.stringify(connections).includes('rail-key'))
})

test('open circuit breakers are shown with their type of orders and their end', async () => {
  const queue = {
    environment: 'test',
    connection: 'slb001',
    providerId: 'slb001',
    openForMs: 60_000,
  } as const
  for (const kind of railKinds)
    await t.app.parts.db.transaction((tx) => upsertOpenBreaker(tx, { ...queue, kind }))
  const { breakers } = await stateOf('slb001')
  assert.deepEqual(breakers.map(({ kind }: { kind: string }) => kind).toSorted(), [...railKinds].toSorted())
  for (const { endTime } of breakers) assert(Date.parse(endTime) > Date.now())
})

async function pay(phone: string) {
  const merchant = await t.merchant()
  const body = { name: 'Order', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 500 } }] }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  const payer = createPayer(session.redirectUrl)
  return { merchant, payer, pressed: await payer.pay('m17', phone) }
}

test('successes and failures are counted, with submit durations and the last callback', async () => {
  const { payer } = await pay('076123456')
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  const { collect, payOut } = await until(async () => {
    const state = await stateOf('m17')
    return state.collect.lastHour.succeeded > 0 && state.collect.lastReportTime && state
  })
  assert.deepEqual(collect.lastHour, { succeeded: 1, failed: 0, percent: 100 })
  assert.deepEqual(collect.lastDay, collect.lastHour)
  assert.ok(collect.p50Ms >= 50 && collect.p95Ms >= collect.p50Ms)
  assert.deepEqual(payOut.lastHour, { succeeded: 0, failed: 0, percent: null })
})

describe('a pause', () => {
  const place = { environment: 'test', direction: 'collect' }

  test('stops new payments with its message, and shows who paused it and until when', async () => {
    const until1 = new Date(Date.now() + 3_600_000).toISOString()
    const body = { ...place, words: 'Back at noon.', until: until1 }
    const { status, body: answer } = await operator.call('POST', `${url}/m17/pause`, body)
    assert.equal(status, 200, JSON.stringify(answer))
    assert.deepEqual(answer.result.directions, ['collect'])
    const [pause] = (await stateOf('m17')).pauses
    assert.deepEqual([pause.direction, pause.words], ['collect', 'Back at noon.'])
    assert.match(pause.by, /@shop\.example$/)
    // The duration starts when the pause is stored in the database.
    assert.ok(Math.abs(Date.parse(pause.endTime) - Date.parse(until1)) < 5_000)
    const merchant = await t.merchant()
    const order = { name: 'Order', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 500 } }] }
    const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
    await until(async () => (await createPayer(session.redirectUrl).look()).text.includes('Back at noon.'))
  })

  test('can be set once and ended once', async () => {
    const again = await operator.call('POST', `${url}/m17/pause`, { ...place, words: 'Twice' })
    assert.equal(again.body.error.reason, 'state_conflict')
    assert.equal((await operator.call('POST', `${url}/m17/resume`, place)).status, 200)
    assert.deepEqual((await stateOf('m17')).pauses, [])
    const twice = await operator.call('POST', `${url}/m17/resume`, place)
    assert.equal(twice.body.error.reason, 'state_conflict')
  })

  test('of both directions is set completely or not at all', async () => {
    const both = { environment: 'test' }
    await operator.call('POST', `${url}/m17/pause`, { ...place, words: 'Only one' })
    const refused = await operator.call('POST', `${url}/m17/pause`, { ...both, words: 'Both' })
    assert.equal(refused.status, 409)
    assert.equal((await stateOf('m17')).pauses.length, 1)
    await operator.call('POST', `${url}/m17/resume`, place)
    const made = await operator.call('POST', `${url}/m17/pause`, { ...both, words: 'Both' })
    assert.deepEqual(made.body.result.directions, ['collect', 'pay_out'])
    await operator.call('POST', `${url}/m17/resume`, both)
  })

  test('is refused for an unknown connection, or a provider that it does not reach', async () => {
    const nowhere = await operator.call('POST', `${url}/nowhere/pause`, { ...place, words: 'x' })
    assert.equal(nowhere.body.error.reason, 'not_found')
    const other = await operator.call('POST', `${url}/m17/pause`, { ...place, providerId: 'm18', words: 'x' })
    assert.deepEqual(
      other.body.error.details.map(({ param }: { param: string }) => param),
      ['providerId'],
    )
  })
})

test('a rail is tested with a read-only request, and an unreachable rail is reported without a server error', async () => {
  const reachable = await operator.call('GET', `${url}/m17/test?environment=test`)
  assert.equal(reachable.status, 200, JSON.stringify(reachable.body))
  assert.equal(reachable.body.result.isOk, true, JSON.stringify(reachable.body.result))
  const away = await operator.call('GET', `${url}/card/test?environment=live`)
  assert.equal(away.status, 200)
  assert.deepEqual(
    [away.body.result.isOk, away.body.result.steps[0].outcome],
    [false, 'unknown'],
    JSON.stringify(away.body),
  )
})
