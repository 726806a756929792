import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { type Merchant, until } from '../../../support/harness.ts'
import { openShop } from '../../money/refunds/shop.ts'
import { payTo } from './shop.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

// The rails' clock stands still until a test moves it.
const rail = createManualClock()
const stage = await openConsole({ app: { simulatorClock: rail } })
after(() => stage.close())
const { t } = stage
const minuteMs = 60_000

const read = async (merchant: Merchant, path: string) => (await merchant.call('GET', path)).body.result
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.locator('dialog').getByRole('button', { name, exact: true })

/** A Space with two paid orders, in which payouts and refunds need approval. */
async function shop() {
  const opened = await openShop(t, rail)
  const { merchant, pay } = opened
  const paid = [await pay(40_000), await pay(30_000)]
  const limits = [{ currency: 'SLE', value: 0 }]
  await merchant.call('PATCH', '/v1/settings', { payoutApprovalAbove: limits, refundApprovalAbove: limits })
  const finance = await t.merchant({ sameSpaceAs: merchant, role: 'finance' })
  const { email } = (await read(merchant, '/v1/me')).user
  return { ...opened, paid, finance, email }
}

test('the finance role sees who requested a batch or a refund and the balance afterwards, and approves several', async () => {
  const { merchant, paid, refund, finance, email } = await shop()
  const refunds: string[] = []
  for (const { id } of paid) refunds.push((await refund(id, 1_000, { note: 'Torn cloth' })).body.result.id)
  const rows = [payTo('076123456', 2_000), payTo('076123457', 3_000)]
  const batches: string[] = []
  for (const name of ['Salaries', 'Suppliers'])
    batches.push((await merchant.call('POST', '/v1/payout-batches', { name, rows })).body.result.id)
  await merchant.call('POST', '/v1/payouts', { ...payTo('076123456', 700), metadata: { note: 'Rent' } })
  const { balances } = await read(finance, `/v1/payout-batches/${batches[0]}/approval`)
  const afterBatch = `Le ${(balances[0].availableAfter.value / 100).toFixed(2)}`
  await stage.visit({ merchant: finance, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(finance, '/approvals'))
    await page.getByText('2 jamais payés').nth(1).waitFor()
    await assertUsable(page, 'approvals-kinds-fr', looksIn.fr)
  })
  await stage.open(finance, '/approvals', async (page) => {
    const batch = page.getByRole('listitem').filter({ hasText: 'Salaries' })
    for (const text of [email, '2 never paid before', afterBatch])
      await batch.getByText(text, { exact: true }).waitFor()
    const asked = page.getByRole('listitem').filter({ hasText: 'Torn cloth' })
    // The details are read once an object is in view.
    await asked.first().scrollIntoViewIfNeeded()
    await asked.first().getByText(email, { exact: true }).waitFor()
    await asked.first().getByText('Balance after refund').waitFor()
    await assertUsable(page, 'approvals-kinds', looksIn.en)
    for (const [name, action] of [
      ['Torn cloth', 'Approve 2 refunds'],
      ['never paid before', 'Approve 2 batches'],
    ] as const) {
      for (const box of await page
        .getByRole('listitem')
        .filter({ hasText: name })
        .getByRole('checkbox')
        .all())
        await box.check()
      await button(page, action).click()
      await inDialog(page, action).click()
      await page.locator('dialog').getByText('Done').nth(1).waitFor()
      await inDialog(page, 'Close').click()
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
  })
  for (const id of refunds)
    assert.equal((await read(merchant, `/v1/refunds/${id}`)).approval.status, 'approved')
  for (const id of batches)
    assert.equal((await read(merchant, `/v1/payout-batches/${id}`)).approval.status, 'approved')
})

test('keyboard only: on the page of a payment without an outcome, a member asks the provider and sees the answer', async () => {
  const { finance, attempt } = await shop()
  const { find } = await attempt(1_000, 'm17', '076000006')
  const { id } = await until(find)
  // The next scheduled query is so far away that only a question can find the outcome.
  await t.advance(finance.scope, 40 * minuteMs)
  await until(async () => {
    const { next } = await read(finance, `/v1/payments/${id}/case-file`)
    return Date.parse(next.time) > t.app.parts.clock.now(finance.scope).getTime() + 20 * minuteMs
  })
  await stage.visit({ merchant: finance, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(finance, `/payments/${id}`))
    await button(page, 'Interroger le prestataire maintenant').waitFor()
    await assertUsable(page, 'payment-to-ask-fr', looksIn.fr)
  })
  await stage.open(
    finance,
    `/payments/${id}`,
    async (page) => {
      const ask = button(page, 'Ask the provider now')
      await ask.focus()
      await page.keyboard.press('Enter')
      await page.getByText('The provider answered: still pending.').waitFor()
      await assertUsable(page, 'payment-asked', looksIn.en)
      await ask.click()
      await page.getByText(/The provider was asked about this payment less than 10 seconds ago/).waitFor()
      await assertUsable(page, 'payment-asked-too-soon', looksIn.en)
      await rail.advance(300)
      await t.advance(finance.scope, 10_000)
      await ask.click()
      await page.locator('.main-facts .status', { hasText: 'Completed' }).waitFor()
      await ask.waitFor({ state: 'detached' })
    },
    [429],
  )
})
