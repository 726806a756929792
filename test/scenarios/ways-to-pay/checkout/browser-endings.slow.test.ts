import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { openWay } from '../../../support/payment-form.ts'

// What the payer sees for each outcome and payment method. For the books, see ways-to-pay.test.ts.

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const browser = await openBrowser()
after(async () => {
  await browser.close()
  await t.close()
})
const { db } = t.app.parts

const order = {
  name: 'Country cloth',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 } }],
}

type Way = 'momo' | 'bank' | 'wallet' | 'card'
const providers: Record<Way, string> = { momo: 'm17', bank: 'slb001', wallet: 'dw001', card: 'card' }
const fields: Record<Way, (digits: string) => Record<string, string>> = {
  momo: (digits) => ({ phone: `076 123 ${digits}` }),
  bank: (digits) => ({ accountNumber: `0011223${digits}` }),
  wallet: (digits) => ({ walletId: `fatu@safulpay.${digits}` }),
  card: () => ({}),
}

const paid = 'Payment received'
/** Payment method, digits, by how much to move the rail's clock and then the Space's, and the page's text. */
const endings: [Way, string, number, number, string | RegExp][] = [
  ['momo', '456', 300, 0, paid],
  ['momo', '001', 300, 0, /not enough money/],
  ['momo', '002', 300, 0, /You declined it on your phone/],
  ['momo', '004', 30_000, 0, paid],
  ['momo', '005', 300, 0, paid],
  ['wallet', '456', 300, 0, paid],
  ['wallet', '002', 300, 0, /was not approved/],
  ['wallet', '003', 60_000, 0, /not answer the request in time/],
  ['wallet', '006', 300, 5_000, paid],
  ['wallet', '007', 300, 5_000, paid],
  ['wallet', '008', 300, 120_000, /gave no reason/],
  ['bank', '456', 300, 0, paid],
  ['bank', '009', 300, 0, /blocked/],
  ['bank', '010', 300, 0, /does not recognize this account/],
  ['bank', '012', 300, 0, /not confirmed in time/],
  ['card', '456', 300, 0, paid],
  ['card', '011', 300, 0, /reached a limit/],
]

/** Waits until the rail has received or lost the instruction, so that the rail's clock may be moved. */
const submitted = () =>
  until(async () => {
    const waiting = await db.query(sql`
      -- every space: the test looks at all instructions
      select 1 from instructions where state in ('created', 'submitting')`)
    return waiting.length === 0
  })

/** Approves on the rail's page, if there is one. On a card page, chooses the outcome. */
async function approve(page: Page, way: Way, digits: string): Promise<void> {
  await page.waitForURL(/\/simulator\//)
  if (way === 'card') {
    const ending = digits === '456' ? '' : digits
    return page.locator(`button[value="visa:approve:${ending}"]`).click()
  }
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
}

// Run concurrently, because they mostly wait for pages to poll.
for (const javaScriptEnabled of [true, false]) {
  const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', { concurrency: 5 }, () => {
    after(() => context.close())
    for (const [way, digits, railMs, spaceMs, pageText] of endings)
      test(`by ${way}, …${digits}: the page shows ${pageText}`, async () => {
        const merchant = await t.merchant()
        const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
        const page = await context.newPage()
        await page.goto(session.redirectUrl)
        const form = await openWay(page, way, providers[way])
        for (const [name, value] of Object.entries(fields[way](digits)))
          await form.locator(`input[name=${name}]`).fill(value)
        await form.getByRole('button', { name: /^(Pay|Continue)/ }).click()
        if (way === 'bank' || way === 'card') await approve(page, way, digits)
        await submitted()
        await rail.advance(railMs)
        if (spaceMs > 0) await t.advance(merchant.scope, spaceMs)
        if (pageText === paid) await page.getByRole('heading', { name: paid }).waitFor()
        else {
          await page.getByRole('alert').waitFor()
          assert.match(await page.getByRole('alert').innerText(), pageText as RegExp)
        }
        await page.close()
      })
  })
}

test('the books balance afterwards', () => t.verify())
