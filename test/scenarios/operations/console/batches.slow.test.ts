import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { fund } from '../../../support/money.ts'
import { payTo } from './shop.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const rail = createManualClock()
const stage = await openConsole({ app: { simulatorClock: rail } })
after(() => stage.close())

/** Waits until the batch shows this progress, in words and as parts of its bar. */
async function waitForProgress(page: Page, words: string | RegExp, parts: Record<string, string>) {
  const progress = page.locator('.batch-progress')
  await progress.getByText(words, { exact: true }).waitFor()
  const widths = await progress
    .locator('rect')
    .evaluateAll((rects) => rects.map((rect) => [rect.getAttribute('class'), rect.getAttribute('width')]))
  const rounded = widths.map(([name, width]) => [name, `${Math.round(Number.parseFloat(width ?? ''))}%`])
  assert.deepEqual(Object.fromEntries(rounded), parts)
}

test('the list and the page of a batch show how many of its payouts are waiting, unknown, failed and paid, as it happens', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  await shop.call('PATCH', '/v1/settings', { payoutApprovalAbove: [{ currency: 'SLE', value: 1_000 }] })
  const approver = await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' })
  const rows = ['076123456', '076123457', '076123009'].map((phone) => payTo(phone))
  const { id } = (await shop.call('POST', '/v1/payout-batches', { name: 'Salaries', rows })).body.result
  const atEnd = { paid: '67%', failed: '33%' }
  await stage.open(shop, '/payout-batches', async (page) => {
    await waitForProgress(page, '3 waiting of 3', { waiting: '100%' })
    await approver.call('POST', `/v1/payout-batches/${id}/approve`, {})
    const unknown = page.locator('.batch-progress').getByText(/^(1 failed, 2|3) with no outcome yet of 3$/)
    await unknown.waitFor()
    await assertUsable(page, 'batches-in-progress', looksIn.en)
    await rail.advance(300)
    await waitForProgress(page, '2 paid, 1 failed of 3', atEnd)
  })
  await stage.open(shop, `/payout-batches/${id}`, async (page) => {
    await waitForProgress(page, '2 paid, 1 failed of 3', atEnd)
    await assertUsable(page, 'batch-completed', looksIn.en)
  })
  await stage.visit({ merchant: shop, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payout-batches'))
    await waitForProgress(page, '2 versés, 1 échoué sur 3', atEnd)
  })
})
