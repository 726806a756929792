import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { viewSlowly } from '../../../support/slow-network.ts'

const t = await startTestApp()
const shop = createServer((_request, response) => response.end('<h1>Back in the shop</h1>')).listen(
  0,
  '127.0.0.1',
)
await once(shop, 'listening')
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
const browser = await openBrowser()
after(async () => {
  await browser.close()
  shop.close()
  await t.close()
})

const shots = process.env.SCREENSHOTS
if (shots) mkdirSync(shots, { recursive: true })

const order = {
  name: 'Country cloth, two lappa',
  description: 'Collect it at Lumley market from Saturday.',
  callbackState: 'cart 7',
  successUrl: `${shopUrl}/thanks?cart=7`,
  cancelUrl: `${shopUrl}/basket`,
  brandingOptions: { primaryColor: '#7a1f5c' },
  lineItems: [
    { name: 'Country cloth', price: { currency: 'SLE', value: 15_000 }, quantity: 2 },
    { name: 'Delivery', price: { currency: 'SLE', value: 1_550 } },
  ],
}

const merchant = await t.merchant({ name: 'Salone Fabrics' })

async function openSession(more: object = {}) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { ...order, ...more })).body.result
  const status = async () =>
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
  return { session, status }
}

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }

/** Opens a payer's browser that records every error on a page. */
async function openPayer(
  how: { javaScriptEnabled?: boolean; size?: keyof typeof sizes; locale?: string } = {},
) {
  const context = await browser.newContext({
    javaScriptEnabled: how.javaScriptEnabled ?? true,
    viewport: sizes[how.size ?? 'phone'],
    reducedMotion: 'reduce',
    ...(how.locale && { locale: how.locale }),
  })
  const page = await context.newPage()
  const issues: string[] = []
  page.on('console', (message) => message.type() === 'error' && issues.push(message.text()))
  page.on('pageerror', (error) => issues.push(error.message))
  return { page, issues, close: () => context.close() }
}

const shoot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: join(shots, `flow-${name}.png`), fullPage: true }))

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a payer pays and returns to the shop with the session’s id and the callbackState', async () => {
      const { session, status } = await openSession()
      const { page, issues, close } = await openPayer({ javaScriptEnabled })
      await page.goto(session.redirectUrl)
      assert.match(await page.innerText('body'), /Le\s315\.50/)
      await shoot(page, 'choose')
      await page.getByLabel('Mobile money number').fill('076 123 456')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(/\/wait$/)
      await shoot(page, 'waiting')
      await page.waitForURL(`${shopUrl}/**`)
      const back = new URL(page.url())
      assert.deepEqual(Object.fromEntries(back.searchParams), {
        cart: '7',
        checkoutSessionId: session.id,
        callbackState: 'cart 7',
      })
      await until(async () => (await status()) === 'completed')
      await page.goto(session.redirectUrl)
      await shoot(page, 'paid')
      assert.equal(await page.title(), 'Payment received')
      assert.deepEqual(issues, [])
      await close()
    })

    test('a payer whose request went to another phone pays with another number at once', async () => {
      const { session, status } = await openSession()
      const { page, issues, close } = await openPayer({ javaScriptEnabled })
      const payWith = async (phone: string) => {
        await page.getByText('Orange Money').first().click()
        await page.getByLabel('Mobile money number').fill(phone)
        await page.getByRole('button', { name: /^Pay/ }).click()
      }
      await page.goto(session.redirectUrl)
      await payWith('076 123 003')
      await page.waitForURL(/\/wait$/)
      const left = javaScriptEnabled
        ? /Time left to approve: [01]:[0-5][0-9]/
        : /expires at [0-2][0-9]:[0-5][0-9]:[0-5][0-9] /
      await page.getByText(left).waitFor()
      await shoot(page, 'waiting-first')
      await page.getByRole('link', { name: 'Use another number' }).click()
      await page.getByText(/The request to \+23276\*\*\*\*03 is still open/).waitFor()
      await shoot(page, 'another')
      await payWith('076 123 456')
      await page.waitForURL(`${shopUrl}/**`)
      await until(async () => (await status()) === 'completed')
      await page.goto(session.redirectUrl)
      await page.getByText(/The request to \+23276\*\*\*\*03 is still open/).waitFor()
      await shoot(page, 'paid-open')
      assert.deepEqual(issues, [])
      await close()
    })

    test('a failed payment shows the reason, and the payer can try again', async () => {
      const { session, status } = await openSession()
      const { page, issues, close } = await openPayer({ javaScriptEnabled, size: 'desktop' })
      await page.goto(session.redirectUrl)
      await shoot(page, 'choose-desktop')
      await page.getByLabel('Mobile money number').fill('076 123 001')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /not enough money/i)
      await shoot(page, 'failed-desktop')
      assert.equal(await page.getByLabel('Mobile money number').inputValue(), '076123001')
      await page.getByLabel('Mobile money number').fill('076 123 456')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(`${shopUrl}/**`)
      await until(async () => (await status()) === 'completed')
      assert.deepEqual(issues, [])
      await close()
    })

    test('a payer who cancels returns to the basket', async () => {
      const { session, status } = await openSession()
      const { page, close } = await openPayer({ javaScriptEnabled })
      await page.goto(session.redirectUrl)
      await page.getByText('Cancel payment').click()
      await page.getByRole('button', { name: 'Yes, cancel' }).click()
      await page.waitForURL(`${shopUrl}/basket**`)
      assert.equal(await status(), 'cancelled')
      await page.goto(session.redirectUrl)
      await shoot(page, 'cancelled')
      assert.match(await page.title(), /cancelled/i)
      await close()
    })

    test('an invalid number is rejected, and nothing is paid', async () => {
      const { session } = await openSession()
      const { page, close } = await openPayer({ javaScriptEnabled })
      await page.goto(session.redirectUrl)
      await page.getByText('Afrimoney').first().click()
      await page.getByLabel('Mobile money number').fill('12')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByText('Enter 9 digits, like 076 123 456.').first().waitFor()
      await shoot(page, 'invalid')
      assert.equal(await page.getByLabel('Mobile money number').inputValue(), '12')
      const payments = await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
      assert.deepEqual(payments.body.result, [])
      await close()
    })
  })

test('on a slow network, the first view takes one round trip and one flight of packets, and nothing shifts', async () => {
  const images = [`${shopUrl.replace('http:', 'https:')}/cloth.png`]
  const { session } = await openSession({ lineItems: order.lineItems.map((item) => ({ ...item, images })) })
  const { bytesToContent, roundTripsToContent, layoutShift } = await viewSlowly(browser, session.redirectUrl)
  assert.deepEqual([roundTripsToContent, layoutShift], [1, 0])
  // Ten segments are sent before the first acknowledgement.
  assert(bytesToContent < 14_600, `${bytesToContent} bytes`)
})

test('the next payment lists the last provider first, and the browser stores nothing else', async () => {
  const { page, close } = await openPayer()
  const listed = () => page.locator('input[name=provider]').first().getAttribute('value')
  const first = await openSession()
  await page.goto(first.session.redirectUrl)
  assert.equal(await listed(), 'm17')
  await page.getByLabel('Mobile money number').fill('077 123 001')
  await press(page)
  await page.getByRole('alert').waitFor()
  const second = await openSession()
  await page.goto(second.session.redirectUrl)
  assert.equal(await listed(), 'm17', 'a failure is not remembered')

  await page.goto(first.session.redirectUrl)
  assert.equal(
    await page.getByLabel('Mobile money number').inputValue(),
    '077123001',
    'it is kept for its payer',
  )
  assert.equal(await page.locator('.lit').innerText(), 'Afrimoney')
  await page.getByLabel('Mobile money number').fill('077 123 456')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(`${shopUrl}/**`)
  await page.goto(second.session.redirectUrl)
  assert.equal(await listed(), 'm18')
  assert.equal(await page.getByLabel('Mobile money number').inputValue(), '')
  const cookies = await page.context().cookies(second.session.redirectUrl)
  assert.deepEqual(
    cookies.map(({ name, value, path, httpOnly, sameSite }) => [name, value, path, httpOnly, sameSite]),
    [['pesewa-provider', 'm18', '/pay', true, 'Lax']],
  )
  await close()
})

test('a number determines the network, unless the payer chooses another one', async () => {
  const { page, close } = await openPayer({ javaScriptEnabled: false })
  const payWith = async (number: string, network?: string) => {
    const { session } = await openSession()
    await page.goto(session.redirectUrl)
    if (network) await page.getByText(network).click()
    await page.getByLabel('Mobile money number').fill(number)
    await press(page)
    return session
  }
  for (const [number, providerId] of [
    ['076 123 456', 'm17'],
    ['077 123 456', 'm18'],
  ] as const) {
    const session = await payWith(number)
    await page.waitForURL(`${shopUrl}/**`)
    const [payment] = await paymentsOf(session)
    assert.equal(payment?.channel.provider, providerId)
  }
  await payWith('077 123 456', 'Orange Money')
  await page.getByText('This looks like an Africell number.').waitFor()
  await payWith('025 123 456')
  await page.getByText('Choose the network of your number.').waitFor()
  await payWith('076 123 45')
  await page.getByText(/^Enter 9 digits, like 07/).waitFor()
  await close()
})

test('a number that the payer has begun to type is kept if they choose another language, and then forgotten', async () => {
  const { session } = await openSession()
  const { page, issues, close } = await openPayer()
  await page.goto(session.redirectUrl)
  const number = page.locator('#phone')
  await number.fill('077 12')
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name: 'Krio' }).click()
  await page.locator('html[lang=kri]').waitFor()
  assert.equal(await number.inputValue(), '077 12')
  await page.locator('.lit', { hasText: 'Afrimoney' }).waitFor()
  await page.reload()
  assert.equal(await number.inputValue(), '')
  assert.deepEqual(issues, [])
  await close()
})

test('the payer chooses a language, and the browser remembers it', async () => {
  const { session } = await openSession()
  const { page, issues, close } = await openPayer({ locale: 'fr-CI' })
  const language = () => page.locator('html').getAttribute('lang')
  await page.goto(session.redirectUrl)
  assert.equal(await language(), 'fr')
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name: 'English' }).click()
  assert.equal(await language(), 'en')
  await page.goto((await openSession()).session.redirectUrl)
  assert.equal(await language(), 'en')
  await page.goto(`${session.redirectUrl}?language=%22%3E%3Cscript%3E`)
  assert.equal(await language(), 'en')
  const [cookie, ...others] = await page.context().cookies()
  assert.deepEqual([cookie?.name, cookie?.value, others], ['pesewa-language', 'en', []])
  assert.deepEqual(issues, [])
  await close()
})

test('other visitors with the link do not see the number of an attempt', async () => {
  const { session } = await openSession()
  const { page, close } = await openPayer()
  await page.goto(session.redirectUrl)
  await page.getByLabel('Mobile money number').fill('076 123 001')
  await press(page)
  await page.getByRole('alert').waitFor()
  const { page: other, close: closeOther } = await openPayer()
  await other.goto(session.redirectUrl)
  await other.getByRole('alert').waitFor()
  assert.equal(await other.getByLabel('Mobile money number').inputValue(), '')
  assert.doesNotMatch(await other.content(), /76123001|\*\*\*\*01/)
  await closeOther()
  await close()
})

test('an expired session shows that it has expired', async () => {
  const { session, status } = await openSession({ duration: '5m' })
  await t.advance(merchant.scope, 300_000)
  await until(async () => (await status()) === 'expired')
  const { page, close } = await openPayer()
  await page.goto(session.redirectUrl)
  assert.match(await page.title(), /expired/)
  await shoot(page, 'expired')
  await close()
})

test('an invalid link shows an error in the payer’s language', async () => {
  const { page, close } = await openPayer()
  const answer = await page.goto(`${t.baseUrl}/pay/${'A'.repeat(66)}`)
  assert.equal(answer?.status(), 404)
  await shoot(page, 'not-found')
  await close()
})

test('if a currency is used in several countries, providers show their country and accept their own numbers', async () => {
  const lineItems = [{ name: 'Pagne', price: { currency: 'XOF', value: 12_500 } }]
  const { session, status } = await openSession({ lineItems })
  const { page, close } = await openPayer()
  await page.goto(session.redirectUrl)
  assert.match(await page.innerText('body'), /12,500/)
  await shoot(page, 'xof')
  await page.getByText(/MTN MoMo, Benin/).click()
  await page.getByLabel('Mobile money number').fill('01 97 12 34 56')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(`${shopUrl}/**`)
  await until(async () => (await status()) === 'completed')
  await t.verify()
  await close()
})

/** Fills in the form of a page without submitting it. */
async function fillIn(page: Page) {
  await page.getByLabel('Mobile money number').fill('076 123 456')
}

const press = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click()

const paymentsOf = async (session: { orderNumber: string }) =>
  (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result as {
    channel: { provider: string }
  }[]

test('two tabs with the same form make one payment', async () => {
  const { session, status } = await openSession()
  const { page: first, issues, close } = await openPayer()
  const second = await first.context().newPage()
  for (const page of [first, second]) {
    await page.goto(session.redirectUrl)
    await fillIn(page)
  }
  await press(first)
  await press(second)
  for (const page of [first, second]) await page.waitForURL(`${shopUrl}/thanks**`)
  await until(async () => (await status()) === 'completed')
  assert.equal((await paymentsOf(session)).length, 1)
  assert.deepEqual(issues, [])
  await close()
})

test('two devices that submit at the same time make one payment, and both see it', async () => {
  const { session, status } = await openSession()
  const payers = [await openPayer(), await openPayer({ size: 'desktop' })]
  for (const { page } of payers) {
    await page.goto(session.redirectUrl)
    await fillIn(page)
  }
  await Promise.all(payers.map(({ page }) => press(page)))
  await Promise.all(payers.map(({ page }) => page.waitForURL(`${shopUrl}/thanks**`)))
  await until(async () => (await status()) === 'completed')
  assert.equal((await paymentsOf(session)).length, 1)
  for (const { close } of payers) await close()
})

test('going back after paying shows the paid page, and pays nothing again', async () => {
  const { session, status } = await openSession()
  const { page, close } = await openPayer()
  await page.goto(session.redirectUrl)
  await fillIn(page)
  await press(page)
  await page.waitForURL(`${shopUrl}/thanks**`)
  await until(async () => (await status()) === 'completed')
  await page.goBack()
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Pay/ }).count(), 0)
  assert.equal((await paymentsOf(session)).length, 1)
  await close()
})

test('a payer with a French browser pays and reads a receipt in French', async () => {
  const { session, status } = await openSession({ successUrl: null, cancelUrl: null })
  const { page, issues, close } = await openPayer({ locale: 'fr-CI' })
  await page.goto(session.redirectUrl)
  assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
  await page.getByLabel('Numéro mobile money').fill('076 123 456')
  await page.getByRole('button', { name: 'Payer 315,50 Le' }).click()
  await page.getByRole('heading', { name: 'Paiement reçu' }).waitFor()
  await until(async () => (await status()) === 'completed')
  await page.getByRole('link', { name: 'Voir le reçu' }).click()
  await page.getByRole('heading', { name: 'Reçu' }).waitFor()
  const receipt = await page.innerText('body')
  for (const fact of [session.orderNumber, 'Salone Fabrics', 'Orange Money', '+23276****56', /315,50\sLe/])
    assert.match(receipt, typeof fact === 'string' ? new RegExp(fact.replace(/[+*]/g, '\\$&')) : fact)
  assert.deepEqual(issues, [])
  await close()
})
