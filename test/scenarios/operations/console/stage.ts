import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { openBrowser } from '../../../support/browser.ts'
import { type Merchant, startTestApp, type TestApp, type TestOptions } from '../../../support/harness.ts'

export type Visit = BrowserContextOptions & {
  merchant: Merchant
  language?: 'en' | 'fr'
  /** Expected error statuses. Any other error response fails the visit. */
  refusals?: number[]
}

export type Console = {
  t: TestApp
  browser: Browser
  /** Returns the URL of a page, such as `/payments?status=failed`, in the merchant's Space. */
  addressOf(merchant: Merchant, path: string): string
  /** Opens a signed-in browser page. Fails on browser console errors and unexpected error responses. */
  visit<T>(visit: Visit, use: (page: Page) => Promise<T>): Promise<T>
  /** Signs in and opens a page, waiting until it has loaded its data. */
  open(
    merchant: Merchant,
    path: string,
    use: (page: Page) => Promise<void>,
    refusals?: number[],
  ): Promise<void>
  close(): Promise<void>
}

/** Starts the app and a browser. */
export async function openConsole(options: TestOptions = {}): Promise<Console> {
  const t = await startTestApp(options)
  const browser = await openBrowser()
  const stage: Console = {
    t,
    browser,
    addressOf: ({ spaceId, scope }, path) => `${t.baseUrl}/console/${spaceId}/${scope.environment}${path}`,
    async visit({ merchant, language = 'en', refusals = [], ...more }, use) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        locale: language,
        ...more,
      })
      await signIn(t, context, merchant.userId)
      context.setDefaultTimeout(10_000)
      const errors: string[] = []
      try {
        const page = await context.newPage()
        page.on('pageerror', (error) => errors.push(String(error)))
        page.on('response', (response) => {
          if (response.status() >= 400 && !refusals.includes(response.status()))
            errors.push(`${response.status()} ${response.request().method()} ${response.url()}`)
        })
        page.on('console', (line) => {
          if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
            errors.push(line.text())
        })
        const result = await use(page)
        assert.deepEqual(errors, [])
        return result
      } finally {
        await context.close()
      }
    },
    open: (merchant, path, use, refusals = []) =>
      stage.visit({ merchant, refusals }, async (page) => {
        await page.goto(stage.addressOf(merchant, path))
        await settled(page)
        await use(page)
      }),
    async close() {
      await browser.close()
      await t.close()
    },
  }
  return stage
}

/** Sets the cookie of a new session. Sign-in itself is tested elsewhere. */
async function signIn(t: TestApp, context: BrowserContext, userId: string): Promise<void> {
  const arrival = { userId, method: 'link', address: '127.0.0.1', agent: 'a test' } as const
  const secret = await t.app.parts.home.transaction((tx) => beginSession(tx, arrival, new Date()))
  await context.addCookies([
    { name: 'pesewa', value: secret, url: t.baseUrl, httpOnly: true, sameSite: 'Lax' },
  ])
}

const folder = process.env.SCREENSHOTS

/** Saves a screenshot if `SCREENSHOTS` names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** Waits until a page has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

/** Navigates within the console without a page load, and waits until the page has loaded its data. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `new Promise((done) => {
      history.pushState(null, '', ${JSON.stringify(address)})
      // The next frame begins when what was there is gone.
      requestAnimationFrame(() => requestAnimationFrame(() => done()))
    })`,
  )
  await settled(page)
}
