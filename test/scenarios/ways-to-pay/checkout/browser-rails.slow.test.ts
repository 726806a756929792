import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { openWay } from '../../../support/payment-form.ts'

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

/** Opens the browser of a payer who has chosen a provider and submitted the form. */
async function openPayer(
  javaScriptEnabled: boolean,
  [way, provider]: ['bank' | 'wallet' | 'card', string],
  fields: Record<string, string> = {},
) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
  const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const issues: string[] = []
  page.on('console', (message) => message.type() === 'error' && issues.push(message.text()))
  page.on('pageerror', (error) => issues.push(error.message))
  await page.goto(session.redirectUrl)
  const form = await openWay(page, way, provider)
  for (const [name, value] of Object.entries(fields)) await form.locator(`input[name=${name}]`).fill(value)
  await form.getByRole('button', { name: /^(Pay|Continue)/ }).click()
  await page.waitForURL(/\/simulator\//)
  const status = async () =>
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
  const close = async () => {
    assert.deepEqual(issues, [])
    await context.close()
  }
  return { session, page, status, close }
}

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a payer goes to the bank’s page, approves, and sees that the payment was received', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, ['bank', 'slb001'], {
        accountNumber: '0011223344',
      })
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(/\/pay\/[^/]+$/)
      assert.equal(await page.title(), 'Payment received')
      await until(async () => (await status()) === 'completed')
      await close()
    })

    test('a payer pays by card after entering a wrong and then the correct 3-D Secure code', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, ['card', 'card'])
      await page.getByRole('button', { name: /Mastercard, asks for a code/ }).click()
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

    test('a payer gets a code by following the page’s steps, mistypes it, and then pays with it', async () => {
      const francs = { name: 'Faso Dan Fani', price: { currency: 'XOF', value: 15_000 } }
      const session = (
        await merchant.call('POST', '/v1/checkout-sessions', { ...order, lineItems: [francs] })
      ).body.result
      const context = await browser.newContext({
        javaScriptEnabled,
        reducedMotion: 'reduce',
        locale: 'fr-BF',
        viewport: { width: 360, height: 740 },
      })
      const page = await context.newPage()
      await page.goto(session.redirectUrl)
      await page.locator('input[name=phone]').fill('+226 76 12 34 56')
      await page.getByRole('button', { name: /^Payer [0-9]/ }).click()
      const code = page.getByLabel('Code', { exact: true })
      await code.waitFor()
      await page.getByText('Composez *555*7#. Entrez le montant.').waitFor()
      assert.equal(
        await page.getByRole('link', { name: 'Composer *555*7#' }).getAttribute('href'),
        'tel:*555*7%23',
      )
      await code.fill('367')
      await page.getByRole('button', { name: 'Envoyer le code' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Code', { exact: true }).fill('367 025')
      await page.getByRole('button', { name: 'Envoyer le code' }).click()
      await page.getByRole('heading', { name: 'En attente de confirmation' }).waitFor()
      assert.equal(await page.getByLabel('Code', { exact: true }).count(), 0)
      const status = async () =>
        (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
      await until(async () => (await status()) === 'completed')
      await page.getByRole('heading', { name: 'Paiement reçu' }).waitFor()
      await context.close()
    })

    test('a payer who goes back without finishing finds the link to the bank again, and can cancel there', async () => {
      const { page, status, close } = await openPayer(javaScriptEnabled, ['card', 'card'])
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
