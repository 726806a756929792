import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { createBookkeeping } from '../../finance/reconciliation/statements.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const rail = createManualClock()
const stage = await openConsole({ app: { simulatorClock: rail } })
const bookkeeping = createBookkeeping(stage.t, rail)
const folder = mkdtempSync(join(tmpdir(), 'pesewa-statements-'))
after(async () => {
  await stage.close()
  bookkeeping.close()
  rmSync(folder, { recursive: true })
})

const dayMs = 86_400_000
const address = '/installation/reconciliation?providerId=m17&environment=test'
// A day that is over in every time zone.
const day = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 10)
const headings = 'date,reference,type,amount,currency,status,transaction_id'
const lineOf = (id: string, amount: string) =>
  `${day}T10:00:00Z,none-${id},collection,${amount},SLE,SUCCESSFUL,${id}`

async function importFile(page: Page, name: string, lines: string[]) {
  const file = join(folder, name)
  writeFileSync(file, `${[headings, ...lines].join('\n')}\n`)
  await page.getByRole('button', { name: 'Import statement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider').selectOption('m17')
  await dialog.getByLabel('Environment').selectOption('test')
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file)
  const shifted = (days: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
  await dialog.getByLabel('Covers from').fill(shifted(-1))
  await dialog.getByLabel('Covers until').fill(shifted(2))
  await dialog.getByRole('button', { name: 'Import statement' }).click()
  return dialog
}

/** Submits the dialog that closes a day, and leaves it before matching has responded. Nothing may be closed. */
async function leaveWhileMatching(page: Page) {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isMatching = (url: URL) => url.pathname.endsWith('/reconciliation/match')
  await page.route(isMatching, async (route) => {
    held.resolve()
    await release.promise
    await route.continue()
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Close a day' }).click()
  await dialog.getByLabel('Day').fill(day)
  await dialog.getByLabel('Reason').fill('Left before it was matched')
  await dialog.getByLabel('Reason').press('Enter')
  await held.promise
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const [response] = await Promise.all([
    page.waitForResponse((one) => isMatching(new URL(one.url()))),
    release.resolve(),
  ])
  await response.finished()
  await page.unroute(isMatching)
}

test('an operator imports a statement, closes an open item and the day, and reopens the day', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(
    operator,
    address,
    async (page) => {
      const broken = await importFile(page, 'broken.csv', [lineOf('1', 'much')])
      await broken.locator('.fault', { hasText: /^line 2 / }).waitFor()
      await broken.getByRole('button', { name: 'Cancel' }).click()
      const dialog = await importFile(page, 'day.csv', [lineOf('4242', '5.00')])
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'day.csv', exact: true }).waitFor()
      const item = page.getByRole('row').filter({ hasText: 'Missing from the ledger' })
      await item.getByText('Le 5.00').waitFor()

      await page.getByRole('button', { name: 'Close a day' }).click()
      await dialog.getByLabel('Day').fill(day)
      await dialog.getByLabel('Reason').fill('Compared')
      await dialog.getByRole('button', { name: 'Close a day' }).click()
      await dialog.getByText(/1 item of this day is open: m17\/test\/4242\. Match it/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      await item.getByRole('button', { name: /^Close/ }).press('Enter')
      await dialog.getByLabel('Reason').fill('A fee of the provider’s')
      await page.keyboard.press('Enter')
      await page.getByText('No open items.').waitFor()
      await dialog.waitFor({ state: 'detached' })

      await leaveWhileMatching(page)
      await page.getByRole('button', { name: 'Close a day' }).press('Enter')
      await dialog.getByLabel('Day').fill(day)
      await dialog.getByLabel('Reason').fill('Compared with the bank')
      await dialog.getByLabel('Reason').press('Enter')
      const closed = page.getByRole('row').filter({ hasText: day }).filter({ hasText: 'SLE' })
      await closed.getByText('Provider: 1 × closed manually, Le 5.00 in').waitFor()
      await dialog.waitFor({ state: 'detached' })

      await closed.getByRole('button', { name: /^Reopen/ }).click()
      await dialog.getByLabel('Reason').fill('A line was missing')
      await dialog.getByRole('button', { name: 'Reopen' }).click()
      await closed.getByText(/reopened by/).waitFor()
    },
    [400, 409],
  )
  const { result } = (
    await operator.call('GET', '/v1/installation/closed-days?environment=test&providerId=m17')
  ).body
  assert.deepEqual(
    result.days.map(({ reason, reopening }: { reason: string; reopening: { reason: string } }) => [
      reason,
      reopening.reason,
    ]),
    [['Compared with the bank', 'A line was missing']],
  )
})

/** Imports an empty statement that covers these days. */
async function stateNothing() {
  const shifted = (days: number) => new Date(Date.now() + days * dayMs)
  await bookkeeping.import([], { from: shifted(-2), until: shifted(3), at: shifted(3) })
  await bookkeeping.reconcile()
}

test("a member sees a day's bookings that are missing from statements, linked to their objects", async () => {
  const shop = await stage.t.merchant()
  const paid = await bookkeeping.pay(shop, 2_000)
  const topUp = {
    ...{ kind: 'float_top_up', providerId: 'm17', amount: { currency: 'SLE', value: 500_000 } },
    ...{ bankReference: 'FT26325', valueDate: day },
  }
  const { result: settlement } = (await shop.call('POST', '/v1/settlements', topUp)).body
  await stateNothing()
  const [booked] = (await shop.call('GET', '/v1/reconciliation/days')).body.result.days
  const member = await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' })
  await stage.open(member, `/reconciliation?month=${booked.date.slice(0, 7)}`, async (page) => {
    const follow = async (id: string, heading: string | RegExp) => {
      const of = page.getByRole('region', { name: `Not on a statement: Orange Money, ${booked.date}` })
      await of.getByRole('link', { name: id }).press('Enter')
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.goBack()
    }
    const rowOf = (direction: 'In' | 'Out') =>
      page
        .getByRole('table', { name: 'Days' })
        .getByRole('row')
        .filter({ hasText: new RegExp(direction) })
    await rowOf('In').getByRole('link').press('Enter')
    await follow(paid.id, /^Le 20\.00/)
    await rowOf('Out').getByRole('link').press('Enter')
    await follow(settlement.id, 'Le 5,000.00 · Float top-up')
    await assertUsable(page, 'reconciliation-items', looksIn.en)
  })
})
