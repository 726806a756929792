import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { openBrowser } from '../../../../../../test/support/browser.ts'
import { pagePolicy } from './policy.ts'
import { type ReceiptView, renderReceiptPage } from './receipt-page.ts'
import { receiptTexts } from './receipt-texts.ts'

// The receipt in a real browser, under the real Content-Security-Policy.

const amount = 'Sh.So.\u00a090,071,992,547,409.91'
const item = {
  name: 'Country cloth',
  description: 'Indigo',
  multiple: '2 × Le\u00a0150.00',
  total: 'Le\u00a0300.00',
}
const longItem = {
  name: 'N'.repeat(100),
  description: 'w'.repeat(100),
  multiple: `100,000 × ${amount}`,
  total: amount,
}
const short: ReceiptView = {
  t: receiptTexts.en,
  merchant: 'Aminata’s Cloth',
  name: 'Order 42',
  orderNumber: '482915037264',
  paidAt: { text: '21 November 2026 at 10:00 GMT', time: new Date('2026-11-21T10:00:00Z') },
  provider: 'Orange Money',
  account: '+23276****56',
  transaction: 'MP261121.1000.A12345',
  returned: [],
  items: [item, { ...item, description: null, multiple: null }],
  total: 'Le\u00a0600.00',
  brand: '#ffd400',
  environment: 'live',
}
const views: Record<string, ReceiptView> = {
  short,
  long: {
    ...short,
    t: receiptTexts.fr,
    merchant: 'M'.repeat(100),
    name: 'W'.repeat(150),
    items: Array.from({ length: 16 }, () => longItem),
    returned: Array.from({ length: 20 }, () => ({
      text: 'Remboursé le 22 novembre 2026 à 10:00 GMT',
      amount,
    })),
    total: amount,
    environment: 'test',
  },
}

const nonce = 'bm9uY2U'
const links = { nonce, pagePath: '/pay/key', pdfPath: '/pay/key/receipt.pdf' }
const origin = 'https://pay.example'
const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const browser = await openBrowser()
after(() => browser.close())

for (const [name, view] of Object.entries(views))
  for (const width of [320, 360, 1440])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`a ${name} receipt fits ${width} px in ${colorScheme} mode, without accessibility violations`, async () => {
        const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme })
        const errors: string[] = []
        const page = await context.newPage()
        page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
        await page.route(`${origin}/**`, (route) =>
          route.fulfill({
            contentType: 'text/html; charset=utf-8',
            headers: { 'content-security-policy': pagePolicy(nonce) },
            body: renderReceiptPage(view, links),
          }),
        )
        await page.goto(`${origin}/pay/key/receipt`)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
        await page.evaluate(axe)
        const { violations } = (await page.evaluate(
          'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })',
        )) as { violations: { id: string; nodes: { html: string }[] }[] }
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          [],
        )
        assert.deepEqual(errors, [])
        await context.close()
      })
