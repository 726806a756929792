import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { capabilityKey } from '../../../../packages/server/src/ways-to-pay/checkout/page-key.ts'
import { linkIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import { freeAddresses } from '../../../../packages/server/src/ways-to-pay/payment-links/address-store.ts'
import { openAddressClaims } from '../../../../packages/server/src/ways-to-pay/payment-links/addresses.ts'
import {
  keyPurpose,
  linkUrl,
} from '../../../../packages/server/src/ways-to-pay/payment-links/payment-links.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { addJob } from '../../../support/jobs.ts'
import { createPayer } from '../../../support/payer.ts'
import { send } from '../../../support/wire.ts'
import { openFrom, sendForm } from './visitor.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail }, hasLiveProvider: true })
after(() => t.close())
const merchant = await t.merchant()

const hour = 3_600_000
const concert = {
  name: 'Concert',
  description: 'At the harbour',
  lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15_000 }, quantity: 2 }],
  metadata: { stage: 'north' },
}
const gift = { name: 'Gift', openAmount: { currency: 'SLE', minimum: 500, maximum: 100_000 } }

async function makeLink(body: object, of: Merchant = merchant) {
  const { status, body: answer } = await of.call('POST', '/v1/payment-links', body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer.result
}
const read = async (link: { id: string }, of: Merchant = merchant) =>
  (await of.call('GET', `/v1/payment-links/${link.id}`)).body.result
const change = (link: { id: string }, body: object) =>
  merchant.call('PATCH', `/v1/payment-links/${link.id}`, body)
const sessionsOf = async (link: { id: string }, of: Merchant = merchant) =>
  (await of.call('GET', `/v1/checkout-sessions?limit=50&paymentLinkId=${link.id}`)).body.result
const wordsAt = async (url: string, headers: Record<string, string> = {}) =>
  (await (await fetch(url, { headers, redirect: 'manual' })).text()).replaceAll(/<[^>]*>/g, ' ')

/** Pays a session with a number that decides the rail's behaviour. */
async function payAt(page: string, phone: string) {
  await createPayer(page).pay('m17', phone)
}
const settled = (link: { id: string }, isSo: (link: { paymentCount: number; status: string }) => boolean) =>
  until(async () => isSo(await read(link)) || rail.advance(300))

/** Returns those pages whose session's payment was not accepted. */
async function refusedOf(link: { id: string }, pages: string[]): Promise<string[]> {
  const ended = (await sessionsOf(link)).filter(({ expireReason }: { expireReason: string }) => expireReason)
  const urls = ended.map(({ redirectUrl }: { redirectUrl: string }) => redirectUrl)
  return pages.filter((page) => urls.includes(page))
}
/** Asserts that a session without a slot says so in both languages, instead of "expired". */
async function assertOver(page: string) {
  assert.match(await wordsAt(page), /This payment link no longer accepts payments/)
  assert.match(await wordsAt(page, { 'accept-language': 'fr' }), /Ce lien de paiement n’accepte plus/)
}
async function assertBusy(page: string, linkUrl: string) {
  assert.match(await wordsAt(page), /This payment link could not accept your payment/)
  assert.match(await wordsAt(page, { 'accept-language': 'fr' }), /n’a pas pu accepter votre paiement/)
  assert.ok((await (await fetch(page)).text()).includes(`href="${new URL(linkUrl).pathname}"`))
}

describe('a fixed-price link', () => {
  test('opens a separate session for each payer, which is paid like any other, and counts it', async () => {
    const link = await makeLink(concert)
    assert.deepEqual(
      [link.status, link.amount, link.paymentCount, link.active],
      ['active', { currency: 'SLE', value: 30_000 }, 0, true],
    )
    const [first, second] = [await openFrom(link.url), await openFrom(link.url)]
    assert.notEqual(first, second)
    const [session, ...others] = await sessionsOf(link)
    assert.equal(others.length, 1)
    assert.deepEqual(
      [
        session.paymentLinkId,
        session.name,
        session.description,
        session.amount,
        session.metadata,
        session.status,
      ],
      [link.id, 'Concert', 'At the harbour', { currency: 'SLE', value: 30_000 }, concert.metadata, 'pending'],
    )
    await payAt(first, '076123456')
    await settled(link, ({ paymentCount }) => paymentCount === 1)
    assert.deepEqual((await read(link)).paymentTotal, { currency: 'SLE', value: 30_000 })
    assert.deepEqual((await sessionsOf(link)).map(({ status }: { status: string }) => status).sort(), [
      'completed',
      'pending',
    ])
    assert.deepEqual(
      (await merchant.call('GET', `/v1/payment-links?q=${session.id}`)).body.result.map(
        ({ id }: { id: string }) => id,
      ),
      [link.id],
    )
  })

  test('lets the payer choose a quantity within its limits', async () => {
    const link = await makeLink({ ...concert, quantity: { minimum: 2, maximum: 4 } })
    for (const quantity of ['', '1', '5', '-1', '2.5', '1e1', '٣', '9'.repeat(300)])
      assert.equal((await sendForm(link.url, { quantity })).status, 422, quantity)
    await openFrom(link.url, { quantity: '3' })
    const [session, ...others] = await sessionsOf(link)
    assert.deepEqual([session.amount.value, session.lineItems.data[0].quantity, others], [90_000, 6, []])
  })
})

describe('a link with an open amount', () => {
  test('accepts amounts within its limits, and explains what is wrong with other amounts', async () => {
    const link = await makeLink(gift)
    for (const amount of [
      '',
      '4.99',
      '1000.01',
      '0',
      '-7',
      '1e3',
      'ten',
      '12.345',
      '7,7,7',
      '\0',
      '9'.repeat(99),
    ]) {
      const answer = await sendForm(link.url, { amount })
      assert.equal(answer.status, 422, amount)
      assert.match(await answer.text(), /aria-invalid="true"/)
    }
    await openFrom(link.url, { amount: '12,5' })
    const [session, ...others] = await sessionsOf(link)
    assert.deepEqual([session.amount, others], [{ currency: 'SLE', value: 1_250 }, []])
  })

  test('prefills its form from the query, without opening a session', async () => {
    const link = await makeLink({ ...gift, payerReference: { label: 'Invoice' } })
    const page = await (
      await fetch(`${link.url}?amount=12.50&reference=${encodeURIComponent('"><b>7')}`)
    ).text()
    assert.match(page, /name="amount"[^>]*value="12\.50"/)
    assert.match(page, /name="reference"[^>]*value="&quot;&gt;&lt;b&gt;7"/)
    assert.deepEqual(await sessionsOf(link), [])
  })
})

test('the payer’s reference becomes the reference of session and payment, and is rendered as text', async () => {
  const link = await makeLink({ ...concert, payerReference: { label: 'Name of the pupil' } })
  for (const reference of ['', '   ', '\0', '\u200b'])
    assert.equal((await sendForm(link.url, { reference })).status, 422, JSON.stringify(reference))
  const hostile = `<script>alert(1)</script>\0\r\n${'é'.repeat(300)}`
  await openFrom(link.url, { reference: hostile })
  const [{ reference }] = await sessionsOf(link)
  assert.ok(reference.startsWith('<script>alert(1)</script>'), reference)
  assert.equal([...reference].length, 100)
  const optional = await makeLink({ ...concert, payerReference: { label: 'Note', isRequired: false } })
  await openFrom(optional.url, { reference: '' })
  assert.equal((await sessionsOf(optional))[0].reference, null)
})

describe('a GET', () => {
  // `fetch` does not identify itself as a navigation.
  const get = (url: string, headers: Record<string, string>, method = 'GET') =>
    send(t.baseUrl, { method, path: new URL(url).pathname, headers })
  const person = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

  test('by a preview, crawler, HEAD request or prefetch opens no session', async () => {
    const link = await makeLink(concert)
    for (const headers of [
      { 'user-agent': 'WhatsApp/2.23.20.0 A' },
      { 'user-agent': 'facebookexternalhit/1.1' },
      { ...person, 'sec-purpose': 'prefetch;prerender' },
      { ...person, 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    ]) {
      const { status, text: page } = await get(link.url, headers)
      assert.equal(status, 200)
      assert.match(page, /<title>Payment<\/title>/)
      assert.doesNotMatch(page.slice(0, page.indexOf('<body>')), /Concert|Test Shop|150|og:/)
    }
    assert.equal((await get(link.url, person, 'HEAD')).status, 200)
    assert.deepEqual(await sessionsOf(link), [])
  })

  test('by a person leads straight to a session if there is nothing to fill in, within a rate limit', async () => {
    const link = await makeLink(concert)
    const visit = () => get(link.url, person)
    const first = await visit()
    assert.deepEqual([first.status, (await sessionsOf(link)).length], [303, 1])
    assert.match(String(first.headers.location), /^\/pay\//)
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await visit()).status))
    assert.equal(statuses.filter((status) => status === 303).length, 29)
    assert.equal((await sessionsOf(link)).length, 30)
    // The button is still there.
    await openFrom(link.url)
  })
})

describe('a maximum number of payments', () => {
  test('is never exceeded by concurrent payments through two nodes; the other payers see the reason', async () => {
    const link = await makeLink({ ...concert, maxPayments: 3 })
    const pages = await Promise.all(Array.from({ length: 8 }, () => openFrom(link.url)))
    const other = await startTestApp({
      anotherNodeOf: t,
      app: { simulatorClock: rail },
      hasLiveProvider: true,
    })
    const at = (page: string, i: number) => (i % 2 === 0 ? page : page.replace(t.baseUrl, other.baseUrl))
    await Promise.all(pages.map((page, i) => payAt(at(page, i), `07612340${i}`)))
    const refused = await refusedOf(link, pages)
    assert.equal(refused.length, 5)
    for (const page of refused) await assertBusy(page, link.url)
    assert.match(await wordsAt(link.url), /Other people are paying right now/)
    await settled(link, ({ status }) => status === 'completed')
    // Not earlier, because its submissions and callbacks need it.
    await other.close()
    const { paymentCount, paymentTotal } = await read(link)
    assert.deepEqual([paymentCount, paymentTotal.value], [3, 90_000])
    const statuses = (await sessionsOf(link)).map(({ status }: { status: string }) => status)
    assert.deepEqual(
      ['completed', 'expired'].map((one) => statuses.filter((status: string) => status === one).length),
      [3, 5],
    )
    assert.match(await wordsAt(link.url), /This link has already been paid/)
    for (const page of refused) await assertOver(page)
    const events = (await t.events(merchant.scope)).filter(
      ({ type, data }) => type === 'payment_link.completed' && (data as { id: string }).id === link.id,
    )
    assert.equal(events.length, 1)
  })

  test('releases the slot of a failed payment', async () => {
    const link = await makeLink({ ...concert, maxPayments: 1 })
    const [first, second] = [await openFrom(link.url), await openFrom(link.url)]
    await payAt(first, '076000001')
    await until(async () => /Continue to payment/.test(await wordsAt(link.url)) || rail.advance(300))
    await payAt(second, '076123456')
    await settled(link, ({ status }) => status === 'completed')
    assert.equal((await read(link)).paymentCount, 1)
    // A session opened earlier finds no slot left, and ends.
    await payAt(first, '076123456')
    await assertOver(first)
    const [closed] = (await sessionsOf(link)).filter(({ status }: { status: string }) => status === 'expired')
    assert.equal(closed.expireReason, 'payment_link')
  })

  test('cannot be set below the number of paid ones; setting it to that number completes the link', async () => {
    const link = await makeLink(concert)
    for (let paid = 1; paid <= 2; paid++) {
      await payAt(await openFrom(link.url), '076123456')
      await settled(link, ({ paymentCount }) => paymentCount === paid)
    }
    const refused = await change(link, { maxPayments: 1 })
    assert.deepEqual([refused.status, refused.body.error.details[0].param], [400, 'maxPayments'])
    assert.equal((await change(link, { maxPayments: 2 })).body.result.status, 'completed')
    assert.equal((await change(link, { maxPayments: 3 })).body.error.reason, 'state_conflict')
  })
})

describe('a link that is not open', () => {
  test('accepts no payment, neither on its page nor in a session that was opened before', async () => {
    const link = await makeLink(concert)
    const page = await openFrom(link.url)
    const { result } = (await change(link, { active: false })).body
    assert.deepEqual([result.status, result.active], ['inactive', false])
    assert.match(await wordsAt(link.url), /is not accepting payments right now/)
    await payAt(page, '076123456')
    await assertBusy(page, link.url)
    assert.equal((await sessionsOf(link))[0].expireReason, 'payment_link')
    assert.equal((await change(link, { active: true })).body.result.status, 'active')
    await openFrom(link.url)
    assert.equal((await read(link)).paymentCount, 0)
  })

  test('expires by the Space’s clock, and not too early if its expiry is changed', async () => {
    const other = await t.merchant()
    const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
    const link = await makeLink({ ...concert, expireTime: inHours(1) }, other)
    await other.call('PATCH', `/v1/payment-links/${link.id}`, { expireTime: inHours(3) })
    await t.advance(other.scope, 2 * hour)
    assert.equal((await read(link, other)).status, 'active')
    await t.advance(other.scope, 2 * hour)
    await until(async () => (await read(link, other)).status === 'expired')
    assert.match(await wordsAt(link.url), /has expired/)
    assert.match(await wordsAt(link.url, { 'accept-language': 'fr' }), /Ce lien a expiré/)
    const again = await other.call('PATCH', `/v1/payment-links/${link.id}`, { active: true })
    assert.equal(again.body.error.reason, 'state_conflict')
  })

  test('is cancelled once, and stays readable', async () => {
    const link = await makeLink(concert)
    for (const _ of [1, 2])
      assert.equal((await merchant.call('DELETE', `/v1/payment-links/${link.id}`)).status, 200)
    assert.equal((await read(link)).status, 'cancelled')
    assert.match(await wordsAt(link.url), /no longer valid/)
    const listed = await merchant.call('GET', '/v1/payment-links?status=cancelled')
    assert.deepEqual(
      listed.body.result.map(({ id }: { id: string }) => id),
      [link.id],
    )
  })
})

describe('the short address of a link', () => {
  const addressOf = ({ url }: { url: string }) => new URL(url).pathname.slice('/l/'.length)

  test('has eight characters, can be typed in any case and in groups, and leads through the whole payment', async () => {
    const link = await makeLink({ ...concert, successText: 'Thank you' })
    const address = addressOf(link)
    assert.match(address, /^[2-9BCDFGHJKMNPQRSTVWXYZ]{8}$/)
    const typed = `${t.baseUrl}/l/${address.slice(0, 4)}-${address.slice(4)}`.toLowerCase()
    const page = await openFrom(typed)
    await payAt(page, '076123456')
    await settled(link, ({ paymentCount }) => paymentCount === 1)
    const home = (await createPayer(page).look('/wait')).location!
    assert.ok(home.startsWith(`${link.url}/done/`), home)
    assert.match(await wordsAt(home), /Thank you/)
  })

  test('leads to the link’s own Space and environment', async () => {
    const [other, live] = [
      await t.merchant({ name: 'Other Shop' }),
      await t.merchant({ environment: 'live', sameUserAs: merchant, name: 'Live Shop' }),
    ]
    const links = [await makeLink(concert), await makeLink(concert, other), await makeLink(concert, live)]
    assert.equal(new Set(links.map(addressOf)).size, 3)
    assert.match(await wordsAt(links[1].url), /Other Shop/)
    assert.match(await wordsAt(links[0].url), /Test payment/)
    assert.doesNotMatch(await wordsAt(links[2].url), /Test payment/)
  })

  test('does not replace the signed URLs that links had before', async () => {
    const link = await makeLink(concert)
    const older = { id: readId(linkIds, link.id)!, address: null }
    const url = linkUrl(t.app.parts, merchant.scope, older)
    assert.equal(new URL(url).pathname.length, '/l/'.length + 66)
    await openFrom(url)
    assert.equal((await sessionsOf(link)).length, 1)
  })

  test('finds the link in the merchant’s list, and in no other merchant’s', async () => {
    const link = await makeLink(concert)
    const found = async (of: Merchant) =>
      (await of.call('GET', `/v1/payment-links?q=${addressOf(link).toLowerCase()}`)).body.result.map(
        ({ id }: { id: string }) => id,
      )
    assert.deepEqual(await found(merchant), [link.id])
    assert.deepEqual(await found(await t.merchant()), [])
  })

  test('is never given twice, but a request that is repeated after a restore gets its address again', async () => {
    const { db, home } = t.app.parts
    const link = await makeLink(concert)
    const [row] = await db.query<{ idempotencyKey: string }>(
      sql`select idempotency_key from payment_links where id = ${readId(linkIds, link.id)!}`,
    )
    const claim = async () => {
      const claimant = { scope: merchant.scope, ...row!, now: new Date() }
      return (await openAddressClaims(t.app.parts).claimEach([claimant]))[0]!.text
    }
    const free = (addresses: string[]) =>
      home.transaction((tx) => freeAddresses(tx, addresses, new Date(Date.now() + 86_400_000)))
    const other = await claim()
    assert.notEqual(other, addressOf(link))
    await free([addressOf(link), other])
    assert.deepEqual([await claim(), await claim()], [addressOf(link), other])
    // As it was.
    await free([addressOf(link), other])
    await db.pool.query(
      `insert into payment_link_addresses (address, environment, space_id, payment_link_id)
      select address, environment, space_id, id from payment_links where id = $1`,
      [readId(linkIds, link.id)],
    )
  })
})

test('an address whose link was not created is freed by a daily job', async () => {
  const { db } = t.app.parts
  const shop = await t.merchant()
  const claimAt = async (now: Date) => {
    const claimant = { scope: shop.scope, idempotencyKey: randomUUID(), now }
    return (await openAddressClaims(t.app.parts).claimEach([claimant]))[0]!.text
  }
  const dayMs = 86_400_000
  await claimAt(new Date(Date.now() - 1.1 * dayMs))
  const inProgress = await claimAt(new Date(Date.now() - 0.9 * dayMs))
  const addresses = () =>
    db.query<{ address: string }>(
      sql`select address from payment_link_addresses where space_id = ${shop.scope.spaceId}`,
    )
  assert.equal((await addresses()).length, 2)
  await db.pool.query(addJob('payment-links.free-addresses'))
  db.wake('jobs')
  await until(async () => (await addresses()).length === 1)
  assert.deepEqual(await addresses(), [{ address: inProgress }])
})

test('an altered URL shows an error page, and its key opens no session', async () => {
  const link = await makeLink(concert)
  const session = new URL(await openFrom(link.url))
  const key = new URL(link.url).pathname.slice(3)
  const signed = capabilityKey(t.app.parts.seals, keyPurpose, merchant.scope, readId(linkIds, link.id)!)
  for (const other of [
    `${signed.slice(0, -1)}${signed.endsWith('A') ? 'B' : 'A'}`,
    signed.slice(1),
    `${signed}A`,
    `${key.slice(0, -1)}${key.endsWith('2') ? '3' : '2'}`,
    key.slice(1),
    `${key}A`,
    '%00',
    'x'.repeat(199),
    session.pathname.slice(5),
  ]) {
    const answer = await fetch(`${t.baseUrl}/l/${other}`, { headers: { accept: 'text/html' } })
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type')],
      [404, 'text/html; charset=utf-8'],
      other,
    )
  }
  for (const other of [key, signed]) assert.equal((await fetch(`${t.baseUrl}/pay/${other}`)).status, 404)
})

test('another page’s form opens no session', async () => {
  const [link, other] = [await makeLink(concert), await makeLink(concert)]
  const page = await (await fetch(other.url)).text()
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(page) ?? []
  for (const body of [{ formToken }, {}, { formToken: 'x' }])
    await fetch(link.url, { method: 'POST', body: new URLSearchParams(body as never), redirect: 'manual' })
  assert.deepEqual(await sessionsOf(link), [])
})

describe('after payment', () => {
  test('the payer sees the merchant’s success text and the receipt', async () => {
    const link = await makeLink({ ...concert, successText: 'Thank you!\n<b>See you</b>' })
    const page = await openFrom(link.url)
    const [{ successUrl }] = await sessionsOf(link)
    assert.equal(
      (await fetch(successUrl, { redirect: 'manual' })).headers.get('location'),
      new URL(page).pathname,
    )
    await payAt(page, '076123456')
    await settled(link, ({ paymentCount }) => paymentCount === 1)
    const home = (await createPayer(page).look('/wait')).location!
    assert.ok(home.startsWith(successUrl), home)
    const html = await (await fetch(home)).text()
    assert.match(html, /Thank you!\n&lt;b&gt;See you/)
    assert.match(html, new RegExp(`href="${new URL(page).pathname}/receipt"`))
    const other = await makeLink(concert)
    assert.equal((await fetch(successUrl.replace(link.url, other.url))).status, 404)
  })

  test('a page of any origin can read the status of the link’s sessions, and nothing else', async () => {
    const [link, other] = [
      await makeLink({ ...concert, successUrl: 'https://shop.example/thanks' }),
      await makeLink(gift),
    ]
    const page = await openFrom(link.url)
    const [{ id }] = await sessionsOf(link)
    const ask = async (url: string, session: string) => {
      const answer = await fetch(`${url}/sessions/${session}`, {
        headers: { origin: 'https://shop.example' },
      })
      return [answer.status, answer.headers.get('access-control-allow-origin'), await answer.json()]
    }
    assert.deepEqual(await ask(link.url, id), [200, '*', { status: 'pending' }])
    await payAt(page, '076123456')
    await settled(link, ({ paymentCount }) => paymentCount === 1)
    assert.deepEqual(await ask(link.url, id), [200, '*', { status: 'completed' }])
    for (const [url, session] of [
      [other.url, id],
      [link.url, 'cos-01kaj3v5w8e4r9tbn2m6c7d0xz'],
      [link.url, 'x'],
      [link.url, '%00'],
    ] as const)
      assert.deepEqual((await ask(url, session)).slice(0, 2), [404, '*'])
    assert.equal(
      (await createPayer(page).look('/wait')).location,
      `https://shop.example/thanks?checkoutSessionId=${id}`,
    )
  })
})

test('a live link has no test notice, and its success URL must be https', async () => {
  const live = await t.merchant({ environment: 'live', sameUserAs: merchant })
  const refused = await live.call('POST', '/v1/payment-links', {
    ...concert,
    successUrl: 'http://shop.example/',
  })
  assert.deepEqual(
    refused.body.error.details.map(({ param }: { param: string }) => param),
    ['successUrl'],
  )
  const link = await makeLink(concert, live)
  assert.doesNotMatch(await wordsAt(link.url), /Test payment/)
  await openFrom(link.url)
  assert.equal((await sessionsOf(link, live)).length, 1)
  assert.equal((await merchant.call('GET', `/v1/payment-links/${link.id}`)).status, 404)
})

test('a link’s QR code can be printed', async () => {
  const link = await makeLink(concert)
  const answer = await fetch(link.qrUrl)
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
  assert.match(await answer.text(), /^<svg xmlns/)
})

describe('the poster of a link', () => {
  const poster = (link: { posterUrl: string }, language = 'en') =>
    wordsAt(link.posterUrl, { 'accept-language': language })
  const makeCode = async (body: object) => {
    const { status, body: answer } = await merchant.call('POST', '/v1/payment-codes', {
      name: 'Concert',
      mode: 'recurrent',
      duration: '30d',
      amount: { currency: 'SLE', value: 30_000 },
      ...body,
    })
    assert.equal(status, 200, JSON.stringify(answer))
    return answer.result as { id: string; ussdCode: string }
  }

  test('shows the merchant, the amount, the address and the payment methods in the viewer’s language', async () => {
    const link = await makeLink(concert)
    assert.equal(link.posterUrl, `${link.url}/poster`)
    const [english, french] = [await poster(link), await poster(link, 'fr')]
    for (const text of ['Test Shop', 'Concert', 'At the harbour', new URL(link.url).pathname.slice(3)])
      assert.ok(english.includes(text) && french.includes(text), text)
    assert.match(english, /Le\s300\.00/)
    assert.match(english, /Scan to pay.*Orange Money/s)
    assert.match(french, /300,00\sLe.*Scannez pour payer/s)
    assert.match(english, /Test payment/)
    assert.doesNotMatch(english, /Dial/)
    assert.match(await poster(await makeLink(gift)), /You choose the amount.*From Le 5\.00 to Le 1,000\.00/s)
    const two = await makeLink({ ...concert, quantity: { maximum: 2 } })
    assert.match(await poster(two), /Le\s300\.00\s+each/)
  })

  test('shows the newest code to dial that has the link’s id as its reference', async () => {
    const link = await makeLink(concert)
    const older = await makeCode({ reference: link.id })
    const code = await makeCode({ reference: link.id })
    const words = await poster(link)
    assert.ok(words.includes(`No internet? Dial`) && words.includes(code.ussdCode), words)
    assert.ok(!words.includes(older.ussdCode))
    assert.match(words, /Valid until/)
    const open = await makeLink({ name: 'Gift', openAmount: { currency: 'SLE' } })
    const typed = await makeCode({ reference: open.id, amount: undefined })
    assert.ok((await poster(open)).includes(typed.ussdCode))
  })

  test('shows only codes that anyone can dial repeatedly to pay the link’s amount', async () => {
    const link = await makeLink(concert)
    const reference = link.id
    for (const body of [
      { reference: 'another' },
      { reference, mode: 'one_time' },
      { reference, amount: { currency: 'SLE', value: 29_999 } },
      { reference, amount: undefined },
      { reference, enable: false },
      { reference, authorizedProviders: ['m17'] },
      { reference, authorizedPhoneNumber: '076123456' },
    ])
      await makeCode(body)
    const other = await t.merchant()
    const body = { name: 'Concert', mode: 'recurrent', amount: { currency: 'SLE', value: 30_000 }, reference }
    assert.equal((await other.call('POST', '/v1/payment-codes', body)).status, 200)
    assert.doesNotMatch(await poster(link), /Dial/)
    const code = await makeCode({ reference })
    assert.match(await poster(link), /Dial/)
    await merchant.call('PATCH', `/v1/payment-codes/${code.id}`, { amount: { currency: 'SLE', value: 1 } })
    assert.doesNotMatch(await poster(link), /Dial/)
    await merchant.call('DELETE', `/v1/payment-codes/${(await makeCode({ reference })).id}`)
    assert.doesNotMatch(await poster(link), /Dial/)
  })

  test('shows what the merchant wrote as text', async () => {
    const hostile = '</style><script>alert(1)</script>"\'<img src=x onerror=alert(1)>'
    const link = await makeLink({ ...concert, name: hostile, description: hostile })
    const html = await (await fetch(link.posterUrl)).text()
    assert.equal(html.split(/<script/).length - 1, 1)
    assert.doesNotMatch(html, /<img|<\/style><script>alert/)
    assert.match(html, /&lt;script&gt;alert\(1\)/)
  })

  test('can be printed while the link is paused, but not when it has ended', async () => {
    const link = await makeLink({ ...concert, active: false })
    assert.match(await poster(link), /Scan to pay/)
    await merchant.call('DELETE', `/v1/payment-links/${link.id}`)
    assert.match(await poster(link), /no longer valid/)
    assert.doesNotMatch(await poster(link), /Scan to pay/)
  })
})

describe('what a button shows of a link', () => {
  const ask = async (link: { url: string }, query = '') =>
    (await (await fetch(`${link.url}/button${query}`)).json()) as { amount: string | null; methods: string[] }
  const methods = ['Orange Money', 'Afrimoney', 'Bank account', 'SafulPay', 'Card']

  test('is the amount and the payment methods, and nothing else, for any page and for five minutes', async () => {
    const link = await makeLink(concert)
    const answer = await fetch(`${link.url}/button`, { headers: { origin: 'https://shop.example' } })
    assert.deepEqual(
      ['access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control', 'set-cookie'].map(
        (name) => answer.headers.get(name),
      ),
      ['*', 'cross-origin', 'public, max-age=300', null],
    )
    assert.deepEqual(await answer.json(), { amount: 'Le 300.00', methods })
    assert.deepEqual(await ask(link, '?lang=fr'), {
      amount: '300,00 Le',
      methods: ['Orange Money', 'Afrimoney', 'Compte bancaire', 'SafulPay', 'Carte'],
    })
    assert.equal((await fetch(`${t.baseUrl}/l/22222222/button`)).status, 404)
  })

  test('depends on what the button prefills, if that is valid', async () => {
    const open = await makeLink({ ...gift, payerReference: { label: 'Name' } })
    const several = await makeLink({ ...concert, quantity: { minimum: 2, maximum: 4 } })
    for (const [link, query, amount] of [
      [open, '', null],
      [open, '?amount=12.5', 'Le 12.50'],
      [open, '?amount=1', null],
      [open, '?amount=%00&amount=7&lang=x&lang=fr', null],
      [several, '', 'Le 600.00'],
      [several, '?quantity=3', 'Le 900.00'],
      [several, '?quantity=5&amount=1', 'Le 600.00'],
    ] as const)
      assert.equal((await ask(link, query)).amount, amount, query)
  })

  test('lists only the methods that the link allows, and nothing of a link that cannot be paid', async () => {
    const link = await makeLink({
      ...concert,
      paymentOptions: {
        momo: { enabledProviders: ['m17'] },
        bank: { disable: true },
        card: { disable: true },
      },
    })
    assert.deepEqual((await ask(link)).methods, ['Orange Money', 'SafulPay'])
    await change(link, { active: false })
    assert.deepEqual(await ask(link), { amount: null, methods: [] })
  })
})

test('the books match the counts', () => t.verify())
