import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { accessibilityIssues, loadAxe, overflowOf } from '../../../support/accessibility.ts'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp, until } from '../../../support/harness.ts'

// Tests link pages in a browser, and the button on a merchant's page with another origin and a strict policy.

const t = await startTestApp()
const merchant = await t.merchant({ name: 'Harbour Stage' })
const browser = await openBrowser()
const policy = `default-src 'none'; script-src ${t.baseUrl}; connect-src ${t.baseUrl}; base-uri 'none'; form-action 'none'`
let shown = ''
const shop = createServer((_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${shown}</main></html>`),
).listen(0, '127.0.0.1')
await once(shop, 'listening')
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
after(async () => {
  await browser.close()
  shop.close()
  await t.close()
})

const shots = process.env.SCREENSHOTS
if (shots) mkdirSync(shots, { recursive: true })
const shoot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: join(shots, `link-${name}.png`), fullPage: true }))

const concert = {
  name: 'Concert at the harbour',
  lineItems: [{ name: 'Ticket', description: 'Standing', price: { currency: 'SLE', value: 15_000 } }],
}
const makeLink = async (body: object) =>
  (await merchant.call('POST', '/v1/payment-links', body)).body.result as { id: string; url: string }

const phone = { width: 360, height: 640 }
const desk = { width: 1280, height: 800 }

async function openPage(how: {
  viewport: { width: number; height: number }
  locale?: string
  colorScheme?: 'light' | 'dark'
  javaScriptEnabled?: boolean
}) {
  const isPhone = how.viewport === phone
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    hasTouch: isPhone,
    isMobile: isPhone,
    ...how,
  })
  const page = await context.newPage()
  const issues: string[] = []
  page.on('console', (message) => message.type() === 'error' && issues.push(message.text()))
  page.on('pageerror', (error) => issues.push(error.message))
  return { page, issues, close: () => context.close() }
}

describe('the pages of a link', () => {
  const asking = {
    ...concert,
    description: 'Doors open at six.\nBring nothing.',
    quantity: { minimum: 1, maximum: 6 },
    payerReference: { label: 'Your name' },
  }
  const long = {
    name: 'W'.repeat(150),
    description: 'Mm'.repeat(500),
    lineItems: Array.from({ length: 16 }, () => ({
      name: 'N'.repeat(100),
      description: 'w'.repeat(100),
      price: { currency: 'SLE', value: 9_999_999_999 },
      quantity: 1_000,
    })),
    quantity: { maximum: 10 },
    payerReference: { label: 'L'.repeat(60), isRequired: false },
    brandingOptions: { primaryColor: '#7a1f5c' },
  }
  const links = {
    asking,
    long,
    open: {
      name: 'Gift for the choir',
      openAmount: { currency: 'SLE', minimum: 500, maximum: 500_000 },
      payerReference: { label: 'Note', isRequired: false },
    },
    inactive: { ...concert, active: false },
  }
  for (const [name, body] of Object.entries(links))
    for (const [locale, colorScheme, viewport] of [
      ['en', 'light', phone],
      ['fr', 'dark', phone],
      ['en', 'dark', desk],
    ] as const)
      test(`${name}, in ${locale}, ${colorScheme}, ${viewport.width} pixels wide: fits and is accessible`, async () => {
        const link = await makeLink(body)
        const { page, issues, close } = await openPage({ viewport, locale, colorScheme })
        await page.goto(link.url)
        await shoot(page, `${name}-${locale}-${colorScheme}-${viewport.width}`)
        assert.equal(await overflowOf(page), 0)
        await loadAxe(page)
        assert.deepEqual(await accessibilityIssues(page), [])
        if (name !== 'inactive') {
          await page.locator('form').evaluate('(form) => form.reset()')
          for (const input of await page.locator('form input:not([type=hidden])').all()) await input.fill('')
          await page.getByRole('button').click()
          if (name !== 'open') await page.locator('[aria-invalid=true]').first().waitFor()
          assert.equal(await overflowOf(page), 0)
          await shoot(page, `${name}-faulty-${locale}-${colorScheme}-${viewport.width}`)
          await loadAxe(page)
          assert.deepEqual(await accessibilityIssues(page), [])
        }
        // The browser itself reports the error status.
        assert.deepEqual(
          issues.filter((fault) => !/status of 422/.test(fault)),
          [],
        )
        await close()
      })

  test('a payer without JavaScript fills in the form, pays, and reads the merchant’s success text', async () => {
    const link = await makeLink({ ...asking, successText: 'Thank you! See you at six.' })
    const { page, close } = await openPage({ viewport: phone, javaScriptEnabled: false })
    await page.goto(link.url)
    await page.getByLabel('Quantity').fill('2')
    await page.getByLabel('Your name').fill('Aminata')
    await page.getByRole('button').click()
    await page.waitForURL(/\/pay\//)
    assert.match(await page.innerText('body'), /Le\s300\.00/)
    const [session] = (await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${link.id}`)).body
      .result
    await page.locator('input[name=phone]').fill('076123456')
    await page.locator('form[action^="/pay/"] .button').first().click()
    await page.waitForURL(/\/l\/.*\/done\//)
    assert.match(await page.innerText('main'), /See you at six/)
    await shoot(page, 'done')
    await loadAxe(page)
    await page.getByRole('link', { name: 'Receipt' }).click()
    assert.match(await page.innerText('main'), new RegExp(session.orderNumber))
    await close()
  })

  test('a person who opens a fixed-price link goes straight to the checkout page', async () => {
    const link = await makeLink(concert)
    const { page, close } = await openPage({ viewport: phone })
    await page.goto(link.url)
    assert.match(page.url(), /\/pay\//)
    await close()
  })
})

describe('<pesewa-checkout>', () => {
  const script = `<script type="module" src="${t.baseUrl}/components/pesewa-checkout.js"></script>`
  /** Records the component's events despite the page's policy. */
  const listen = (page: Page) =>
    page.addInitScript(`
      globalThis.receivedEvents = []
      for (const what of ['opened', 'closed', 'completed'])
        document.addEventListener('pesewa:' + what, (event) => receivedEvents.push([what, event.detail.checkoutSessionId ?? null]))`)
  const eventsOn = (page: Page) => page.evaluate<unknown[]>('receivedEvents')

  test('is under 3 KB compressed, can be loaded by any page, and is cached for an hour', async () => {
    const answer = await fetch(`${t.baseUrl}/components/pesewa-checkout.js`, {
      headers: { origin: shopUrl, 'accept-encoding': 'identity' },
    })
    const body = Buffer.from(await answer.arrayBuffer())
    assert.ok(brotliCompressSync(body).length < 3_000, `${brotliCompressSync(body).length}`)
    assert.deepEqual(
      ['access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control', 'content-type'].map(
        (name) => answer.headers.get(name),
      ),
      ['*', 'cross-origin', 'public, max-age=3600', 'text/javascript; charset=utf-8'],
    )
    const again = await fetch(answer.url, { headers: { 'if-none-match': answer.headers.get('etag')! } })
    assert.equal(again.status, 304)
  })

  test('is a link with its own label on a page with a strict policy, and leads a phone to the form', async () => {
    const link = await makeLink({
      name: 'Gift',
      openAmount: { currency: 'SLE' },
      payerReference: { label: 'Invoice' },
    })
    shown = `${script}<pesewa-checkout link="${link.url}" amount="12.50" reference="A &amp; 7">Pay Le 12.50</pesewa-checkout>`
    const { page, issues, close } = await openPage({ viewport: phone })
    await listen(page)
    await page.goto(shopUrl)
    const button = page.getByRole('link', { name: 'Pay Le 12.50' })
    await button.waitFor()
    await shoot(page, 'component')
    await loadAxe(page)
    assert.deepEqual(await accessibilityIssues(page), [])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${link.url}**`)
    assert.equal(await page.getByLabel('Amount').inputValue(), '12.50')
    assert.equal(await page.getByLabel('Invoice').inputValue(), 'A & 7')
    assert.deepEqual(issues, [])
    await close()
  })

  test('opens a tab next to a wide page, unless the page prevents it, and reports when the payer returns', async () => {
    const link = await makeLink(concert)
    shown = `${script}<pesewa-checkout><a href="${link.url}">Pay</a></pesewa-checkout>`
    const { page, issues, close } = await openPage({ viewport: desk })
    await listen(page)
    await page.goto(shopUrl)
    await page.waitForFunction(`customElements.get('pesewa-checkout') !== undefined`)
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Pay' }).click(),
    ])
    await tab.waitForURL(/\/pay\//)
    assert.equal(await tab.evaluate('window.opener'), null)
    assert.equal(page.url(), `${shopUrl}/`)
    assert.deepEqual(await eventsOn(page), [['opened', null]])
    await tab.close()
    await page.bringToFront()
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await until(async () => (await eventsOn(page)).length === 2)
    assert.deepEqual(await eventsOn(page), [
      ['opened', null],
      ['closed', null],
    ])
    await page.evaluate(`document.addEventListener('pesewa:opened', (event) => event.preventDefault())`)
    await page.getByRole('link', { name: 'Pay' }).click()
    assert.equal(page.context().pages().length, 1)
    assert.deepEqual(issues, [])
    await close()
  })

  test('reports completion only when the service confirms it, not because of a forged URL or before the payment', async () => {
    const link = await makeLink({ ...concert, successUrl: `${shopUrl}/thanks` })
    shown = `${script}<pesewa-checkout link="${link.url}"></pesewa-checkout>`
    const { page, close } = await openPage({ viewport: phone, locale: 'en' })
    await listen(page)
    await page.goto(`${shopUrl}/?checkoutSessionId=cos-01kaj3v5w8e4r9tbn2m6c7d0xz`)
    await page.getByRole('link', { name: 'Pay' }).click()
    await page.waitForURL(/\/pay\//)
    const pay = page.url()
    const [session] = (await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${link.id}`)).body
      .result
    await page.goto(`${shopUrl}/?checkoutSessionId=${session.id}`)
    await until(async () => (await eventsOn(page)).length > 0)
    assert.deepEqual(await eventsOn(page), [['closed', session.id]])
    await page.goto(pay)
    await page.locator('input[name=phone]').fill('076123456')
    await page.locator('form[action^="/pay/"] .button').first().click()
    await page.waitForURL(`${shopUrl}/thanks**`)
    await until(async () => (await eventsOn(page)).length === 2)
    assert.deepEqual(await eventsOn(page), [
      ['closed', session.id],
      ['completed', session.id],
    ])
    await close()
  })

  test('refuses script URLs, and remains a link without scripts', async () => {
    const link = await makeLink(concert)
    shown = `${script}<pesewa-checkout link="javascript:alert(1)">Bad</pesewa-checkout><pesewa-checkout><a href="${link.url}">Pay</a></pesewa-checkout>`
    const { page, close } = await openPage({ viewport: phone })
    await page.goto(shopUrl)
    await page.waitForFunction(`customElements.get('pesewa-checkout') !== undefined`)
    assert.equal(await page.getByRole('link', { name: 'Bad' }).count(), 0)
    await close()
    const plain = await openPage({ viewport: phone, javaScriptEnabled: false })
    await plain.page.goto(shopUrl)
    await plain.page.getByRole('link', { name: 'Pay' }).click()
    await plain.page.waitForURL(/\/pay\//)
    await plain.close()
  })
})
