import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { extractText, getDocumentProxy } from 'unpdf'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const price = (value: number) => ({ currency: 'SLE', value })
const order = {
  name: 'Order 42',
  lineItems: [
    { name: 'Country cloth', description: 'Indigo', price: price(15_000), quantity: 2_000 },
    { name: 'Thread', price: price(500) },
  ],
}

async function openSession(more: object = {}, options: Parameters<typeof t.merchant>[0] = {}) {
  const merchant = await t.merchant({ name: 'Aminata’s Cloth', ...options })
  const { body } = await merchant.call('POST', '/v1/checkout-sessions', { ...order, ...more })
  const session = body.result
  const payer = createPayer(session.redirectUrl)
  const get = (path: string, language?: string) =>
    fetch(session.redirectUrl + path, {
      redirect: 'manual',
      ...(language && { headers: { 'accept-language': language } }),
    })
  return {
    merchant,
    session,
    payer,
    pay: async (phone = '076 123 456', provider = 'm17') => {
      await payer.pay(provider, phone)
      await until(async () => (await payer.status()) === 'done' || rail.advance(300))
    },
    get,
    page: async (language?: string) => textOf(await (await get('/receipt', language)).text()),
    pdf: async (language?: string) => {
      const bytes = new Uint8Array(await (await get('/receipt.pdf', language)).arrayBuffer())
      const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
      return text.replace(/\s+/g, ' ')
    },
  }
}

async function paidSession(...given: Parameters<typeof openSession>) {
  const session = await openSession(...given)
  await session.pay()
  return session
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the text of the body. */
const textOf = (html: string) =>
  html
    .replace(/^[\s\S]*<body>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(#?\w+);/g, (_, name) => entities[name] ?? `?${name}`)
    .replace(/\s+/g, ' ')
    .trim()

const papers = ['/receipt', '/receipt.pdf']

describe('GET /pay/{key}/receipt and /receipt.pdf', () => {
  test('200 with items, total, order number, time and payment method', async () => {
    const { session, page, pdf, merchant } = await paidSession()
    const receipt = (await merchant.call('GET', `/v1/receipts/${session.orderNumber}`)).body.result
    const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    for (const text of [await page(), await pdf()]) {
      for (const shown of [
        'Aminata’s Cloth',
        'Order 42',
        session.orderNumber,
        `${date.format(new Date(receipt.createTime))} at ${receipt.createTime.slice(11, 16)} GMT`,
        'Orange Money',
        '+23276****56',
        'Country cloth',
        'Indigo',
        '2,000 × Le 150.00',
        'Le 300,000.00',
        'Thread',
        'Le 5.00',
        'Le 300,005.00',
        'Test payment. No real money moved.',
      ])
        assert.ok(text.includes(shown), `${shown} is not in: ${text}`)
      // Must not reveal the merchant's fee or the payer's full number.
      assert.doesNotMatch(text, /fee|3,000\.05|76123456|123 456/i)
    }
  })

  test('200 dated by the Space’s clock, in its country’s time zone', async () => {
    const { merchant, pay, page, session } = await openSession({ duration: '7d' }, { country: 'KE' })
    await t.advance(merchant.scope, 3 * 86_400_000)
    await pay('076 123 456')
    const { createTime } = (await merchant.call('GET', `/v1/receipts/${session.orderNumber}`)).body.result
    assert.ok(Date.parse(createTime) > Date.now() + 2 * 86_400_000)
    const inNairobi = new Date(Date.parse(createTime) + 3 * 3_600_000).toISOString()
    assert.match(await page(), new RegExp(`${inNairobi.slice(0, 4)} at ${inNairobi.slice(11, 16)} GMT\\+3`))
  })

  test('200 in French if requested, otherwise in English', async () => {
    const { page, pdf } = await paidSession()
    for (const language of ['fr', 'fr-CI,fr;q=0.9,en;q=0.8', 'wo, en;q=0.5, FR;q=0.7'])
      for (const text of [await page(language), await pdf(language)]) {
        assert.match(text, /Reçu/)
        assert.match(text, /Numéro de commande/)
        assert.match(text, /300 005,00 Le/)
        assert.match(text, /Aucun argent réel/)
      }
    for (const language of ['en', 'de', '*', 'fr;q=0', 'en, fr;q=0.9', ';;,=q', 'constructor', 'fr;q=x'])
      assert.match(await page(language), /Order number/, language)
  })

  test('303 to the payment page before it is paid', async () => {
    const { session, pay, payer, get } = await openSession()
    const home = new URL(session.redirectUrl).pathname
    const leadsHome = async () => {
      for (const paper of papers) {
        const answer = await get(paper)
        assert.deepEqual([answer.status, answer.headers.get('location')], [303, home])
      }
    }
    await leadsHome()
    await pay('076 123 001')
    await leadsHome()
    await payer.pay('m17', '076 123 003')
    await leadsHome()
    const cancelled = await openSession()
    await cancelled.payer.cancel()
    assert.equal((await cancelled.get('/receipt')).status, 303)
  })

  test('404 without the link', async () => {
    const { session } = await paidSession()
    for (const paper of papers)
      for (const bad of [
        session.redirectUrl.slice(0, -1),
        `${session.redirectUrl.slice(0, -22)}${'A'.repeat(22)}`,
      ]) {
        const answer = await fetch(bad + paper)
        assert.equal(answer.status, 404)
        assert.match(await answer.text(), /This payment page does not exist/)
      }
  })

  test('200 with the headers of every page; the PDF is a download', async () => {
    const { session, get } = await paidSession()
    const headersOf = async (path: string) => {
      const kept = [...(await get(path)).headers].filter(
        ([name]) =>
          !/^(date|vary|content-length|content-encoding|content-type|content-disposition|service-|x-request-id|keep-alive|connection)/.test(
            name,
          ),
      )
      return Object.fromEntries(kept.map(([name, value]) => [name, value.replace(/nonce-[\w-]+/g, 'nonce')]))
    }
    const page = await headersOf('')
    assert.match(page['content-security-policy']!, /default-src 'none'.*'nonce'/)
    assert.equal(page['cache-control'], 'no-store')
    for (const paper of papers) assert.deepEqual(await headersOf(paper), page)
    const { headers } = await get('/receipt.pdf')
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="receipt-${session.orderNumber}.pdf"`,
    )
    const html = await get('/receipt')
    const [, nonce] = /'nonce-([\w-]+)'/.exec(html.headers.get('content-security-policy')!)!
    assert.ok((await html.text()).includes(`<style nonce="${nonce}">`))
  })

  test('429 to an address that requests too many PDFs per second', async () => {
    const node = await startTestApp({
      anotherNodeOf: t,
      work: false,
      settings: { RATE_LIMITS: 'on', PAGE_LIMIT: '1' },
    })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${node.baseUrl}/pay/none/receipt.pdf`)).status),
    )
    assert.deepEqual([...new Set(statuses)].sort(), [404, 429])
    await node.close()
  })

  test('200 with the merchant’s input shown as text', async () => {
    const hostile = `<script>alert(1)</script>"><img src=x onerror=alert(2)> & ' ) Tj`
    const { get, page, pdf } = await paidSession(
      { name: hostile, lineItems: [{ name: hostile, description: hostile, price: price(1) }] },
      { name: hostile },
    )
    const html = await (await get('/receipt')).text()
    const logo = /<img class="logo" src="\/provider-logos\/[0-9a-f]{16}\.svg" alt="" width="20" height="20">/
    assert.match(html, logo)
    assert.doesNotMatch(html.replace(logo, ''), /<script|<img/)
    assert.equal((await page()).split(hostile).length, 5)
    assert.ok((await pdf()).includes(hostile))
  })

  test('200 for the largest possible order', async () => {
    const amount = 562_949_953_421_311
    const { page, pdf } = await paidSession({
      name: 'N'.repeat(150),
      lineItems: Array.from({ length: 16 }, (_, i) => ({
        name: `${i} ${'é'.repeat(100)}`.slice(0, 100),
        description: 'w'.repeat(100),
        price: price(amount),
      })),
    })
    for (const text of [await page(), await pdf()]) {
      assert.match(text, /Le 90,071,992,547,409\.76/)
      assert.match(text, /15 é/)
    }
  })

  test('200 with the same PDF every time', async () => {
    const { get } = await paidSession()
    const [one, other] = await Promise.all(
      [1, 2].map(async () => Buffer.from(await (await get('/receipt.pdf')).arrayBuffer())),
    )
    assert.ok(one!.equals(other!))
  })
})
