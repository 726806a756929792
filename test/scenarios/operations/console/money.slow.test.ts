import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { accessibilityIssues, loadAxe, overflowOf } from '../../../support/accessibility.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { payment } from './shop.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const { open } = stage

const read = async (merchant: Merchant, path: string) => (await merchant.call('GET', path)).body.result
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const buttonsOf = (page: Page) => page.locator('main .head button').allTextContents()
/** Opens a filter, types its value and presses Enter. */
async function typeFilter(page: Page, label: string, value: string): Promise<void> {
  await page.locator('.filters summary', { hasText: label }).click()
  await page.getByLabel(label, { exact: true }).fill(value)
  await page.keyboard.press('Enter')
}
const status = (page: Page, words: string) =>
  page.locator('.facts .status', { hasText: new RegExp(`^${words}$`) }).waitFor()

test('keyboard only: a checkout page can be created, and is shown as paid without reloading', async () => {
  const shop = await stage.t.merchant()
  await open(shop, '/', async (page) => {
    const { keyboard } = page
    await page.getByRole('link', { name: 'Create a checkout page' }).focus()
    await keyboard.press('Enter')
    await page.getByLabel('What is it for?').focus()
    await keyboard.type('School fees')
    await keyboard.press('Tab')
    await keyboard.type('1,500.505')
    await keyboard.press('Enter')
    await page.getByText('Enter a valid amount.').waitFor()
    await page.getByLabel('Price in SLE').fill('')
    await page.getByLabel('Price in SLE').focus()
    await keyboard.type('1,500.50')
    await keyboard.press('Tab')
    await keyboard.type('2')
    assert.equal(await page.locator('output').textContent(), 'Le 3,001.00')
    await keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code of the payment link for School fees' }).waitFor()
    const [session] = await read(shop, '/v1/checkout-sessions')
    assert.deepEqual(session.lineItems.data[0].price, { currency: 'SLE', value: 150_050 })
    assert.equal(session.amount.value, 300_100)
    assert.equal(Date.parse(session.expireTime) - Date.parse(session.createTime), 24 * 3_600_000)
    await page.getByText(session.redirectUrl).first().waitFor()
    await createPayer(session.redirectUrl).pay('m17', '076123456')
    await status(page, 'Paid')
    await page.getByRole('table', { name: 'Payments' }).getByText('Orange Money').waitFor()
  })
})

test('cancelling a link needs confirmation, and focus returns to the button', async () => {
  const shop = await stage.t.merchant()
  const lineItems = [{ name: 'Mats', price: { currency: 'SLE', value: 100 } }]
  const made = await shop.call('POST', '/v1/checkout-sessions', { name: 'Mats', lineItems })
  const path = `/checkout-sessions/${made.body.result.id}`
  await open(shop, path, async (page) => {
    const cancel = button(page, 'Cancel link')
    await cancel.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Payers will no longer be able to use it.').waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
    assert.ok(await cancel.evaluate((element) => element === element.ownerDocument.activeElement))
    assert.equal((await read(shop, `/v1${path}`)).status, 'pending')
    await page.keyboard.press('Enter')
    await page.locator('dialog').getByRole('button', { name: 'Cancel link' }).click()
    await status(page, 'Cancelled')
  })
  assert.equal((await read(shop, `/v1${path}`)).status, 'cancelled')
})

test('payments can be filtered by phone, amount and provider as people type them, and the URL keeps the filters', async () => {
  const shop = await stage.t.merchant()
  await payment(shop, 'Cloth', '076123456', 'completed')
  await payment(shop, 'Oil', '076123457', 'completed')
  await open(shop, '/payments', async (page) => {
    const rows = page.locator('tbody tr')
    await typeFilter(page, 'Phone', '076 123-456')
    await typeFilter(page, 'Amount', '300.00')
    await page.getByRole('link', { name: 'Activity for +23276123456' }).waitFor()
    await page.getByText('Cloth').waitFor()
    assert.equal(await rows.count(), 1)
    assert.equal(new URL(page.url()).search, '?phoneNumber=076+123-456&amount=300.00')
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    assert.deepEqual([lines.length, lines[1]?.includes('Cloth')], [2, true])
    await page.reload()
    await page.getByText('Cloth').waitFor()
    await page.locator('summary', { hasText: 'Phone: 076 123-456' }).click()
    assert.equal(await page.getByLabel('Phone', { exact: true }).inputValue(), '076 123-456')
    await page.keyboard.press('Escape')
    await button(page, 'Remove filter: Phone').click()
    await page.waitForURL((url) => url.search === '?amount=300.00')
    await button(page, 'Clear').click()
    await page.getByText('Oil').waitFor()
    await page.getByLabel('Provider', { exact: true }).selectOption({ label: 'Afrimoney' })
    await page.getByText('No results match these filters.').waitFor()
    await button(page, 'Clear').click()
    await typeFilter(page, 'Amount', 'three')
    const amount = page.getByLabel('Amount', { exact: true })
    const message = await amount.evaluate((input: { validationMessage?: string }) => input.validationMessage)
    assert.equal(message, 'Enter a valid amount.')
    assert.equal(new URL(page.url()).search, '')
  })
})

for (const language of ['en', 'fr'] as const)
  test(`the search box finds payments by phone in any format, by name and by number, in ${language}`, async () => {
    const shop = await stage.t.merchant()
    await payment(shop, 'School fees of Aïssatou Kamara', '076123456', 'completed')
    await payment(shop, 'Palm oil 20', '076123457', 'completed')
    const [, oil] = (await read(shop, '/v1/payments')).map(
      ({ orderNumber }: { orderNumber: string }) => orderNumber,
    )
    const [label, nothing] =
      language === 'en'
        ? ['Search', 'No results match these filters.']
        : ['Rechercher', 'Aucun résultat ne correspond à ces filtres.']
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/payments'))
      await settled(page)
      const rows = page.locator('tbody tr')
      const found = async (typed: string) => {
        await page.getByRole('searchbox', { name: label }).fill(typed)
        await page.waitForURL((url) => url.searchParams.get('q') === typed)
        await settled(page)
        return (await rows.locator('td.first').allTextContents()).map((name) => name.split(' ')[0])
      }
      for (const phone of [
        '076 123 456',
        '+23276123456',
        '076-123-456',
        '23276123456',
        '76123456',
        '+232 (76) 123.456',
      ])
        assert.deepEqual(await found(phone), ['School'], phone)
      for (const name of ['Kamara', 'kamara', 'AISSATOU', 'aïssatou kam', 'fees of'])
        assert.deepEqual(await found(name), ['School'], name)
      assert.deepEqual(await found('oil 20'), ['Palm'])
      for (const amount of ['300', '300.00', '300,00'])
        assert.deepEqual((await found(amount)).toSorted(), ['Palm', 'School'], amount)
      assert.deepEqual(await found('301'), [])
      assert.equal((await found(oil)).length, 1)
      assert.deepEqual(await found('100%'), [])
      await page.getByText(nothing).waitFor()
      await loadAxe(page)
      await assertLooks(page, `search-nothing-${language}`, looksIn[language])
    })
  })

test('part of a payment can be refunded on its page, and a refund of too much is refused there', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'Cloth', '076123456', 'completed')
  const { email } = (await read(shop, '/v1/me')).user
  const use = async (page: Page) => {
    await button(page, 'Refund').focus()
    await page.keyboard.press('Enter')
    const amount = page.getByLabel('Amount in Le')
    await page.getByText(/^The fee for the payment, Le .+, is not returned to you\.$/).waitFor()
    assert.equal(await amount.inputValue(), '300.00')
    await amount.fill('300.01')
    await page.keyboard.press('Enter')
    await page.getByText('The amount exceeds what can still be refunded.').waitFor()
    await amount.fill('120.5')
    await page.locator('dialog').getByRole('button', { name: 'Refund Le 120.50', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .getByText(/^Le 120\.50 refunded to \+23276.+\.$/)
      .waitFor()
    const history = page.locator('.timeline li', { hasText: 'Refund of Le 120.50' })
    await history.filter({ hasText: `${email}Refund of Le 120.50 requested.` }).waitFor()
    await history.filter({ hasText: 'Refund of Le 120.50 completed.' }).waitFor()
    const refunds = page.getByRole('table', { name: 'Refunds' })
    await refunds.getByText('Le 120.50').waitFor()
    await refunds.getByText('Completed').waitFor()
    await page.getByRole('link', { name: 'Payments' }).first().click()
    await page.locator('.status', { hasText: 'Partially refunded' }).waitFor()
  }
  await open(shop, `/payments/${id}`, use, [409])
  const refunds = await read(shop, `/v1/refunds?paymentId=${id}`)
  assert.deepEqual(
    refunds.map(({ amount }: { amount: object }) => amount),
    [{ currency: 'SLE', value: 12_050 }],
  )
})

test('a payment in progress shows the instructions to its payer', async () => {
  const shop = await stage.t.merchant()
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 100 } }]
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', { name: 'Cloth', lineItems }))
    .body
  await createPayer(session.redirectUrl).pay('dw001', { walletId: 'fatu@safulpay.004' })
  const { id, instructions } = await until(async () => {
    const [one] = await read(shop, `/v1/payments?orderNumber=${session.orderNumber}`)
    return one?.instructions && one
  })
  await open(shop, `/payments/${id}`, async (page) => {
    await status(page, 'In progress')
    await page.locator('.facts').getByText(instructions.texts.en).waitFor()
    await page.locator('.facts').getByText(instructions.dialString).first().waitFor()
  })
})

test('a payment shows how its money arrived, its history to the second, and its records when they are opened', async () => {
  const shop = await stage.t.merchant()
  const webhook = { name: 'Orders', url: 'http://127.0.0.1:9/', events: ['payment.completed'] }
  await shop.call('POST', '/v1/webhooks', webhook)
  const id = await payment(shop, 'Cloth', '076123456', 'completed')
  await shop.call('PATCH', `/v1/payments/${id}`, { metadata: { invoice: '7' } })
  const [session] = await read(shop, '/v1/checkout-sessions')
  await until(async () => {
    const { entries } = await read(shop, `/v1/payments/${id}/case-file`)
    return entries.some(
      ({ kind, tries }: { kind: string; tries: number }) => kind === 'delivery' && tries > 0,
    )
  })
  await until(async () => (await read(shop, `/v1/requests?pathPrefix=/v1/payments/${id}`)).length > 0)
  await open(shop, `/payments/${id}`, async (page) => {
    const read: string[] = []
    page.on('request', (request) => read.push(new URL(request.url()).pathname))
    await page.locator('.facts').getByText(session.redirectUrl, { exact: true }).waitFor()
    await button(page, 'Copy payer link').waitFor()
    const flow = page.getByRole('list', { name: 'Flow of funds' })
    await flow.getByText('Le 297.00').waitFor()
    assert.deepEqual(
      await flow.getByRole('link').allTextContents(),
      ['Le 300.00', '-Le 3.00', 'Le 297.00'],
      'the payer paid, the fee was deducted, and the rest arrived',
    )
    const first = page.locator('.timeline li').first()
    assert.match(
      await first.innerText(),
      /^\d+ \w+,? \d\d:\d\d:\d\d · Payer\s+Payment started by the payer\.$/,
    )
    await assertUsable(page, 'payment', looksIn.en)
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Records of this payment' }).getByRole('link', { name })
    assert.ok(!read.some((path) => path === '/v1/events' || path === '/v1/requests'))
    await tab('Events').press('Enter')
    await page.getByRole('table', { name: 'Events' }).getByText('payment.completed').waitFor()
    await tab('Deliveries').press('Enter')
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Orders').waitFor()
    await tab('API log').press('Enter')
    await page.getByRole('table', { name: 'API log' }).getByText('PATCH').waitFor()
    await assertUsable(page, 'payment-requests', looksIn.en)
    await tab('JSON').press('Enter')
    const shown = JSON.parse((await page.locator('pre').textContent()) ?? '')
    assert.deepEqual([shown.id, shown.metadata], [id, { invoice: '7' }])
    await page.reload()
    await page.locator('pre').waitFor()
    await flow.getByRole('link', { name: 'Le 300.00' }).click()
    await page.getByRole('heading', { name: 'Transactions' }).waitFor()
    await settled(page)
    assert.equal(await page.getByRole('table').getByRole('row').count(), 3)
  })
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await open(support, `/payments/${id}?view=requests`, async (page) => {
    await page.locator('.timeline').waitFor()
    assert.equal(await page.getByRole('link', { name: 'API log' }).count(), 0)
  })
})

test('a failed payment says why at the top', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'Oil', '076123001', 'failed')
  const { failureDetail } = await read(shop, `/v1/payments/${id}`)
  await open(shop, `/payments/${id}`, async (page) => {
    await page.locator('main .notice.bad').getByText(failureDetail.message).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Flow of funds' }).count(), 0)
    await assertUsable(page, 'payment-failed', looksIn.fr)
  })
})

test('editing the name and note of a payment keeps its other metadata', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'Cloth', '076123456', 'completed')
  await shop.call('PATCH', `/v1/payments/${id}`, { metadata: { invoice: '7' } })
  await open(shop, `/payments/${id}`, async (page) => {
    await button(page, 'Edit name and note').click()
    await page.getByLabel('Name', { exact: true }).fill('Blue cloth')
    await page.getByRole('textbox', { name: 'Note' }).fill('Called on Monday')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Blue cloth' }).waitFor()
    await page.locator('.facts').getByText('Called on Monday').waitFor()
  })
  const { name, metadata } = await read(shop, `/v1/payments/${id}`)
  assert.deepEqual(
    { name, metadata },
    { name: 'Blue cloth', metadata: { invoice: '7', note: 'Called on Monday' } },
  )
})

test('a receipt is found by number and redeemed; units redeemed at another gate are reported as gone', async () => {
  const shop = await stage.t.merchant()
  const { orderNumber } = await read(
    shop,
    `/v1/payments/${await payment(shop, 'Seats', '076123456', 'completed')}`,
  )
  const redeem = (body: object) => shop.call('POST', `/v1/receipts/${orderNumber}/redeem`, body)
  await open(shop, '/receipts', async (page) => {
    await page.getByLabel('Order number').fill('12345')
    await button(page, 'Find').click()
    await page.getByText('Enter a 12-digit order number.').waitFor()
    await page.getByLabel('Order number').fill(orderNumber)
    await page.keyboard.press('Enter')
    await status(page, 'Not redeemed')
    await button(page, 'Redeem').click()
    await page.getByLabel('Seats: quantity, up to 2').fill('1')
    await page.keyboard.press('Enter')
    await page.getByText('The items were redeemed.', { exact: true }).waitFor()
    await status(page, 'Partially redeemed')
    await button(page, 'Redeem').click()
    await page.getByLabel('Seats: quantity, up to 1').waitFor()
    assert.equal((await redeem({ redeemAll: true })).body.result.redeem, true)
    await page.keyboard.press('Enter')
    await page.getByText('Nothing was redeemed').waitFor()
    await status(page, 'Redeemed')
    assert.deepEqual(await buttonsOf(page), ['Send by email'])
  })
  const [seats] = (await read(shop, `/v1/receipts/${orderNumber}`)).entitlements
  assert.equal(seats.current, 2)
})

test('a payment code for multiple payments can be created, paused and cancelled', async () => {
  const shop = await stage.t.merchant()
  const codes = () => read(shop, '/v1/payment-codes')
  await open(shop, '/payment-codes/new', async (page) => {
    await page.getByLabel('What is it for?').fill('Choir robes')
    await page.getByLabel('Type').selectOption('recurrent')
    await page.getByText('More options', { exact: true }).click()
    await page.getByLabel('Maximum number of payments').fill('0')
    await page.getByLabel('Accept payments only from this phone number').fill('123')
    await button(page, 'Create code').click()
    await page.getByText('Enter a whole number from 1 to 1,000,000.').waitFor()
    await page.getByText('Enter a valid phone number.').waitFor()
    await page.getByLabel('Maximum number of payments').fill('40')
    await page.getByLabel('Accept payments only from this phone number').fill('076 123 456')
    await button(page, 'Create code').click()
    await status(page, 'Active')
    const [code] = await codes()
    assert.deepEqual(
      [code.mode, code.amount, code.recurrentPaymentTarget.expectedPaymentCount, code.authorizedPhoneNumber],
      ['recurrent', null, 40, '+23276123456'],
    )
    await page.locator('.dial').getByText(code.ussdCode).first().waitFor()
    await button(page, 'Pause').click()
    await status(page, 'Paused')
    assert.equal((await codes())[0].enable, false)
    await button(page, 'Resume').click()
    await status(page, 'Active')
    await button(page, 'Cancel code').click()
    await page.locator('dialog').getByRole('button', { name: 'Cancel code' }).click()
    await status(page, 'Cancelled')
  })
  assert.equal((await codes())[0].status, 'cancelled')
})

test('phone lookup shows the payments and refunds of a number typed in local format', async () => {
  const shop = await stage.t.merchant()
  const paymentId = await payment(shop, 'Cloth', '076123456', 'completed')
  await payment(shop, 'Of somebody else', '076123457', 'completed')
  const amount = { currency: 'SLE', value: 5_000 }
  await shop.call('POST', '/v1/refunds', { paymentId, amount, reason: 'duplicate' })
  await until(async () => (await read(shop, `/v1/refunds?paymentId=${paymentId}`))[0].status === 'completed')
  await open(shop, '/payers', async (page) => {
    await page.getByLabel('Phone').fill('call me')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a valid phone number.').waitFor()
    await page.getByLabel('Phone').fill('076 123 456')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Activity for +23276123456' }).waitFor()
    await page.getByRole('table', { name: 'Payments' }).getByText('Cloth').waitFor()
    assert.equal(await page.getByText('Of somebody else').count(), 0)
    await page.getByRole('table', { name: 'Refunds' }).getByText('Duplicate payment').waitFor()
    const facts = await page.locator('.facts dd').allTextContents()
    assert.deepEqual(facts, ['Le 300.00', 'Le 50.00', 'None', 'Orange Money'])
  })
})

test('home shows first steps in a new Space, later balances and linked items that need attention', async () => {
  const shop = await stage.t.merchant()
  await open(shop, '/', async (page) => {
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByText('All clear.').waitFor()
    await payment(shop, 'Cloth', '076123456', 'completed')
    await page.getByRole('heading', { name: 'Latest payments' }).waitFor()
    await page.getByText('Le 297.00').waitFor()
    const webhook = { name: 'Off', url: 'http://127.0.0.1:9/', events: ['*'], enabled: false }
    await shop.call('POST', '/v1/webhooks', webhook)
    const made = await shop.call('POST', '/v1/webhooks', { ...webhook, name: 'Nobody there', enabled: true })
    const { id } = made.body.result
    await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
    await until(async () => (await read(shop, `/v1/webhooks/${id}/deliveries`))[0]?.attempts.length > 0)
    await page.reload()
    const waits = page.locator('.waiting li', { hasText: 'failing webhook' })
    // A webhook that a member turned off needs no attention.
    assert.equal(await waits.locator('strong').textContent(), '1')
    await waits.getByRole('link').click()
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  })
})

test('home charts the last days and lists the same figures, each linked to its list', async () => {
  const shop = await stage.t.merchant()
  const ids = [
    await payment(shop, 'Cloth', '076123456', 'completed'),
    await payment(shop, 'Oil', '076123456', 'completed'),
  ]
  const back = await shop.call('POST', '/v1/refunds', { paymentId: ids[0], reason: 'other' })
  const { id } = back.body.result
  await until(async () => (await read(shop, `/v1/refunds/${id}`)).status === 'completed')
  await open(shop, '/', async (page) => {
    const chart = page.getByRole('img', { name: /^Amounts collected, paid out and refunded .* in SLE$/ })
    const heightOf = async (kind: string) => {
      const today = await chart.locator(`.column.${kind}`).last().boundingBox()
      return Math.round(today?.height ?? 0)
    }
    await chart.waitFor()
    const collected = await heightOf('collected')
    assert.ok(collected > 20)
    assert.ok(Math.abs((await heightOf('refunded')) - collected / 2) <= 1)
    await page.locator('summary', { hasText: 'Daily figures' }).press('Enter')
    const cells = page.getByRole('table', { name: 'Daily figures' }).getByRole('row').nth(1).getByRole('cell')
    await page.getByRole('table', { name: 'Daily figures' }).waitFor()
    assert.deepEqual((await cells.allTextContents()).slice(1), ['Le 600.00', 'Le 0.00', 'Le 300.00'])
    for (const [column, list, count] of [
      [1, 'Payments', 2],
      [3, 'Refunds', 1],
    ] as const) {
      await cells.nth(column).getByRole('link').click()
      await page.getByRole('heading', { name: list, level: 1 }).waitFor()
      await settled(page)
      assert.equal(await page.getByRole('table').getByRole('row').count(), count + 1)
      await page.goBack()
      // Clicks, because a page takes the focus when it opens and an early key press would go elsewhere.
      await page.locator('summary', { hasText: 'Daily figures' }).click()
    }
  })
})

test('navigation resets scroll and focus to the top, and going back restores the scroll position', async () => {
  const shop = await stage.t.merchant()
  for (const name of ['Cloth', 'Oil', 'Rice', 'Salt']) await payment(shop, name, '076123456', 'completed')
  await open(shop, '/payments', async (page) => {
    await page.setViewportSize({ width: 360, height: 300 })
    const row = page.getByRole('link', { name: 'Cloth' })
    await row.scrollIntoViewIfNeeded()
    const scrolled = () => page.evaluate<number>('Math.round(scrollY)')
    const before = await scrolled()
    assert.ok(before > 100)
    await row.click()
    await page.locator('.timeline').waitFor()
    assert.equal(await scrolled(), 0)
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
    await page.goBack()
    await row.waitFor()
    assert.equal(await scrolled(), before)
  })
})

test('a viewer can read a payment, link, code and receipt but not change them', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'Cloth', '076123456', 'completed')
  const { orderNumber } = await read(shop, `/v1/payments/${id}`)
  const lineItems = [{ name: 'Mats', price: { currency: 'SLE', value: 100 } }]
  const session = await shop.call('POST', '/v1/checkout-sessions', { name: 'Mats', lineItems })
  const code = await shop.call('POST', '/v1/payment-codes', { name: 'Fees' })
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  for (const path of [
    `/payments/${id}`,
    `/checkout-sessions/${session.body.result.id}`,
    `/payment-codes/${code.body.result.id}`,
    `/receipts/${orderNumber}`,
  ])
    await open(viewer, path, async (page) => assert.deepEqual(await buttonsOf(page), []))
  await open(viewer, '/checkout-sessions', async (page) =>
    assert.equal(await page.getByRole('link', { name: 'New checkout page' }).count(), 0),
  )
})

test('dialogs and expanded forms are accessible and fit a small screen', async () => {
  const shop = await stage.t.merchant()
  // A Space with two currencies and no data.
  const fresh = await stage.t.merchant({ country: 'CD' })
  const id = await payment(shop, 'Cloth', '076123456', 'completed')
  const { orderNumber } = await read(shop, `/v1/payments/${id}`)
  const states: [merchant: Merchant, path: string, open: (page: Page) => Promise<void>][] = [
    [fresh, '/', (page) => page.getByRole('heading', { name: 'Get started' }).waitFor()],
    [fresh, '/payments?amount=12.50&currency=USD', (page) => page.getByText('No results match').waitFor()],
    [
      fresh,
      '/checkout-sessions/new',
      async (page) => {
        await button(page, 'Add item').click()
        await page.getByText('More options', { exact: true }).click()
      },
    ],
    [fresh, '/payment-codes/new', (page) => page.getByText('More options', { exact: true }).click()],
    [shop, `/payments/${id}`, (page) => button(page, 'Refund').click()],
    [shop, `/payments/${id}`, (page) => button(page, 'Edit name and note').click()],
    [shop, `/receipts/${orderNumber}`, (page) => button(page, 'Redeem').click()],
  ]
  const issues: object[] = []
  for (const [merchant, path, openIt] of states)
    await open(merchant, path, async (page) => {
      await page.setViewportSize({ width: 360, height: 800 })
      await openIt(page)
      await loadAxe(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        issues.push(...(await accessibilityIssues(page)).map((fault) => ({ path, colorScheme, ...fault })))
      }
      const overflow = await overflowOf(page)
      if (overflow > 0) issues.push({ path, overflow })
    })
  assert.deepEqual(issues, [])
})
