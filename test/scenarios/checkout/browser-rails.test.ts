import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../browser.ts'
import { startTestApp, until } from '../../harness.ts'

const t = await startTestApp()
const browser = await openBrowser()
after(async () => {
  await browser.close()
  await t.close()
})

const merchant = await t.merchant()
const order = {
  name: 'Country cloth',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 } }],
}

/** A payer who has chosen a provider and pressed the button. */
async function openPayer(javaScriptEnabled: boolean, provider: string, fields: Record<string, string> = {}) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
  const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(session.redirectUrl)
  await page.locator(`input[value="${provider}"]`).check()
  for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/simulator\//)
  const status = async () =>
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
  const close = async () => {
    assert.deepEqual(faults, [])
    await context.close()
  }
  return { session, page, status, close }
}

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a payer goes to the bank’s page, approves, and sees that it is paid', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, 'slb001', {
        accountNumber: '0011223344',
      })
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(/\/pay\/[^/]+$/)
      assert.equal(await page.title(), 'Payment received')
      await until(async () => (await status()) === 'completed')
      await close()
    })

    test('a payer pays by card after a wrong and a right 3-D Secure code', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, 'card')
      await page.getByLabel(/Mastercard/).check()
      await page.getByRole('button', { name: 'Approve with 3-D Secure' }).click()
      await page.getByLabel('Code').fill('12')
      await page.evaluate("document.querySelector('input[name=code]').removeAttribute('pattern')")
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Code').fill('123456')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.waitForURL(/\/pay\/[^/]+$/)
      assert.equal(await page.title(), 'Payment received')
      await until(async () => (await status()) === 'completed')
      await close()
    })

    test('a payer who goes back without finishing finds the way there again, and may give up there', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, 'card')
      await page.getByRole('link', { name: /Go back/ }).click()
      await page.waitForURL(/\/wait$/)
      await page.getByRole('link', { name: /Continue to/ }).click()
      await page.waitForURL(/\/simulator\//)
      await page.getByRole('button', { name: 'Cancel payment' }).click()
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /cancelled/)
      assert.equal(await status(), 'pending')
      await close()
    })
  })
