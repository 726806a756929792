import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { createPayer } from '../../../test/support/payer.ts'
import { sql } from '../../server/src/platform/db/sql.ts'

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
after(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: a response body, checked against its schema
type Shown = any

/** For each country: the currency, the number prefix, and the providers with this protocol. */
const places = [
  { country: 'AO', currency: 'AOA', phone: '+244953456', providerId: 'afrimoney-ao' },
  { country: 'CD', currency: 'CDF', phone: '+243903456', providerId: 'afrimoney-cd' },
  { country: 'GM', currency: 'GMD', phone: '+2207345', providerId: 'afrimoney-gm' },
]
type Place = (typeof places)[number]
const value = 150_050

let merchants: Map<string, Merchant>
before(async () => {
  merchants = new Map(
    await Promise.all(places.map(async ({ country }) => [country, await t.merchant({ country })] as const)),
  )
})

const pass = async (ms: number) => {
  for (const { scope } of merchants.values()) await t.advance(scope, ms)
}
const ended = (finds: (() => Promise<Shown>)[]): Promise<Shown[]> =>
  until(async () => {
    await clock.advance(300)
    await pass(5_000)
    const found = await Promise.all(finds.map((find) => find()))
    return found.every((each) => ['completed', 'failed'].includes(each?.status)) && found
  })

async function pay({ country, currency, phone, providerId }: Place, digits: string) {
  const merchant = merchants.get(country)!
  const lineItems = [{ name: 'Country cloth', price: { currency, value } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const response = await createPayer(session.redirectUrl).pay(providerId, phone + digits)
  assert.equal(response.status, 303, response.text)
  return async (): Promise<Shown> =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
}

test('checkouts with Afrimoney are paid, refused, paid although the response was lost, and paid late, which opens a case', async () => {
  const expected = { '456': 'completed', '002': 'failed', '007': 'completed', '012': 'failed' }
  const attempts = places.flatMap((place) => Object.entries(expected).map((ending) => ({ place, ending })))
  const finds = await Promise.all(attempts.map(({ place, ending: [digits] }) => pay(place, digits)))
  const payments = await ended(finds)
  for (const [i, { place, ending }] of attempts.entries())
    assert.deepEqual([place.providerId, ending[0], payments[i].status], [place.providerId, ...ending])
  await clock.advance(5_300)
  await until(async () => {
    await pass(600_000)
    // every space: all belong to this test
    const { cases } = await t.app.parts.db.only<{ cases: number }>(sql`
      select count(*)::int as cases from ledger_cases`)
    return cases >= places.length
  })
  await t.verify()
})

test('each provider receives payouts, and payments are refunded in parts', async () => {
  const payments = await ended(await Promise.all(places.map((place) => pay(place, '456'))))
  const outgoing = await Promise.all(
    places.map(async ({ country, currency, phone, providerId }, i) => {
      const merchant = merchants.get(country)!
      await fund(t.app.parts, merchant.scope, 10 * value, { currency })
      const send = async (path: string, body: object) => {
        const response = await merchant.call('POST', path, body)
        assert.equal(response.status, 200, JSON.stringify(response.body))
        return async () => (await merchant.call('GET', `${path}/${response.body.result.id}`)).body.result
      }
      const destination = { type: 'momo', providerId, phoneNumber: `${phone}456` }
      const back = { paymentId: payments[i].id, reason: 'requested_by_customer' }
      return [
        await send('/v1/payouts', { amount: { currency, value }, destination }),
        await send('/v1/refunds', { ...back, amount: { currency, value: 50_000 } }),
        await send('/v1/refunds', { ...back, amount: { currency, value: 100_050 } }),
      ]
    }),
  )
  for (const { status } of await ended(outgoing.flat())) assert.equal(status, 'completed')
  await t.verify()
})
