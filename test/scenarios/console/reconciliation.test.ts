import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openConsole } from './stage.ts'

const stage = await openConsole()
const folder = mkdtempSync(join(tmpdir(), 'pesewa-statements-'))
after(async () => {
  await stage.close()
  rmSync(folder, { recursive: true })
})

const address = '/installation/reconciliation?providerId=m17&environment=test'
// A day that is over, wherever the provider is.
const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
const headings = 'date,reference,type,amount,currency,status,transaction_id'
const lineOf = (id: string, amount: string) =>
  `${day}T10:00:00Z,none-${id},collection,${amount},SLE,SUCCESSFUL,${id}`

async function importFile(page: Page, name: string, lines: string[]) {
  const file = join(folder, name)
  writeFileSync(file, `${[headings, ...lines].join('\n')}\n`)
  await page.getByRole('button', { name: 'Import a statement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider').selectOption('m17')
  await dialog.getByLabel('Environment').selectOption('test')
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file)
  const shifted = (days: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000)
      .toISOString()
      .slice(0, 'yyyy-mm-ddThh:mm'.length)
  await dialog.getByLabel('Covers from').fill(shifted(-1))
  await dialog.getByLabel('Covers until').fill(shifted(2))
  await dialog.getByRole('button', { name: 'Import a statement' }).click()
  return dialog
}

test('an operator imports a statement, explains what only the provider has, closes the day and opens it again', async () => {
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
      const item = page.getByRole('row').filter({ hasText: 'Only the provider has it' })
      await item.getByText('Le 5.00').waitFor()

      await page.getByRole('button', { name: 'Close a day' }).click()
      await dialog.getByLabel('Day').fill(day)
      await dialog.getByLabel('Why').fill('Compared')
      await dialog.getByRole('button', { name: 'Close a day' }).click()
      await dialog.getByText(/1 item is open, m17\/test\/4242: close it/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      await item.getByRole('button', { name: /^Close/ }).press('Enter')
      await dialog.getByLabel('Why').fill('A fee of the provider’s')
      await page.keyboard.press('Enter')
      await page.getByText('Nothing is open.').waitFor()

      await page.getByRole('button', { name: 'Close a day' }).press('Enter')
      await dialog.getByLabel('Day').fill(day)
      await dialog.getByLabel('Why').fill('Compared with the bank')
      await dialog.getByLabel('Why').press('Enter')
      const closed = page.getByRole('row').filter({ hasText: day }).filter({ hasText: 'SLE' })
      await closed.getByText('Provider: 1 × closed by hand, Le 5.00 in').waitFor()

      await closed.getByRole('button', { name: /^Open again/ }).click()
      await dialog.getByLabel('Why').fill('A line was missing')
      await dialog.getByRole('button', { name: 'Open again' }).click()
      await closed.getByText(/opened again by/).waitFor()
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
