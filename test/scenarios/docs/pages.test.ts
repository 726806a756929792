import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../harness.ts'
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
  '/docs/guides/rails/mtn-momo',
  '/docs/reference/errors',
  '/docs/none',
])
  test(`everybody can use ${path}`, () => assertUsable(path, {}, path.slice(1).replaceAll('/', '-')))

for (const width of [360, 1440])
  test(`from one page to another, with keys alone, ${width} pixels wide`, () =>
    visit('/docs/guides/lists', { viewport: { width, height: 740 } }, async (page) => {
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Payouts' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
    }))

test('a desk shows the contents beside the text, however long it is; a phone below it', async () => {
  const heightOn = async (width: number) => {
    let height: number | undefined
    await visit('/docs/guides/checkout#lists', { viewport: { width, height: 740 } }, async (page) => {
      const entry = page.getByRole('link', { name: 'Taking a payment' })
      assert.equal(await entry.getAttribute('aria-current'), 'page')
      height = (await entry.boundingBox())?.y
    })
    return height ?? Number.NaN
  }
  const [phone, desk] = [await heightOn(360), await heightOn(1440)]
  assert.ok(desk >= 0 && desk < 370, `${desk}`)
  assert.ok(phone > 740, `${phone}`)
})
