import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { type Merchant, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { asCsvRows, readSpreadsheet, withoutApostrophe } from '../../../support/spreadsheet.ts'
import { fillShop, payment, payTo } from './shop.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

let shop: Merchant
let shown: Record<string, string>
before(async () => {
  shop = await stage.t.merchant()
  shown = await fillShop(stage.t, shop)
})

const { open } = stage
const read = async (path: string) => (await shop.call('GET', path)).body.result
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Creates a refund that needs approval by another member. */
async function proposed(value: number): Promise<string> {
  await shop.call('PATCH', '/v1/settings', { refundApprovalAbove: [{ currency: 'SLE', value: 0 }] })
  const paymentId = await payment(shop, 'Raffia mat', '076123456', 'completed')
  const amount = { currency: 'SLE', value }
  const { body } = await shop.call('POST', '/v1/refunds', { paymentId, amount, reason: 'duplicate' })
  assert.equal(body.result.pendingReason, 'approval')
  return body.result.id
}

test('another member approves a proposed refund and sees it complete without reloading', async () => {
  const id = await proposed(700)
  const finance = await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' })
  await open(finance, `/refunds/${id}`, async (page) => {
    await page.locator('.facts .status', { hasText: 'Pending approval' }).waitFor()
    await button(page, 'Approve').click()
    await page.getByRole('dialog').getByText('Le 7.00 will be sent back to the payer immediately.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.locator('.facts .status', { hasText: 'Completed' }).waitFor()
  })
  const { approval } = await read(`/v1/refunds/${id}`)
  assert.equal(approval.status, 'approved')
  const { email } = (await read('/v1/members')).find(({ id }: { id: string }) => id === approval.userId)
  await open(shop, `/refunds/${id}`, async (page) => {
    await page.locator('.facts').getByText(email, { exact: true }).waitFor()
  })
})

test('keyboard only: a rejected refund releases its money', async () => {
  const id = await proposed(800)
  const finance = await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' })
  await open(finance, `/refunds/${id}`, async (page) => {
    await button(page, 'Reject').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.facts .status', { hasText: 'Cancelled' }).waitFor()
  })
  assert.equal((await read(`/v1/refunds/${id}`)).status, 'cancelled')
})

test('a member who may not approve sees no decision buttons on a refund', async () => {
  const id = await proposed(900)
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await open(support, `/refunds/${id}`, async (page) => {
    for (const name of ['Approve', 'Reject', 'Cancel refund'])
      assert.equal(await button(page, name).count(), 0, name)
  })
})

test('the creator of a pending refund is told that another member must approve it', async () => {
  const id = await proposed(950)
  await open(shop, `/refunds/${id}`, async (page) => {
    await page.getByText('You created this. Another member must approve it.').waitFor()
    for (const name of ['Approve', 'Reject']) assert.equal(await button(page, name).count(), 0, name)
  })
})

test('a transfer moves money between two accounts; an invalid amount is not sent', async () => {
  await open(shop, '/internal-transfers/new', async (page) => {
    await page.getByLabel('From').selectOption({ label: 'Main SLE (SLE)' })
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Rent (SLE)' })
    await page.getByLabel('Amount in SLE').fill('a lot')
    await button(page, 'Create transfer').click()
    await page.getByText('Enter a valid amount.').waitFor()
    await page.getByLabel('Amount in SLE').fill('12.50')
    await page.getByLabel('Description').fill('Rent of December')
    await button(page, 'Create transfer').click()
    await page.getByRole('heading', { name: 'Le 12.50 · Rent of December' }).waitFor()
    await page.locator('.facts .status', { hasText: 'Completed' }).waitFor()
  })
})

test('a transfer beyond the balance fails with a reason and moves nothing', async () => {
  const balances = async () =>
    (await read('/v1/financial-accounts?withBalance=true')).map(
      ({ name, balance }: { name: string; balance: object }) => [name, balance],
    )
  const before = await balances()
  await open(shop, '/internal-transfers/new', async (page) => {
    await page.getByLabel('From').selectOption({ label: 'Rent (SLE)' })
    await page.getByLabel('Amount in SLE').fill('900000')
    await button(page, 'Create transfer').click()
    await page.locator('.facts .status', { hasText: 'Failed' }).waitFor()
    await page.locator('.facts').getByText('The source account has insufficient available balance.').waitFor()
  })
  assert.deepEqual(await balances(), before)
})

/** Downloads a spreadsheet with the button of this name, and compares all of its cells with the CSV. */
async function assertSpreadsheet(page: Page, name: string, file: RegExp, csv: string) {
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  assert.match(saved.suggestedFilename(), file)
  const [sheet] = readSpreadsheet(readFileSync(await saved.path()))
  const lines: string[][] = parse(csv)
  assert.deepEqual(
    asCsvRows(sheet!),
    lines.map((line) => line.map(withoutApostrophe)),
  )
}

test('an account can be opened and its monthly statement downloaded', async () => {
  await open(shop, '/financial-accounts', async (page) => {
    await button(page, 'Open account').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Salaries')
    await page.getByRole('dialog').getByRole('button', { name: 'Open account' }).click()
    await page.getByRole('heading', { name: 'Salaries', exact: true }).waitFor()
    await page.getByText('No transactions this month.').waitFor()
    await page.goto(stage.addressOf(shop, shown['/financial-accounts/:id']!))
    const saved = page.waitForEvent('download')
    await button(page, 'Download CSV').click()
    const csv = readFileSync(await (await saved).path(), 'utf8')
    assert.match(csv, /internal_transfer/)
    await assertSpreadsheet(page, 'Download Excel', /^statement-\d{4}-\d{2}\.xlsx$/, csv)
  })
})

test('each line of the accounts names its provider, direction and fee, and links to its object', async () => {
  const [{ id }] = await read('/v1/payments?status=completed')
  const { financialTransactionReference: reference } = await read(`/v1/payments/${id}`)
  await open(shop, `/financial-transactions?reference=${reference}`, async (page) => {
    const rows = page.locator('tbody tr')
    await rows.first().getByText('Orange Money').waitFor()
    assert.deepEqual(await rows.locator('td.first').allTextContents(), ['Payment fee', 'Payment'])
    for (const row of await rows.all()) {
      await row.getByText('Collections', { exact: true }).waitFor()
      assert.match((await row.getByRole('link').getAttribute('href')) ?? '', new RegExp(`/payments/${id}$`))
    }
    await assertUsable(page, 'transactions', looksIn.en)
  })
})

test('keyboard only: an account can be renamed, and a blank name is refused next to its field', async () => {
  const own = await stage.t.merchant()
  await fund(stage.t.app.parts, own.scope, 100)
  const [{ id }] = (await own.call('GET', '/v1/financial-accounts')).body.result
  await open(
    own,
    `/financial-accounts/${id}`,
    async (page) => {
      await button(page, 'Edit').press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('   ')
      await page.keyboard.press('Enter')
      await dialog.locator('.fault').waitFor()
      await assertUsable(page, 'account-edit', looksIn.en)
      await dialog.getByLabel('Name').fill('Till')
      await dialog.getByLabel('Description').fill('What the shop took')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Till' }).waitFor()
    },
    [400],
  )
  const { result } = (await own.call('GET', `/v1/financial-accounts/${id}`)).body
  assert.deepEqual([result.name, result.description], ['Till', 'What the shop took'])
})

test('a balance beyond the safe integer range is shown exactly, in the statement, too', async () => {
  const rich = await stage.t.merchant()
  for (const value of [Number.MAX_SAFE_INTEGER, 2]) await fund(stage.t.app.parts, rich.scope, value)
  await open(rich, '/financial-accounts', async (page) => {
    await page.getByRole('cell', { name: 'Le 90,071,992,547,409.93' }).waitFor()
    await page.getByRole('link', { name: 'Main SLE' }).click()
    const closing = page.locator('.facts', { hasText: 'Closing balance' })
    await closing.getByText('Le 90,071,992,547,409.93').last().waitFor()
  })
})

test('a truncated statement says so', async () => {
  const busy = await stage.t.merchant()
  let account = ''
  for (let i = 0; i < 51; i++) account = await fund(stage.t.app.parts, busy.scope, 100)
  await open(busy, `/financial-accounts/${account}`, async (page) => {
    await page
      .getByText('Showing the first 50 of 51 transactions. The CSV and Excel files contain all of them.')
      .waitFor()
  })
})

test('the payments of a month can be exported in three clicks', async () => {
  await open(shop, '/', async (page) => {
    await page.getByRole('link', { name: 'Close the month' }).click()
    await page.getByRole('link', { name: 'Reports', exact: true }).click()
    const saved = page.waitForEvent('download')
    await button(page, 'Payments CSV').click()
    const file = await saved
    assert.match(file.suggestedFilename(), /^payments-\d{4}-\d{2}\.csv$/)
    const [head = '', ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.match(head, /^id,/)
    assert.equal(lines.length, (await read('/v1/payments?limit=50')).length)
    const csv = readFileSync(await file.path(), 'utf8')
    await assertSpreadsheet(page, 'Payments Excel', /^payments-\d{4}-\d{2}\.xlsx$/, csv)
    for (const report of ['Payouts', 'Refunds', 'Providers', 'Fees', 'Balances'])
      assert.equal(await button(page, `${report} Excel`).count(), 1)
  })
})

test('reports list fees and provider balances by provider and direction, and a fee links to what it was charged for', async () => {
  const own = await stage.t.merchant()
  await payment(own, 'Country cloth', '076123456', 'completed')
  await payment(own, 'Palm oil', '088123456', 'completed', 'm18')
  const { body } = await own.call('POST', '/v1/payouts', payTo('076123456', 1_000))
  await until(
    async () => (await own.call('GET', `/v1/payouts/${body.result.id}`)).body.result.status === 'completed',
  )
  const rowsOf = (page: Page, name: string) =>
    page.getByRole('table', { name }).locator('tbody tr').allInnerTexts()
  const has = (rows: string[], ...parts: string[]) =>
    assert.ok(
      rows.some((row) => parts.every((part) => row.includes(part))),
      `${parts}: ${rows.join(' | ')}`,
    )
  await open(own, '/reports', async (page) => {
    await page.getByRole('cell', { name: 'Payment fee' }).first().waitFor()
    await page.getByRole('cell', { name: 'Afrimoney' }).nth(1).waitFor()
    const fees = await rowsOf(page, 'Fees')
    for (const provider of ['Orange Money', 'Afrimoney']) has(fees, 'Payment fee', provider, 'Collections')
    const held = await rowsOf(page, 'Balances held by providers')
    has(held, 'Orange Money', 'Collections')
    has(held, 'Orange Money', 'Disbursements')
    has(held, 'Afrimoney', 'Collections')
    const collected = page
      .getByRole('table', { name: 'Balances held by providers' })
      .getByRole('row', { name: /Afrimoney/ })
      .getByRole('link', { name: 'Le 300.00' })
    assert.match(
      (await collected.getAttribute('href')) ?? '',
      /\/payments\?provider=m18&status=completed&from=(\d{4}-\d\d-\d\d)&to=\1$/,
    )
    await assertUsable(page, 'reports-of-two-providers', looksIn.en)
    await page.getByRole('row', { name: 'Afrimoney' }).getByRole('link', { name: 'Payment fee' }).click()
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
    await page.getByText('Palm oil').waitFor()
    assert.equal(await page.getByText('Country cloth').count(), 0)
  })
  const [account] = (await own.call('GET', '/v1/financial-accounts')).body.result
  await open(own, `/financial-accounts/${account.id}`, async (page) => {
    await page.getByRole('link', { name: 'Payment fee' }).first().waitFor()
    await page.getByRole('cell', { name: 'Afrimoney' }).first().waitFor()
    const lines = await rowsOf(page, 'Transactions')
    has(lines, 'Payment fee', 'Afrimoney', 'Collections')
    has(lines, 'Payout', 'Orange Money', 'Disbursements')
    await assertUsable(page, 'account-with-fees', looksIn.en)
    await page.getByRole('link', { name: 'Payment fee' }).last().click()
    await page.getByRole('heading', { name: 'Palm oil' }).waitFor()
  })
})

test('money from a late success can be refunded to the payer', async () => {
  await open(shop, shown['/cases/:id']!, async (page) => {
    await button(page, 'Refund the payer').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Refund the payer' }).click()
    await page.locator('.facts .status', { hasText: 'Closed' }).waitFor()
  })
  const [refund] = await until(async () => {
    const refunds = (await read('/v1/refunds?limit=50')) as { reason: string }[]
    const late = refunds.filter(({ reason }) => reason === 'late_payment')
    return late.length > 0 && late
  })
  assert.ok(refund)
})

test('support can email a receipt', async () => {
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await open(
    support,
    shown['/receipts/:orderNumber']!,
    async (page) => {
      await button(page, 'Send by email').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Email').fill('nobody')
      await dialog.getByRole('button', { name: 'Send' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Email').fill('ama@mail.example')
      await dialog.getByRole('button', { name: 'Send' }).click()
      await page.getByText('The receipt is on its way.').waitFor()
    },
    [400],
  )
})

test('a payment page shows its history in plain words and its next step', async () => {
  const id = await payment(shop, 'Indigo cloth', '076123456', 'completed')
  await open(shop, `/payments/${id}`, async (page) => {
    for (const words of ['Payment started by the payer.', /^Sent to the provider/, 'Payment completed.'])
      await page.locator('.timeline').getByText(words).waitFor()
    await page.locator('.timeline').getByText('Posted to your account: Le 300.00').waitFor()
    assert.equal(await page.locator('.timeline .next').count(), 0)
  })
  const waiting = await proposed(600)
  await open(shop, `/refunds/${waiting}`, async (page) => {
    await page.locator('.timeline .next').getByText('Waiting for approval.').waitFor()
  })
})
