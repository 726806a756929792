import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { type Merchant, startTestApp, until } from '../../../test/support/harness.ts'
import { fund } from '../../../test/support/money.ts'
import { createPayer } from '../../../test/support/payer.ts'
import { phoneOf } from '../../../test/support/phones.ts'
import { paymentIds } from '../../server/src/money/payments/resources.ts'
import { sql } from '../../server/src/platform/db/sql.ts'
import { readId } from '../../server/src/platform/ids.ts'
import { record } from '../../server/src/rails/instructions/recording.ts'
import { selectInstructions } from '../../server/src/rails/instructions/store.ts'

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
after(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: a response body, checked against its schema
type Shown = any

/** For each country: the currency, and the providers reached through pawaPay. */
const countries: [country: string, currency: string, providerIds: string[]][] = [
  ['BF', 'XOF', ['moov-bf']],
  ['BJ', 'XOF', ['moov-bj']],
  ['CD', 'CDF', ['orange-cd', 'vodacom-cd']],
  ['CG', 'XAF', ['mtn-cg']],
  ['CI', 'XOF', ['orange-ci', 'wave-ci']],
  ['CM', 'XAF', ['orange-cm']],
  ['ET', 'ETB', ['mpesa-et']],
  ['GH', 'GHS', ['at-gh']],
  ['LS', 'LSL', ['mpesa-ls']],
  ['MW', 'MWK', ['tnm-mw']],
  ['MZ', 'MZN', ['movitel-mz', 'vodacom-mz']],
  ['NG', 'NGN', ['mtn-ng']],
  ['SN', 'XOF', ['free-sn', 'orange-sn', 'wave-sn']],
  ['TZ', 'TZS', ['halotel-tz', 'tigo-tz', 'vodacom-tz']],
  ['ZM', 'ZMW', ['zamtel-zm']],
]
/** Whole units of every currency, because some providers accept nothing else. */
const value = 150_000
const hasEnded = ({ status }: Shown) => status === 'completed' || status === 'failed'

let merchants: Map<string, Merchant>
before(async () => {
  const made = countries.map(async ([country]) => [country, await t.merchant({ country })] as const)
  merchants = new Map(await Promise.all(made))
})

/** Moves the clocks of the simulated rails and the Spaces until all of these have ended. */
const ended = (finds: (() => Promise<Shown>)[]): Promise<Shown[]> =>
  until(async () => {
    await clock.advance(300)
    for (const { scope } of merchants.values()) await t.advance(scope, 5_000)
    const found = await Promise.all(finds.map((find) => find()))
    return found.every((each) => each && hasEnded(each)) && found
  })

const places = countries.flatMap(([country, currency, providerIds]) =>
  providerIds.map((providerId) => ({ country, currency, providerId })),
)
type Place = (typeof places)[number]

const numberOf = (providerId: string, digits: string) =>
  phoneOf(must(t.app.parts.catalogue.find(providerId), 'provider'), digits)

/** Submits the payment page. `find` returns the resulting payment. */
async function pay({ country, currency, providerId }: Place, digits: string) {
  const merchant = merchants.get(country)!
  const lineItems = [{ name: 'Country cloth', price: { currency, value } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  const response = await payer.pay(providerId, numberOf(providerId, digits))
  assert.equal(response.status, 303, response.text)
  return {
    payer,
    find: async (): Promise<Shown> =>
      (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0],
  }
}

const pageOf = (payer: ReturnType<typeof createPayer>, merchant: Merchant) =>
  until(async () => {
    await clock.advance(0)
    await t.advance(merchant.scope, 1_000)
    return (await payer.look('/wait')).location
  })

describe('checkouts with each provider reached through pawaPay', () => {
  const pushes = places.filter(({ providerId }) => !providerId.startsWith('wave-'))

  test('are paid, refused, paid although the response was lost, and paid late, which opens a case', async () => {
    const attempts = await Promise.all(
      pushes.flatMap((place) =>
        ['456', '002', '007', '012'].map(async (digits) => ({
          place,
          digits,
          ...(await pay(place, digits)),
        })),
      ),
    )
    const payments = await ended(attempts.map(({ find }) => find))
    const expected = { '456': 'completed', '002': 'failed', '007': 'completed', '012': 'failed' }
    for (const [i, { place, digits }] of attempts.entries()) {
      const { status, amount } = payments[i]
      const actual = { providerId: place.providerId, digits, status, amount }
      const expectedStatus = expected[digits as '456']
      assert.deepEqual(actual, {
        ...actual,
        status: expectedStatus,
        amount: { currency: place.currency, value },
      })
    }
    // A payment that ends in 012 is reported as failed, then as paid, and is found by a later query.
    await clock.advance(5_300)
    const late = attempts.filter(({ digits }) => digits === '012')
    await until(async () => {
      for (const { scope } of merchants.values()) await t.advance(scope, 600_000)
      // every space: all belong to this test
      const { cases } = await t.app.parts.db.only<{ cases: number }>(sql`
        select count(*)::int as cases from ledger_cases`)
      return cases >= late.length
    })
    await t.verify()
  })

  test('with Wave lead to its page, where the payer approves or declines', async () => {
    const waves = places.filter(({ providerId }) => providerId.startsWith('wave-'))
    for (const place of waves)
      for (const [choice, status] of [
        ['approve', 'completed'],
        ['decline', 'failed'],
      ] as const) {
        const merchant = merchants.get(place.country)!
        const { payer, find } = await pay(place, '456')
        const page = await pageOf(payer, merchant)
        await payer.answer(page!, { answer: choice })
        const [payment] = await ended([find])
        assert.deepEqual([place.providerId, payment.status], [place.providerId, status])
      }
  })
})

test('each provider receives payouts, and payments are refunded in parts', async () => {
  const paid = await Promise.all(
    places.map(async (place) => {
      const merchant = merchants.get(place.country)!
      await fund(t.app.parts, merchant.scope, 10 * value, { currency: place.currency })
      const { payer, find } = await pay(place, '456')
      if (place.providerId.startsWith('wave-'))
        await payer.answer((await pageOf(payer, merchant))!, { answer: 'approve' })
      return { place, merchant, find }
    }),
  )
  const payments = await ended(paid.map(({ find }) => find))
  const send = (path: string) => async (merchant: Merchant, body: object) => {
    const response = await merchant.call('POST', path, body)
    assert.equal(response.status, 200, JSON.stringify(response.body))
    const { id } = response.body.result
    return async () => (await merchant.call('GET', `${path}/${id}`)).body.result
  }
  const outgoing = await Promise.all(
    [...paid.entries()].flatMap(([i, { place, merchant }]) => {
      const { currency, providerId } = place
      const destination = { type: 'momo', providerId, phoneNumber: numberOf(providerId, '456') }
      return [
        send('/v1/payouts')(merchant, { amount: { currency, value }, destination }),
        send('/v1/refunds')(merchant, {
          paymentId: payments[i].id,
          amount: { currency, value: value / 3 },
          reason: 'requested_by_customer',
        }),
      ]
    }),
  )
  for (const { status } of await ended(outgoing)) assert.equal(status, 'completed')
  await t.verify()
})

describe('a payer with Orange in Burkina Faso creates a code first', () => {
  const place = { country: 'BF', currency: 'XOF', providerId: 'orange-bf' }
  /** A code that only the payer and the provider know. */
  const secretCode = '739104628517'
  const scope = () => merchants.get('BF')!.scope
  async function choose(digits: string) {
    const { payer, find } = await pay(place, digits)
    const asked = await until(async () => {
      const payment = await find()
      return payment?.instructions?.asksForCode && payment
    })
    const giveCode = async (code: string) => {
      const { text } = await payer.look('/wait')
      const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? []
      return payer.post('/code', { code, formToken })
    }
    return { payer, find, asked, giveCode }
  }
  const deposits = async () =>
    (
      await t.app.parts.db.query<{ count: bigint }>(sql`
        select count(*) from simulator_collections where provider_id = 'orange-bf'`)
    )[0]!.count
  const given = (text: string) => /We sent your code|Your code was sent/.test(text)

  test('the page explains how, nothing is submitted until the code is entered, and the code pays', async () => {
    const before = await deposits()
    const { payer, find, asked, giveCode } = await choose('456')
    assert.equal(asked.instructions.dialString, '*555*7#')
    const { text } = await payer.look('/wait')
    assert.match(text, /Dial \*555\*7#\. Enter amount\. Enter PIN\. Use OTP/)
    assert.match(text, /href="tel:\*555\*7%23"/)
    await t.advance(scope(), 600_000)
    assert.deepEqual([(await find()).status, await deposits()], ['processing', before])
    for (const wrong of ['', '123', '12a456', '<b>1234', '1'.repeat(300)])
      assert.equal((await giveCode(wrong)).status, 422, wrong)
    assert.equal(await deposits(), before)
    assert.match((await giveCode('36 70 25')).location ?? '', /\/wait$/)
    const after = (await payer.look('/wait')).text
    assert.ok(given(after) && !/name="code"/.test(after), after)
    const [payment] = await ended([find])
    assert.deepEqual([payment.status, payment.instructions.dialString], ['completed', null])
    assert.equal(await deposits(), before + 1n)
    await t.verify()
  })

  for (const [digits, code, status, failure] of [
    ['456', '000000', 'failed', 'authorization_failed'],
    ['002', '367025', 'failed', 'authorization_failed'],
    ['007', '367025', 'completed', undefined],
  ] as const)
    test(`…${digits} with the code ${code}: ${status}`, async () => {
      const { find, giveCode } = await choose(digits)
      await giveCode(code)
      const [payment] = await ended([find])
      assert.deepEqual([payment.status, payment.failureDetail?.code], [status, failure])
    })

  test('a payer who enters no code has 15 minutes, and can then pay another way', async () => {
    const { payer, find } = await choose('456')
    await t.advance(scope(), 899_000)
    await t.app.settled()
    assert.equal((await find()).status, 'processing')
    // After the next query, which is six minutes away.
    await t.advance(scope(), 600_000)
    const [payment] = await ended([find])
    assert.equal(payment.status, 'failed')
    assert.equal((await payer.pay('moov-bf', numberOf('moov-bf', '456'))).status, 303)
  })

  test('a query that started before a code was passed on does not make the payment fail, however late it is recorded', async () => {
    const { find, asked, giveCode } = await choose('456')
    const key = { scope: scope(), id: readId(paymentIds, asked.id)! }
    const [before] = await selectInstructions(t.app.parts.db, [key])
    await t.advance(scope(), 899_000)
    await giveCode('367025')
    const missing = { instruction: before!, result: { outcome: 'missing' }, source: 'query' } as const
    const endings = await t.app.parts.db.transaction((tx) => record(tx, t.app.parts, [missing]))
    assert.deepEqual(endings, ['unchanged'])
    const [now] = await selectInstructions(t.app.parts.db, [key])
    assert.ok(now!.submittingMs < 60_000, 'its age starts again')
    const [payment] = await ended([find])
    assert.equal(payment.status, 'completed')
  })

  test('a merchant’s program passes the code on, and it is not stored', async () => {
    const { find, asked } = await choose('456')
    const url = `/v1/payments/${asked.id}/submit-code`
    const merchant = merchants.get('BF')!
    const passed = await merchant.call('POST', url, { code: secretCode })
    assert.deepEqual([passed.status, passed.body.result.status], [200, 'processing'])
    assert.equal((await merchant.call('POST', url, { code: secretCode })).body.error.reason, 'state_conflict')
    const [payment] = await ended([find])
    assert.equal(payment.status, 'completed')
    const { pool } = t.app.parts.db
    const { rows } = await pool.query(`select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`)
    for (const { name } of rows) {
      const found = await pool.query(`select from "${name}" each where each::text like '%' || $1 || '%'`, [
        secretCode,
      ])
      assert.equal(found.rowCount, 0, name)
    }
  })
})

test('the waiting page shows what to dial in the payer’s language', async () => {
  const place = places.find(({ providerId }) => providerId === 'orange-ci')!
  const { payer, find } = await pay(place, '004')
  const merchant = merchants.get('CI')!
  const { texts, dialString } = await until(async () => {
    await t.advance(merchant.scope, 5_000)
    return (await find())?.instructions
  })
  assert.deepEqual([texts.fr, dialString], ['Composez *555*6#. Entrez le code PIN', '*555*6#'])
  const { text } = await payer.look('/wait', { headers: { 'accept-language': 'fr' } })
  assert.ok(text.includes('Composez *555*6#. Entrez le code PIN'), text)
  assert.ok(text.includes('href="tel:*555*6%23"'), text)
})

test('a callback at the connection’s URL is a hint; a callback signed with an unknown key is refused', async () => {
  const place = places.find(({ providerId }) => providerId === 'mtn-ng')!
  const { find } = await pay(place, '003')
  await until(find)
  const post = (providerId: string) =>
    fetch(`${t.baseUrl}/callbacks/connections/test/${providerId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ depositId: 'dc2c1cd2-9a4f-4c0e-a2f5-0a8e3f7f0001', status: 'COMPLETED' }),
    })
  assert.equal((await post('mtn-ng')).status, 200)
  assert.equal((await post('wave-sn')).status, 401)
  assert.equal((await find()).status, 'processing')
})
