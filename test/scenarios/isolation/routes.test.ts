import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sessionIds } from '../../../src/checkout/resources.ts'
import { newReference } from '../../../src/ledger/reference.ts'
import { accountIds, transactionIds } from '../../../src/ledger/resources.ts'
import { paymentIds } from '../../../src/payments/resources.ts'
import { payoutIds } from '../../../src/payouts/resources.ts'
import type { ApiRoute } from '../../../src/platform/http/route.ts'
import { newId, readId, showId } from '../../../src/platform/ids.ts'
import { createManualClock } from '../../../src/simulator/engine/clock.ts'
import { type Merchant, startTestApp, until } from '../../harness.ts'
import { createPayer } from '../../payer.ts'
import { send, type WireAnswer } from '../../wire.ts'

const simulatorClock = createManualClock()
// Nobody listens there: a delivery fails at once, in live too.
const t = await startTestApp({
  hasLiveProvider: true,
  app: { simulatorClock },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
after(() => t.close())
const { db } = t.app.parts

/** Stands in every free field of what is guarded. */
const markerOf = ({ scope }: Merchant) => `k33p-0ut-${scope.environment}`

/** What one Space has in one environment. */
type Goods = Record<
  | 'marker'
  | 'session'
  | 'code'
  | 'number'
  | 'account'
  | 'otherAccount'
  | 'transfer'
  | 'transferReference'
  | 'payment'
  | 'line'
  | 'payout'
  | 'payoutReference'
  | 'railTransaction'
  | 'orderNumber'
  | 'reference'
  | 'event'
  | 'webhook'
  | 'delivery'
  | 'uvan'
  | 'otp',
  string
>

async function stock(
  merchant: Merchant,
  pay: (merchant: Merchant, session: Made, account: Made) => Promise<Paid>,
): Promise<Goods> {
  const make = async (path: string, body: object) => (await merchant.call('POST', path, body)).body.result
  const marker = markerOf(merchant)
  const described = { name: marker, description: marker, reference: marker }
  const metadata = { [marker]: marker }
  const account = await make('/v1/financial-accounts', { ...described, metadata, currency: 'SLE' })
  const session = await make('/v1/checkout-sessions', {
    ...described,
    metadata,
    callbackState: marker,
    successUrl: `https://shop.example/${marker}`,
    cancelUrl: `https://shop.example/${marker}`,
    financialAccountId: account.id,
    lineItems: [{ ...described, price: { currency: 'SLE', value: 5_000 } }],
  })
  const paid = await pay(merchant, session, account)
  await merchant.call('PATCH', `/v1/payments/${paid.payment}`, { name: marker, metadata })
  const code = await make('/v1/payment-codes', {
    name: marker,
    reference: marker,
    customer: { name: marker },
    financialAccountId: account.id,
    duration: '30d',
    metadata,
  })
  const otherAccount = await make('/v1/financial-accounts', { name: marker, currency: 'SLE' })
  const transfer = await make('/v1/internal-transfers', {
    amount: { currency: 'SLE', value: 10 },
    sourceFinancialAccount: { id: account.id },
    destinationFinancialAccount: { id: otherAccount.id },
    description: marker,
    metadata,
  })
  const otp = await make('/v1/ussd-otps', {
    authorizedPhoneNumber: '+23276123456',
    verificationMessage: marker,
    metadata,
  })
  return {
    marker,
    otp: otp.id,
    ...(await subscribe(merchant, { name: marker, metadata })),
    session: session.id,
    code: code.id,
    number: code.ussdCode.slice(-11, -1),
    account: account.id,
    otherAccount: otherAccount.id,
    transfer: transfer.id,
    transferReference: transfer.financialTransactionReference,
    orderNumber: session.orderNumber,
    uvan: account.uvan,
    ...paid,
  }
}

/** An endpoint with one delivery that failed, and nothing more to come. */
async function subscribe(merchant: Merchant, described: object) {
  const body = { ...described, url: 'http://127.0.0.1:1/hook', events: ['payout.completed'] }
  const webhook = (await merchant.call('POST', '/v1/webhooks', body)).body.result.id
  await merchant.call('POST', `/v1/webhooks/${webhook}/ping`, {})
  const { id, eventId } = await until(async () => {
    const [made] = (await merchant.call('GET', `/v1/webhooks/${webhook}/deliveries`)).body.result
    return made?.attempts.length > 0 && made
  })
  await merchant.call('PATCH', `/v1/webhooks/${webhook}`, { enabled: false })
  return { webhook, delivery: id, event: eventId }
}

type Made = { id: string; redirectUrl: string; orderNumber: string }
type Paid = Pick<Goods, 'payment' | 'line' | 'reference' | 'payout' | 'payoutReference' | 'railTransaction'>

async function pay(merchant: Merchant, session: Made, account: Made): Promise<Paid> {
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076 123 456')
  await until(async () => (await payer.status()) === 'done' || simulatorClock.advance(300))
  const [payment] = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
    .result
  const reference = payment.financialTransactionReference
  const [line] = (await merchant.call('GET', `/v1/financial-transactions?reference=${reference}`)).body.result
  return { payment: payment.id, line: line.id, reference, ...(await payOut(merchant, account)) }
}

async function payOut(merchant: Merchant, account: Made) {
  const { id } = (
    await merchant.call('POST', '/v1/payouts', {
      amount: { currency: 'SLE', value: 10 },
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
      source: { financialAccountId: account.id },
      metadata: { [markerOf(merchant)]: markerOf(merchant) },
    })
  ).body.result
  const { source, destination } = await until(async () => {
    await simulatorClock.advance(300)
    const { result } = (await merchant.call('GET', `/v1/payouts/${id}`)).body
    return result.status === 'completed' && result
  })
  return {
    payout: id,
    payoutReference: source.transactionReference,
    railTransaction: destination.transactionReference,
  }
}

/** No live rail can be called from here: copies the rows of the payment in test, with ids of their own. */
async function payInLive(merchant: Merchant, session: Made, account: Made): Promise<Paid> {
  const at = new Date()
  const [payment, line, reference] = [newId(at), newId(at), newReference(at)]
  const [payout, payoutReference, railTransaction] = [newId(at), newReference(at), 'rail-in-live']
  const accountId = readId(accountIds, account.id)
  const changes = {
    payments: {
      id: payment,
      rail_reference: payment,
      reference: markerOf(merchant),
      metadata: {},
      ledger_reference: reference,
      origin_id: readId(sessionIds, session.id),
      origin_metadata: { [markerOf(merchant)]: markerOf(merchant) },
      order_number: session.orderNumber,
      financial_account_id: accountId,
    },
    payouts: {
      id: payout,
      rail_reference: payout,
      ledger_reference: payoutReference,
      rail_transaction: railTransaction,
      financial_account_id: accountId,
      metadata: {},
    },
    receipts: { order_id: await orderIdOf(session) },
    ledger_lines: { id: line, reference, account_id: accountId, is_financial: true, owners: [] },
  }
  for (const [table, change] of Object.entries(changes))
    await db.pool.query(
      `insert into ${table} select (jsonb_populate_record(row, $2)).*
       from ${table} row where space_id = $1 and environment = 'test' limit 1`,
      [merchant.scope.spaceId, { environment: 'live', ...change }],
    )
  await db.pool.query(
    `update ledger_accounts set posted = 1000, next_seq = 100 where space_id = $1 and environment = 'live' and id = $2`,
    [merchant.scope.spaceId, accountId],
  )
  return {
    payment: showId(paymentIds, payment),
    line: showId(transactionIds, line),
    reference,
    payout: showId(payoutIds, payout),
    payoutReference,
    railTransaction,
  }
}

const orderIdOf = async ({ orderNumber }: Made): Promise<string> =>
  (await db.pool.query(`select id from orders where number = $1`, [orderNumber])).rows[0].id

const owner = await t.merchant()
const ownerLive = await t.merchant({ of: owner, environment: 'live' })
const goods = new Map([[owner, await stock(owner, pay)]])
goods.set(ownerLive, await stock(ownerLive, payInLive))

type Example = { path: string; body?: object; headers?: Record<string, string> }

/** What every token may see. */
const open: Record<string, string> = {
  '/v1/countries': '',
  '/v1/countries/:code': 'SL',
  '/v1/momos': '',
  '/v1/momos/:providerId': 'm17',
  '/v1/banks': '',
  '/v1/banks/:providerId': 'slb001',
  '/v1/wallets': '',
  '/v1/wallets/:providerId': 'dw001',
}

/** For every route: calls that name somebody else's things in every place where a call can name one. */
const examples: Record<string, (theirs: Goods) => Example[]> = {
  ...Object.fromEntries(
    Object.entries(open).map(([path, id]) => [`GET ${path}`, () => [{ path: path.replace(/:\w+/, id) }]]),
  ),
  'GET /v1/financial-accounts': ({ uvan, marker }) => [
    { path: '/v1/financial-accounts' },
    { path: '/v1/financial-accounts?withBalance=true' },
    { path: `/v1/financial-accounts?uvan=${uvan}` },
    { path: `/v1/financial-accounts?reference=${marker}` },
  ],
  'POST /v1/financial-accounts': () => [
    { path: '/v1/financial-accounts', body: { name: 'Mine', currency: 'GHS' } },
  ],
  'GET /v1/financial-accounts/:id': ({ account }) => [
    { path: `/v1/financial-accounts/${account}` },
    { path: `/v1/financial-accounts/${account}?withBalance=true` },
  ],
  'PATCH /v1/financial-accounts/:id': ({ account }) => [
    { path: `/v1/financial-accounts/${account}`, body: { name: 'Mine' } },
  ],
  'GET /v1/financial-transactions': ({ account, reference }) => [
    { path: '/v1/financial-transactions' },
    { path: `/v1/financial-transactions?financialAccountId=${account}` },
    { path: `/v1/financial-transactions?reference=${reference}` },
  ],
  'GET /v1/financial-transactions/:id': ({ line }) => [{ path: `/v1/financial-transactions/${line}` }],
  'GET /v1/internal-transfers': ({ account, otherAccount, transferReference }) => [
    { path: '/v1/internal-transfers' },
    { path: '/v1/internal-transfers?status=completed' },
    { path: `/v1/internal-transfers?sourceFinancialAccountId=${account}` },
    { path: `/v1/internal-transfers?destinationFinancialAccountId=${otherAccount}` },
    { path: `/v1/internal-transfers?financialTransactionReference=${transferReference}` },
  ],
  'POST /v1/internal-transfers': ({ account, otherAccount }) => [
    {
      path: '/v1/internal-transfers',
      body: {
        amount: { currency: 'SLE', value: 1 },
        sourceFinancialAccount: { id: account },
        destinationFinancialAccount: { id: otherAccount },
      },
    },
  ],
  'GET /v1/internal-transfers/:id': ({ transfer }) => [{ path: `/v1/internal-transfers/${transfer}` }],
  'PATCH /v1/internal-transfers/:id': ({ transfer }) => [
    { path: `/v1/internal-transfers/${transfer}`, body: { description: 'Mine' } },
  ],
  'DELETE /v1/internal-transfers/:id': ({ transfer }) => [{ path: `/v1/internal-transfers/${transfer}` }],
  'GET /v1/checkout-sessions': () => [{ path: '/v1/checkout-sessions' }],
  'POST /v1/checkout-sessions': ({ account }) => [
    {
      path: '/v1/checkout-sessions',
      body: {
        name: 'Mine',
        financialAccountId: account,
        lineItems: [{ name: 'Rice', price: { currency: 'SLE', value: 1 } }],
      },
    },
  ],
  'GET /v1/checkout-sessions/:id': ({ session }) => [{ path: `/v1/checkout-sessions/${session}` }],
  'DELETE /v1/checkout-sessions/:id': ({ session }) => [{ path: `/v1/checkout-sessions/${session}` }],
  'GET /v1/payment-codes': ({ number }) => [
    { path: '/v1/payment-codes' },
    { path: '/v1/payment-codes?mode=one_time' },
    { path: '/v1/payment-codes?status=pending' },
    { path: '/v1/payment-codes?mode=one_time&status=pending' },
    { path: `/v1/payment-codes?ussd_code=*715*${number}%23` },
    { path: `/v1/payment-codes?ussd_code=*715*${number}%23&mode=one_time&status=pending` },
  ],
  'POST /v1/payment-codes': ({ account }) => [
    { path: '/v1/payment-codes', body: { name: 'Mine', financialAccountId: account } },
  ],
  'GET /v1/payment-codes/:id': ({ code }) => [{ path: `/v1/payment-codes/${code}` }],
  'PATCH /v1/payment-codes/:id': ({ code }) => [
    { path: `/v1/payment-codes/${code}`, body: { name: 'Mine' } },
  ],
  'DELETE /v1/payment-codes/:id': ({ code }) => [{ path: `/v1/payment-codes/${code}` }],
  'GET /v1/payments': ({ account, orderNumber, reference }) => [
    { path: '/v1/payments' },
    { path: `/v1/payments?financialAccountId=${account}` },
    { path: `/v1/payments?orderNumber=${orderNumber}` },
    { path: `/v1/payments?financialTransactionReference=${reference}` },
  ],
  'GET /v1/payouts': ({ account, payoutReference, railTransaction }) => [
    { path: '/v1/payouts' },
    { path: '/v1/payouts?status=completed' },
    { path: `/v1/payouts?sourceFinancialAccountId=${account}` },
    { path: `/v1/payouts?sourceTransactionReference=${payoutReference}` },
    { path: `/v1/payouts?destinationTransactionReference=${railTransaction}` },
  ],
  'POST /v1/payouts': ({ account }) => [
    {
      path: '/v1/payouts',
      body: {
        amount: { currency: 'SLE', value: 1 },
        destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123457' },
        source: { financialAccountId: account },
      },
    },
  ],
  'GET /v1/payouts/:id': ({ payout }) => [{ path: `/v1/payouts/${payout}` }],
  'PATCH /v1/payouts/:id': ({ payout }) => [{ path: `/v1/payouts/${payout}`, body: { metadata: {} } }],
  'DELETE /v1/payouts/:id': ({ payout }) => [{ path: `/v1/payouts/${payout}` }],
  'POST /v1/payouts/:id/approve': ({ payout }) => [{ path: `/v1/payouts/${payout}/approve`, body: {} }],
  'POST /v1/payouts/:id/reject': ({ payout }) => [{ path: `/v1/payouts/${payout}/reject`, body: {} }],
  'GET /v1/ussd-otps': () => [{ path: '/v1/ussd-otps' }],
  'POST /v1/ussd-otps': () => [{ path: '/v1/ussd-otps', body: { authorizedPhoneNumber: '+23276123457' } }],
  'GET /v1/ussd-otps/:id': ({ otp }) => [{ path: `/v1/ussd-otps/${otp}` }],
  'DELETE /v1/ussd-otps/:id': ({ otp }) => [{ path: `/v1/ussd-otps/${otp}` }],
  'GET /v1/payments/:id': ({ payment }) => [{ path: `/v1/payments/${payment}` }],
  // It names an account of a provider, and nothing of a Space.
  'GET /v1/provider-kyc/:providerId': () => [],
  // It names nothing and goes on by itself; what it does to other Spaces is told in test-clock.test.ts.
  'GET /v1/test-clock': () => [],
  'POST /v1/test-clock': () => [],
  'GET /v1/events': ({ transfer, webhook }) => [
    { path: '/v1/events' },
    { path: '/v1/events?type=webhook.ping&since=2020-01-01T00:00:00Z' },
    { path: `/v1/events?objectId=${webhook}` },
    { path: `/v1/events?objectId=${transfer}` },
  ],
  'GET /v1/events/stream': ({ event }) => [
    { path: '/v1/events/stream', headers: { 'last-event-id': event } },
  ],
  'GET /v1/events/:id': ({ event }) => [{ path: `/v1/events/${event}` }],
  'GET /v1/webhooks': () => [{ path: '/v1/webhooks' }],
  'POST /v1/webhooks': ({ event }) => [
    { path: '/v1/webhooks', body: { name: event.slice(0, 3), url: 'https://shop.example/', events: ['*'] } },
  ],
  'GET /v1/webhooks/:id': ({ webhook }) => [{ path: `/v1/webhooks/${webhook}` }],
  'PATCH /v1/webhooks/:id': ({ webhook }) => [{ path: `/v1/webhooks/${webhook}`, body: { enabled: true } }],
  'DELETE /v1/webhooks/:id': ({ webhook }) => [{ path: `/v1/webhooks/${webhook}` }],
  'POST /v1/webhooks/:id/rotate-secret': ({ webhook }) => [
    { path: `/v1/webhooks/${webhook}/rotate-secret`, body: {} },
  ],
  'POST /v1/webhooks/:id/ping': ({ webhook }) => [{ path: `/v1/webhooks/${webhook}/ping`, body: {} }],
  'POST /v1/webhooks/:id/redeliver': ({ webhook }) => [
    { path: `/v1/webhooks/${webhook}/redeliver`, body: { since: '2020-01-01T00:00:00Z' } },
  ],
  'GET /v1/webhooks/:id/deliveries': ({ webhook }) => [
    { path: `/v1/webhooks/${webhook}/deliveries` },
    { path: `/v1/webhooks/${webhook}/deliveries?status=pending` },
  ],
  'GET /v1/deliveries/:id': ({ delivery }) => [{ path: `/v1/deliveries/${delivery}` }],
  'POST /v1/deliveries/:id/redeliver': ({ delivery }) => [
    { path: `/v1/deliveries/${delivery}/redeliver`, body: {} },
  ],
  'GET /v1/receipts/:orderNumber': ({ orderNumber }) => [{ path: `/v1/receipts/${orderNumber}` }],
  'POST /v1/receipts/:orderNumber/redeem': ({ orderNumber }) => [
    { path: `/v1/receipts/${orderNumber}/redeem`, body: { redeemAll: true } },
  ],
  'PATCH /v1/payments/:id': ({ payment }) => [{ path: `/v1/payments/${payment}`, body: { name: 'Mine' } }],
}

const routes = t.app.routes.filter((route): route is ApiRoute => route.kind !== 'raw')
const nameOf = ({ method, url }: ApiRoute) => `${method} ${url}`

test('every route has an example here, and every example a route', () => {
  assert.deepEqual(Object.keys(examples).sort(), routes.map(nameOf).sort())
})

/** All that the owner reads of it. */
async function inventory(merchant: Merchant, mine: Goods): Promise<Map<string, unknown>> {
  const seen = new Map<string, unknown>()
  const isRead = ({ kind, method, permission }: ApiRoute) =>
    method === 'GET' && permission !== null && kind !== 'stream'
  for (const route of routes.filter(isRead))
    for (const { path } of examples[nameOf(route)]!(mine)) {
      const { status, body } = await merchant.call('GET', path)
      assert.equal(status, 200, path)
      seen.set(path, body.result)
    }
  return seen
}

test('what is guarded is there for its owner', async () => {
  for (const [merchant, mine] of goods)
    for (const [path, result] of await inventory(merchant, mine))
      assert.notDeepEqual(result, [], `${path} has nothing to guard`)
})

type Visitor = { token?: string; spaceId?: string; isStranger?: boolean; hasOwn?: boolean }

/** Reads first, so that a Space that creates something on the way has empty lists before. */
const inReadingOrder = routes.toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))

const call = (route: ApiRoute, { path, body, headers }: Example, { token, spaceId }: Visitor) =>
  send(t.baseUrl, {
    method: route.method,
    path,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(spaceId && { 'service-space-id': spaceId }),
      ...(route.kind === 'command' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

function assertNothingOf(
  theirs: Goods,
  { text, status, json }: WireAnswer,
  route: ApiRoute,
  visitor: Visitor,
) {
  for (const secret of Object.values(theirs))
    assert.ok(!text.includes(secret), `${nameOf(route)} shows ${secret}: ${text}`)
  const { reason, details } = json.error ?? {}
  if (!visitor.token) return assert.equal(reason, 'token_missing')
  if (route.permission === null) return assert.equal(status, 200)
  if (visitor.isStranger) return assert.equal(reason, 'access_denied')
  if (/:(id|orderNumber)\b/.test(route.url)) return assert.equal(reason, 'not_found')
  // An id in a query or a body that names nothing here is told by its field.
  if (status !== 200)
    return assert.match(
      `${reason} ${details[0].param}`,
      /^arguments_invalid ((source\.)?\w*[fF]inancialAccount(Id|\.id)|objectId|Last-Event-ID)$/,
    )
  if (route.kind === 'list' && !visitor.hasOwn) assert.deepEqual(json.result, [])
}

for (const [merchant, theirs] of goods) {
  const { environment } = merchant.scope
  const near = await t.merchant({ environment })
  const far = await t.merchant({ environment: environment === 'test' ? 'live' : 'test' })
  const sister = [owner, ownerLive].find((one) => one !== merchant)!
  const { spaceId } = merchant
  const visitors: Record<string, Visitor> = {
    'another Space': near,
    'another Space in the other environment': far,
    'the same Space in the other environment': { ...sister, hasOwn: true },
    'a stranger who names the Space': { token: near.token, spaceId, isStranger: true },
    'a stranger of the other environment who names the Space': {
      token: far.token,
      spaceId,
      isStranger: true,
    },
    'the owner in another Space': { token: merchant.token, spaceId: near.spaceId, isStranger: true },
    'nobody who names the Space': { spaceId },
    nobody: {},
  }
  describe(`what a Space has in ${environment} is shown to nobody else`, () => {
    for (const [who, visitor] of Object.entries(visitors))
      test(`not to ${who}, by any route`, async () => {
        const before = await inventory(merchant, theirs)
        for (const route of inReadingOrder)
          for (const example of examples[nameOf(route)]!(theirs))
            assertNothingOf(theirs, await call(route, example, visitor), route, visitor)
        assert.deepEqual(await inventory(merchant, theirs), before)
      })
  })
}
