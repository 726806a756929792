import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addresses } from '../../../../packages/console/src/parts/addresses.ts'
import { createLink } from '../../../../packages/server/src/tenants/sign-in/links.ts'
import { loadAxe } from '../../../support/accessibility.ts'
import type { Merchant } from '../../../support/harness.ts'
import { fillShop } from './shop.ts'
import { goTo, openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

// Tests every page of the console in light and dark mode, on phones and wide screens, and in both languages.
// Pages and languages are switched without a reload, because loading axe and the console again would take
// longer than the checks.

const languages = ['en', 'fr'] as const
const stage = await openConsole()
after(() => stage.close())
let shop: Merchant
let shown: Record<string, string>
before(async () => {
  shop = await stage.t.merchant({ name: 'Salone Fabrics', isOperator: true })
  shown = await fillShop(stage.t, shop)
})

/** Checks the page in English and then in French. */
async function assertBoth(page: Page, name: string): Promise<void> {
  for (const language of languages) {
    // The menu is visible at the last width checked.
    if (!(await page.locator('.account[open]').count())) await page.locator('.account summary').click()
    await page.locator('.account select').selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor()
    await assertLooks(page, `${name}-${language}`, looksIn[language])
  }
}

test('every page is accessible and fits every screen, in light and dark mode and both languages', (t) =>
  stage.visit({ merchant: shop, viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.goto(stage.addressOf(shop, '/'))
    await loadAxe(page)
    for (const { path } of addresses)
      await t.test(path, async () => {
        const address = shown[path] ?? path
        assert.ok(
          !address.includes(':'),
          `test/scenarios/operations/console/shop.ts has nothing to show at ${path}`,
        )
        await goTo(page, stage.addressOf(shop, address))
        await assertBoth(page, address.slice(1).replace(/\W+/g, '-').slice(0, 40) || 'home')
      })
  }))

test('missing pages and objects are reported as not found', (t) =>
  stage.visit({ merchant: shop, refusals: [404], viewport: { width: 1440, height: 900 } }, async (page) => {
    for (const [what, path] of [
      ['an address that is none', '/nonsense'],
      ['an object that is not there', '/payments/pay-none'],
    ] as const)
      await t.test(what, async () => {
        await page.goto(stage.addressOf(shop, path))
        await settled(page)
        await loadAxe(page)
        await assertBoth(page, what.replaceAll(' ', '-'))
      })
  }))

for (const language of languages) {
  test(`a Space of which the user is not a member is reported as not found in ${language}`, () =>
    stage.visit({ merchant: shop, language, refusals: [404] }, async (page) => {
      await page.goto(stage.addressOf({ ...shop, spaceId: 'spc-none' }, '/'))
      await settled(page)
      await loadAxe(page)
      await assertLooks(page, `another-Space-${language}`, looksIn[language])
    }))

  test(`sign-in with a used link and with a mailed one is accessible in ${language}`, async () => {
    const context = await stage.browser.newContext({ locale: language, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${stage.t.baseUrl}/console/sign-in#link=used`)
    await page.locator('[role=alert]').waitFor()
    await loadAxe(page)
    await assertLooks(page, `sign-in-refused-${language}`, looksIn[language])
    await page.locator('input').fill('ama@shop.example')
    await page.keyboard.press('Enter')
    await page.locator('[role=status]').waitFor()
    await assertLooks(page, `sign-in-sent-${language}`, looksIn[language])

    const link = () =>
      stage.t.app.parts.home.transaction((tx) => createLink(tx, stage.t.app.parts, shop.userId, 60_000))
    await page.goto(await link())
    await page.locator('.question').waitFor()
    await assertLooks(page, `sign-in-link-${language}`, looksIn[language])
    await page.goto(`${stage.t.baseUrl.replace('127.0.0.1', 'localhost')}/console/sign-in`)
    await page.locator('[role=alert] a').waitFor()
    await loadAxe(page)
    await assertLooks(page, `sign-in-elsewhere-${language}`, looksIn[language])
    await context.close()

    const other = await stage.t.merchant()
    await stage.visit({ merchant: other, language, refusals: [401] }, async (signedIn) => {
      await signedIn.goto(await link())
      await signedIn.locator('[role=alert]').waitFor()
      await loadAxe(signedIn)
      await assertLooks(signedIn, `sign-in-other-${language}`, looksIn[language])
      await signedIn.locator('input').fill('ama@shop.example')
      await signedIn.keyboard.press('Enter')
      await signedIn.locator('.fault').waitFor()
      await assertLooks(signedIn, `sign-in-wrong-address-${language}`, looksIn[language])
    })
  })

  test(`the mobile menu is accessible in ${language}`, () =>
    stage.visit({ merchant: shop, language, viewport: { width: 360, height: 740 } }, async (page) => {
      await page.goto(stage.addressOf(shop, '/payments'))
      await settled(page)
      await page.locator('.menu-button').click()
      await page.locator('nav a').first().waitFor()
      await loadAxe(page)
      await assertLooks(page, `menu-${language}`, looksIn[language])
    }))
}
