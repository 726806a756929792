import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser.ts'
import { startTestApp, until } from '../../support/harness.ts'
import { createPayer } from '../../support/payer.ts'
import { answerPrompt, promptsOf, setHandsetMode } from '../../support/simulator.ts'

const t = await startTestApp()
const browser = await openBrowser()
const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
after(async () => {
  await browser.close()
  await t.close()
})

const shots = process.env.SCREENSHOTS
if (shots) mkdirSync(shots, { recursive: true })
const shoot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: join(shots, `handsets-${name}.png`), fullPage: true }))

const merchant = await t.merchant({ name: 'Salone Fabrics' })

/** Starts a checkout payment by the payer with this number. */
async function startPayment(phone: string, more: { provider?: string; name?: string; value?: number } = {}) {
  const { provider = 'm17', name = 'Country cloth, two lappa', value = 31_550 } = more
  const currency = provider === 'mtn-gh' ? 'GHS' : 'SLE'
  const lineItems = [{ name, price: { currency, value } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name, lineItems })).body.result
  await createPayer(session.redirectUrl).pay(provider, phone)
  const status = async () => {
    const { body } = await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0].status
  }
  return { status }
}

/** Opens the handset page; any error on it fails the test. */
async function withHandsets(
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
  phones?: { providerId: string; number: string }[],
) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(10_000)
  if (phones)
    await context.addInitScript(
      `localStorage.getItem('pesewa handsets') ?? localStorage.setItem('pesewa handsets', '${JSON.stringify(phones)}')`,
    )
  const page = await context.newPage()
  const issues: string[] = []
  // Browsers log refused numbers and lost connections as errors, but they are not errors of the page.
  page.on(
    'console',
    (line) =>
      line.type() === 'error' &&
      !/ 400 |ERR_INTERNET_DISCONNECTED/.test(line.text()) &&
      issues.push(line.text()),
  )
  page.on('pageerror', (error) => issues.push(String(error)))
  page.on('request', (request) => request.url().startsWith(t.baseUrl) || issues.push(request.url()))
  try {
    await page.goto(`${t.baseUrl}/simulator`)
    await use(page)
    assert.deepEqual(issues, [])
  } finally {
    await context.close()
  }
}

const phoneOf = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const askMe = (phone: Locator) => phone.getByRole('radio', { name: 'Ask me' }).check()

const orange = { providerId: 'm17', number: '+23276200300' }
const afri = { providerId: 'm18', number: '+23288200300' }

test('on the first visit there is one phone, which pays automatically', async () => {
  await withHandsets({}, async (page) => {
    const phone = phoneOf(page, 'Orange Money +232 76 123 456')
    await phone.getByText('No messages yet').waitFor()
    await page.getByText('Test environment: no real money').waitFor()
    const payment = await startPayment('076 123 456')
    await phone
      .getByText(/^You paid Le 315\.50 for Salone Fabrics: Country cloth, two lappa\. Transaction \d+\.$/)
      .waitFor()
    await until(async () => (await payment.status()) === 'completed')
  })
})

test('a phone set to ask shows the prompt without a reload; a PIN pays, and the network sends a message', async () => {
  await withHandsets(
    {},
    async (page) => {
      const phone = phoneOf(page, /Orange/)
      await askMe(phone)
      const payment = await startPayment(orange.number)
      const prompt = phone.getByRole('alertdialog', { name: 'Orange Money requests Le 315.50' })
      await prompt.getByText('Country cloth, two lappa').waitFor()
      await shoot(page, 'prompt')
      await prompt.getByLabel('PIN').fill('12')
      await prompt.getByRole('button', { name: 'Approve' }).click()
      assert.equal(await payment.status(), 'processing', 'two digits are not a PIN')
      await prompt.getByLabel('PIN').fill('1234')
      await prompt.getByRole('button', { name: 'Approve' }).click()
      await phone.getByText(/^You paid Le 315\.50/).waitFor()
      assert.equal(await prompt.count(), 0)
      await until(async () => (await payment.status()) === 'completed')
    },
    [orange],
  )
})

test('declining pays nothing, and the network sends a message', async () => {
  await withHandsets(
    {},
    async (page) => {
      const phone = phoneOf(page, /Orange/)
      const payment = await startPayment(orange.number, { name: 'Declined order' })
      await phone.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
      await phone
        .getByText('Your payment of Le 315.50 for Salone Fabrics: Declined order failed: you declined it.')
        .waitFor()
      await until(async () => (await payment.status()) === 'failed')
    },
    [orange],
  )
})

test('prompts of several phones are open at once, on each phone and in one list, and are answered independently', async () => {
  await withHandsets(
    {},
    async (page) => {
      const [first, second] = [phoneOf(page, /Orange/), phoneOf(page, /Afrimoney/)]
      await askMe(second)
      const rice = await startPayment(orange.number, { name: 'Rice', value: 20_000 })
      const fish = await startPayment(afri.number, { name: 'Fish', provider: 'm18', value: 7_500 })
      await first.getByRole('alertdialog').getByText('Rice').waitFor()
      await second.getByRole('alertdialog').getByText('Fish').waitFor()
      const waiting = page.getByRole('complementary', { name: /Waiting for an answer/ })
      assert.equal(await waiting.getByRole('listitem').count(), 2)
      await waiting.getByRole('button', { name: 'Decline Le 200.00 on +232 76 200 300' }).click()
      await first.getByText(/Rice failed: you declined it/).waitFor()
      assert.equal(await second.getByRole('alertdialog').count(), 1)
      await waiting.getByRole('button', { name: 'Approve Le 75.00 on +232 88 200 300' }).click()
      await second.getByText(/You paid Le 75\.00 for Salone Fabrics: Fish/).waitFor()
      await until(async () => (await rice.status()) === 'failed' && (await fish.status()) === 'completed')
      await waiting.getByText(/No open prompts/).waitFor()
    },
    [orange, afri],
  )
})

test('a code is dialled, its menu followed and its payment approved on the same phone', async () => {
  await withHandsets(
    {},
    async (page) => {
      const bill = { name: 'School fees', amount: { currency: 'SLE', value: 50_000 } }
      const code = (await merchant.call('POST', '/v1/payment-codes', bill)).body.result
      const status = async () =>
        (await merchant.call('GET', `/v1/payment-codes/${code.id}`)).body.result.status
      const phone = phoneOf(page, /Orange/)
      await askMe(phone)
      for (const key of code.ussdCode) await phone.getByRole('button', { name: key, exact: true }).click()
      await phone.getByRole('button', { name: 'Call' }).click()
      const menu = phone.getByRole('dialog', { name: 'Network menu' })
      await menu.getByText('School fees\nTo: Salone Fabrics\nAmount: Le 500.00\n1 Pay').waitFor()
      await shoot(page, 'menu')
      await page.keyboard.type('1')
      await page.keyboard.press('Enter')
      const prompt = phone.getByRole('alertdialog', { name: 'Orange Money requests Le 500.00' })
      await menu.getByText(/Orange Money will now ask for your PIN/).waitFor()
      await prompt.getByLabel('PIN').fill('12345')
      await prompt.getByRole('button', { name: 'Approve' }).click()
      await menu.waitFor({ state: 'detached' })
      await phone.getByText(/^You paid Le 500\.00 for School fees/).waitFor()
      await until(async () => (await status()) === 'completed')
    },
    [{ providerId: 'm17', number: '+23276200301' }],
  )
})

test('the code on a payment page is dialled on a phone, and the page shows the payment without a reload', async () => {
  const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 31_550 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const context = await browser.newContext()
  const paying = await context.newPage()
  await paying.goto(session.redirectUrl)
  await paying.getByRole('button', { name: 'Dial instead' }).click()
  const code = (await paying.getByText(/^\*715\*[0-9]{10}#$/).textContent()) ?? ''
  await withHandsets(
    {},
    async (page) => {
      const phone = phoneOf(page, /Orange/)
      await askMe(phone)
      const dialler = phone.getByRole('textbox', { name: /^Dial on/ })
      await dialler.fill(code)
      await dialler.press('Enter')
      const menu = phone.getByRole('dialog', { name: 'Network menu' })
      await menu.getByText('Order 42\nTo: Salone Fabrics\nAmount: Le 315.50\n1 Pay').waitFor()
      await page.keyboard.type('1')
      await page.keyboard.press('Enter')
      const prompt = phone.getByRole('alertdialog', { name: 'Orange Money requests Le 315.50' })
      await prompt.getByLabel('PIN').waitFor()
      await paying.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
      await prompt.getByLabel('PIN').fill('12345')
      await prompt.getByRole('button', { name: 'Approve' }).click()
      await paying.getByRole('heading', { name: 'Payment received' }).waitFor()
    },
    [{ providerId: 'm17', number: '+23276200305' }],
  )
  await context.close()
})

test('a phone dials its one-time password and is verified; Escape closes a menu', async () => {
  await withHandsets(
    {},
    async (page) => {
      const newOtp = { authorizedPhoneNumber: afri.number, verificationMessage: 'Welcome back, Aminata.' }
      const otp = (await merchant.call('POST', '/v1/ussd-otps', newOtp)).body.result
      const dialler = phoneOf(page, /Afrimoney/).getByRole('textbox', { name: /^Dial on/ })
      const menu = page.getByRole('dialog', { name: 'Network menu' })
      await dialler.fill(otp.dialCode)
      await dialler.press('Enter')
      await menu.getByText('Welcome back, Aminata.').waitFor()
      await page.keyboard.press('Enter')
      await menu.waitFor({ state: 'detached' })
      const { body } = await merchant.call('GET', `/v1/ussd-otps/${otp.id}`)
      assert.equal(body.result.status, 'verified')
      await dialler.fill('*715#')
      await dialler.press('Enter')
      await menu.getByText('Enter the code you were given:').waitFor()
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await page.locator('[data-code]:focus').waitFor()
    },
    [afri],
  )
})

test('with the keyboard alone, a phone can be added, set to ask, used to pay with a PIN, and removed', async () => {
  await withHandsets({}, async (page) => {
    const phone = phoneOf(page, 'Orange Money +232 78 300 400')
    const goTo = async (to: Locator, key = 'Tab') => {
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press(key)
        if ((await to.and(page.locator(':focus')).count()) === 1) return
      }
      assert.fail('not reachable by keyboard')
    }
    await goTo(page.getByLabel('Number'))
    await page.keyboard.type('078 300 400')
    await page.keyboard.press('Enter')
    await phone.waitFor()
    const isSet = page.waitForResponse('**/mode')
    await goTo(phone.getByRole('radio', { name: 'Automatic' }))
    await page.keyboard.press('ArrowRight')
    await isSet
    const payment = await startPayment('+23278300400', { name: 'By keyboard' })
    await page.locator('[data-pin]:focus').waitFor()
    await page.keyboard.type('0000')
    await page.keyboard.press('Enter')
    await phone.getByText(/You paid Le 315\.50 for Salone Fabrics: By keyboard/).waitFor()
    await until(async () => (await payment.status()) === 'completed')
    await goTo(phone.getByRole('button', { name: /^Remove/ }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await phone.waitFor({ state: 'detached' })
    await page.reload()
    await phoneOf(page, /76 123 456/).waitFor()
    assert.equal(await phone.count(), 0)
  })
})

test('an invalid number is refused next to its field, and added phones are remembered', async () => {
  await withHandsets({}, async (page) => {
    await page.getByLabel('Network').selectOption({ label: 'MTN MoMo, Ghana' })
    await page.getByLabel('Number').fill('12')
    await page.getByRole('button', { name: 'Add phone' }).click()
    await page.getByText('The number is not a phone number.').waitFor()
    await page.getByLabel('Number').fill('024 123 4567')
    await page.getByRole('button', { name: 'Add phone' }).click()
    await phoneOf(page, 'MTN MoMo +233 24 123 4567').waitFor()
    await page.reload()
    await phoneOf(page, 'MTN MoMo +233 24 123 4567').waitFor()
    assert.equal(await page.getByRole('region').count(), 2)
  })
})

test('while the service is unreachable the page says so, and then recovers automatically', async () => {
  await withHandsets(
    {},
    async (page) => {
      const away = page.getByText('Connection lost. Reconnecting…')
      const phone = phoneOf(page, /Orange/)
      await phone.getByText('No messages yet').waitFor()
      await page.context().setOffline(true)
      await away.waitFor()
      await phone.getByRole('textbox', { name: /^Dial on/ }).fill('*715#')
      await phone.getByRole('button', { name: 'Call' }).click()
      await phone.getByText('Network problem. Try again later.').waitFor()
      await page.keyboard.press('Enter')
      await page.context().setOffline(false)
      await away.waitFor({ state: 'hidden' })
      await startPayment('+23276200302')
      await phone.getByText(/You paid Le 315\.50/).waitFor()
    },
    [{ providerId: 'm17', number: '+23276200302' }],
  )
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the page has no accessibility issues, in ${colorScheme} mode, with a prompt and a menu open`, async () => {
    const phones = [orange, afri]
    await withHandsets(
      { colorScheme, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
      async (page) => {
        await startPayment(orange.number, { name: `To look at, ${colorScheme}` })
        await phoneOf(page, /Orange/)
          .getByRole('alertdialog')
          .waitFor()
        const dialler = phoneOf(page, /Afrimoney/).getByRole('textbox')
        await dialler.fill('076123456')
        await dialler.press('Enter')
        await page.getByText(/This phone can only dial codes/).waitFor()
        await page.getByText('Numbers with a fixed outcome').click()
        const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
        assert.equal(wide, false, 'no overflow on a narrow screen')
        await page.evaluate(axe)
        const { violations } = await page.evaluate<{
          violations: { id: string; nodes: { html: string }[] }[]
        }>('axe.run()')
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`),
          [],
        )
        assert.equal(await page.evaluate('document.getAnimations().length'), 0)
      },
      phones,
    )
  })

async function takeScreenshots() {
  const [first, second, third] = [
    { providerId: 'm17', number: '+23276200400' },
    { providerId: 'm18', number: '+23288200401' },
    { providerId: 'mtn-gh', number: '+233241234567' },
  ] as const
  const url = `${t.baseUrl}/simulator`
  await (await startPayment(first.number, { name: 'Cassava bread, a dozen', value: 4_500 })).status()
  const code = { name: 'Water, November', amount: { currency: 'SLE', value: 12_000 } }
  const { ussdCode } = (await merchant.call('POST', '/v1/payment-codes', code)).body.result
  await startPayment(third.number, { provider: 'mtn-gh', name: 'Waakye', value: 2_500 })
  for (const { number } of [first, second]) await setHandsetMode(url, number, 'ask')
  await startPayment(second.number, { provider: 'm18', name: 'Bus to Bo', value: 12_000 })
  const { reference } = await until(async () => (await promptsOf(url, second.number))[0])
  await answerPrompt(url, second.number, reference, 'decline')
  await startPayment(first.number)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [360, 768, 1440]) {
      const viewport = { width, height: width === 360 ? 740 : 900 }
      await withHandsets(
        { viewport, colorScheme, reducedMotion: 'reduce' },
        async (page) => {
          const dialler = phoneOf(page, /Afrimoney/).getByRole('textbox', { name: /^Dial on/ })
          await dialler.fill(ussdCode)
          await dialler.press('Enter')
          await page.getByText('To: Salone Fabrics').waitFor()
          await page.getByRole('alertdialog').waitFor()
          await phoneOf(page, /Ghana|MTN/)
            .getByText(/Waakye/)
            .waitFor()
          await shoot(page, `all-${width}-${colorScheme}`)
        },
        [first, second, third],
      )
    }
}

// Not a test: SCREENSHOTS=<folder> saves the page in every size for review.
if (shots) test('screenshots are taken', takeScreenshots)
