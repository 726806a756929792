import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../browser.ts'
import { startTestApp } from '../../harness.ts'
import { assertUsable } from '../console/usable.ts'

const t = await startTestApp({ work: false })
let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await t.close()
})

/** Fails where the browser's console has an error, as for what the policy refuses. */
async function visit(path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ baseURL: t.baseUrl, ...options })
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
    const response = await page.goto(path)
    await use(page)
    assert.deepEqual(
      errors.filter((text) => response?.status() === 200 || !text.includes('404')),
      [],
    )
  } finally {
    await context.close()
  }
}

for (const path of [
  '/docs',
  '/docs/guides/checkout',
  '/docs/guides/rails/mtn-momo',
  '/docs/reference/errors',
  '/docs/none',
])
  test(`everybody can use ${path}`, () =>
    visit(path, {}, (page) => assertUsable(page, path.slice(1).replaceAll('/', '-'))))

test('a phone folds the contents, a desk shows them', async () => {
  await visit('/docs/guides/lists', { viewport: { width: 360, height: 740 } }, async (page) => {
    const entry = page.getByRole('link', { name: 'Payouts', exact: true })
    assert.equal(await entry.isVisible(), false)
    await page.getByText('Contents', { exact: true }).click()
    await entry.click()
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
  })
  await visit('/docs/guides/lists', { viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.getByRole('link', { name: 'Payouts', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
  })
})

test('with keys alone, the first stop leads past the contents', () =>
  visit('/docs/guides/lists', {}, async (page) => {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(new URL(page.url()).hash, '#text')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate("document.activeElement.closest('main')?.id"), 'text')
  }))
