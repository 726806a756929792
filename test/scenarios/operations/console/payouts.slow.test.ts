import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Merchant, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { payTo } from './shop.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const { open } = stage

const read = async (merchant: Merchant, path: string) => (await merchant.call('GET', path)).body.result
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.locator('dialog').getByRole('button', { name, exact: true })

/** Expects the page to show the member's email as the decider. */
async function decidedBy(page: Page, member: Merchant) {
  const { email } = (await read(member, '/v1/me')).user
  await page.locator('.facts').getByText(email, { exact: true }).waitFor()
}

/** Creates a funded Space that requires approval above an amount, and a member who may approve. */
async function shopWithApproval(value = 1_000) {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  await shop.call('PATCH', '/v1/settings', { payoutApprovalAbove: [{ currency: 'SLE', value }] })
  return { shop, approver: await stage.t.merchant({ sameSpaceAs: shop, role: 'finance' }) }
}

test('keyboard only: approving a payout needs confirmation', async () => {
  const { shop, approver } = await shopWithApproval()
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body.result
  const rows = [payTo('076123457')]
  await shop.call('POST', '/v1/payout-batches', { name: 'Salaries of November', rows })
  await open(approver, '/approvals', async (page) => {
    await assertUsable(page, 'approvals-waiting', looksIn.en)
    const approve = button(page, 'Approve')
    await approve.focus()
    await page.keyboard.press('Enter')
    await page
      .getByText(/^Le 150\.00 will be sent to .+\. Afterwards you can only ask the provider to recall it\.$/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    assert.ok(await approve.evaluate((element) => element === element.ownerDocument.activeElement))
    assert.equal((await read(shop, `/v1/payouts/${id}`)).approval.status, 'required')
    await page.keyboard.press('Enter')
    await inDialog(page, 'Approve').focus()
    await page.keyboard.press('Enter')
    await page.getByText('No payouts to approve.').waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^(Approved\. )?Le 150\.00 .+ to .+\. View payout$/ })
      .getByRole('link')
      .waitFor()
  })
  const { approval } = await read(shop, `/v1/payouts/${id}`)
  assert.equal(approval.status, 'approved')
})

test('on a phone, an approver sees the requester, the reason, the account holder, earlier payouts and the balance, and approves', async () => {
  const { shop } = await shopWithApproval(10_000)
  const approver = await stage.t.merchant({ sameSpaceAs: shop, role: 'admin' })
  const earlier = (await shop.call('POST', '/v1/payouts', payTo('076123456', 5_000))).body.result.id
  await until(async () => (await read(shop, `/v1/payouts/${earlier}`)).status === 'completed')
  const asked = { ...payTo('076123456'), metadata: { note: 'Sewing machine, Kissy Road' } }
  const { id } = (await shop.call('POST', '/v1/payouts', asked)).body.result
  const { email } = (await read(shop, '/v1/me')).user
  const { account } = await read(shop, '/v1/provider-kyc/m17?accountId=%2B23276123456')
  const { source } = await read(shop, `/v1/payouts/${id}`)
  const { balance } = await read(shop, `/v1/financial-accounts/${source.financialAccountId}?withBalance=true`)
  const left = `Le ${(balance.available.value / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`
  await stage.visit(
    { merchant: approver, viewport: { width: 360, height: 640 }, hasTouch: true },
    async (page) => {
      await page.goto(stage.addressOf(approver, '/approvals'))
      const item = page.getByRole('listitem').filter({ hasText: 'Le 150.00' })
      for (const text of ['Sewing machine, Kissy Road', account.holderName, left, email])
        await item.getByText(text, { exact: true }).waitFor()
      await item.getByText('1, last Le 50.00').waitFor()
      const { height = 0, width = 0 } = (await button(page, 'Approve').boundingBox()) ?? {}
      assert.ok(height >= 44 && width >= 100, `a thumb finds a button of ${width} × ${height} px`)
      await button(page, 'Approve').tap()
      await inDialog(page, 'Approve').tap()
      await page.getByText('No payouts to approve.').waitFor()
    },
  )
  assert.equal((await read(shop, `/v1/payouts/${id}`)).approval.status, 'approved')
})

test('several payouts can be approved at once, but not those that the approver created', async () => {
  const { shop, approver } = await shopWithApproval()
  const create = async (member: Merchant, phone: string) =>
    (await member.call('POST', '/v1/payouts', payTo(phone))).body.result.id
  const ids = [await create(shop, '076123456'), await create(shop, '076123457')]
  const own = await create(approver, '076123458')
  await stage.visit({ merchant: approver, language: 'fr' }, async (page) => {
    await page.goto(stage.addressOf(approver, '/approvals'))
    await page.getByText('Premier versement').nth(2).waitFor()
    await assertUsable(page, 'approvals-waiting-fr', looksIn.fr)
  })
  await open(approver, '/approvals', async (page) => {
    await page.getByText('First payout').nth(2).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 2)
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await assertUsable(page, 'approvals-selected', looksIn.en)
    await button(page, 'Approve 2 payouts').click()
    await inDialog(page, 'Approve 2 payouts').click()
    await page.locator('dialog').getByText('Done').nth(1).waitFor()
    await inDialog(page, 'Close').click()
    await page.locator('dialog').waitFor({ state: 'detached' })
  })
  for (const id of ids) assert.equal((await read(shop, `/v1/payouts/${id}`)).approval.status, 'approved')
  assert.equal((await read(shop, `/v1/payouts/${own}`)).approval.status, 'required')
})

test('a pending payout can be rejected on its page and is shown as rejected', async () => {
  const { shop, approver } = await shopWithApproval()
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body.result
  await open(approver, `/payouts/${id}`, async (page) => {
    await page.locator('.facts .status', { hasText: 'Pending approval' }).waitFor()
    await button(page, 'Reject').click()
    await inDialog(page, 'Reject').click()
    const outcome = /^Rejected\. Nothing is sent to .+, and Le 150\.00 is available again\.$/
    await page.getByRole('status').getByText(outcome).waitFor()
    await page.locator('.facts .status', { hasText: 'Rejected' }).waitFor()
    assert.equal(await page.locator('main .head button').count(), 0)
    await decidedBy(page, approver)
  })
  assert.equal((await read(shop, `/v1/payouts/${id}`)).status, 'failed')
})

test('on the page of a payout, its approver sees what the approval card shows, and then what becomes of it', async () => {
  const { shop } = await shopWithApproval()
  const approver = await stage.t.merchant({ sameSpaceAs: shop, role: 'admin' })
  const asked = { ...payTo('076123456'), metadata: { note: 'Sewing machine' } }
  const { id } = (await shop.call('POST', '/v1/payouts', asked)).body.result
  const { email } = (await read(shop, '/v1/me')).user
  const { holderName } = (await read(shop, '/v1/provider-kyc/m17?accountId=%2B23276123456')).account
  await open(approver, `/payouts/${id}`, async (page) => {
    const facts = page.locator('.facts')
    for (const text of [holderName, email, 'Sewing machine', 'First payout'])
      await facts.getByText(text, { exact: true }).waitFor()
    await facts.getByText('Balance after payout').waitFor()
    await page.getByText('Approve or reject this payout. The money is held until then.').waitFor()
    assert.equal(await page.getByText(/another member must approve/i).count(), 0)
    await assertUsable(page, 'payout-to-approve', looksIn.en)
    await button(page, 'Approve').click()
    await page.locator('dialog').getByText(holderName).waitFor()
    await inDialog(page, 'Approve').click()
    await page.getByRole('status').getByText(`Le 150.00 was paid to ${holderName}.`).waitFor()
    await page.locator('.facts .status', { hasText: 'Completed' }).waitFor()
  })
})

test('a payout is checked before creation: errors are shown next to fields, warnings in the review', async () => {
  const { shop } = await shopWithApproval(100_000)
  await open(shop, '/payouts/new', async (page) => {
    await page.getByLabel('Provider').selectOption('m17')
    await page.getByLabel('Phone').fill('12')
    await page.getByLabel('Amount in SLE').fill('1.5.0')
    await button(page, 'Review').click()
    await page.getByText('Enter a valid phone number.').waitFor()
    await page.getByText('Enter a valid amount.').waitFor()
    await page.getByLabel('Phone').fill('0761234567890')
    await page.getByLabel('Amount in SLE').fill('15.00')
    await button(page, 'Review').click()
    await page.locator('form [aria-invalid]').waitFor()
    await page.getByLabel('Phone').fill('076 123 456')
    await button(page, 'Review').click()
    await page.getByText('You have not paid this payee before. Check the details.').waitFor()
    assert.deepEqual(await read(shop, '/v1/payouts'), [])
    await page.locator('dialog dd strong').waitFor()
    await assertUsable(page, 'payout-review', looksIn.en)
    await inDialog(page, 'Pay out').click()
    await page.locator('.facts .status', { hasText: 'Completed' }).waitFor()
  })
  const [payout] = await read(shop, '/v1/payouts')
  assert.deepEqual(payout.amount, { currency: 'SLE', value: 1_500 })
})

test('a blank account gets an error for its type, and no check is sent', async () => {
  const { shop } = await shopWithApproval()
  await open(shop, '/payouts/new', async (page) => {
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.getByLabel('Amount in SLE').fill('15.00')
    for (const [provider, label, words] of [
      ['m17', 'Phone', 'Enter a valid phone number.'],
      ['slb001', 'Account number', 'Enter an account number.'],
      ['dw001', 'Wallet ID', 'Enter a wallet ID.'],
    ] as const) {
      await page.getByLabel('Provider').selectOption(provider)
      await page.getByLabel(label, { exact: true }).fill('  ')
      await button(page, 'Review').click()
      await page.locator('.fault').getByText(words, { exact: true }).waitFor()
    }
    assert.deepEqual(
      calls.filter((url) => url.includes('/check')),
      [],
    )
  })
})

const headings = 'amount,currency,type,provider,account,name'
const sound = '15.00,SLE,momo,m17,+23276123456,Fatu'

test('a batch with errors can be corrected, created and approved as a whole by another member', async () => {
  const { shop, approver } = await shopWithApproval()
  await open(shop, '/payout-batches/new', async (page) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download an example').click(),
    ])
    assert.match(readFileSync(await file.path(), 'utf8'), /^amount,currency,type,provider,account/)
    await page.getByLabel('Name').fill('Salaries')
    const buffer = Buffer.from(`${headings}\n${sound}\n1.5.0,SLE,momo,m17,+23276123457,Sahr\n`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'pay.csv', mimeType: 'text/csv', buffer })
    await button(page, 'Check rows').click()
    await page.getByText('Rows that cannot be paid: 1.').waitFor()
    await page.getByText(/^amount: /).waitFor()
    assert.equal(await button(page, 'Create batch').count(), 0)
    await assertUsable(page, 'batch-with-faults', looksIn.en)
    await page.getByLabel('Rows').fill(`${headings}\n${sound}\n${sound}\n`)
    await button(page, 'Check rows').click()
    await page.getByText('All rows are valid.').waitFor()
    await page.getByText('An earlier row pays the same amount to the same payee.').waitFor()
    assert.deepEqual(await read(shop, '/v1/payout-batches'), [])
    await button(page, 'Create batch').click()
    await page.getByText('You created this. Another member must approve it.').waitFor()
  })
  const [{ id }] = await read(shop, '/v1/payout-batches')
  await open(approver, `/payout-batches/${id}`, async (page) => {
    await button(page, 'Approve batch').click()
    await page.getByText('All 2 payouts will be sent, Le 30.00 in total.').waitFor()
    await inDialog(page, 'Approve batch').click()
    await page.getByText('2 paid of 2', { exact: true }).waitFor()
    assert.equal(await page.locator('.batch-progress rect.paid').getAttribute('width'), '100%')
    await decidedBy(page, approver)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download results as CSV').click(),
    ])
    assert.equal(
      readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n').length,
      3,
    )
  })
  await until(async () => (await read(shop, `/v1/payout-batches/${id}`)).status === 'completed')
})

test('the creator of a payout is told that another member must approve it, and sees no button for it', async () => {
  const { shop, approver } = await shopWithApproval()
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body.result
  for (const [member, path, buttons] of [
    [shop, `/payouts/${id}`, ['Cancel payout']],
    [shop, '/approvals', []],
    [approver, '/approvals', ['Approve', 'Reject']],
  ] as const)
    await open(member, path, async (page) => {
      const own = page.getByText('You created this. Another member must approve it.')
      if (member === shop) await own.waitFor()
      else await button(page, 'Approve').waitFor()
      assert.equal(await own.count(), member === shop ? 1 : 0)
      const names = await page.locator('main button').allTextContents()
      assert.deepEqual(
        names.filter((name) => /^(Approve|Reject|Cancel)/.test(name)),
        buttons,
      )
    })
})

test('a role that may not approve sees a pending payout without buttons', async () => {
  const { shop } = await shopWithApproval()
  const { id } = (await shop.call('POST', '/v1/payouts', payTo('076123456'))).body.result
  for (const [role, buttons] of [
    ['viewer', []],
    ['developer', ['Cancel payout']],
  ] as const) {
    const member = await stage.t.merchant({ sameSpaceAs: shop, role })
    await open(member, `/payouts/${id}`, async (page) => {
      await page.locator('.facts .status', { hasText: 'Pending approval' }).waitFor()
      assert.deepEqual(await page.locator('main .head button').allTextContents(), buttons)
    })
  }
})
