import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { accessibilityIssues, loadAxe, overflowOf } from '../../support/accessibility.ts'
import { openBrowser } from '../../support/browser.ts'
import { startTestApp, until } from '../../support/harness.ts'
import { createPayer } from '../../support/payer.ts'

// The pages of the simulated banks and the card acquirer, in a browser.

const t = await startTestApp()
const browser = await openBrowser()
after(async () => {
  await browser.close()
  await t.close()
})
const merchant = await t.merchant()

const shots = process.env.SCREENSHOTS
if (shots) mkdirSync(shots, { recursive: true })

/** Returns the URL of a rail's page for a new payment. */
async function openRail(provider: string, account: object, name = 'Country cloth', value = 31_550) {
  const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name, lineItems })).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay(provider, account)
  const url = await until(async () => {
    const { location } = await payer.look('/wait')
    return location?.includes('/simulator/') ? location : undefined
  })
  return { session, payer, url: new URL(url, t.baseUrl).href }
}

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>${'W'.repeat(90)}`
const rails = {
  card: ['card', {}, 'Country cloth, two lappa', 31_550],
  bank: ['slb001', { accountNumber: '0011223344' }, 'Country cloth, two lappa', 31_550],
  'hostile-card': ['card', {}, hostile, 9_007_199_254_740_991],
  'hostile-bank': ['slb001', { accountNumber: '0011223344' }, hostile, 9_007_199_254_740_991],
} as const

describe('a simulated rail’s page fits, is accessible, and escapes its texts', () => {
  for (const [name, [provider, account, what, value]] of Object.entries(rails))
    for (const [colorScheme, width, height] of [
      ['light', 360, 640],
      ['dark', 1280, 800],
    ] as const)
      test(`${name}, ${colorScheme}, ${width} pixels wide`, async () => {
        const { url } = await openRail(provider, account, what, value)
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height },
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        const issues: string[] = []
        page.on('console', (message) => message.type() === 'error' && issues.push(message.text()))
        page.on('dialog', (dialog) => issues.push(dialog.message()))
        await page.goto(url)
        const look = async (stage: string) => {
          if (shots)
            await page.screenshot({
              path: join(shots, `rail-${name}-${stage}-${colorScheme}.png`),
              fullPage: true,
            })
          assert.match(await page.innerText('body'), /^Simulated page of .*No real money moves/)
          assert.equal(await overflowOf(page), 0)
          await loadAxe(page)
          assert.deepEqual(await accessibilityIssues(page), [])
        }
        await look('first')
        const next = provider === 'card' ? /Visa, asks for a code/ : 'Log in'
        await page.getByRole('button', { name: next }).click()
        await look('second')
        assert.deepEqual(issues, [])
        await context.close()
      })
})

test('a card’s button determines the outcome; an answer without a button has no effect', async () => {
  for (const [pay, status, code] of [
    ['mastercard:approve:', 'completed', undefined],
    ['visa:approve:001', 'failed', 'fund_insufficient'],
    ['visa:approve:009', 'failed', 'provider_account_blocked'],
  ] as const) {
    const { session, url } = await openRail('card', {})
    const post = (body: Record<string, string>) =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(body) })
    for (const wrong of [
      '',
      ':',
      'visa',
      'visa:refund:',
      'x'.repeat(1000),
      '\0:\0:\0',
      'visa:approve'.repeat(50),
    ])
      assert.equal((await post({ pay: wrong })).status, 400, wrong.slice(0, 30))
    assert.equal((await post({ pay })).status, 303)
    const payment = await until(async () => {
      const [found] = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
        .result
      return ['completed', 'failed'].includes(found.status) ? found : undefined
    })
    assert.deepEqual([payment.status, payment.failureDetail?.code], [status, code])
    if (status === 'completed') assert.equal(payment.channel.scheme, 'mastercard')
  }
})
