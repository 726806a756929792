import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addresses } from '../../../console/src/pages/addresses.ts'
import type { Merchant } from '../../harness.ts'
import { fillShop } from './shop.ts'
import { openConsole, settled } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

/** Every page of the console, as people see it in a language: by day and by night, on phones and wide screens. */
export async function testPages(language: 'en' | 'fr'): Promise<void> {
  const stage = await openConsole()
  after(() => stage.close())
  let shop: Merchant
  let shown: Record<string, string>
  before(async () => {
    shop = await stage.t.merchant({ name: 'Salone Fabrics', isOperator: true })
    shown = await fillShop(stage.t, shop)
  })

  /** What else people come to, by what leads there. */
  const others: Record<string, (merchant: Merchant) => string> = {
    'an address that is none': (merchant) => stage.addressOf(merchant, '/nonsense'),
    'another Space': (merchant) => stage.addressOf({ ...merchant, spaceId: 'spc-none' }, '/'),
    'an object that is not there': (merchant) => stage.addressOf(merchant, '/payments/pay-none'),
  }

  describe(`in ${language}`, () => {
    for (const { path } of addresses)
      test(`${path} can be used by everybody, by day and by night, and fits every screen`, () =>
        stage.visit({ merchant: shop, language }, async (page) => {
          const address = shown[path] ?? path
          assert.ok(!address.includes(':'), `test/scenarios/console/shop.ts has nothing to show at ${path}`)
          await page.goto(stage.addressOf(shop, address))
          await settled(page)
          const name = address.slice(1).replace(/\W+/g, '-').slice(0, 40) || 'home'
          await assertUsable(page, `${name}-${language}`, looksIn[language])
        }))

    for (const [what, addressOf] of Object.entries(others))
      test(`${what} is shown as that`, () =>
        stage.visit({ merchant: shop, language, refusals: [404] }, async (page) => {
          await page.goto(addressOf(shop))
          await settled(page)
          await assertUsable(page, `${what.replaceAll(' ', '-')}-${language}`, looksIn[language])
        }))

    test('signing in, with a link that does not work, and with one that was mailed', async () => {
      const context = await stage.browser.newContext({ locale: language, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(`${stage.t.baseUrl}/console/sign-in#link=used`)
      await page.locator('[role=alert]').waitFor()
      await assertUsable(page, `sign-in-refused-${language}`, looksIn[language])
      await page.locator('input').fill('ama@shop.example')
      await page.keyboard.press('Enter')
      await page.locator('[role=status]').waitFor()
      await assertUsable(page, `sign-in-sent-${language}`, looksIn[language])
      await context.close()
    })

    test('the menu of a phone', () =>
      stage.visit({ merchant: shop, language, viewport: { width: 360, height: 740 } }, async (page) => {
        await page.goto(stage.addressOf(shop, '/payments'))
        await settled(page)
        await page.locator('.menu-button').click()
        await page.locator('nav a').first().waitFor()
        await assertUsable(page, `menu-${language}`, looksIn[language])
      }))
  })
}
