import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadAxe } from '../../../support/accessibility.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

// Lists below the dialog have menus with options, too.
const results = (page: Page) => page.getByRole('listbox', { name: /Results|Résultats/ })
const chosen = (page: Page) => results(page).getByRole('option', { selected: true })

test('keyboard only: Ctrl+K finds a page by its name, without accents, and Enter opens it', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, language: 'fr', refusals: [404] }, async (page) => {
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

test('the arrow keys choose a result, and Escape returns the focus to where it was', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, refusals: [404] }, async (page) => {
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
  await stage.visit({ merchant: support, refusals: [404] }, async (page) => {
    await page.goto(stage.addressOf(support, '/payments'))
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('access tokens')
    await page.getByText('Nothing found.').waitFor()
    assert.equal(await results(page).getByRole('option').count(), 0)
  })
})

for (const language of ['en', 'fr'] as const)
  test(`the search is accessible in ${language}`, async () => {
    const shop = await stage.t.merchant({ isOperator: true })
    await stage.visit({ merchant: shop, language, refusals: [404] }, async (page) => {
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
