import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { payTo } from './shop.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const read = async (shop: Merchant, path: string) => (await shop.call('GET', path)).body.result

test('keyboard only: a float top-up can be recorded once and reversed', async () => {
  const shop = await stage.t.merchant()
  await stage.open(
    shop,
    '/settlements',
    async (page) => {
      const dialog = page.getByRole('dialog')
      const fill = async (amount: string) => {
        await page.getByRole('button', { name: 'Record settlement' }).first().focus()
        await page.keyboard.press('Enter')
        await dialog.getByLabel('Type', { exact: true }).selectOption('float_top_up')
        await dialog.getByLabel('Provider', { exact: true }).selectOption('m17')
        await dialog.getByLabel('Provider account').selectOption('disbursement')
        await dialog.getByLabel('Amount in SLE').fill(amount)
        await dialog.getByLabel('Bank reference').fill('FT26325')
        await dialog.getByLabel('Value date').fill('2026-11-20')
        await dialog.getByLabel('Note').press('Enter')
      }
      await fill('much')
      await dialog.getByText('Enter a valid amount.').waitFor()
      await dialog.getByLabel('Amount in SLE').fill('5000')
      await dialog.getByLabel('Note').press('Enter')
      await page.getByRole('heading', { name: 'Le 5,000.00 · Float top-up' }).waitFor()
      await page.getByRole('link', { name: 'Settlements' }).first().press('Enter')
      await fill('5000')
      await dialog.getByRole('alert').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('link', { name: 'Float top-up' }).press('Enter')
      await page.getByRole('button', { name: 'Reverse' }).press('Enter')
      await dialog.getByLabel('Reason').fill('Booked by mistake')
      await page.keyboard.press('Enter')
      await page.locator('.facts .status', { hasText: 'Reversed' }).waitFor()
      await page
        .locator('.facts')
        .getByText(/: Booked by mistake$/)
        .waitFor()

      await page.goto(stage.addressOf(shop, '/audit'))
      await page.getByRole('link', { name: /^stl-/ }).first().press('Enter')
      await page.getByRole('heading', { name: 'Le 5,000.00 · Float top-up' }).waitFor()
      await page.goto(stage.addressOf(shop, '/reports'))
      await page
        .getByRole('region', { name: 'Balances held by providers' })
        .getByRole('link', { name: 'Settlements' })
        .press('Enter')
      await page.getByRole('cell', { name: 'FT26325' }).waitFor()
    },
    [400, 409],
  )
  const all = await read(shop, '/v1/settlements')
  assert.deepEqual(
    all.map(({ status, amount }: { status: string; amount: { value: number } }) => [status, amount.value]),
    [['reversed', 500_000]],
  )
})

test('a partial recall can be requested and cancelled, but not by a viewer', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 100_000)
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456', 2_000))).body.result
  await until(async () => (await read(shop, `/v1/payouts/${id}`)).status === 'completed')
  await stage.open(
    shop,
    `/payouts/${id}`,
    async (page) => {
      await page.getByRole('button', { name: 'Recall' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').selectOption('wrong_amount')
      await dialog.getByLabel('Amount in SLE').fill('900')
      await dialog.getByRole('button', { name: 'Recall' }).click()
      await dialog.getByRole('alert').waitFor()
      await assertUsable(page, 'recall', looksIn.en)
      await dialog.getByLabel('Amount in SLE').fill('15')
      await dialog.getByRole('button', { name: 'Recall' }).click()
      await page.getByRole('heading', { name: 'Le 15.00 · Wrong amount' }).waitFor()
      await page.getByRole('button', { name: 'Cancel recall' }).click()
      await dialog.getByRole('button', { name: 'Cancel recall' }).click()
      await page.locator('.facts .status', { hasText: 'Cancelled' }).waitFor()

      await page.locator('.facts').getByRole('link', { name: id }).click()
      const recalls = page.getByRole('region', { name: 'Recalls' })
      await recalls.getByText('Cancelled').waitFor()
      await assertUsable(page, 'payout-recalls', looksIn.en)
      await recalls.getByRole('link', { name: 'Wrong amount' }).click()
      await page.getByRole('heading', { name: 'Le 15.00 · Wrong amount' }).waitFor()
    },
    [400, 409],
  )
  const [recall] = await read(shop, `/v1/recalls?payoutId=${id}`)
  assert.deepEqual([recall.status, recall.amount.value, recall.reason], ['cancelled', 1_500, 'wrong_amount'])
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  await stage.open(viewer, `/payouts/${id}`, async (page) => {
    assert.equal(await page.getByRole('button', { name: 'Recall' }).count(), 0)
  })
})

test('bookings missing from statements are paged, with their state', async () => {
  const shop = await stage.t.merchant()
  const booked = 27
  for (let i = 1; i <= booked; i++) {
    const topUp = { kind: 'float_top_up', providerId: 'm17', amount: { currency: 'SLE', value: i } }
    const { status } = await shop.call('POST', '/v1/settlements', {
      ...{ ...topUp, bankReference: `FT${i}`, valueDate: '2026-01-31' },
    })
    assert.equal(status, 200)
  }
  const extent = { providerId: 'm17', environment: 'test' } as const
  await matchStatements(stage.t.app.parts.db, await findReconciled(), extent)
  const [{ date }] = (await read(shop, '/v1/reconciliation/days')).days
  await stage.open(shop, `/reconciliation?date=${date}&provider=m17`, async (page) => {
    const section = page.locator('section', { hasText: 'Not on a statement: Orange Money' })
    const rows = section.locator('tbody tr')
    await rows.nth(24).waitFor()
    assert.equal(await rows.count(), 25)
    await section.getByRole('button', { name: 'More' }).press('Enter')
    await rows.nth(booked - 1).waitFor()
    assert.equal(await rows.count(), booked)
    assert.equal(await rows.filter({ hasText: 'Awaiting statement' }).count(), booked)
  })
})
