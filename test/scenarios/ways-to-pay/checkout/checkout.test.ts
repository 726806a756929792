import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail }, hasLiveProvider: true })
after(() => t.close())

const order = {
  name: 'Order 42',
  callbackState: 'cart 7',
  successUrl: 'https://shop.example/thanks?cart=7#top',
  cancelUrl: 'https://shop.example/basket',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
}

/** Creates a merchant with an open session for 30 000, and its payer. */
async function openSession(more: object = {}, given?: Merchant) {
  const merchant = given ?? (await t.merchant())
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { ...order, ...more })).body.result
  const paymentsOf = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result
  const payment = async () => (await paymentsOf())[0]
  const status = async () =>
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
  const ended = async () => {
    await until(async () => ['completed', 'failed'].includes((await payment())?.status))
    return payment()
  }
  const payer = createPayer(session.redirectUrl)
  /** Pays, waits until the rail has received the instruction, and advances the rail's clock by `ms`. */
  const pay = async (phone: string, ms = 300) => {
    const pressed = await payer.pay('m17', phone)
    await submitted()
    await rail.advance(ms)
    return pressed
  }
  return { merchant, session, payer, pay, payment, paymentsOf, status, ended }
}

/** Returns the balances of all accounts in a scope, with system accounts by their purpose. */
async function balances({ scope: { spaceId, environment } }: Merchant): Promise<Record<string, bigint>> {
  const rows = await t.app.parts.db.query<{ purpose: string; posted: bigint }>(sql`
    select purpose, posted from ledger_accounts where space_id = ${spaceId} and environment = ${environment}`)
  return Object.fromEntries(rows.map(({ purpose, posted }) => [purpose, posted]))
}

type Value = { value: number }

const eventTypes = async ({ scope }: Merchant) => (await t.events(scope)).map(({ type }) => type)

test('POST /pay/{key}: 303, and exactly 30 000 move: clearing −30 000, merchant +30 000 and −300, fees +300', async () => {
  const { merchant, session, pay, ended, status } = await openSession()
  const pressed = await pay('076 123 456')
  assert.deepEqual([pressed.status, pressed.location], [303, `${new URL(session.redirectUrl).pathname}/wait`])
  const payment = await ended()

  assert.equal(payment.status, 'completed')
  assert.deepEqual(payment.amount, { currency: 'SLE', value: 30_000 })
  assert.deepEqual(payment.fees, [{ code: 'payment', amount: { currency: 'SLE', value: 300 }, metadata: {} }])
  assert.equal(payment.channel.phoneNumber, '+23276****56')
  assert.deepEqual(await balances(merchant), {
    main: 29_700n,
    fees: 300n,
    'clearing m17 collection': -30_000n,
  })
  const reference = payment.financialTransactionReference
  const lines = (await merchant.call('GET', `/v1/financial-transactions?reference=${reference}`)).body.result
  assert.deepEqual(
    lines.map((line: { type: string; amount: Value; financialAccount: { balance: { after: Value } } }) => [
      line.type,
      line.amount.value,
      line.financialAccount.balance.after.value,
    ]),
    [
      ['debit', 300, 29_700],
      ['credit', 30_000, 30_000],
    ],
  )
  await until(async () => (await status()) === 'completed')
  await t.verify()
})

test('POST /pay/{key}: each fact has its event, and session events carry the callbackState', async () => {
  const { merchant, status, pay } = await openSession()
  await pay('076123456')
  await until(async () => (await status()) === 'completed')
  assert.deepEqual(await eventTypes(merchant), [
    'checkout_session.created',
    'payment.created',
    'payment.processing',
    'financial_transaction.created',
    'financial_transaction.created',
    'payment.completed',
    'checkout_session.completed',
  ])
  const events = await t.events(merchant.scope)
  for (const { type, callbackState } of events)
    assert.equal(callbackState, type.startsWith('checkout_session') ? 'cart 7' : null)
})

test('GET /v1/checkout-sessions/{id}, /v1/payments, /v1/financial-transactions/{id}: 200 with the same content as the events', async () => {
  const { merchant, session, payment, status, pay } = await openSession({
    metadata: { z: 1, a: { b: [1.5] } },
  })
  await pay('076123456')
  await until(async () => (await status()) === 'completed')
  const events = await t.events(merchant.scope)
  const dataOf = (type: string) => events.find((event) => event.type === type)!.data
  assert.deepEqual(dataOf('payment.completed'), await payment())
  assert.deepEqual(
    dataOf('checkout_session.completed'),
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result,
  )
  const line = dataOf('financial_transaction.created') as { id: string }
  assert.deepEqual(line, (await merchant.call('GET', `/v1/financial-transactions/${line.id}`)).body.result)
})

describe('GET /pay/{key}/wait and POST /pay/{key}/cancel', () => {
  test('303 after paying: to successUrl, with its own query and fragment', async () => {
    const { payer, session, status, pay } = await openSession()
    await pay('076123456')
    await until(async () => (await payer.status()) === 'done')
    const { status: code, location } = await payer.look('/wait')
    assert.equal(code, 303)
    assert.equal(
      location,
      `https://shop.example/thanks?cart=7&checkoutSessionId=${session.id}&callbackState=cart+7#top`,
    )
    assert.match((await payer.look()).text, /Payment received/)
    await until(async () => (await status()) === 'completed')
  })

  test('303 after cancelling: to cancelUrl, and the session is cancelled', async () => {
    const { merchant, payer, session, status } = await openSession()
    const { location } = await payer.cancel()
    assert.equal(location, `https://shop.example/basket?checkoutSessionId=${session.id}&callbackState=cart+7`)
    assert.equal(await status(), 'cancelled')
    assert.match((await payer.look()).text, /ancelled/)
    assert.equal((await eventTypes(merchant)).at(-1), 'checkout_session.cancelled')
  })
})

describe('POST /pay/{key} with test numbers', () => {
  const declined = [
    ['001', 300, 'fund_insufficient'],
    ['002', 300, 'authorization_failed'],
    ['003', 60_000, 'authorization_failed'],
    ['009', 300, 'provider_account_blocked'],
    ['010', 300, 'provider_account_missing'],
    ['011', 300, 'provider_account_quota_exhausted'],
  ] as const
  for (const [digits, ms, code] of declined)
    test(`…${digits} fails with ${code}; the session stays pending and can be paid again`, async () => {
      const { merchant, ended, status, pay } = await openSession()
      await pay(`076123${digits}`, ms)
      const failed = await ended()
      assert.deepEqual([failed.status, failed.failureDetail.code], ['failed', code])
      assert.equal(failed.financialTransactionReference, null)
      assert.deepEqual((await balances(merchant)).main, 0n)
      assert.equal(await status(), 'pending')
      await pay('076123456')
      await until(async () => (await status()) === 'completed')
      await t.verify()
    })

  test('…004 completes when the outcome arrives after 30 s', async () => {
    const { payment, status, pay } = await openSession()
    await pay('076123004', 29_000)
    assert.equal((await payment()).status, 'processing')
    await rail.advance(1_000)
    await until(async () => (await status()) === 'completed')
    await t.verify()
  })

  test('…005 completes once despite three callbacks', async () => {
    const { merchant, paymentsOf, status, pay } = await openSession()
    await pay('076123005')
    await until(async () => (await status()) === 'completed')
    assert.equal((await paymentsOf()).length, 1)
    assert.equal((await balances(merchant)).main, 29_700n)
    assert.equal((await eventTypes(merchant)).filter((type) => type === 'payment.completed').length, 1)
    await t.verify()
  })

  test('…006 completes through a query, without a callback', async () => {
    const { merchant, payment, status, pay } = await openSession()
    await pay('076123006')
    assert.equal((await payment()).status, 'processing')
    await t.advance(merchant.scope, 5_000)
    await until(async () => (await status()) === 'completed')
    await t.verify()
  })

  test('…007 completes although the response to the submission was lost', async () => {
    const { merchant, status, pay } = await openSession()
    await pay('076123007')
    await t.advance(merchant.scope, 5_000)
    await until(async () => (await status()) === 'completed')
    assert.equal((await balances(merchant))['clearing m17 collection'], -30_000n)
    await t.verify()
  })

  test('…008 does not fail until the rail reliably reports that it is unknown', async () => {
    const { merchant, payment, ended, status, pay } = await openSession()
    await pay('076123008', 0)
    await t.advance(merchant.scope, 50_000)
    assert.equal((await payment()).status, 'processing')
    await t.advance(merchant.scope, 60_000)
    const failed = await ended()
    assert.deepEqual([failed.status, failed.failureDetail.code], ['failed', 'unknown'])
    assert.equal(await status(), 'pending')
    await t.verify()
  })

  test('…012, failed and later successful: the payment stays failed, the money is in suspense and a case is open', async () => {
    const { merchant, payment, ended, status, pay } = await openSession()
    await pay('076123012')
    assert.equal((await ended()).status, 'failed')
    await rail.advance(5_000)
    await until(async () => (await balances(merchant)).suspense === 30_000n)
    assert.equal((await payment()).status, 'failed')
    assert.equal(await status(), 'pending')
    assert.deepEqual((await balances(merchant)).main, 0n)
    await t.verify()
  })
})

describe('while an attempt is in flight', () => {
  test('DELETE /v1/checkout-sessions/{id}: 409, and the session does not expire', async () => {
    const { merchant, session, payer, status, pay } = await openSession({ duration: '5m' })
    await pay('076123003', 0)
    const refused = await merchant.call('DELETE', `/v1/checkout-sessions/${session.id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'state_conflict'])
    await t.advance(merchant.scope, 6 * 60_000)
    await until(() => dueJobsAreDone(merchant))
    assert.equal(await status(), 'pending')
    await rail.advance(60_000)
    await until(async () => (await status()) === 'expired')
    assert.match((await payer.look()).text, /expired/i)
  })

  test('POST /pay/{key}: 303 to a second device at the same time, and no second payment', async () => {
    const { payer, paymentsOf, status } = await openSession()
    const formToken = await payer.formToken()
    const forms = [
      { provider: 'm17', phone: '076123456', formToken },
      { provider: 'm18', phone: '077123456', formToken },
      { provider: 'm17', phone: '076123456', formToken },
    ]
    for (const { status: code } of await Promise.all(forms.map((form) => payer.post('', form))))
      assert.equal(code, 303)
    assert.equal((await paymentsOf()).length, 1)
    await submitted()
    await rail.advance(300)
    await until(async () => (await status()) === 'completed')
    await t.verify()
  })
})

describe('DELETE /v1/checkout-sessions/{id}', () => {
  test('409 once it has expired by its Space’s clock; it can no longer be paid', async () => {
    const { merchant, session, payer, status, paymentsOf } = await openSession({ duration: '10m' })
    const formToken = await payer.formToken()
    await t.advance(merchant.scope, 600_000)
    await until(async () => (await status()) === 'expired')
    await payer.post('', { provider: 'm17', phone: '076123456', formToken })
    assert.equal((await paymentsOf()).length, 0)
    assert.equal((await merchant.call('DELETE', `/v1/checkout-sessions/${session.id}`)).status, 409)
    assert.equal((await eventTypes(merchant)).at(-1), 'checkout_session.expired')
  })

  test('200 with the same result when repeated, and one event', async () => {
    const { merchant, session } = await openSession()
    for (let i = 0; i < 2; i++) {
      const { status, body } = await merchant.call('DELETE', `/v1/checkout-sessions/${session.id}`)
      assert.deepEqual([status, body.result], [200, null])
    }
    assert.deepEqual(await eventTypes(merchant), ['checkout_session.created', 'checkout_session.cancelled'])
  })

  test('409 once paid', async () => {
    const { merchant, session, status, pay } = await openSession()
    await pay('076123456')
    await until(async () => (await status()) === 'completed')
    assert.equal((await merchant.call('DELETE', `/v1/checkout-sessions/${session.id}`)).status, 409)
  })
})

test('POST /v1/checkout-sessions: 200 with an account that its payments are credited to', async () => {
  const merchant = await t.merchant()
  const opened = await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  const account = opened.body.result
  const { status, pay } = await openSession({ financialAccountId: account.id }, merchant)
  await pay('076123456')
  await until(async () => (await status()) === 'completed')
  const { result } = (await merchant.call('GET', `/v1/financial-accounts/${account.id}?withBalance=true`))
    .body
  assert.deepEqual(result.balance.available, { currency: 'SLE', value: 29_700 })
})

test('GET /v1/payments: 200 with one fingerprint for each payer and Space', async () => {
  const fingerprint = async (phone: string, merchant: Merchant) => {
    const { ended, pay } = await openSession({}, merchant)
    await pay(phone)
    return (await ended()).channel.fingerprint
  }
  const [here, there] = [await t.merchant(), await t.merchant()]
  const first = await fingerprint('076123456', here)
  assert.equal(await fingerprint('+23276123456', here), first)
  assert.notEqual(await fingerprint('076123457', here), first)
  assert.notEqual(await fingerprint('076123456', there), first)
})

/** Waits until the rail has received everything, so that the rail's clock may be moved. */
const submitted = () =>
  until(async () => {
    const [waiting] = await t.app.parts.db.query(sql`
      -- every space: the test looks at all instructions
      select 1 from instructions where state in ('created', 'submitting')`)
    return waiting === undefined
  })

/** Waits until no job of the Space is due or running. */
async function dueJobsAreDone({ scope }: Merchant): Promise<boolean> {
  const { db, clock } = t.app.parts
  const rows = await db.query(sql`
    select 1 from jobs
    where space_id = ${scope.spaceId} and environment = ${scope.environment}
      and (due_at <= ${clock.now(scope)} or timing = 'real_time' or taken_by is not null)`)
  return rows.length === 0
}

test('POST /pay/{key}: payments that complete at the same time are booked together, each once and with its own fee', async () => {
  const merchant = await t.merchant()
  const sessions = await Promise.all(Array.from({ length: 12 }, () => openSession({}, merchant)))
  await Promise.all(sessions.map(({ payer }) => payer.pay('m17', '076 123 005')))
  await until(async () => (await Promise.all(sessions.map(({ payment }) => payment()))).every(Boolean))
  await until(async () => {
    await rail.advance(300)
    return (await Promise.all(sessions.map(({ payment }) => payment()))).every(
      ({ status }) => status === 'completed',
    )
  })
  const { main, fees, 'clearing m17 collection': clearing } = await balances(merchant)
  assert.deepEqual([clearing, main, fees], [-360_000n, 356_400n, 3_600n])
  await until(async () =>
    (await Promise.all(sessions.map(({ status }) => status()))).every((s) => s === 'completed'),
  )
  const completed = (await eventTypes(merchant)).filter((type) => type === 'payment.completed')
  assert.equal(completed.length, 12)
  const sizes = await t.app.parts.metrics.batchSizes.get()
  assert.ok(sizes.values.some(({ labels }) => labels.command === 'instructions.record'))
  await t.verify()
})
