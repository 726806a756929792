import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { must } from '@pesewa/values'
import type { Page } from 'playwright-core'
import { startTestApp } from '../../../support/harness.ts'
import { assertUsable } from '../console/usable.ts'
import { openPages } from './browsing.ts'

const t = await startTestApp({ work: false })
const { visit, close } = await openPages(t.baseUrl)
after(async () => {
  await close()
  await t.close()
})

const ask = (query: string) => fetch(`${t.baseUrl}/docs/search${query}`)
const hitsIn = (html: string) =>
  [...html.matchAll(/<li><a href="(\/docs\/[^"]*)">/g)].map(([, address]) => address)
const found = async (words: string) => hitsIn(await (await ask(`?q=${encodeURIComponent(words)}`)).text())

const finder = (page: Page) => page.getByRole('dialog', { name: 'Search the documentation' })
const field = (page: Page) => finder(page).getByRole('searchbox')
const hits = (page: Page) => finder(page).getByRole('link')

describe('the search of the documents, on the server', () => {
  test('finds guides, calls by their path and fields by their names, best match first', async () => {
    const expected = {
      'payment codes': '/docs/guides/payment-codes',
      'POST /v1/payouts': '/docs/reference/api/payouts#post-v1payouts',
      'sign in passkey': '/docs/guides/console#signing-in',
      reconciliaton: '/docs/guides/reconciliation',
    }
    for (const [words, address] of Object.entries(expected)) {
      const addresses = await found(words)
      assert.ok(addresses.slice(0, 5).includes(address), `${words}: ${addresses.slice(0, 5)}`)
    }
    assert.ok(
      (await found('destinationTransactionReference')).some((address) => address?.includes('/api/payouts#')),
    )
  })

  test('links to existing pages and anchors', async () => {
    for (const address of await found('refund')) {
      const [path = '', anchor] = must(address, 'address').split('#')
      const html = await (await fetch(t.baseUrl + path)).text()
      if (anchor) assert.ok(html.includes(` id="${anchor}"`), address)
    }
  })

  test('marks the search terms', async () => {
    assert.match(await (await ask('?q=refund')).text(), /<strong>[^<]*<mark>Refund/)
  })

  test('shows hostile queries as text and searches for their words', async () => {
    for (const hostile of [
      '"><script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '__proto__',
      'constructor toString hasOwnProperty',
      '(((((a+)+)+)+)+)$',
      '\\',
      '[',
      '\u0000\u202e',
      'a'.repeat(5_000),
      'ab '.repeat(2_000),
      '\ud800',
      '*',
    ]) {
      const response = await ask(`?q=${encodeURIComponent(hostile.toWellFormed())}`)
      assert.equal(response.status, 200, hostile.slice(0, 20))
      const html = await response.text()
      assert.doesNotMatch(html, /<script>alert|<img/)
      assert.ok(html.length < 60_000)
    }
    for (const query of ['', '?q=', '?q=%', '?q=%ff', '?q[]=a', '?q=a&q=b', '?q=%20'])
      assert.ok([200, 400].includes((await ask(query)).status), query)
  })

  test('reports that nothing was found', async () => {
    assert.match(await (await ask('?q=xyzzyqwv')).text(), /No results for “xyzzyqwv”/)
  })

  test('is limited to a few requests per second and address: 429', async () => {
    const paced = await startTestApp({ work: false, settings: { RATE_LIMITS: 'on' }, anotherNodeOf: t })
    try {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await fetch(`${paced.baseUrl}/docs/search?q=a`)).status),
      )
      assert.ok(statuses.includes(429), `${statuses}`)
      assert.ok(statuses.includes(200), `${statuses}`)
    } finally {
      await paced.close()
    }
  })
})

describe('the search of the documents, in a browser', () => {
  for (const key of ['/', 'Control+k'])
    test(`opens with ${key}, loads its index once, sends no request per keystroke, and closes by keyboard`, () =>
      visit('/docs/guides/lists', {}, async (page) => {
        await page.keyboard.press(key)
        await page.keyboard.type('payout batch')
        await hits(page).first().waitFor()
        const requested: string[] = []
        page.on('request', (request) => requested.push(request.url()))
        await field(page).fill('webhook')
        await finder(page).getByRole('status').getByText('result').waitFor()
        await hits(page).filter({ hasText: 'Webhook' }).first().waitFor()
        assert.deepEqual(requested, [])
        assert.ok((await finder(page).locator('mark').count()) > 0)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowUp')
        await hits(page).first().and(page.locator(':focus')).waitFor()
        const address = must(await hits(page).first().getAttribute('href'), 'address')
        await page.keyboard.press('Enter')
        await page.waitForURL(address)
        await page.keyboard.press('/')
        await field(page).waitFor()
        await page.keyboard.press('Escape')
        assert.equal(await finder(page).isVisible(), false)
      }))

  test('opens from its field on a phone, and is accessible', () =>
    visit('/docs/guides/lists', { viewport: { width: 360, height: 640 } }, async (page) => {
      await page.getByRole('searchbox').click()
      await field(page).pressSequentially('idempotency')
      await hits(page).first().waitFor()
      await assertUsable(page, 'docs-search', [
        ['light', 360],
        ['dark', 1440],
      ])
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/docs\/(?!guides\/lists$)/)
    }))

  test('shows hostile queries as text', () =>
    visit('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      for (const hostile of ['<img src=x onerror=alert(1)>', '(a+)+$', '__proto__', '[', 'x'.repeat(5_000)]) {
        await field(page).fill(hostile)
        await finder(page)
          .getByRole('status')
          .getByText(/result/i)
          .waitFor()
      }
      assert.equal(await finder(page).locator('img').count(), 0)
    }))

  test('is a form without JavaScript', () =>
    visit(
      '/docs/guides/lists',
      { javaScriptEnabled: false, viewport: { width: 360, height: 640 } },
      async (page) => {
        await page.getByRole('searchbox').fill('payout')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
        assert.equal(await page.getByRole('searchbox').inputValue(), 'payout')
        await page.locator('.hits a').first().click()
        await page.waitForURL(/\/docs\/(?!search)/)
      },
    ))
})
