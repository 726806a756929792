import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadAxe } from '../../../support/accessibility.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

// A failing network or a new release never leaves a page blank.

const stage = await openConsole()
after(() => stage.close())

/** Matches the file with a page's code, which is requested when the page is opened. */
const codeOf = (page: string) => new RegExp(`/console/assets/${page}-[\\w-]+\\.js(\\?|$)`)
const failed = (page: Page) => page.getByRole('heading', { name: 'This page cannot be shown' })
/** Opens a page through the menu and the tabs of its section, in any language. */
const openTab = async (page: Page, section: string, path: string) => {
  await page.locator(`.menu .${section} a`).click()
  await page.locator(`.tabs a[href$="${path}"]`).click()
}

test('page code that fails to load once is retried', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop }, async (page) => {
    let requests = 0
    await page.route(codeOf('team'), (route) => (requests++ === 0 ? route.abort() : route.fallback()))
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    await openTab(page, 'settings', '/team')
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    assert.equal(requests, 2)
  })
})

for (const language of ['en', 'fr'] as const)
  test(`a page whose code fails to load says so and can be retried, in ${language}`, async () => {
    const shop = await stage.t.merchant()
    const [title, words, again] =
      language === 'en'
        ? ['This page cannot be shown', 'Check your connection', 'Try again']
        : ['Cette page ne peut pas être affichée', 'Vérifiez votre connexion', 'Réessayer']
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/payments'))
      await settled(page)
      await page.route(codeOf('events'), (route) => route.abort())
      await openTab(page, 'developers', '/events')
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByText(words).waitFor()
      await loadAxe(page)
      await assertLooks(page, `unloaded-${language}`, looksIn[language])
      // The failure does not affect other pages.
      await page.setViewportSize({ width: 1280, height: 900 })
      await openTab(page, 'settings', '/team')
      await page.getByRole('heading', { name: language === 'en' ? 'Team' : 'Équipe' }).waitFor()
      await openTab(page, 'developers', '/events')
      await page.getByRole('heading', { name: title }).waitFor()
      await page.unroute(codeOf('events'))
      await page.getByRole('button', { name: again }).click()
      await page.getByRole('heading', { name: language === 'en' ? 'Events' : 'Événements' }).waitFor()
    })
  })

test('after a deploy the console reloads once and shows the requested page', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, refusals: [404] }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    // The old files are gone, and the page refers to those of the next version.
    let [loads, pagesOfNext] = [0, 0]
    page.on('load', () => loads++)
    await page.route(codeOf('team'), (route) =>
      loads === 0 ? route.fulfill({ status: 404 }) : route.fallback(),
    )
    await page.route(/\/console$/, async (route) => {
      const response = await route.fetch()
      pagesOfNext++
      await route.fulfill({
        response,
        body: (await response.text()).replace(/(assets\/index-)[\w-]+(\.js)/, '$1NEXTBUILD$2'),
      })
    })
    await openTab(page, 'settings', '/team')
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    assert.deepEqual([loads, pagesOfNext], [1, 1])
    assert.match(page.url(), /\/team$/)
    // If a reload does not help, an error is shown instead of reloading forever.
    await page.route(codeOf('events'), (route) => route.fulfill({ status: 404 }))
    await openTab(page, 'developers', '/events')
    await failed(page).waitFor()
    assert.equal(loads, 1)
  })
})

for (const language of ['en', 'fr'] as const)
  test(`an offline bar is shown until the connection is back, in ${language}`, async () => {
    const shop = await stage.t.merchant()
    const words = language === 'en' ? 'No connection to the service.' : 'Pas de connexion au service.'
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/payments'))
      await settled(page)
      await page.locator('.live.on').waitFor()
      assert.equal(await page.getByText(words).count(), 0)
      await page.context().setOffline(true)
      await page.getByText(words).waitFor()
      await loadAxe(page)
      await assertLooks(page, `offline-${language}`, looksIn[language])
      await page.context().setOffline(false)
      await page.getByText(words).waitFor({ state: 'detached' })
      // The network is up, but the service is unreachable.
      await page.route('**/v1/**', (route) => route.abort())
      await page.setViewportSize({ width: 1280, height: 900 })
      await openTab(page, 'settings', '/team')
      await page.getByText(words).waitFor()
    })
  })
