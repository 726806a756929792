import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { postForm } from '../../../packages/server/src/cli/developer/payer.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

// Concurrent requests are batched, and clients cannot tell the difference.

const t = await startTestApp({ work: false })
after(() => t.close())

const wanted = (name: string, more: object = {}) => ({
  name,
  lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 1_500 }, quantity: 2 }],
  ...more,
})
const create = (as: Merchant, body: object, headers = {}) =>
  as.call('POST', '/v1/checkout-sessions', body, headers)

test('each concurrently created session has its own response, and a refused one does not affect the others', async () => {
  const merchant = await t.merchant()
  // The first request opens the main account; the others find it.
  for (const round of ['first', 'second']) {
    const names = Array.from({ length: 30 }, (_, i) => `${round} ${i}`)
    const answers = await Promise.all([
      ...names.map((name) => create(merchant, wanted(name, { callbackState: `${name}!` }))),
      create(merchant, wanted('refused', { financialAccountId: 'fac-01kaj3v5w8e4r9tbn2m6c7d0xz' })),
    ])
    const refused = answers.pop()!
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.error.details, [
      { param: 'financialAccountId', errors: ['does not name a financial account in this Space'] },
    ])
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.result.name]),
      names.map((name) => [200, name]),
    )
    assert.equal(new Set(answers.map(({ body }) => body.result.orderNumber)).size, names.length)
    for (const { body } of answers) {
      const { body: read } = await merchant.call('GET', `/v1/checkout-sessions/${body.result.id}`)
      assert.deepEqual(read.result, body.result)
    }
    const published = (await t.events(merchant.scope)).filter(({ callbackState }) =>
      callbackState?.startsWith(round),
    )
    // Concurrent requests have no defined order.
    const inOrder = (events: { type: string; data: object; callbackState: string | null }[]) =>
      events
        .map(({ type, data, callbackState }) => ({ type, data, callbackState }))
        .sort((a, b) => String(a.callbackState).localeCompare(String(b.callbackState)))
    const created = answers.map(({ body: { result } }) => ({
      type: 'checkout_session.created',
      data: result,
      callbackState: `${result.name}!`,
    }))
    assert.deepEqual(inOrder(published), inOrder(created))
  }
  await t.verify()
})

test('concurrent requests with one key create one session, and a replay returns the same response', async () => {
  const merchant = await t.merchant()
  const headers = { 'idempotency-key': randomUUID() }
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(merchant, wanted('One'), headers)),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    const fresh = answers.filter(({ headers }) => headers.get('service-idempotent-replay') === null)
    assert.equal(fresh.length, round === 0 ? 1 : 0)
  }
  const { status } = await create(merchant, wanted('Another'), headers)
  assert.equal(status, 409)
  assert.equal((await merchant.call('GET', '/v1/checkout-sessions')).body.result.length, 1)
})

test('a session whose order number is taken gets another one', async () => {
  const merchant = await t.merchant()
  const { body } = await create(merchant, wanted('First'))
  const client = new pg.Client(t.database.connection)
  await client.connect()
  try {
    // The next two numbers drawn for this Space are already taken.
    await client.query(`
      create sequence drawn;
      create function draw_taken() returns trigger language plpgsql as $$ begin
        if new.space_id = '${merchant.scope.spaceId}' and nextval('drawn') <= 2 then
          new.number := '${body.result.orderNumber}';
        end if;
        return new;
      end $$;
      create trigger draw_taken before insert on orders for each row execute function draw_taken()`)
    const { status, body: second } = await create(merchant, wanted('Second'))
    assert.equal(status, 200)
    assert.notEqual(second.result.orderNumber, body.result.orderNumber)
    await client.query('drop trigger draw_taken on orders')
  } finally {
    await client.end()
  }
  await t.verify()
})

test('concurrent reads return data from each caller’s own Space and environment', async () => {
  const one = await t.merchant()
  const merchants = [one, await t.merchant(), await t.merchant({ environment: 'live', sameUserAs: one })]
  const paths = await Promise.all(
    merchants.map(async (merchant) => {
      const account = { name: 'Rent', currency: 'SLE' }
      const made = await Promise.all(
        Array.from({ length: 10 }, () => merchant.call('POST', '/v1/financial-accounts', account)),
      )
      return made.map(({ body }) => `/v1/financial-accounts/${body.result.id}?withBalance=true`)
    }),
  )
  const reads = merchants.flatMap((merchant, i) =>
    paths.flatMap((some, j) => some.map((path) => ({ merchant, path, isOwn: i === j }))),
  )
  const answers = await Promise.all(reads.map(({ merchant, path }) => merchant.call('GET', path)))
  for (const [i, { merchant, path, isOwn }] of reads.entries()) {
    assert.equal(answers[i]!.status, isOwn ? 200 : 404)
    if (!isOwn) continue
    assert.ok(path.includes(answers[i]!.body.result.id))
    assert.equal(answers[i]!.body.result.ownershipGraph.owner.id, merchant.spaceId)
    assert.equal(answers[i]!.body.result.balance.available.value, 0)
  }
})

test('a page that is requested continuously contains everything created before each request', async () => {
  const merchant = await t.merchant()
  const list = async () => (await merchant.call('GET', '/v1/checkout-sessions')).body.result
  const others: Promise<unknown>[] = []
  for (let i = 0; i < 20; i++) {
    others.push(list(), list(), list())
    const { body } = await create(merchant, wanted(`Order ${i}`))
    assert.equal((await list())[0].id, body.result.id)
  }
  await Promise.all(others)
})

test('a page requested concurrently with two tokens shows each of them what it may see', async () => {
  const owner = await t.merchant()
  const reader = await t.merchant({ sameUserAs: owner, scopes: ['webhooks:read'] })
  const headers = { authorization: 'Basic secret' }
  const webhook = { name: 'Orders', url: 'https://shop.example/hooks', events: ['*'], headers }
  assert.equal((await owner.call('POST', '/v1/webhooks', webhook)).status, 200)
  const callers = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? owner : reader))
  const answers = await Promise.all(callers.map((one) => one.call('GET', '/v1/webhooks')))
  for (const [i, { body }] of answers.entries())
    assert.equal(body.result[0].headers.authorization, callers[i] === owner ? 'Basic secret' : '****')
})

test('each concurrently submitted form starts one payment of its own session', async () => {
  const merchant = await t.merchant()
  const sessions = await Promise.all(
    Array.from({ length: 10 }, (_, i) => create(merchant, wanted(`Order ${i}`))),
  )
  await Promise.all(
    sessions.flatMap(({ body: { result } }, i) => {
      const form = { provider: 'm17', phone: `07612345${i}` }
      return [postForm(result.redirectUrl, '', form), postForm(result.redirectUrl, '', form)]
    }),
  )
  const { body } = await merchant.call('GET', '/v1/payments?limit=50')
  assert.deepEqual(
    body.result.map(({ orderNumber }: { orderNumber: string }) => orderNumber).sort(),
    sessions.map(({ body: { result } }) => result.orderNumber).sort(),
  )
  await t.verify()
})
