import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { Demo } from '../packages/server/src/demo-file.ts'
import { openBrowser } from '../test/support/browser.ts'

/**
 * Takes the screenshot for the README from a service started by `npm start` with an empty data folder: `node
 * scripts/picture.ts <data folder> <printed checkout page> <printed sign-in link>`.
 */
const [dataDir = '', checkoutUrl = '', signInUrl = ''] = process.argv.slice(2)
const { baseUrl, spaceId, testToken } = JSON.parse(
  readFileSync(path.join(dataDir, 'demo.json'), 'utf8'),
) as Demo
const file = path.join(import.meta.dirname, '../docs/pictures/pesewa.png')

const browser = await openBrowser()
try {
  const phone = await pictureOfCheckout(browser)
  const desk = await pictureOfPayment(browser)
  await compose(browser, phone, desk)
} finally {
  await browser.close()
}

async function pictureOfCheckout(browser: Browser): Promise<string> {
  const page = await openPage(browser, { viewport: { width: 360, height: 640 } })
  await page.goto(checkoutUrl)
  return (await page.screenshot()).toString('base64')
}

async function pictureOfPayment(browser: Browser): Promise<string> {
  const headers = { authorization: `Bearer ${testToken}`, 'service-space-id': spaceId }
  const answer = await fetch(`${baseUrl}/v1/payments?status=completed&limit=1`, { headers })
  const { result } = (await answer.json()) as { result: { id: string }[] }
  const page = await openPage(browser, { viewport: { width: 1430, height: 880 } })
  await page.goto(signInUrl)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname.includes(spaceId))
  await page.goto(`${baseUrl}/console/${spaceId}/test/payments/${result[0]?.id}`)
  await page.locator('.timeline').waitFor()
  return (await page.screenshot()).toString('base64')
}

async function compose(browser: Browser, phone: string, desk: string): Promise<void> {
  const page = await openPage(browser, { viewport: { width: 1520, height: 720 } })
  await page.setContent(`<style>
    body { margin: 40px; display: flex; gap: 40px; align-items: start; background: #eef1ee }
    img { border-radius: 12px; box-shadow: 0 4px 24px #0003 }
  </style><img height=640 src="data:image/png;base64,${phone}"><img height=640 src="data:image/png;base64,${desk}">`)
  await page.screenshot({ path: file })
}

async function openPage(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({ ...options, deviceScaleFactor: 1, locale: 'en' })
  return context.newPage()
}
