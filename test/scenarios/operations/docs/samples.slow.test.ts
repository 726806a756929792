import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp } from '../../../support/harness.ts'
import { networkMs, viewSlowly } from '../../../support/slow-network.ts'
import { openPages } from './browsing.ts'

const t = await startTestApp({ work: false })
const { visit, close } = await openPages(t.baseUrl)
after(async () => {
  await close()
  await t.close()
})

const payouts = '/docs/reference/api/payouts'
const clipboard: BrowserContextOptions = { permissions: ['clipboard-read', 'clipboard-write'] }
const first = (page: Page) => page.locator('.call').first()
const copied = async (page: Page) => {
  await first(page).locator('.sample:visible .code').hover()
  await first(page).locator('.sample:visible .copy').click()
  await first(page).getByRole('button', { name: 'Copied' }).waitFor()
  return page.evaluate<string>('navigator.clipboard.readText()')
}
const keyIn = (text: string) => /Idempotency-Key: ([0-9a-f-]{36})/.exec(text)?.[1]

/** Fills in the reference's form, as a reader would. */
async function useOwn(page: Page, token: string, space: string): Promise<string> {
  await page.goto('/docs/reference/api')
  await page.getByLabel('Test token').fill(token)
  await page.getByLabel('Space', { exact: true }).fill(space)
  await page.getByRole('button', { name: 'Use these' }).click()
  return page.locator('.said').innerText()
}

describe('samples', () => {
  test('are shown in the chosen language on every page, from the first paint, until another is chosen', () =>
    visit(payouts, {}, async (page) => {
      const tabs = first(page).getByRole('tab')
      const isChosen = (name: string) => first(page).getByRole('tab', { name, selected: true }).waitFor()
      assert.deepEqual(await tabs.allInnerTexts(), ['curl', 'TypeScript', 'PHP', 'Python'])
      await isChosen('curl')
      assert.equal(await first(page).getByRole('tabpanel').count(), 1)
      await first(page).getByRole('tab', { name: 'TypeScript' }).click()
      await first(page).getByText('pesewa.payouts.create(').waitFor()
      // The samples below changed, too, but the scroll position is the same.
      assert.equal(await page.locator('.samples > .sample[data-kind="curl"]:visible').count(), 0)
      await page.goto('/docs/reference/api/refunds')
      await isChosen('TypeScript')
      await page.keyboard.press('Tab')
      await first(page).getByRole('tab', { name: 'TypeScript' }).focus()
      await page.keyboard.press('ArrowRight')
      await isChosen('PHP')
      await page.reload()
      await isChosen('PHP')
      await page.evaluate(`localStorage.setItem('docs.kind', '"><img src=x>')`)
      await page.reload()
      await isChosen('curl')
    }))

  test('are shown below each other, with titles, without JavaScript', () =>
    visit(payouts, { javaScriptEnabled: false }, async (page) => {
      assert.deepEqual(await first(page).locator('.kind:visible').allInnerTexts(), [
        'curl',
        'TypeScript',
        'PHP',
        'Python',
      ])
      assert.equal(await first(page).locator('.sample:visible').count(), 4)
      assert.equal(
        await page
          .locator('button:visible')
          .filter({ hasText: /Copy|curl/ })
          .count(),
        0,
      )
    }))

  test('follow the choice of language at the top of the quickstart, which all pages remember', () =>
    visit('/docs/guides/quickstart', {}, async (page) => {
      const picker = page.getByRole('group', { name: 'Language of the samples' })
      assert.deepEqual(await picker.getByRole('button').allInnerTexts(), [
        'curl',
        'TypeScript',
        'PHP',
        'Python',
      ])
      await picker.getByRole('button', { name: 'Python' }).click()
      await picker.getByRole('button', { name: 'Python', pressed: true }).waitFor()
      assert.equal(await page.locator('.samples > .sample:visible:not([data-kind="Python"])').count(), 0)
      await page.goto('/docs/guides/refunds')
      // This guide has no Python, so the first language is shown, and the choice stays.
      assert.ok((await page.locator('.samples > .sample[data-kind="curl"]:visible').count()) > 0)
      await page.goto('/docs/reference/api/refunds')
      await first(page).getByRole('tab', { name: 'Python', selected: true }).waitFor()
    }))

  test('and their page are copied as Markdown', () =>
    visit('/docs/guides/refunds', clipboard, async (page) => {
      await page.getByRole('button', { name: 'Copy as Markdown' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^# Refunds\n/)
    }))

  test('are copied with a new idempotency key each time', () =>
    visit(payouts, clipboard, async (page) => {
      const [one, two] = [await copied(page), await copied(page)]
      assert.match(one, new RegExp(`^curl -s '${t.baseUrl}/v1/payouts' `))
      assert.ok(keyIn(one))
      assert.notEqual(keyIn(one), keyIn(two))
    }))

  test('show the reader’s test token and Space, entered once, in this tab only', async () => {
    const { token, spaceId } = await t.merchant()
    await visit('/docs', clipboard, async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url() + (request.postData() ?? '')))
      assert.match(await useOwn(page, token, spaceId), /now show these values/)
      await page.goto(payouts)
      const text = await copied(page)
      assert.ok(text.includes(`Bearer ${token}'`) && text.includes(`Service-Space-Id: ${spaceId}'`), text)
      assert.equal(await page.evaluate('JSON.stringify(localStorage)'), '{}')
      assert.deepEqual(
        requested.filter((each) => each.includes(token)),
        [],
      )
      await page.goto('/docs/reference/api')
      await page.getByRole('button', { name: 'Clear' }).click()
      assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}')
      await page.goto(payouts)
      assert.match(await first(page).locator('.sample:visible').innerText(), /psw_test_YOUR_TOKEN/)
    })
  })

  test('never accept a live or malformed token', () =>
    visit('/docs', {}, async (page) => {
      for (const [token, space] of [
        ['psw_live_abc', 'spc-1'],
        ['<img src=x onerror=alert(1)>', ''],
        ['', "'; rm -rf /"],
        ['psw_test_a b', ''],
      ] as const) {
        await useOwn(page, token, space)
        assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}', token + space)
      }
      // Nor values stored by another script.
      await page.evaluate(`sessionStorage.setItem('docs.token', 'psw_live_abc')`)
      await page.goto(payouts)
      assert.match(await first(page).locator('.sample:visible').innerText(), /psw_test_YOUR_TOKEN/)
      assert.equal(await page.locator('form.sending:visible').count(), 0)
    }))

  test('take values from the link that `npm start` prints, once the reader confirms', () =>
    visit('/docs/reference/api#token=psw_test_abc&space=spc-abc', {}, async (page) => {
      assert.equal(await page.getByLabel('Test token').inputValue(), 'psw_test_abc')
      assert.equal(new URL(page.url()).hash, '')
      assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}')
      await page.getByRole('button', { name: 'Use these' }).click()
      assert.equal(await page.evaluate(`sessionStorage.getItem('docs.token')`), 'psw_test_abc')
    }))

  test('can be sent from the page, and the response is shown', async () => {
    const { token, spaceId } = await t.merchant()
    await visit('/docs', {}, async (page) => {
      await useOwn(page, token, spaceId)
      await page.goto('/docs/reference/api/checkout-sessions')
      const send = async (call: ReturnType<typeof first>) => {
        await call.getByText('Send with your test token').click()
        await call.getByRole('button', { name: 'Send' }).click()
      }
      await send(first(page))
      await first(page).getByText('200 OK').waitFor()
      const { result } = JSON.parse(await first(page).locator('.received pre').innerText())
      assert.equal(result.status, 'pending')
      const retrieve = page.locator('.call[data-path="/v1/checkout-sessions/{id}"][data-method="GET"]')
      await retrieve.getByText('Send with your test token').click()
      await retrieve.getByLabel('id').fill(result.id)
      await retrieve.getByRole('button', { name: 'Send' }).click()
      await retrieve.getByText('200 OK').waitFor()
      await retrieve.getByLabel('id').fill('../../v1/none?a=<b>')
      await retrieve.getByRole('button', { name: 'Send' }).click()
      await retrieve.getByText(/^40[04] /).waitFor()
    })
  })
})

test('a page’s first paint takes one round trip on a slow network, and the layout does not shift', async () => {
  const browser = await openBrowser()
  try {
    for (const path of ['/docs', '/docs/guides/checkout', payouts, '/docs/search?q=payout', '/']) {
      const view = await viewSlowly(browser, t.baseUrl + path)
      assert.equal(view.roundTripsToContent, 1, path)
      assert.equal(view.layoutShift, 0, path)
      // This is the size of the whole page; its first lines arrive much earlier.
      assert.ok(networkMs(view) < 1_000, `${path}: ${networkMs(view)}`)
    }
  } finally {
    await browser.close()
  }
})
