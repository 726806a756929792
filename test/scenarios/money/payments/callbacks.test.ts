import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { queuedJobs } from '../../../support/jobs.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

/** Creates a payment that the rail has received, and about which the payer has not decided yet. */
async function paymentAtRail(given?: Merchant) {
  const merchant = given ?? (await t.merchant())
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  await createPayer(session.redirectUrl).pay('m17', '076123456')
  const payment = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  const id = await until(async () => readId(paymentIds, (await payment())?.id ?? ''))
  await until(async () => (await railState(merchant, id)) === 'submitted')
  return { merchant, payment, id }
}

async function railState({ scope: { spaceId, environment } }: Merchant, id: string) {
  const row = await db.one<{ railState: string }>(sql`
    select state as rail_state from instructions where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)
  return row?.railState
}

const put = (url: string, body: object, method = 'PUT') =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const success = { status: 'SUCCESSFUL', amount: '300.00', currency: 'SLE', financialTransactionId: '1' }

/** Waits until all jobs have run and the rails have reported. */
const quiet = async () => {
  await until(async () => (await db.pool.query(`select from ${queuedJobs}`)).rowCount === 0)
  await t.app.settled()
}

test('POST /callbacks/payments/{key}: 200 to a false report, which moves no money: the rail is queried, and reports pending', async () => {
  const { merchant, payment, id } = await paymentAtRail()
  const answer = await put(
    callbackUrl(t.app.parts, { ownerType: 'payment', scope: merchant.scope, id }),
    success,
  )
  assert.equal(answer.status, 200)
  await quiet()
  assert.equal((await payment()).status, 'processing')
  await t.verify()
})

test('POST /callbacks/payments/{key}: 404 for a forged URL; nothing changes', async () => {
  const { merchant, payment, id } = await paymentAtRail()
  const other = await t.merchant()
  const right = callbackUrl(t.app.parts, { ownerType: 'payment', scope: merchant.scope, id })
  const forged = [
    `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`,
    `${t.baseUrl}/callbacks/payments/x`,
    `${t.baseUrl}/callbacks/payments/${Buffer.from(`test ${merchant.scope.spaceId} ${id}`).toString('base64url')}.`,
  ]
  for (const url of forged) assert.equal((await put(url, success)).status, 404, url)
  // A valid key, but of a payment that this Space does not have.
  assert.equal(
    (await put(callbackUrl(t.app.parts, { ownerType: 'payment', scope: other.scope, id }), success)).status,
    404,
  )
  await quiet()
  assert.equal((await payment()).status, 'processing')
})

test('PUT and POST /callbacks/payments/{key}: 200 a hundred times, and the payment completes once', async () => {
  const { merchant, payment, id } = await paymentAtRail()
  const url = callbackUrl(t.app.parts, { ownerType: 'payment', scope: merchant.scope, id })
  await rail.advance(300)
  await Promise.all(Array.from({ length: 100 }, (_, i) => put(url, success, i % 2 ? 'PUT' : 'POST')))
  await until(async () => (await payment()).status === 'completed')
  await quiet()
  const completed = (await t.events(merchant.scope, id)).filter(({ type }) => type === 'payment.completed')
  assert.equal(completed.length, 1)
  await t.verify()
})

for (const [what, change] of [
  ['another amount', sql`update simulator_collections set amount = '299.99' where reference = `],
  ['another currency', sql`update simulator_collections set currency = 'GHS' where reference = `],
] as const)
  test(`PUT /callbacks/payments/{key}: a rail that reports ${what} than requested changes nothing in the books`, async () => {
    const { merchant, payment, id } = await paymentAtRail()
    const { spaceId, environment } = merchant.scope
    const row = await db.one<{ railReference: string }>(sql`
      select rail_reference from payments where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)
    await db.transaction((tx) => tx.run(sql`${change}${row?.railReference}`))
    await rail.advance(300)
    await quiet()
    assert.equal((await payment()).status, 'processing')
    await t.verify()
  })

test('POST /callbacks/payments/{key}: 400 for invalid JSON, 413 for too large a body, 200 for another type', async () => {
  const { merchant, id } = await paymentAtRail()
  const url = callbackUrl(t.app.parts, { ownerType: 'payment', scope: merchant.scope, id })
  const post = (body: string, type = 'application/json') =>
    fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('x'.repeat(300_000))).status, 413)
  assert.equal((await post('<x/>', 'text/xml')).status, 200)
})
