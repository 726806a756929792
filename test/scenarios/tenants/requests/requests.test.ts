import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId, readId, requestIds, showId } from '../../../../packages/server/src/platform/ids.ts'
import { unloggedRequests } from '../../../../packages/server/src/tenants/requests/metrics.ts'
import { retainRequests } from '../../../../packages/server/src/tenants/requests/partitions.ts'
import { openRequestLog } from '../../../../packages/server/src/tenants/requests/request-log.ts'
import { type Answer, type Merchant, startTestApp, until } from '../../../support/harness.ts'

const dayMs = 86_400_000

const t = await startTestApp({ work: false })
const { db, metrics } = t.app.parts
after(() => t.close())

const idOf = ({ headers }: Answer) => headers.get('service-request-id') ?? ''

/** Waits until a request is in the log, and returns it. */
async function logged(merchant: Merchant, id: string) {
  return until(async () => {
    const { status, body } = await merchant.call('GET', `/v1/requests/${id}`)
    return status === 200 && body.result
  })
}

test('a request is logged with its route, result, caller and time, even if refused', async () => {
  const merchant = await t.merchant()
  const fine = idOf(await merchant.call('GET', '/v1/payments?limit=1'))
  const refused = idOf(await merchant.call('POST', '/v1/webhooks', { name: 'x' }))
  const missing = idOf(
    await merchant.call('GET', `/v1/payments/${showId({ ...requestIds, prefix: 'pay' }, newId(new Date()))}`),
  )
  const own = await logged(merchant, fine)
  assert.deepEqual(
    [own.method, own.route, own.path, own.status, own.reason, own.body],
    ['GET', '/v1/payments', '/v1/payments', 200, null, null],
  )
  assert.equal(own.caller.type, 'token')
  assert.ok(Math.abs(Date.parse(own.timestamp) - Date.now()) < 60_000)
  const other = await logged(merchant, refused)
  assert.deepEqual([other.status, other.reason, other.body], [400, 'arguments_invalid', '{"name":"x"}'])
  assert.equal((await logged(merchant, missing)).reason, 'not_found')
})

test('the list filters by status, method, path, request and token, newest first', async () => {
  const merchant = await t.merchant()
  const read = idOf(await merchant.call('GET', '/v1/payments'))
  const refused = idOf(await merchant.call('POST', '/v1/webhooks', {}))
  await logged(merchant, refused)
  const idsOf = async (query: string) =>
    (await merchant.call('GET', `/v1/requests?limit=50&${query}`)).body.result.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(await idsOf('statusClass=4xx&method=POST'), [refused])
  assert.deepEqual(await idsOf('pathPrefix=/v1/pay'), [read])
  assert.deepEqual(await idsOf(`requestId=${read}`), [read])
  const at = Date.parse((await logged(merchant, read)).timestamp)
  const timed = (from: number, to: number) =>
    idsOf(`pathPrefix=/v1/pay&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`)
  assert.deepEqual(await timed(at, at + 1), [read])
  assert.deepEqual([...(await timed(at - 1, at)), ...(await timed(at + 1, at + 2))], [])
  assert.deepEqual(await idsOf('requestId=nonsense'), [])
  assert.deepEqual(await idsOf('tokenId=nonsense'), [])
  const { caller } = await logged(merchant, read)
  assert.deepEqual(await idsOf(`tokenId=${caller.id}&pathPrefix=/v1/pay`), [read])
  assert.deepEqual(await idsOf('pathPrefix=/v1/webhooks'), [refused])
})

test('requests are hidden from other Spaces and environments, and without the permission', async () => {
  const merchant = await t.merchant()
  const id = idOf(await merchant.call('GET', '/v1/payments'))
  await logged(merchant, id)
  const others = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
  for (const other of others) {
    assert.equal((await other.call('GET', `/v1/requests/${id}`)).status, 404)
    assert.deepEqual((await other.call('GET', `/v1/requests?requestId=${id}`)).body.result, [])
  }
  for (const role of ['finance', 'viewer']) {
    const beside = await t.merchant({ sameSpaceAs: merchant, role })
    assert.equal((await beside.call('GET', `/v1/requests/${id}`)).status, 403)
  }
  // A caller without access to any Space is not logged.
  const stranger = await t.merchant()
  const refused = await stranger.call('GET', '/v1/payments', undefined, {
    'service-space-id': merchant.spaceId,
  })
  assert.equal(refused.status, 403)
  const after = idOf(await merchant.call('GET', '/v1/payments'))
  await logged(merchant, after)
  const { rowCount } = await db.pool.query('select from api_requests where id = $1', [
    readId(requestIds, idOf(refused)),
  ])
  assert.equal(rowCount, 0)
  assert.equal((await merchant.call('GET', `/v1/requests/${idOf(refused)}`)).status, 404)
})

const secrets = [
  'psw_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab',
  '+23276998877',
  '076 99-88 77',
  '４８２９１５',
  'whsec_c2VjcmV0IG9mIHRoZSBtZXJjaGFudA',
  'ama@people.example',
]

test('no secret in any field of a body reaches the table', async () => {
  const merchant = await t.merchant()
  const bodies: [string, object][] = [
    [
      '/v1/webhooks',
      { name: 'x', url: 'x', secret: 'x', headers: { authorization: 'hunter2' }, metadata: { a: 'x' } },
    ],
    [
      '/v1/payouts',
      {
        reference: 'x',
        name: 'x',
        destination: { type: 'x', phoneNumber: 'x', accountNumber: 'x' },
        metadata: { pin: 'hunter2', deep: [{ otpCode: 'hunter2', password: ['hunter2'] }] },
      },
    ],
    ['/v1/checkout-sessions', { name: 'x', cancelUrl: 'x', metadata: { a: ['x'] } }],
  ]
  const ids: string[] = []
  for (const secret of secrets)
    for (const [path, body] of bodies) {
      const planted = JSON.parse(JSON.stringify(body).replaceAll('"x"', JSON.stringify(secret)))
      planted[secret] = secret
      ids.push(idOf(await merchant.call('POST', path, planted)))
    }
  for (const id of ids) assert.ok((await logged(merchant, id)).body.includes('***'))
  const id = idOf(await merchant.call('GET', `/v1/payments/%2B%32%33276998877`))
  assert.equal((await logged(merchant, id)).path, '/v1/payments/***')
  const { rows } = await db.pool.query(
    'select row_to_json(r)::text as text from api_requests r where space_id = $1',
    [merchant.scope.spaceId],
  )
  assert.ok(rows.length > secrets.length)
  for (const { text } of rows)
    for (const secret of [...secrets, 'hunter2', '998877', '482915', 'c2VjcmV0'])
      assert.ok(!text.includes(secret), `${secret} is in ${text}`)
})

test('hostile paths and bodies are truncated in the log, and do not affect any request', async () => {
  const merchant = await t.merchant()
  const large = idOf(await merchant.call('POST', '/v1/webhooks', { name: 'a b '.repeat(30_000) }))
  const many = idOf(await merchant.call('POST', '/v1/webhooks', { events: Array(20_000).fill('a b') }))
  const deep = idOf(
    await merchant.call('POST', '/v1/webhooks', `{"metadata":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
  )
  const odd = idOf(
    await merchant.call('POST', '/v1/webhooks', '{"name":"\\u0000\\ud800","metadata":{"__proto__":1}}'),
  )
  const path = idOf(await merchant.call('GET', '/v1/payments/%00%EF%BF%BD%E2%80%AE'))
  const broken = idOf(await merchant.call('POST', '/v1/webhooks', '{'))
  for (const id of [large, many, deep]) {
    const { body, isBodyCut } = await logged(merchant, id)
    assert.ok(body.length <= 4_096, `${id} ${body.length}`)
    assert.equal(isBodyCut, true)
  }
  assert.ok((await logged(merchant, odd)).body.includes('__proto__'))
  assert.ok((await logged(merchant, path)).path.startsWith('/v1/payments/'))
  assert.deepEqual(
    [(await logged(merchant, broken)).body, (await logged(merchant, broken)).reason],
    [null, 'json_invalid'],
  )
})

const namesOf = async () =>
  (
    await db.pool.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'api_requests'::regclass order by 1`,
    )
  ).rows.map(({ name }) => name)
const partitionOf = (at: number) =>
  `api_requests_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

test('partitions are created a day ahead and dropped seven days after their day', async () => {
  const merchant = await t.merchant()
  const id = idOf(await merchant.call('GET', '/v1/payments'))
  const { timestamp } = await logged(merchant, id)
  const nowMs = Date.parse(timestamp)
  assert.ok((await namesOf()).includes(partitionOf(nowMs + dayMs)))
  for (let day = 0; day <= 7; day++) {
    await retainRequests(db, new Date(nowMs + day * dayMs))
    const names = await namesOf()
    assert.ok(names.includes(partitionOf(nowMs)), `gone after ${day} days`)
    assert.ok(names.includes(partitionOf(nowMs + (day + 1) * dayMs)))
  }
  assert.equal((await logged(merchant, id)).id, id)
  // A partition detached by a killed run is dropped by the next run.
  await db.pool.query(`alter table api_requests detach partition ${partitionOf(nowMs)}`)
  await retainRequests(db, new Date(nowMs + 8 * dayMs))
  const { rows } = await db.pool.query('select to_regclass($1) as name', [partitionOf(nowMs)])
  assert.equal(rows[0].name, null)
  assert.ok((await namesOf()).includes(partitionOf(nowMs + dayMs)))
  await db.pool.query('select create_api_request_partition($1::date)', [timestamp])
})

const countOf = async (why: string) =>
  (await unloggedRequests(metrics).get()).values.find(({ labels }) => labels.why === why)?.value ?? 0

const exchange = (merchant: Merchant) => ({
  id: newId(new Date()),
  scope: merchant.scope,
  caller: { tokenId: merchant.scope.spaceId, userId: merchant.scope.spaceId, environment: 'test' as const },
  method: 'GET',
  route: '/v1/payments',
  path: '/v1/payments',
  status: 200,
  reason: null,
  body: undefined,
  durationMs: 1,
  at: new Date(),
})

test('the buffer is limited per Space and in total, and discarded requests are counted', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const spaces = [1, 2, 3, 4, 5].map((n) => newId(new Date(n)))
  const merchant = await t.merchant()
  const before = { many: await countOf('many'), ofSpace: await countOf('many_of_space') }
  for (const spaceId of spaces)
    for (let i = 0; i < 1_001; i++)
      requestLog.record({ ...exchange(merchant), scope: { spaceId, environment: 'test' } })
  await requestLog.stop()
  const counts = await db.pool.query(
    'select count(*)::int as count from api_requests where space_id = any($1) group by space_id order by 1',
    [spaces],
  )
  assert.deepEqual(counts.rows, Array(4).fill({ count: 1_000 }))
  assert.equal((await countOf('many_of_space')) - before.ofSpace, 3)
  assert.equal((await countOf('many')) - before.many, 1_002)
})

test('only a request older than the log is dropped, and a long one is logged on the day it began', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const merchant = await t.merchant()
  const before = await countOf('late')
  const ofDaysAgo = (days: number) => {
    const at = new Date(Date.now() - days * dayMs)
    return { ...exchange(merchant), id: newId(at), at, durationMs: days * dayMs }
  }
  const kept = [0, 3].map(ofDaysAgo)
  for (const one of [...kept, ofDaysAgo(8), ofDaysAgo(30), ofDaysAgo(-3)]) requestLog.record(one)
  await requestLog.stop()
  assert.equal((await countOf('late')) - before, 3)
  for (const { id } of kept) assert.ok(await logged(merchant, showId(requestIds, id)))
})

test('a duration beyond the column’s range is stored as its maximum', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const merchant = await t.merchant()
  const long = { ...exchange(merchant), durationMs: 40 * dayMs }
  requestLog.record(long)
  await requestLog.stop()
  assert.equal((await logged(merchant, showId(requestIds, long.id))).durationMs, 2 ** 31 - 1)
})

test('the console’s reads are not logged; its changes and refusals are', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const merchant = await t.merchant()
  const session = { freshUntil: new Date() }
  const ofConsole = (method: string, status: number) => {
    const one = exchange(merchant)
    return { ...one, method, status, caller: { ...one.caller, session } }
  }
  const [read, refused, changed] = [ofConsole('GET', 200), ofConsole('GET', 403), ofConsole('POST', 200)]
  for (const one of [read, refused, changed]) requestLog.record(one)
  await requestLog.stop()
  const { body } = await merchant.call('GET', '/v1/requests?limit=50')
  const ids = body.result.map(({ id }: { id: string }) => id)
  assert.deepEqual(
    [read, refused, changed].map(({ id }) => ids.includes(showId(requestIds, id))),
    [false, true, true],
  )
})

test('an order number in the path stays readable if it was found, and is masked otherwise', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const merchant = await t.merchant()
  const ofReceipt = (status: number, path: string) => ({
    ...exchange(merchant),
    ...{ route: '/v1/receipts/:orderNumber', path, status },
  })
  const all = [ofReceipt(200, '/v1/receipts/123456789012'), ofReceipt(404, '/v1/receipts/232761234567')]
  for (const one of all) requestLog.record(one)
  await requestLog.stop()
  const paths = await Promise.all(
    all.map(async ({ id }) => (await logged(merchant, showId(requestIds, id))).path),
  )
  assert.deepEqual(paths, ['/v1/receipts/123456789012', '/v1/receipts/***'])
})

test('a long path is cut after 500 characters, and a secret at the cut is masked', async () => {
  const requestLog = openRequestLog(t.app.parts)
  const merchant = await t.merchant()
  const begin = `/v1/${'ab/'.repeat(163)}`
  const token = 'psw_live_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgHiJkL'
  assert.ok(begin.length < 500 && begin.length + token.length > 500)
  const paths = [`/v1/payments/${'Ab1'.repeat(200)}/after`, `${begin}${token}`, `${begin}ab/cd`]
  const all = paths.map((path) => ({ ...exchange(merchant), id: newId(new Date()), path }))
  for (const one of all) requestLog.record(one)
  await requestLog.stop()
  const kept = await Promise.all(
    all.map(async ({ id }) => (await logged(merchant, showId(requestIds, id))).path),
  )
  assert.deepEqual(kept, ['/v1/payments/***', `${begin}***`, `${begin}ab/cd`])
})

test('while the table is locked, requests are served and counted as unlogged', async () => {
  const merchant = await t.merchant()
  const before = await countOf('database')
  const client = await db.pool.connect()
  await client.query('begin')
  await client.query('lock table api_requests in access exclusive mode')
  try {
    const { status } = await merchant.call('GET', '/v1/payments')
    assert.equal(status, 200)
    await until(async () => (await countOf('database')) > before)
  } finally {
    await client.query('rollback')
    client.release()
  }
  await logged(merchant, idOf(await merchant.call('GET', '/v1/payments')))
})
