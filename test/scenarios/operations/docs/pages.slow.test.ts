import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { must } from '@pesewa/values'
import { startTestApp } from '../../../support/harness.ts'
import { openPages } from './browsing.ts'

const t = await startTestApp({ work: false })
const { visit, assertUsable, close } = await openPages(t.baseUrl)
after(async () => {
  await close()
  await t.close()
})

for (const path of [
  '/docs',
  '/docs/guides/checkout',
  '/docs/guides/quickstart',
  '/docs/guides/rails/mtn-momo',
  '/docs/reference/errors',
  '/docs/reference/api',
  '/docs/reference/api/payouts',
  '/docs/search?q=refund',
  '/docs/none',
])
  test(`${path} is accessible`, () => assertUsable(path, {}, path.slice(1).replaceAll(/\W/g, '-')))

for (const width of [360, 1440])
  test(`pages can be navigated by keyboard alone, ${width} pixels wide`, () =>
    visit('/docs/guides/lists', { viewport: { width, height: 740 } }, async (page) => {
      if (width < 1_000) {
        await page.getByRole('button', { name: 'Contents' }).focus()
        await page.keyboard.press('Enter')
      }
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Payouts' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#text$/)
      assert.equal(await page.evaluate('document.activeElement?.id'), 'text')
    }))

test('wide screens show the contents next to the text, however long it is; phones show them in a drawer that Escape closes', async () => {
  await visit('/docs/guides/checkout#lists', { viewport: { width: 1440, height: 740 } }, async (page) => {
    const entry = page.getByRole('link', { name: 'Checkout sessions' })
    assert.equal(await entry.getAttribute('aria-current'), 'page')
    const { y } = must(await entry.boundingBox(), 'box')
    assert.ok(y >= 0 && y < 370, `${y}`)
  })
  // Also works without JavaScript.
  const phone = { viewport: { width: 360, height: 640 }, javaScriptEnabled: false }
  await visit('/docs/guides/checkout', phone, async (page) => {
    const entry = page.getByRole('link', { name: 'Payouts' })
    assert.equal(await entry.isVisible(), false)
    await page.getByRole('button', { name: 'Contents' }).click()
    await entry.waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await entry.isVisible(), false)
  })
})
