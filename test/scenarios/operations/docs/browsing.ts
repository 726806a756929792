import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../../support/browser.ts'
import { assertUsable } from '../console/usable.ts'

/** Opens a browser for an installation's pages. */
export async function openPages(baseURL: string) {
  const browser = await openBrowser()

  /** Fails on any error in the browser's console, such as a violation of the content security policy. */
  async function visit(
    path: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ baseURL, ...options })
    context.setDefaultTimeout(10_000)
    try {
      const page = await context.newPage()
      const errors: string[] = []
      page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
      await page.goto(path)
      await use(page)
      // Some tests open pages that do not exist.
      assert.deepEqual(
        errors.filter((text) => !text.includes('404')),
        [],
      )
    } finally {
      await context.close()
    }
  }

  return {
    visit,
    assertUsable: (path: string, options: BrowserContextOptions, name: string) =>
      visit(path, options, (page) => assertUsable(page, name)),
    close: () => browser.close(),
  }
}
