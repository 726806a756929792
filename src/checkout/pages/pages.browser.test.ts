import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../../test/browser.ts'
import { assets } from './assets.ts'
import { pagePolicy } from './policy.ts'
import { renderCheckoutPage, renderMessagePage } from './render.ts'
import { nonce, samples, view, waiting } from './samples.ts'

// The pages as a payer gets them: served under the real policy, in a real browser.

const message = renderMessagePage({
  nonce,
  title: 'Something went wrong',
  text: 'Nothing was charged twice. Please open the link again in a minute.',
})
const pages = new Map([
  ...Object.entries(samples).map(([name, sample]) => [name, renderCheckoutPage(sample)] as const),
  ['message', message] as const,
])

const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#27408b" d="M0 0h48v48H0z"/><path stroke="#8fa6e8" stroke-width="4" d="M0 48 48 0M-12 36 36-12M12 60 60 12"/></svg>',
)

/** What the server saw, and what it is to answer. */
let posts: Record<string, string>[] = []
let polls = 0
let done = false

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  const asset = assets.find((each) => each.path === path)
  if (asset) return response.setHeader('content-type', asset.type).end(asset.body)
  if (path === '/pay/cos-1/status') {
    polls += 1
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ status: done ? 'done' : 'waiting' }))
  }
  if (request.method === 'POST') {
    posts.push(Object.fromEntries(new URLSearchParams(await text(request))))
    return response.writeHead(303, { location: '/pay/cos-1' }).end()
  }
  const outcome = view(done ? { kind: 'paid', orderNumber: '604811932075' } : waiting())
  const html = path === '/pay/cos-1' ? renderCheckoutPage(outcome) : pages.get(path.slice(1))
  if (html === undefined) return response.writeHead(404).end()
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('content-security-policy', pagePolicy(nonce))
  response.end(html)
})

let browser: Browser
let base = ''
let axe = ''

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  browser = await openBrowser()
})

after(async () => {
  await browser?.close()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  posts = []
  polls = 0
  done = false
})

/** A page that fails the test when its console reports an error, as a refused style or script does. */
async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 360, height: 740 },
    ...options,
  })
  context.setDefaultTimeout(10_000)
  const errors: string[] = []
  try {
    await context.route('https://images.example/**', (route) =>
      route.request().url().includes('broken')
        ? route.fulfill({ body: 'no picture', contentType: 'image/png' })
        : route.fulfill({ body: picture, contentType: 'image/svg+xml' }),
    )
    const page = await context.newPage()
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    await use(page)
    assert.deepEqual(errors, [])
  } finally {
    await context.close()
  }
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page has an accessibility fault in ${colorScheme} mode`, async () => {
    await withPage({ colorScheme }, async (page) => {
      for (const name of pages.keys()) {
        await page.goto(`/${name}`)
        await page.evaluate(axe)
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 740 })
          const run = `axe.run({ runOnly: ${JSON.stringify(rules)} }).then((result) => result.violations)`
          const found =
            await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(run)
          const faults = found.map(({ id, nodes }) => ({
            id,
            nodes: nodes.map((node) => node.failureSummary + node.html),
          }))
          assert.deepEqual(faults, [], `${name} at ${width}`)
        }
      }
    })
  })
}

test('no page scrolls sideways on a narrow phone, nor with text at 200 %', async () => {
  await withPage({}, async (page) => {
    for (const name of pages.keys()) {
      await page.goto(`/${name}`)
      await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`)
      for (const [width, size] of [
        [320, '100%'],
        [360, '100%'],
        [640, '200%'],
        [360, '200%'],
        [900, '100%'],
      ] as const) {
        await page.setViewportSize({ width, height: 740 })
        const scrollWidth = await page.evaluate<number>(
          `document.documentElement.style.fontSize = '${size}', document.documentElement.scrollWidth`,
        )
        assert(scrollWidth <= width, `${name} at ${width} with text at ${size}: ${scrollWidth}`)
      }
    }
  })
})

test('everything to touch is at least 44 pixels high', async () => {
  await withPage({}, async (page) => {
    for (const name of pages.keys()) {
      await page.goto(`/${name}`)
      const low = await page.evaluate<string[]>(
        `[...document.querySelectorAll('a, button, summary, .provider, input[type=tel]')]
          .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`,
      )
      assert.deepEqual(low, [], name)
    }
  })
})

test('a wide screen unfolds the order that a phone folds', async () => {
  await withPage({}, async (page) => {
    await page.goto('/choose-limits')
    const last = page.getByText('Item number 16 of a long order')
    assert.equal(await last.isVisible(), false)
    await page.getByText('Order details: 16 items').click()
    assert.equal(await last.isVisible(), true)

    await page.goto('/choose-limits')
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.equal(await last.isVisible(), true)
    assert.equal(await page.getByText('Order details: 16 items').isVisible(), false)
  })
})

test('images move nothing when they come', async () => {
  await withPage({ viewport: { width: 1280, height: 2000 } }, async (page) => {
    const heights = async () => {
      await page.goto('/choose-limits')
      return page.evaluate<number[]>(`[...document.querySelectorAll('.row')].map((row) => row.offsetHeight)`)
    }
    const loaded = await heights()
    await page
      .context()
      .route('https://images.example/**', (route) => route.fulfill({ body: '', contentType: 'image/png' }))
    assert.deepEqual(await heights(), loaded)
  })
})

test('the keyboard alone pays', async () => {
  await withPage({}, async (page) => {
    await page.goto('/choose')
    const focused = () =>
      page.evaluate<string>(`document.activeElement.name || document.activeElement.tagName`)
    const path = []
    for (let i = 0; i < 3; i += 1) {
      await page.keyboard.press('Tab')
      path.push(await focused())
      if (path.at(-1) === 'provider') await page.keyboard.press('ArrowDown')
    }
    assert.deepEqual(path, ['SUMMARY', 'provider', 'phone'])
    await page.keyboard.type('076123456')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'BUTTON')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.deepEqual(posts, [{ formToken: 'form-token', provider: 'm18', phone: '076123456' }])
  })
})

test('without JavaScript the payer pays, and the waiting page follows the outcome', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto('/choose')
    await page.getByLabel('Orange Money').check()
    await page.getByLabel('Mobile money number').fill('76 123 456')
    await page.getByRole('button', { name: 'Pay Le 150.00' }).click()
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.deepEqual(posts, [{ formToken: 'form-token', provider: 'm17', phone: '76 123 456' }])
    assert.equal(polls, 0)
    done = true
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  })
})

test('without JavaScript the payer cancels', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto('/choose')
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page.waitForURL('**/pay/cos-1')
    assert.deepEqual(posts, [{ formToken: 'form-token' }])
  })
})

test('a fault and a failure have the focus when the page opens', async () => {
  await withPage({}, async (page) => {
    for (const [name, focused] of [
      ['choose-phone-fault', '#phone:focus'],
      ['choose-provider-fault', '[name=provider]:focus'],
      ['choose-failure', '[role=alert]:focus'],
    ] as const) {
      await page.goto(`/${name}`)
      await page.locator(focused).waitFor({ timeout: 5000 })
    }
  })
})

test('a second click does not pay twice, and coming back frees the button', async () => {
  await withPage({}, async (page) => {
    await page.goto('/choose-test')
    // In one go, because the browser answers no more questions about a page that it is about to leave.
    const [clicked, back] = await page.evaluate<[string, boolean][][]>(`(() => {
      const buttons = () => [...document.querySelectorAll('button')].map((each) => [each.textContent, each.disabled])
      for (let i = 0; i < 3; i += 1) document.querySelector('.button').click()
      const clicked = buttons()
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      return [clicked, buttons()]
    })()`)
    assert.deepEqual(clicked, [
      ['Sending the request…', true],
      ['Cancel payment', true],
    ])
    assert.deepEqual(back, [
      ['Pay Le\u00a0150.00', false],
      ['Cancel payment', false],
    ])
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.equal(posts.length, 1)
    await page.goBack()
    assert.equal(await page.getByRole('button', { name: 'Pay Le 150.00' }).isEnabled(), true)
  })
})

test('a dial code typed or filled in is taken out of the field', async () => {
  await withPage({}, async (page) => {
    await page.goto('/choose')
    const phone = page.getByLabel('Mobile money number')
    await phone.fill('+232 76 123456')
    await phone.blur()
    assert.equal(await phone.inputValue(), '76 123456')
  })
})

test('the waiting page asks until the outcome is there, over lost connections too', async () => {
  await withPage({}, async (page) => {
    let lost = 0
    await page.goto('/choose')
    await page.route('**/status', (route) => {
      lost += 1
      if (lost === 1) return route.fulfill({ status: 200, body: 'not json' })
      done = lost > 2
      return route.fallback()
    })
    await page.goto('/pay/cos-1')
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    assert.equal(polls, 2)
    await page.goBack()
    assert(page.url().endsWith('/choose'), 'the waiting page is replaced, not kept in the history')
  })
})

test('the waiting page speaks up when it is slow, and stops asking after fifteen minutes', async () => {
  await withPage({}, async (page) => {
    await page.clock.install()
    await page.goto('/waiting')
    assert.equal(await page.getByText('This is taking longer than usual').isVisible(), false)
    await page.clock.runFor(21_000)
    await page.getByText('This is taking longer than usual').waitFor()
    await page.clock.fastForward(15 * 60 * 1000)
    await page.getByText('We have stopped checking').waitFor()
    const before = polls
    await page.clock.runFor(60_000)
    assert.equal(polls, before)
  })
})

// Not a test: SCREENSHOTS=<folder> writes every page in every size, for people to look at.
if (process.env.SCREENSHOTS) test('screenshots are taken', () => takeScreenshots(process.env.SCREENSHOTS!))

async function takeScreenshots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await withPage({ colorScheme, reducedMotion: 'reduce' }, async (page) => {
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
        for (const name of pages.keys()) {
          await page.goto(`/${name}`)
          await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
        }
      }
    })
  }
}
