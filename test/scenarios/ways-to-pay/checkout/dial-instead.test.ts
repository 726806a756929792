import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { sessionIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import { payCodes } from '../../../../packages/server/src/ways-to-pay/payment-codes/paying.ts'
import { findMerchantCode } from '../../../../packages/server/src/ways-to-pay/payment-codes/payment-codes.ts'
import { codeIds } from '../../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { createHandset } from '../../../support/handset.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { openFrom } from '../payment-links/visitor.ts'
import { followAttempts, openAttempts, type Shown, total } from './attempts.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const second = await startTestApp({ anotherNodeOf: t, work: false })
after(async () => {
  await second.close()
  await t.close()
})

let phones = 0
/** Returns a phone that no other test uses. The last three digits determine the outcome. */
const newPhone = (ending = '456') => `+232763${String(10 + phones++)}${ending}`

const orderClosed = 'This order can no longer be paid. It was cancelled, or it has expired.'
const orderPaid = 'This order has already been paid. Do not pay again.'

type Payer = ReturnType<typeof createPayer>
const tokenOf = (text: string) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? ''
const codeOn = (text: string) => /\*715\*[0-9]{10}#/.exec(text)?.[0]

/** Presses "Dial instead" on the page that the payer sees, and returns the code to dial. */
async function openCode(payer: Payer, page = ''): Promise<string> {
  const { text } = await payer.look(page)
  assert.match(text, /<form method="post" action="\/pay\/[^"]+\/dial">.*?Dial instead<\/button>/s)
  const { status, location } = await payer.post('/dial', { formToken: tokenOf(text) })
  assert.deepEqual([status, location?.endsWith('/dial')], [303, true])
  return must(codeOn((await payer.look('/dial')).text), 'code on the page')
}

async function open(more: object = {}, given?: Merchant) {
  const merchant = given ?? (await t.merchant({ name: 'Salone Fabrics' }))
  const order = await openAttempts(t, rail, merchant, more)
  /** Returns the codes of the Space, as they are stored. */
  const codes = () =>
    t.app.parts.db.query<{ id: string; number: string; checkoutSessionId: string }>(sql`
      select id, number, checkout_session_id from payment_codes
      where space_id = ${merchant.scope.spaceId} and environment = 'test'`)
  return { ...order, merchant, codes }
}

/** Dials a code and confirms the payment. */
async function dialAndPay(code: string, phone = newPhone(), network = '61901') {
  const handset = createHandset(t, phone, network)
  await handset.dial(code)
  return handset.enter('1')
}

describe('"Dial instead"', () => {
  test('a payer dials the code on the page and pays the session: one payment, and events of the session only', async () => {
    const { payer, merchant, payments, pass, status, session, codes } = await open()
    const code = await openCode(payer)
    const page = (await payer.look('/dial')).text
    assert.match(page, /<noscript><meta http-equiv="refresh" content="10;url=\/pay\/[^"]+\/dial\?seen=none">/)
    const handset = createHandset(t, newPhone())
    assert.equal(
      (await handset.dial(code)).text,
      'Order 42\nTo: Salone Fabrics\nAmount: Le 150.00\n1 Pay\n2 Cancel\n3 Francais  4 Krio',
    )
    assert.equal(JSON.parse((await payer.look('/status?seen=none')).text).status, 'waiting')
    assert.match((await handset.enter('1')).text, /^Orange Money will now ask for your PIN to pay Le 150\.00/)
    assert.equal(JSON.parse((await payer.look('/status?seen=none')).text).status, 'done')
    assert.ok((await payer.look('/dial?seen=none')).location?.endsWith('/wait'))
    assert.match((await payer.look('/wait')).text, /Approve on your phone/)
    await pass(300)
    await until(async () => (await status()) === 'completed')
    const [payment, ...others] = await payments()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [payment.status, payment.amount.value, payment.channel.provider, payment.ownershipGraph.owner.type],
      ['completed', total, 'm17', 'checkout_session'],
    )
    assert.equal(payment.orderNumber, session.orderNumber)
    assert.match((await payer.look()).text, /Payment received/)
    assert.ok((await payer.look('/dial')).location?.endsWith('/wait'))
    assert.equal((await payer.look('/receipt')).status, 200)
    const events = (await t.events(merchant.scope)).map(({ type }) => type)
    assert.deepEqual(
      events.filter((type) => /^(payment_code|checkout_session)\./.test(type)),
      ['checkout_session.created', 'checkout_session.completed'],
    )
    assert.equal((await createHandset(t, newPhone()).dial(code)).text, orderPaid)
    assert.equal((await codes()).length, 1)
    await t.verify()
  })

  test('on a phone, the page has a link that dials, and a button that copies; on a desktop, only the code', async () => {
    const { session, payer } = await open()
    const code = await openCode(payer)
    const onPhone = createPayer(session.redirectUrl, {
      'user-agent': 'Mozilla/5.0 (Linux; Android 8) Mobile',
    })
    const { text } = await onPhone.look('/dial')
    assert.ok(text.includes(`href="tel:${encodeURIComponent(code)}"`))
    assert.match(text, /data-copy="\*715\*[0-9]{10}#"/)
    assert.doesNotMatch((await payer.look('/dial')).text, /tel:|data-copy/)
  })

  test('in every language, the choosing page and the page with the code name the code and its button', async () => {
    const { payer } = await open()
    const code = await openCode(payer)
    const offers = new Set<string>()
    for (const language of ['en', 'fr', 'kri', 'sw', 'pt']) {
      const { text } = await payer.look(`?language=${language}`)
      const [, offer] = /\/dial">.*?<button class="quiet">([^<]+)</s.exec(text) ?? []
      offers.add(must(offer, `button in ${language}`))
      const page = (await payer.look(`/dial?language=${language}`)).text
      assert.match(page, new RegExp(`<html lang="${language}">`))
      assert.equal(codeOn(page), code)
    }
    assert.equal(offers.size, 5)
  })

  test('POST /pay/{key}/dial: however often, at the same time and on two nodes, a session has one code', async () => {
    const { payer, session, codes } = await open()
    const formToken = tokenOf((await payer.look()).text)
    const elsewhere = createPayer(session.redirectUrl.replace(t.baseUrl, second.baseUrl))
    const posted = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? payer : elsewhere).post('/dial', { formToken })),
    )
    assert.deepEqual(new Set(posted.map(({ status }) => status)), new Set([303]))
    assert.equal((await codes()).length, 1)
    const code = codeOn((await payer.look('/dial')).text)
    assert.equal(await openCode(payer), code)
    const other = await open()
    assert.notEqual(await openCode(other.payer), code)
    await t.verify()
  })

  test('POST /pay/{key}/dial: 404 for an unknown key, and no code without the token of the page', async () => {
    const { payer, session, codes } = await open()
    const wrongKey = session.redirectUrl.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
    for (const url of [wrongKey, `${t.baseUrl}/pay/x`]) {
      const stranger = createPayer(url)
      assert.equal((await stranger.post('/dial', { formToken: 'x' })).status, 404)
      assert.equal((await stranger.look('/dial')).status, 404)
    }
    const formToken = tokenOf((await payer.look()).text)
    for (const fields of [{}, { formToken: 'x' }, { formToken: `${formToken}x` }, { other: formToken }])
      assert.equal((await payer.post('/dial', fields)).status, 303)
    const repeated = new URLSearchParams([
      ['formToken', formToken],
      ['formToken', formToken],
    ])
    assert.equal((await payer.look('/dial', { method: 'POST', body: repeated })).status, 303)
    assert.deepEqual(await codes(), [])
    // Without a code, the page leads back to the form.
    assert.ok((await payer.look('/dial')).location?.endsWith('/wait'))
    assert.equal(await openCode(payer), codeOn((await payer.look('/dial')).text))
    for (const seen of ['', 'pmt-x', '%00', `${'9'.repeat(500)}`, 'none&seen=none'])
      assert.equal((await payer.look(`/dial?seen=${seen}`)).status, 303, seen)
  })

  test('the code ends with its session: paid another way, cancelled or expired, it says so when dialled', async () => {
    const paid = await open()
    const cancelled = await open()
    const expired = await open({ duration: '5m' })
    const codes = [await openCode(paid.payer), await openCode(cancelled.payer), await openCode(expired.payer)]
    const formToken = await cancelled.payer.formToken()
    await paid.payer.pay('m17', newPhone().slice(4))
    await paid.pass(300)
    await until(async () => (await paid.status()) === 'completed')
    assert.equal((await cancelled.payer.cancel()).status, 303)
    // A phone that has the menu open confirms after the session's time is up.
    const open5 = createHandset(t, newPhone())
    await open5.dial(codes[2])
    await t.advance(expired.merchant.scope, 5 * 60_000)
    assert.equal((await open5.enter('1')).text, orderClosed)
    for (const [i, text] of [orderPaid, orderClosed, orderClosed].entries())
      assert.equal((await createHandset(t, newPhone()).dial(codes[i])).text, text)
    await until(async () => (await expired.status()) === 'expired')
    for (const { payer } of [paid, cancelled, expired]) {
      assert.equal((await payer.post('/dial', { formToken })).status, 303)
      assert.ok((await payer.look('/dial')).location?.endsWith('/wait'))
    }
    for (const { payments } of [cancelled, expired]) assert.deepEqual(await payments(), [])
    assert.equal((await createHandset(t, newPhone()).dial(codes[2])).text, orderClosed)
    await t.verify()
  })

  test('POST /pay/{key}/dial: an ended session gets no code', async () => {
    const { payer, codes } = await open()
    const formToken = await payer.formToken()
    await payer.cancel()
    assert.equal((await payer.post('/dial', { formToken })).status, 303)
    assert.deepEqual(await codes(), [])
  })

  test('after a failed attempt, the page with the code leads to the form, and the code can be dialled again', async () => {
    const { payer, statuses, pass, status } = await open()
    const code = await openCode(payer)
    await dialAndPay(code, newPhone('002'))
    await pass(300)
    await until(async () => (await statuses())[0] === 'failed')
    assert.ok((await payer.look('/dial?seen=none')).location?.endsWith('/wait'))
    assert.match((await payer.look()).text, /The payment failed/)
    assert.equal(await openCode(payer), code)
    await dialAndPay(code)
    await pass(300)
    await until(async () => (await status()) === 'completed')
    await t.verify()
  })
})

describe('dialling while another attempt is in flight', () => {
  test('the first to complete pays the session, and the later one is refunded once', async () => {
    const { payer, payments, refunds, refundsOf, pass, status, statuses } = await open()
    await payer.pay('m17', newPhone('004').slice(4))
    const code = await openCode(payer, '/wait')
    const { text } = await payer.look('/dial')
    assert.match(text, /The request to \+23276\*\*\*\*04 is still open\. Please do not approve it/)
    assert.match(text, /href="\/pay\/[^"]+\/wait">Back</)
    await dialAndPay(code)
    const [, seen] = /\/dial\?seen=([^"]+)"/.exec(text) ?? []
    assert.equal(JSON.parse((await payer.look(`/status?seen=${seen}`)).text).status, 'done')
    await pass(300)
    await until(async () => (await status()) === 'completed')
    await pass(30_000)
    await until(async () => (await statuses()).join() === 'completed,completed')
    const [first, dialled] = await payments()
    const refund = await until(async () => {
      await pass(300)
      const [one] = await refunds()
      return one?.status === 'completed' && one
    })
    assert.deepEqual([refund.paymentId, refund.reason, refund.amount.value], [first.id, 'paid_twice', total])
    assert.deepEqual(await refundsOf(dialled.id), [])
    assert.equal((await refunds()).length, 1)
    assert.match((await payer.look()).text, /You paid twice/)
    await t.verify()
  })

  test('the phone that was already asked is told that somebody is paying, and gets no second prompt', async () => {
    const { payer, payments, pass } = await open()
    const phone = newPhone('003')
    await payer.pay('m17', phone.slice(4))
    const code = await openCode(payer, '/wait')
    assert.match((await dialAndPay(code, phone)).text, /^Someone is paying this code right now/)
    assert.equal((await payments()).length, 1)
    await pass(60_000)
  })

  test('at most two attempts are in flight, and the page then offers no code', async () => {
    const { payer, payments, pass } = await open()
    const code = await openCode(payer)
    await dialAndPay(code, newPhone('003'))
    await dialAndPay(code, newPhone('003'))
    assert.match((await dialAndPay(code)).text, /^Someone is paying this code right now/)
    assert.equal((await payments()).length, 2)
    assert.doesNotMatch((await payer.look('/wait')).text, /Dial instead/)
    assert.ok((await payer.look('/dial')).location?.endsWith('/wait'))
    const formToken = await payer.look('/another').then(({ text }) => tokenOf(text))
    assert.equal((await payer.post('/dial', { formToken })).status, 303)
    await pass(60_000)
  })

  test('phones that confirm at the same time pay once, and everything else is returned', async () => {
    const { payer, payments, refunds, pass, status } = await open()
    const code = await openCode(payer)
    const shown = await Promise.all(Array.from({ length: 5 }, () => dialAndPay(code)))
    const started = shown.filter(({ text }) => text.startsWith('Orange Money will now ask')).length
    assert.ok(started === 1 || started === 2, `${started}`)
    assert.equal((await payments()).length, started)
    await pass(300)
    await until(async () => (await status()) === 'completed')
    await until(async () => (await payments()).every((payment: Shown) => payment.status === 'completed'))
    await until(async () => (await refunds()).length === started - 1)
    await t.verify()
  })
})

test('the merchant’s API neither shows nor changes the code of a session, in any Space', async () => {
  const { payer, merchant, codes, session, pass, status } = await open({ reference: 'basket 9' })
  const code = await openCode(payer)
  const own = (await merchant.call('POST', '/v1/payment-codes', { name: 'Own code' })).body.result
  const stored = (await codes()).find(({ checkoutSessionId }) => checkoutSessionId !== null)
  const { id, number } = must(stored, 'code of the session')
  const stranger = await t.merchant()
  const url = `/v1/payment-codes/${showId(codeIds, id)}`
  for (const caller of [merchant, stranger]) {
    for (const [method, body] of [['GET'], ['PATCH', { enable: false }], ['DELETE']] as const)
      assert.equal((await caller.call(method, url, body)).status, 404, method)
    const filters = [
      `ussd_code=${encodeURIComponent(code)}`,
      `q=${number}`,
      `q=${showId(codeIds, id)}`,
      'q=basket%209',
      'status=pending',
      'mode=one_time',
      'mode=one_time&status=pending',
      'limit=50',
    ]
    for (const filter of filters) {
      const { result } = (await caller.call('GET', `/v1/payment-codes?${filter}`)).body
      assert.ok(!JSON.stringify(result).includes(number), filter)
    }
    for (const q of [number, encodeURIComponent(code), showId(codeIds, id), 'Order'])
      assert.ok(!JSON.stringify((await caller.call('GET', `/v1/search?q=${q}`)).body).includes('pmc-'), q)
  }
  const listed = (await merchant.call('GET', '/v1/payment-codes')).body.result
  assert.deepEqual(
    listed.map((each: Shown) => each.id),
    [own.id],
  )
  assert.equal((await stranger.call('DELETE', `/v1/checkout-sessions/${session.id}`)).status, 404)
  await dialAndPay(code)
  await pass(300)
  await until(async () => (await status()) === 'completed')
})

describe('which payers can dial', () => {
  test('only a session that a phone can pay in the menu offers a code', async () => {
    const card = await open({ paymentOptions: { momo: { disable: true } } })
    const { text } = await card.payer.look()
    assert.doesNotMatch(text, /Dial instead/)
    assert.equal((await card.payer.post('/dial', { formToken: tokenOf(text) })).status, 303)
    assert.deepEqual(await card.codes(), [])
  })

  test('a provider that the session does not allow cannot pay its code', async () => {
    const { payer, payments } = await open({ paymentOptions: { momo: { enabledProviders: ['m18'] } } })
    const code = await openCode(payer)
    assert.equal(
      (await createHandset(t, newPhone()).dial(code)).text,
      'This code cannot be paid from your network.',
    )
    assert.deepEqual(await payments(), [])
  })

  test('a payment link for one payment has one slot, whether its payers dial or use the page', async () => {
    const merchant = await t.merchant()
    const link = (
      await merchant.call('POST', '/v1/payment-links', {
        ...{ name: 'Ticket', maxPayments: 1 },
        lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: total } }],
      })
    ).body.result
    const opened = async () => {
      const page = await fetch(link.url, { redirect: 'manual' })
      return new URL(page.headers.get('location') ?? (await openFrom(link.url)), link.url).href
    }
    const [one, other] = [createPayer(await opened()), createPayer(await opened())]
    const [first, late] = [await openCode(one), await openCode(other)]
    await dialAndPay(first)
    assert.match((await dialAndPay(late)).text, /^Someone is paying this code/)
    assert.equal((await createHandset(t, newPhone()).dial(late)).text, orderClosed)
    const read = async () => (await merchant.call('GET', `/v1/payment-links/${link.id}`)).body.result
    const sessions = (await merchant.call('GET', '/v1/checkout-sessions')).body.result
    const paidOne = sessions.find(({ status }: Shown) => status === 'pending')
    const { pass } = followAttempts(t, rail, merchant, paidOne)
    await pass(300)
    await until(async () => (await read()).status === 'completed')
    await t.verify()
  })
})

test('a manual payment with the digits of a session’s code waits for an operator', async () => {
  const { payer, codes } = await open()
  await openCode(payer)
  const [code] = await codes()
  assert.equal(await findMerchantCode(t.app.parts.db, 'test', must(code, 'code').number), undefined)
})

test('a node of an earlier release, which takes a session’s code for a payment code, starts no payment', async () => {
  const { payer, codes, payments, merchant } = await open()
  await openCode(payer)
  const [code] = await codes()
  const { db, clock, ...parts } = t.app.parts
  const { scope } = merchant
  const confirmation = {
    scope,
    codeId: must(code, 'code of the session').id,
    payer: { phoneNumber: newPhone(), providerId: 'm17', amount: BigInt(total) },
    at: clock.now(scope),
  }
  await assert.rejects(
    db.transaction((tx) => payCodes(tx, parts, 'test', [confirmation])),
    /payment_codes_session_check/,
  )
  assert.deepEqual(await payments(), [])
})

test('a code is sealed, and `pesewa verify` finds that it was moved to another session, or changed', async () => {
  const merchant = await t.merchant()
  const [one, other] = [await open({}, merchant), await open({}, merchant)]
  await openCode(one.payer)
  const { db } = t.app.parts
  const { spaceId } = merchant.scope
  const [code] = await one.codes()
  const { id, checkoutSessionId } = must(code, 'code of the session')
  await until(async () => {
    const seals = await db.query(sql`
      select 1 from book_seals where space_id = ${spaceId} and environment = 'test' and object_id = ${id}`)
    return seals.length === 1
  })
  await t.verify()
  const change = (column: string, value: unknown) =>
    db.pool.query(`update payment_codes set ${column} = $1 where space_id = $2 and id = $3`, [
      value,
      spaceId,
      id,
    ])
  await change('checkout_session_id', readId(sessionIds, other.session.id))
  await assert.rejects(t.verify(), /every payment code matches its sealed terms/)
  await change('checkout_session_id', null)
  await assert.rejects(t.verify(), /every payment code matches its sealed terms/)
  await change('checkout_session_id', checkoutSessionId)
  await change('amount', 1)
  await assert.rejects(t.verify(), /every payment code of a checkout session matches its session/)
  await change('amount', total)
  await t.verify()
})

// The last test, because the books' proof would notice that rows are missing.
test('the code that was lost in a restore has the same digits again', async () => {
  const { payer, merchant } = await open()
  const code = await openCode(payer)
  const { db } = t.app.parts
  await db.pool.query(`delete from payment_code_numbers where space_id = $1`, [merchant.scope.spaceId])
  await db.pool.query(`delete from payment_codes where space_id = $1`, [merchant.scope.spaceId])
  assert.equal((await payer.look('/dial')).status, 303)
  assert.equal(await openCode(payer), code)
})
