import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadAxe } from '../../../support/accessibility.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { listen } from '../../../support/receiver.ts'
import { payment } from './shop.ts'
import { goTo, openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

const stage = await openConsole()
const receiver = await listen()
after(async () => {
  await stage.close()
  await receiver.close()
})

const { open } = stage
const read = async (merchant: Merchant, path: string) => (await merchant.call('GET', path)).body.result
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const row = (page: Page, text: string) => page.locator('tbody tr', { hasText: text })
const pick = (page: Page, text: string) => row(page, text).getByRole('checkbox').check()

async function shopWith(...names: string[]): Promise<Merchant> {
  const shop = await stage.t.merchant()
  for (const [i, name] of names.entries()) await payment(shop, name, `07612345${i}`, 'completed')
  return shop
}

test('any part of a row opens it, and a click with Ctrl opens it in a new tab', async () => {
  const shop = await shopWith('Cloth')
  await open(shop, '/payments', async (page) => {
    // The counts of the states, which arrive last, move the rows.
    await settled(page)
    // The link covers the cell, so that the cell itself cannot be clicked.
    const click = (modifiers: 'ControlOrMeta'[] = []) =>
      row(page, 'Cloth')
        .locator('td')
        .last()
        .click({ force: true, position: { x: 5, y: 5 }, modifiers })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), click(['ControlOrMeta'])])
    await tab.waitForURL(/\/payments\/pay-/)
    await tab.close()
    await page.bringToFront()
    await click()
    await page.waitForURL(/\/payments\/pay-/)
    await page.locator('.timeline').waitFor()
  })
})

test('j and k move through the rows and Enter opens one, but not while the user types', async () => {
  const shop = await shopWith('Cloth', 'Oil', 'Rice')
  await open(shop, '/payments', async (page) => {
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const { keyboard } = page
    await page.locator('#content').focus()
    for (const [key, name] of [
      ['j', 'Rice'],
      ['j', 'Oil'],
      ['j', 'Cloth'],
      ['j', 'Cloth'],
      ['k', 'Oil'],
    ] as const) {
      await keyboard.press(key)
      assert.equal(await focused(), name)
    }
    await page.getByRole('searchbox').focus()
    await keyboard.type('jk')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'jk')
    await page.getByRole('searchbox').fill('')
    await row(page, 'Oil').waitFor()
    await page.locator('#content').focus()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: /Rice/ }).waitFor()
  })
})

test('states are tabs that keep the other filters, and the search takes effect while the user types', async () => {
  const shop = await shopWith('Cloth', 'Oil')
  await payment(shop, 'Cloth on credit', '076123001', 'failed')
  await open(shop, '/payments', async (page) => {
    const states = page.getByRole('navigation', { name: 'Status' })
    await page.getByRole('searchbox').pressSequentially('cloth')
    await row(page, 'Oil').waitFor({ state: 'detached' })
    await page.locator('tbody tr').nth(1).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 2)
    await states.getByRole('link', { name: 'Failed' }).click()
    await row(page, 'Cloth on credit').waitFor()
    await page.waitForURL((url) => url.search === '?q=cloth&status=failed')
    await settled(page)
    assert.equal(await page.locator('tbody tr').count(), 1)
    assert.equal(await states.locator('[aria-current]').textContent(), 'Failed')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'cloth')
    await page.goBack()
    await page.locator('tbody tr').nth(1).waitFor()
    await page.goBack()
    await row(page, 'Oil').waitFor()
    await until(async () => (await page.getByRole('searchbox').inputValue()) === '')
  })
})

test('the states of payments, payouts and refunds show their number, unless other filters are set', async () => {
  const shop = await shopWith('Cloth', 'Oil')
  await payment(shop, 'Mats', '076123001', 'failed')
  await open(shop, '/payments', async (page) => {
    const tabs = page.getByRole('navigation', { name: 'Status' }).getByRole('link')
    const texts = () => tabs.allTextContents()
    await tabs.filter({ hasText: 'Failed 1' }).waitFor()
    assert.deepEqual(await texts(), ['All', 'Pending 0', 'In progress 0', 'Completed 2', 'Failed 1'])
    await tabs.filter({ hasText: 'Failed' }).click()
    await row(page, 'Mats').waitFor()
    assert.equal((await texts()).at(-1), 'Failed 1')
    await loadAxe(page)
    await assertLooks(page, 'state-counts', looksIn.en)
    await page.locator('.live.on').waitFor()
    await payment(shop, 'Rice', '076123002', 'failed')
    await tabs.filter({ hasText: 'Failed 2' }).waitFor()
    await page.getByLabel('Period', { exact: true }).selectOption('7d')
    await tabs.filter({ hasText: 'Failed 2' }).waitFor({ state: 'detached' })
    assert.deepEqual(await texts(), ['All', 'Pending', 'In progress', 'Completed', 'Failed'])
    for (const [path, labels] of [
      ['/payouts', 5],
      ['/refunds', 6],
    ] as const) {
      await goTo(page, stage.addressOf(shop, path))
      await tabs.filter({ hasText: 'Failed 0' }).waitFor()
      assert.equal(await tabs.count(), labels)
    }
    // The service counts at most 100.
    const counts = { pending: 0, processing: 1, completed: 100, failed: 99 }
    await page.route('**/v1/payouts/counts', (route) =>
      route.fulfill({ json: { success: true, messages: [], result: counts } }),
    )
    await page.goto(stage.addressOf(shop, '/payouts'))
    await tabs.filter({ hasText: 'Completed 99+' }).waitFor()
    assert.equal((await texts()).at(-1), 'Failed 99')
  })
})

for (const language of ['en', 'fr'] as const)
  test(`a period is a preset or chosen in a calendar, and is shown as dates of the country, in ${language}`, async () => {
    const shop = await shopWith('Cloth')
    const [label, days, shown] =
      language === 'en'
        ? ['Period', 'Choose days', '3 Nov 2026 – 17 Nov 2026']
        : ['Période', 'Choisir les jours', '3 nov. 2026 – 17 nov. 2026']
    await stage.visit({ merchant: shop, language }, async (page) => {
      const from: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname === '/v1/payments') from.push(url.searchParams.get('from') ?? '')
      })
      await page.clock.setFixedTime(new Date('2026-11-20T15:00:00'))
      await page.goto(stage.addressOf(shop, '/payments?period=7d'))
      await settled(page)
      assert.deepEqual([...new Set(from)], [new Date('2026-11-14T00:00:00').toISOString()])
      assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), '7d')
      await page.getByLabel(label, { exact: true }).selectOption('custom')
      const calendar = page.locator('.calendar')
      await calendar.getByText('17', { exact: true }).waitFor()
      await loadAxe(page)
      await assertLooks(page, `calendar-${language}`, looksIn[language])
      await page.setViewportSize({ width: 1280, height: 900 })
      for (const day of ['3', '17'])
        await calendar
          .locator('td:not(:has([data-outside-range]))', { hasText: new RegExp(`^${day}$`) })
          .click()
      await page.waitForURL((url) => url.search === '?from=2026-11-03&to=2026-11-17')
      await page.locator('.filters summary', { hasText: shown }).waitFor()
      assert.equal(await page.getByText(days).count(), 0)
    })
  })

test('the selected rows alone can be downloaded', async () => {
  const shop = await shopWith('Cloth', 'Oil', '=Rice')
  await open(shop, '/payments', async (page) => {
    await pick(page, 'Cloth')
    await pick(page, '=Rice')
    await page.getByText('2 selected').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.selection').getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.match(head ?? '', /^id,.*amount\.currency,amount\.value/)
    assert.equal(lines.length, 2)
    // As in the exports of the API, spreadsheets do not evaluate what a payer or merchant typed.
    assert.match(lines.join(), /,'=Rice,/)
    assert.doesNotMatch(lines.join(), /Oil/)
    await button(page, 'Clear the selection').click()
    await page.getByText('2 selected').waitFor({ state: 'detached' })
  })
})

test('selected payments are refunded after one question, and a lost response refunds none of them twice', async () => {
  const shop = await shopWith('Cloth', 'Oil')
  await payment(shop, 'Rice', '076123001', 'failed')
  // The fees of the payments are not refunded.
  await fund(stage.t.app.parts, shop.scope, 10_000)
  await open(shop, '/payments', async (page) => {
    const keys: string[] = []
    let isLost = false
    await page.route('**/v1/refunds', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push((await route.request().headerValue('idempotency-key')) ?? '')
      // The service executes the first command, but the browser never gets the response.
      if (isLost) return route.fallback()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    for (const name of ['Cloth', 'Oil', 'Rice']) await pick(page, name)
    await button(page, 'Refund 2 payments').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 selected payment cannot be refunded.').waitFor()
    assert.equal(await dialog.getByRole('listitem').count(), 2)
    await loadAxe(page)
    await assertLooks(page, 'refund-selected', looksIn.en)
    await dialog.getByLabel('Reason').selectOption({ label: 'Order cancelled' })
    await dialog.getByRole('button', { name: 'Refund 2 payments' }).click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await dialog.getByText('Done').waitFor()
    assert.equal(await dialog.getByText('Done').count(), 1)
    await dialog.getByRole('button', { name: 'Retry failed' }).click()
    await dialog.getByText('Done').nth(1).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Retry failed' }).count(), 0)
    assert.deepEqual([keys.length, keys[0] === keys[2], new Set(keys).size], [3, true, 2])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('3 selected').waitFor({ state: 'detached' })
  })
  const refunds = await read(shop, '/v1/refunds')
  assert.deepEqual(
    refunds.map(({ amount, reason }: { amount: { value: number }; reason: string }) => [
      amount.value,
      reason,
    ]),
    [
      [30_000, 'order_cancelled'],
      [30_000, 'order_cancelled'],
    ],
  )
})

test('members who may not refund can select payments, but only download them', async () => {
  const shop = await shopWith('Cloth')
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  await open(viewer, '/payments', async (page) => {
    await pick(page, 'Cloth')
    await page.getByText('1 selected').waitFor()
    assert.deepEqual(await page.locator('.selection button').allTextContents(), ['Download CSV', ''])
  })
})

test('selected deliveries are sent again', async () => {
  const shop = await stage.t.merchant()
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const made = await shop.call('POST', '/v1/webhooks', { name: 'Orders', url, events: ['webhook.*'] })
  const { id } = made.body.result
  for (const _ of [1, 2]) await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
  await until(() => receiver.heads.length === 2)
  await open(shop, `/webhooks/${id}`, async (page) => {
    await page.locator('td .status', { hasText: 'Delivered' }).nth(1).waitFor()
    await page.getByLabel('Select all rows shown').check()
    await button(page, 'Resend 2 events').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend 2 events' }).click()
    await page.getByRole('dialog').getByText('Done').nth(1).waitFor()
    await until(() => receiver.heads.length === 4)
  })
})
