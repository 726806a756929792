import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import {
  Masker,
  seesNothing,
  shapesOfTypes,
} from '../../../packages/server/src/platform/http/admission/personal.ts'
import { isInSpace } from '../../../packages/server/src/platform/http/commands/route.ts'
import { framesOf } from '../../../packages/server/src/platform/http/lists/streams.ts'
import { type Entry, entriesOf, openStock, type Stock } from '../../support/examples.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'
import { createPayer } from '../../support/payer.ts'

const simulatorClock = createManualClock()
const t = await startTestApp({
  hasLiveProvider: true,
  app: { simulatorClock },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
/** A webhook endpoint that echoes what it receives. */
const echo = createServer((request, response) => request.pipe(response))
await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
after(async () => {
  await t.close()
  echo.close()
})

/** Personal data of payers and payees, which must be masked without the permission. */
const [phone, name, account, wallet] = ['+23276998877', 'Zainab Conteh', '0099887766', 'zainab@safulpay']
const planted = [phone.slice(4), 'ainab', 'onteh', account, wallet]
const isPlanted = (text: string) => planted.some((each) => text.includes(each))

const entries = (await entriesOf(t)).filter(({ route }) => isInSpace(route))
const owner = await t.merchant()
const support = await t.merchant({ sameSpaceAs: owner, role: 'support' })
let stock: Stock

before(async () => {
  stock = await openStock(t, owner, entries, { turn: () => simulatorClock.advance(300) }).fill()
  await fund(t.app.parts, owner.scope, 1_000_000)
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/hook`
  await stock.post('/v1/webhooks', { name: 'Echo', url, events: ['*'] })
  const amount = { currency: 'SLE', value: 1_000 }
  const momo = { type: 'momo', providerId: 'm17', phoneNumber: phone }
  await stock.post('/v1/payment-codes', { name: 'Fees', authorizedPhoneNumber: phone, customer: { name } })
  await stock.post('/v1/ussd-otps', { authorizedPhoneNumber: phone })
  for (const destination of [
    momo,
    { type: 'bank', providerId: 'slb001', accountNumber: account },
    { type: 'wallet', providerId: 'dw001', walletId: wallet },
  ])
    await stock.post('/v1/payouts', { amount, destination })
  await stock.post('/v1/payout-batches', { name: 'Wages', rows: [{ amount, destination: momo, name }] })
  const csv = `amount,currency,type,provider,account,name\n15.00,SLE,bank,slb001,${account},${name}`
  await stock.post('/v1/payout-batches', { name: 'Wages', csv })
  const session = await stock.post('/v1/checkout-sessions', {
    name: 'Order 42',
    lineItems: [{ name: 'Cloth', price: amount }],
  })
  await createPayer(session.redirectUrl).pay('m17', phone)
  const paid = await until(async () => {
    const { result } = (await owner.call('GET', '/v1/payments?status=completed')).body
    return (
      result.find(({ orderNumber }: { orderNumber: string }) => orderNumber === session.orderNumber) ||
      stock.turn()
    )
  })
  await stock.post('/v1/refunds', { paymentId: paid.id, reason: 'requested_by_customer' })
  await stock.read()
  await until(async () => isPlanted(JSON.stringify(await deliveriesOf(owner))))
  await stock.settle()
})

const deliveriesOf = async (merchant: Merchant) =>
  (await merchant.call('GET', `/v1/webhooks/${stock.ids('whk').at(-1)}/deliveries?limit=50`)).body.result

const isReading = ({ route }: Entry) => route.kind === 'read' || route.kind === 'list'

/** Returns the URLs of a route for everything in the Space. */
function pathsOf(entry: Entry): string[] {
  const { route } = entry
  if (!route.idKind)
    return stock
      .queriesOf(entry)
      .slice(-1)
      .map((query) => withQuery(stock.pathOf(route), query))
  return stock.ids(route.idKind.prefix).map((id) => route.url.replace(':id', id))
}

const withQuery = (path: string, query: Record<string, string>) => {
  const names = Object.keys(query)
  return names.length > 0 ? `${path}?${new URLSearchParams(query)}` : path
}

async function read(merchant: Merchant, path: string, accept: string) {
  const headers = {
    authorization: `Bearer ${merchant.tokenFor(path)}`,
    'service-space-id': merchant.spaceId,
    accept,
  }
  const response = await fetch(t.baseUrl + path, { headers })
  return { status: response.status, text: await response.text() }
}

const listPath = (entry: Entry) => `${stock.pathOf(entry.route)}?limit=50`

describe('a member with the support role', () => {
  test('sees no phone number, name or account of a person, in any route and media type', async () => {
    let seen = 0
    for (const entry of entries.filter(isReading)) {
      const paths = entry.route.kind === 'list' ? [listPath(entry)] : pathsOf(entry)
      const types =
        entry.route.kind === 'list'
          ? ['application/json', 'text/csv', 'application/x-ndjson']
          : ['application/json']
      for (const path of paths)
        for (const type of types) {
          const { status, text } = await read(support, path, type)
          assert.ok([200, 403, 404, 409].includes(status), `${path}: ${status} ${text}`)
          assert.ok(!isPlanted(text), `${path} as ${type}: ${text}`)
          if (status === 200) seen++
        }
    }
    assert.ok(seen > 50, `${seen} responses`)
  })

  test('can recognize a payer by the masked values, and sees the same in CSV as in pages', async () => {
    const path = '/v1/payment-codes?limit=1'
    const { result } = JSON.parse((await read(support, path, 'application/json')).text)
    assert.deepEqual(
      [result[0].authorizedPhoneNumber, result[0].customer],
      ['+23276****77', { name: 'Z***** C*****' }],
    )
    const csv = (await read(support, path, 'text/csv')).text
    assert.ok(csv.includes("'+23276****77") && csv.includes('Z***** C*****'), csv)
    const whole = (await read(owner, path, 'application/json')).text
    assert.ok(whole.includes(phone) && whole.includes(name))
  })

  test('sees none in the response to a POST or its replay', async () => {
    const [delivery] = (await deliveriesOf(owner)).filter((each: object) => isPlanted(JSON.stringify(each)))
    const headers = { 'idempotency-key': 'masked-in-replays' }
    await owner.call('PATCH', `/v1/webhooks/${delivery.webhookId}`, { enabled: true })
    for (let i = 0; i < 2; i++) {
      const { status, body } = await support.call(
        'POST',
        `/v1/deliveries/${delivery.id}/redeliver`,
        {},
        headers,
      )
      assert.equal(status, 200)
      assert.ok(!isPlanted(JSON.stringify(body)), JSON.stringify(body))
    }
    const { body } = await owner.call('POST', `/v1/deliveries/${delivery.id}/redeliver`, {}, headers)
    assert.ok(isPlanted(JSON.stringify(body)), 'stored responses are unmasked, for others')
  })

  test('sees them unmasked with another role', async () => {
    for (const role of ['viewer', 'developer', 'finance', 'admin']) {
      const member = await t.merchant({ sameSpaceAs: owner, role, scopes: ['payment-codes:read'] })
      assert.ok((await read(member, '/v1/payment-codes', 'application/json')).text.includes(phone), role)
    }
  })
})

describe('the schemas', () => {
  const shapeOfType = shapesOfTypes(t.app.routes)

  test('declare their personal fields', async () => {
    const withPersonal = new Set<string>()
    for (const entry of entries.filter(isReading)) {
      const hide =
        new Masker(entry.route.result, shapeOfType).maskFor(seesNothing) ?? ((value: unknown) => value)
      const paths = entry.route.kind === 'list' ? [listPath(entry)] : pathsOf(entry)
      for (const path of paths) {
        const { status, text } = await read(owner, path, 'application/json')
        if (status !== 200) continue
        const { result } = JSON.parse(text)
        const hidden = JSON.stringify(entry.route.kind === 'list' ? result.map(hide) : hide(result))
        if (isPlanted(text)) withPersonal.add(entry.route.url)
        assert.ok(!isPlanted(hidden), `${path}: ${hidden}`)
      }
    }
    for (const url of ['/v1/payment-codes', '/v1/ussd-otps', '/v1/payouts', '/v1/events', '/v1/events/:id'])
      assert.ok(withPersonal.has(url), `${url} has personal fields: ${[...withPersonal]}`)
  })

  test('mask stream events in the same way as pages', async () => {
    const event = t.app.routes.find(({ url }) => url === '/v1/events/stream')!.result!
    const { result } = (await owner.call('GET', '/v1/events?limit=50')).body
    const events = result.map((each: { id: string; type: string }) => ({
      ...each,
      text: JSON.stringify(each),
    }))
    async function* source() {
      yield events
    }
    const framed = async (hide?: (value: unknown) => unknown) => {
      let text = ''
      for await (const frames of framesOf(source(), hide)) text += frames
      return text
    }
    assert.ok(isPlanted(await framed()))
    assert.ok(!isPlanted(await framed(new Masker(event, shapeOfType).maskFor(seesNothing))))
  })

  test('exist for every resource with events', () => {
    for (const { route } of entries.filter(({ route: { url } }) => url === '/v1/events')) {
      const types = (route.result as unknown as { properties: { type: { enum: string[] } } }).properties.type
        .enum
      for (const type of types) assert.ok(shapeOfType(type.split('.')[0]!), type)
    }
  })
})

describe('the request log', () => {
  test('has no declared phone number, name or account, but shows which fields were sent', async () => {
    const { result } = (await owner.call('GET', '/v1/requests?limit=50&method=POST')).body
    const bodies: string[] = []
    for (const { id } of result) {
      const { body } = (await owner.call('GET', `/v1/requests/${id}`)).body.result
      assert.ok(!isPlanted(body ?? ''), body)
      bodies.push(body)
    }
    for (const field of [
      'authorizedPhoneNumber',
      'customer',
      'destination',
      'accountNumber',
      'walletId',
      'csv',
    ])
      assert.ok(
        bodies.some((body) => body?.includes(`"${field}":`)),
        field,
      )
  })

  test('shows the name of every field that any route accepts', async () => {
    function* namesOf({ properties = {}, items }: NamedShape): Generator<string> {
      for (const [name, field] of Object.entries(properties)) yield* [name, ...namesOf(field)]
      if (items) yield* namesOf(items)
    }
    const { maskedBody } = await import('../../../packages/server/src/tenants/requests/masking.ts')
    const names = new Set(entries.flatMap(({ route }) => [...namesOf((route.body ?? {}) as NamedShape)]))
    assert.ok(names.size > 50)
    for (const each of [...names, 'authorisedPhoneNumberOfCustomer', 'customer_phone_number'])
      assert.deepEqual(Object.keys(JSON.parse(maskedBody({ [each]: true }).body)), [each])
  })
})

type NamedShape = { properties?: Record<string, NamedShape>; items?: NamedShape }
