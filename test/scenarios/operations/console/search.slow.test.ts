import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadAxe } from '../../../support/accessibility.ts'
import { payment } from './shop.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

// Lists below the dialog have menus with options, too.
const results = (page: Page) => page.getByRole('listbox', { name: /Results|Résultats/ })
const chosen = (page: Page) => results(page).getByRole('option', { selected: true })

test('keyboard only: Ctrl+K finds a page by its name, without accents, and Enter opens it', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Rechercher' })
    await field.waitFor()
    await page.keyboard.type('reglem')
    const option = chosen(page)
    await option.filter({ hasText: 'Règlements' }).waitFor()
    assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Règlements', level: 1 }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  })
})

test('a payment is found by the phone number of its payer as people write it, and by its order number', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'School fees', '076123456', 'completed')
  await payment(shop, 'Palm oil', '076123457', 'completed')
  const { orderNumber } = (await shop.call('GET', `/v1/payments/${id}`)).body.result
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    for (const typed of ['076 123 456', '+232 76-123-456', orderNumber]) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill(typed)
      await chosen(page).filter({ hasText: 'School fees' }).filter({ hasText: 'Le 300.00' }).waitFor()
      await results(page).filter({ hasNotText: 'Palm oil' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/payments/${id}`)
      await page.getByRole('heading', { name: /School fees/ }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    }
  })
})

test('each result says what it is, an amount leads to everything with it, and other words find pages', async () => {
  const shop = await stage.t.merchant()
  const id = await payment(shop, 'School fees', '076123456', 'completed')
  const { orderNumber } = (await shop.call('GET', `/v1/payments/${id}`)).body.result
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.fill(orderNumber)
    await results(page)
      .getByRole('option', { name: /Payment ·/ })
      .waitFor()
    const rows = await results(page).getByRole('option').allInnerTexts()
    assert.equal(new Set(rows).size, rows.length)
    assert.equal(rows.filter((row) => /\bPayment ·/.test(row)).length, 1)
    assert.equal(rows.filter((row) => /\bCheckout page ·/.test(row)).length, 1)
    for (const [typed, name] of [
      ['invite', 'Team'],
      ['colour', 'Settings'],
      ['api key', 'Access tokens'],
    ] as const) {
      await field.fill(typed)
      await chosen(page).filter({ hasText: name }).waitFor()
    }
    await field.fill('300')
    await results(page).getByRole('option', { name: 'Payments: show all for Le 300.00' }).click()
    await page.waitForURL(/\/payments\?amount=300\.00$/)
    await page.locator('main tbody').getByText('School fees').waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('076123')
    await page
      .getByText('No results. Search finds only complete phone numbers, order numbers and IDs.')
      .waitFor()
  })
})

test('the arrow keys choose a result, and Escape returns the focus to where it was', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    const button = page.getByRole('button', { name: 'Search' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search' }).fill('developers')
    const name = () => chosen(page).locator('b').textContent()
    assert.equal(await name(), 'Webhooks')
    await page.keyboard.press('ArrowDown')
    assert.equal(await name(), 'Events')
    for (const _ of ['Events', 'Webhooks']) await page.keyboard.press('ArrowUp')
    assert.equal(await name(), 'Test tools')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.ok(await button.evaluate((element) => element === element.ownerDocument.activeElement))
  })
})

test('the search offers only pages that the role of the user can open', async () => {
  const shop = await stage.t.merchant()
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await stage.visit({ merchant: support }, async (page) => {
    await page.goto(stage.addressOf(support, '/payments'))
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('access tokens')
    await page.getByText('No results.').waitFor()
    assert.equal(await results(page).getByRole('option').count(), 0)
  })
})

for (const language of ['en', 'fr'] as const)
  test(`the search is accessible in ${language}`, async () => {
    const shop = await stage.t.merchant({ isOperator: true })
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/payments'))
      await settled(page)
      await page.keyboard.press('Control+k')
      await results(page).getByRole('option').first().waitFor()
      await loadAxe(page)
      await assertLooks(page, `search-${language}`, looksIn[language])
      await page.locator('.search input').fill('xyz')
      await page.locator('.search .nothing').waitFor()
      await assertLooks(page, `search-nothing-${language}`, looksIn[language])
    })
  })
