import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { unzipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { type Merchant, until } from '../../../support/harness.ts'
import { createBookkeeping } from '../../finance/reconciliation/statements.ts'
import { openConsole, settled } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const rail = createManualClock()
const stage = await openConsole({ app: { simulatorClock: rail } })
const bookkeeping = createBookkeeping(stage.t, rail)
after(async () => {
  await stage.close()
  bookkeeping.close()
})

const dayMs = 86_400_000
const today = new Date()
/** Returns a time on a day of the month that begins this many months from now. */
const on = (months: number, day: number, hour = 12) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, day, hour))
const dateOf = (months: number, day: number) => on(months, day).toISOString().slice(0, 'yyyy-mm-dd'.length)
const nameOf = (months: number, language = 'en') =>
  new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(on(months, 1))
const moveTo = ({ scope }: Merchant, time: Date) =>
  stage.t.advance(scope, time.getTime() - stage.t.app.parts.clock.now(scope).getTime())
const dayLink = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Days of the month' }).getByRole('link', { name, exact: true })
const step = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name }) })

/** A shop that was paid on three days of next month: one is matched, one different, and one awaited. */
async function shopInNextMonth(): Promise<Merchant> {
  const shop = await stage.t.merchant()
  const paid: string[] = []
  for (const day of [2, 3, 4]) {
    await moveTo(shop, on(1, day))
    paid.push((await bookkeeping.pay(shop, 2_000)).reference)
  }
  const line = { id: 'month', reference: paid[0] ?? '', at: on(1, 2), value: 2_000 }
  await bookkeeping.import([line], { from: on(1, 1, 0), until: on(1, 4, 0), at: on(1, 5) })
  await bookkeeping.reconcile()
  await moveTo(shop, on(2, 1))
  return shop
}

test('finance sees the open steps before the last month can be closed, opens a day, and downloads the file', async () => {
  const shop = await shopInNextMonth()
  const finance = await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' })
  await stage.open(finance, '/close', async (page) => {
    await page.getByRole('heading', { level: 1, name: `Close ${nameOf(1)}` }).waitFor()
    await page
      .getByText(
        '0 of 5 steps done. Left to do: Statements received, Differences, Bank, Statements and reports, Sign.',
      )
      .waitFor()
    await step(page, 'Statements received').getByText('1 of 3 days has no statement yet.').waitFor()
    await step(page, 'Statements received')
      .getByText('The operator of this service imports the statements.')
      .waitFor()
    await step(page, 'Differences').getByText('1 line differs, in total Le 20.00.').waitFor()
    await step(page, 'Bank')
      .getByText(/^1 provider still owes Le [\d,.]+ from this month\.$/)
      .waitFor()
    await step(page, 'Statements and reports')
      .getByText(/^Provisional/)
      .waitFor()
    await step(page, 'Sign').getByText('0 of 3 days are signed and closed.').waitFor()
    await dayLink(page, '2 Matched').waitFor()
    await dayLink(page, '4 Awaited').waitFor()
    await assertUsable(page, 'month-end', looksIn.en)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download ZIP' }).press('Enter'),
    ])
    const month = dateOf(1, 1).slice(0, 'yyyy-mm'.length)
    assert.equal(file.suggestedFilename(), `month-${month}.zip`)
    const names = Object.keys(unzipSync(new Uint8Array(readFileSync(await file.path()))))
    assert.ok(names.includes(`${month}/settlement.csv`), names.join())

    await dayLink(page, '3 Differs').press('Enter')
    await page.getByRole('heading', { level: 2, name: `Not on a statement: ${dateOf(1, 3)}` }).waitFor()
    await page
      .getByRole('region', { name: /^Not on/ })
      .getByRole('link', { name: /^pay-/ })
      .waitFor()
    await page.goBack()
    await step(page, 'Differences')
      .getByRole('link', { name: /Orange Money, Collections$/ })
      .press('Enter')
    await page
      .getByRole('heading', { level: 2, name: `Not on a statement: Orange Money, ${dateOf(1, 3)}` })
      .waitFor()
  })
  const developer = await stage.t.merchant({ sameSpaceAs: shop, role: 'developer' })
  await stage.visit({ merchant: developer, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(developer, '/close'))
    const title = (months: number) =>
      page.getByRole('heading', { level: 1, name: new RegExp(`^Clôture (?:de |d’)${nameOf(months, 'fr')}$`) })
    await title(1).waitFor()
    await step(page, 'Signature').getByText('L’exploitant du service signe').waitFor()
    await step(page, 'Banque').getByRole('link', { name: 'Voir les règlements' }).waitFor()
    await assertUsable(page, 'month-end-fr', looksIn.fr)
    await page.getByLabel('Mois', { exact: true }).selectOption(dateOf(2, 1).slice(0, 'yyyy-mm'.length))
    await title(2).waitFor()
    await page.getByText('Aucun jour à rapprocher pour le moment.').waitFor()
  })
})

test('a Space without movements has nothing to do, and an invalid month or a failure is explained', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, refusals: [400, 503] }, async (page) => {
    await page.goto(stage.addressOf(shop, '/close'))
    await page.getByText('No days to reconcile yet.').waitFor()
    await assertUsable(page, 'month-end-empty', looksIn.en)
    await page.goto(stage.addressOf(shop, '/close?month=2026-13'))
    await page.getByRole('alert').waitFor()
    await assertUsable(page, 'month-end-invalid', looksIn.en)
    await page.getByRole('link', { name: 'Open the latest month' }).press('Enter')
    await page.getByText('No days to reconcile yet.').waitFor()
    await page.route(
      (url) => url.pathname === '/v1/month-end',
      (route) => route.fulfill({ status: 503, body: '' }),
    )
    await page.goto(stage.addressOf(shop, '/close'))
    await page.getByRole('alert').waitFor()
  })
})

/**
 * Submits the dialog, again if it is refused because statements are being matched in the background. Only one
 * matching runs at a time.
 */
const signUntil = (dialog: Locator, isDone: () => Promise<boolean>) =>
  until(async () => {
    if (await isDone()) return true
    const button = dialog.getByRole('button', { name: /^Sign/ })
    if (await button.isEnabled().catch(() => false)) await button.press('Enter').catch(() => {})
    return false
  })

test('an operator signs the matched days of a month, up to the first that is refused', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  const lineOf = (day: number) =>
    `${dateOf(-1, day)}T10:00:00Z,nobody,collection,5.00,SLE,SUCCESSFUL,m18-month-${day}`
  const upload = async (...lines: string[]) => {
    const csv = `${['date,reference,type,amount,currency,status,transaction_id', ...lines].join('\n')}\n`
    const place = { environment: 'test', providerId: 'm18', mapping: 'simulator', csv }
    const period = { from: on(-1, 2, 0).toISOString(), until: on(-1, 6, 0).toISOString() }
    const { status } = await operator.call('POST', '/v1/installation/statements', { ...place, ...period })
    return status === 200
  }
  const month = '/v1/installation/month-end?environment=test'
  const differOn = (count: number) =>
    until(async () => (await operator.call('GET', month)).body.result.differences.length === count)
  assert.ok(await upload(lineOf(5)))
  await differOn(1)
  const days = new Date(on(0, 1, 0).getTime() - dayMs).getUTCDate() - 1
  const signedDays = (page: Page, signed: number) =>
    step(page, 'Sign').getByText(`${signed} of ${days} days are signed and closed.`).waitFor()
  await stage.open(
    operator,
    '/installation/close?environment=test',
    async (page) => {
      await page.getByRole('heading', { level: 1, name: `Close ${nameOf(-1)}` }).waitFor()
      await signedDays(page, 0)
      await assertUsable(page, 'installation-month-end', looksIn.en)
      await page.getByRole('button', { name: 'Sign 3 days' }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('Compared with the bank')
      await until(() => upload(lineOf(3)))
      await differOn(2)
      const refusal = dialog.getByText(/1 item of this day is open: m18\/test\/m18-month-3/)
      await signUntil(dialog, async () => (await refusal.count()) > 0)
      await dialog.getByText('Signed 1 of 3.').waitFor()
      await dialog.getByText(/^Stopped at .*Afrimoney/).waitFor()
      await assertUsable(page, 'month-end-refused', looksIn.en)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Sign 1 day' }).press('Enter')
      await dialog.getByLabel('Reason').fill('Compared with the bank')
      await signUntil(dialog, async () => (await dialog.count()) === 0)
      await signedDays(page, 2)
      await step(page, 'Sign')
        .getByText(/^Signed by .*@shop\.example, last on/)
        .waitFor()
      assert.equal(await page.getByRole('button', { name: /^Sign/ }).count(), 0)
      await dayLink(page, '4 Closed').waitFor()
      await dayLink(page, '3 Differs').press('Enter')
      await settled(page)
      await page.getByRole('row').filter({ hasText: 'Missing from the ledger' }).first().waitFor()
    },
    [409],
  )
})
