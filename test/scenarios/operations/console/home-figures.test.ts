import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { payment } from './shop.ts'
import { openConsole, settled } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const dayMs = 86_400_000
const tile = (page: Page, label: string) => page.locator('.tile', { hasText: label })
const tileTexts = (page: Page, label: string) => tile(page, label).locator('p').allTextContents()

/** A shop with a completed and a failed payment yesterday, and three completed and a failed one today. */
async function busyShop() {
  const shop = await stage.t.merchant()
  await payment(shop, 'Cloth', '076123456', 'completed')
  await payment(shop, 'Oil', '076123001', 'failed')
  await stage.t.advance(shop.scope, dayMs)
  for (const name of ['Rice', 'Salt', 'Pots']) await payment(shop, name, '076123456', 'completed')
  await payment(shop, 'Mats', '076123001', 'failed')
  return shop
}

test('home compares today with yesterday, shows the last seven days, and why payments fail', async () => {
  const shop = await busyShop()
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/'))
    await settled(page)
    await tile(page, 'Collected').waitFor()
    assert.deepEqual(await tileTexts(page, 'Collected'), [
      'Le 900.00',
      '3 payments',
      '+200% compared with all of yesterday',
    ])
    assert.deepEqual(await tileTexts(page, 'Success rate'), [
      '75%',
      '3 of 4 payments',
      '+25 points compared with yesterday',
    ])
    // Without any refunds, the line is flat.
    assert.deepEqual(await tileTexts(page, 'Refunded'), ['Le 0.00', '0 refunds', 'Same as yesterday'])
    for (const [label, ending] of [
      ['Collected', /^Last 7 days\. (.* Le 0\.00; ){5}.* Le 300\.00; .* Le 900\.00$/],
      ['Refunded', /^Last 7 days\. (.* Le 0\.00; ){6}.* Le 0\.00$/],
      ['Success rate', /^Last 7 days\. (.* –; ){5}.* 50%; .* 75%$/],
    ] as const)
      await tile(page, label)
        .getByRole('img', { name: ending })
        .locator('.last')
        .waitFor({ state: 'attached' })
    const table = page.getByRole('table', { name: 'Success by provider in the last 24 hours' })
    const orange = table.getByRole('row', { name: 'Orange Money' })
    await orange.getByText('Not enough money in the account').waitFor()
    await assertUsable(page, 'home-busy', looksIn.en)
    await tile(page, 'Success rate').getByRole('link').click()
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
    assert.match(page.url(), /\/payments\?status=failed&from=/)
  })
  await stage.visit({ merchant: shop, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(shop, '/'))
    await settled(page)
    await page.getByText('Solde insuffisant').waitFor()
    await assertUsable(page, 'home-busy', looksIn.fr)
  })
  // A day that has just begun is not compared.
  await stage.t.advance(shop.scope, dayMs)
  await stage.open(shop, '/', async (page) => {
    await tile(page, 'Collected').waitFor()
    assert.deepEqual(await tileTexts(page, 'Collected'), [
      'Le 0.00',
      '0 payments',
      'All of yesterday: Le 900.00',
    ])
  })
})

test('home shows money in and out for 7, 30 or 90 days, which the URL keeps, and links each day to its list', async () => {
  const shop = await busyShop()
  await stage.open(shop, '/', async (page) => {
    const columns = page.locator('.plot .column.collected')
    const legend = page.locator('.legend dd')
    await columns.first().waitFor({ state: 'attached' })
    assert.equal(await columns.count(), 30)
    for (const days of [7, 90]) {
      await page.getByRole('link', { name: `${days} days` }).press('Enter')
      await page.waitForURL((url) => url.searchParams.get('days') === String(days))
      await page.getByRole('img', { name: `over the last ${days} days, in SLE` }).waitFor()
      assert.equal(await columns.count(), days)
    }
    await page.reload()
    await page.getByRole('img', { name: 'over the last 90 days, in SLE' }).waitFor()
    assert.equal(await columns.count(), 90)
    assert.equal(await legend.nth(1).textContent(), 'Le 1,200.00')
    await columns.last().hover()
    assert.equal(await legend.nth(1).textContent(), 'Le 900.00')
    await page.locator('summary', { hasText: 'Daily figures' }).press('Enter')
    const yesterday = page.getByRole('table', { name: 'Daily figures' }).getByRole('row').nth(2)
    await yesterday.getByRole('link', { name: 'Le 300.00' }).click()
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
    await settled(page)
    assert.equal(await page.locator('main tbody tr').count(), 1)
  })
})

test('home reads counts of what needs attention instead of lists', async () => {
  const shop = await stage.t.merchant()
  await payment(shop, 'Cloth', '076123456', 'completed')
  await stage.visit({ merchant: shop }, async (page) => {
    const lists: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/v1\/(?:payments|payouts|payout-batches|refunds|cases|webhooks)$/.test(pathname))
        lists.push(pathname)
    })
    await page.goto(stage.addressOf(shop, '/'))
    await page.getByText('All clear.').waitFor()
    await tile(page, 'Collected').waitFor()
    assert.deepEqual(lists, ['/v1/payments'])
  })
})

test('home says that figures could not be read, and reads them again on request', async () => {
  const shop = await stage.t.merchant()
  await payment(shop, 'Cloth', '076123456', 'completed')
  await stage.visit({ merchant: shop, refusals: [400] }, async (page) => {
    const refused = { success: false, messages: [{ code: 1, message: 'no' }], result: null }
    await page.route('**/v1/overview/days?*', (route) => route.fulfill({ status: 400, json: refused }))
    await page.goto(stage.addressOf(shop, '/'))
    const section = page.getByRole('region', { name: 'Today' })
    await section.getByRole('alert').waitFor()
    await page.getByRole('heading', { name: 'Latest payments' }).waitFor()
    await page.unroute('**/v1/overview/days?*')
    await section.getByRole('button', { name: 'Try again' }).press('Enter')
    await tile(page, 'Collected').waitFor()
    await section.getByRole('alert').waitFor({ state: 'detached' })
  })
})

test('home shows amounts and rates only to members who may read balances', async () => {
  const shop = await busyShop()
  const member = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await stage.open(member, '/', async (page) => {
    await page.getByRole('heading', { name: 'Latest payments' }).waitFor()
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    assert.equal(await page.locator('.tile, .bars, .rate, .figure').count(), 0)
  })
})
