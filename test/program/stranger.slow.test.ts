import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { makeFolder, type Program, startProgram } from '../support/program.ts'

// A new user with only the link that `npm start` prints, who follows the pages.

let program: Program
let browser: Browser
before(async () => {
  program = await startProgram(['start'], { DATA_DIR: path.join(makeFolder(), 'data') })
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await program.stop('SIGINT')
})

test('a new user creates a checkout page, sees it paid, refunds half, rolls a token and exports the month', async () => {
  const [link] = /http\S+\/console\/sign-in#link=\S+/.exec(program.stdout()) ?? []
  assert.ok(link, program.stdout())
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  // An entry may also contain the number of objects that need attention.
  const menu = (name: string) => page.locator('nav').getByRole('link', { name }).first()

  await page.goto(link)
  await page.getByText('Sign in as d…@pesewa.example?').waitFor()
  await button('Sign in').click()
  await page.getByRole('heading', { name: 'Balances' }).waitFor()

  await menu('Payments').click()
  await menu('Checkout pages').click()
  await page
    .getByRole('link', { name: 'Create a checkout page' })
    .or(page.locator('.head .button.main'))
    .first()
    .click()
  await page.getByLabel('What is it for?').fill('School fees')
  await page.getByLabel('Price in SLE').fill('200')
  await page.locator('main form button[type=submit]').click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const checkout = await page
    .locator('.pay-link code, .copy code')
    .filter({ hasText: '/pay/' })
    .first()
    .textContent()

  const payer = await context.newPage()
  await payer.goto(checkout!)
  await payer.locator('input[type=tel]').fill('076123456')
  await payer.getByRole('button', { name: /^Pay/ }).click()
  await page.locator('.facts .status', { hasText: 'Paid' }).waitFor()

  await page.getByRole('table', { name: 'Payments' }).getByRole('link').first().click()
  await button('Refund').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in Le').fill('100')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page
    .locator('.status', { hasText: 'Partially refunded' })
    .or(page.getByText('Le 100.00'))
    .first()
    .waitFor()

  await menu('Developers').click()
  await menu('Access tokens').click()
  await button('Create token').click()
  await dialog.getByLabel('Name').fill('Website')
  await dialog.getByLabel('payments:read').check()
  await dialog.locator('button[type=submit]').click()
  await dialog.locator('code', { hasText: 'psw_test_' }).waitFor()
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Website/ })
    .getByRole('button', { name: 'Roll' })
    .click()
  await dialog.locator('button[type=submit]').click()
  await dialog.locator('code', { hasText: 'psw_test_' }).waitFor()
  await page.keyboard.press('Escape')

  await menu('Close the month').click()
  await menu('Reports').click()
  const saved = page.waitForEvent('download')
  await button('Payments CSV').click()
  const csv = readFileSync(await (await saved).path(), 'utf8')
  assert.match(csv, /School fees/)
})
