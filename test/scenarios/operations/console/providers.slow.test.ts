import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Merchant } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { openConsole } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const address = '/installation/providers/m17'
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

/** Returns the text of the page that the payer sees. */
async function payersRead(shop: Merchant): Promise<string> {
  const body = { name: 'Cloth', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }] }
  const { result } = (await shop.call('POST', '/v1/checkout-sessions', body)).body
  return (await createPayer(result.redirectUrl).look()).text
}

test('keyboard only: an operator pauses payments of a provider with a message to payers, and resumes them', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(
    operator,
    address,
    async (page) => {
      const here = page.getByRole('region', { name: /\(test\)/ })
      await here.getByRole('button', { name: /^Pause/ }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Those already in progress complete normally.').waitFor()
      await dialog.getByLabel('Direction', { exact: true }).selectOption('collect')
      await dialog.getByLabel('Message to payers').fill('Back at noon.')
      await dialog.getByLabel('Resume automatically at').fill('2020-01-01T10:00')
      await page.keyboard.press('Enter')
      await dialog.locator('.fault', { hasText: 'must be in the future' }).waitFor()
      await dialog.getByLabel('Resume automatically at').fill('')
      await dialog.getByLabel('Message to payers').press('Enter')
      await here.getByText('Partially paused').waitFor()
      await here.getByRole('cell', { name: 'Back at noon.' }).waitFor()
      assert.match(await payersRead(operator), /Back at noon\./)
      await dialog.waitFor({ state: 'detached' })
      await assertUsable(page, 'provider-paused', looksIn.en)

      await here.getByRole('button', { name: /^Resume/ }).focus()
      await page.keyboard.press('Enter')
      await inDialog(page, 'Resume').press('Enter')
      await here.getByText('No pauses.').waitFor()
      assert.doesNotMatch(await payersRead(operator), /Back at noon/)
    },
    [400],
  )
})

test('a blank reason is refused next to its field, and nothing is paused', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(
    operator,
    address,
    async (page) => {
      await page
        .getByRole('button', { name: /^Pause/ })
        .first()
        .click()
      await page.getByLabel('Message to payers').fill('   ')
      await inDialog(page, 'Pause').click()
      await page.locator('dialog .fault').waitFor()
    },
    [400],
  )
  const { result } = (await operator.call('GET', '/v1/installation/providers')).body
  assert.ok(result.connections.every(({ pauses }: { pauses: object[] }) => pauses.length === 0))
})

test('testing a connection shows the result of each step', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(operator, address, async (page) => {
    const here = page.getByRole('region', { name: /\(test\)/ })
    await here.getByRole('button', { name: /^Test/ }).click()
    const dialog = page.getByRole('dialog')
    const steps = dialog.locator('tbody tr')
    await steps.first().waitFor()
    for (const step of await steps.all()) assert.equal(await step.locator('.status').textContent(), 'OK')
    await assertUsable(page, 'provider-test', looksIn.en)
    await inDialog(page, 'Close').click()
    await dialog.waitFor({ state: 'detached' })
  })
})

test('the success rate of a provider includes a new payment', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  const body = { name: 'Cloth', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }] }
  const { result } = (await operator.call('POST', '/v1/checkout-sessions', body)).body
  await createPayer(result.redirectUrl).pay('m17', '+23276123456')
  await stage.open(operator, '/installation/providers', async (page) => {
    await page
      .getByRole('row')
      .filter({ hasText: 'test' })
      .filter({ hasText: 'm17' })
      .getByText('100% of 1')
      .waitFor({ timeout: 25_000 })
  })
})

test('keyboard only: an operator creates a Space and changes its fees, from either environment', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(operator, '/installation/spaces', async (page) => {
    await page.getByRole('button', { name: 'Create Space' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Freetown Foods')
    await dialog.getByLabel('Country').fill('sl')
    await dialog.getByLabel('Owner’s email').fill('ama@foods.example')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Freetown Foods' }).press('Enter')
    await page.getByRole('button', { name: /^Change Payments/ }).press('Enter')
    await dialog.getByLabel('Rule').fill('1%')
    await dialog.getByLabel('Reason').fill('As agreed')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: '1%' }).waitFor()
  })
  const { result } = (await operator.call('GET', '/v1/installation/spaces')).body
  assert.ok(result.some(({ name }: { name: string }) => name === 'Freetown Foods'))
})
