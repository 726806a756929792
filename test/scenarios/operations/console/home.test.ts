import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { type Merchant, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { payment, payTo } from './shop.ts'
import { openConsole, settled } from './stage.ts'

// Payments never complete, because the rail's clock stands still.
const stage = await openConsole({ app: { simulatorClock: createManualClock() } })
after(() => stage.close())

const read = async (shop: Merchant, path: string) => (await shop.call('GET', path)).body.result
const waiting = (page: Page, words: string) => page.locator('.waiting li', { hasText: words })
const countIn = async (page: Page, words: string) =>
  Number(await waiting(page, words).locator('strong').textContent())

async function payOut(shop: Merchant): Promise<void> {
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body.result
  await until(async () => (await read(shop, `/v1/payouts/${id}`)).status === 'processing')
}

test('the count of slow payments matches the list it links to', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  for (const name of ['Mat', 'Pot']) await payment(shop, name, '076123456', 'processing')
  await payOut(shop)
  // The Space's clock is one hour ahead, the browser's half an hour.
  const minuteMs = 60_000
  await stage.t.advance(shop.scope, 60 * minuteMs)
  await payment(shop, 'Cloth', '076123457', 'processing')
  await payOut(shop)
  await stage.visit({ merchant: shop }, async (page) => {
    await page.clock.setFixedTime(new Date(Date.now() + 30 * minuteMs))
    for (const [words, count, all] of [
      ['payments in progress for over', 2, '/v1/payments'],
      ['payout in progress for over', 1, '/v1/payouts'],
    ] as const) {
      await page.goto(stage.addressOf(shop, '/'))
      await waiting(page, words).waitFor()
      assert.equal(await countIn(page, words), count)
      assert.equal((await read(shop, `${all}?status=processing`)).length, count + 1)
      await waiting(page, words).getByRole('link').click()
      await page.locator('main table').waitFor()
      await settled(page)
      assert.equal(await page.locator('main tbody tr').count(), count)
      // The filters show the time, and keep it when another filter is set.
      const { searchParams } = new URL(page.url())
      await page.locator('.filters summary', { hasText: /^Until .*\d\d:\d\d$/ }).waitFor()
      await page.getByLabel('Provider', { exact: true }).selectOption({ label: 'Orange Money' })
      await page.waitForURL((url) => url.searchParams.get('provider') === 'm17')
      assert.equal(new URL(page.url()).searchParams.get('to'), searchParams.get('to'))
      await settled(page)
      await page
        .locator('main tbody tr')
        .nth(count - 1)
        .waitFor()
      assert.equal(await page.locator('main tbody tr').count(), count)
    }
  })
})

test('the approval count links to exactly those items, and is shown without a link to members who may not approve', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  await shop.call('PATCH', '/v1/settings', { payoutApprovalAbove: [{ currency: 'SLE', value: 1_000 }] })
  for (const phone of ['076123456', '076123457']) await shop.call('POST', '/v1/payouts', payTo(phone))
  const rows = [payTo('076123458')]
  await shop.call('POST', '/v1/payout-batches', { name: 'Salaries', rows })
  for (const [role, links] of [
    ['finance', ['/approvals', '/approvals']],
    ['viewer', ['', '/payout-batches?status=pending']],
  ] as const) {
    const member = await stage.t.merchant({ sameSpaceAs: shop, role })
    await stage.open(member, '/', async (page) => {
      for (const [i, [words, count]] of (
        [
          ['payouts to approve', 2],
          ['batch to approve', 1],
        ] as const
      ).entries()) {
        await waiting(page, words).waitFor()
        assert.equal(await countIn(page, words), count)
        const link = waiting(page, words).getByRole('link')
        assert.equal(await link.count(), links[i] ? 1 : 0)
        if (links[i]) assert.ok((await link.getAttribute('href'))?.endsWith(links[i]))
      }
      const list = page.locator('.waiting li', { hasText: 'batch to approve' }).getByRole('link')
      await list.click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      const items =
        role === 'finance'
          ? page.locator('li.approval', { hasText: 'Salaries' })
          : page.locator('main tbody tr')
      await items.first().waitFor()
      assert.equal(await items.count(), 1)
      if (role === 'finance') {
        const payouts = page.getByRole('heading', { name: 'Payouts', exact: true })
        assert.equal(await page.locator('section', { has: payouts }).locator('li.approval').count(), 2)
      }
    })
  }
})
