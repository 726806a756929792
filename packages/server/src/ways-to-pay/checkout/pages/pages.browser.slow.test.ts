import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { accessibilityIssues, loadAxe } from '../../../../../../test/support/accessibility.ts'
import { openBrowser } from '../../../../../../test/support/browser.ts'
import {
  firstViews,
  nonce,
  providerLogo,
  samples,
  view,
  waiting,
} from '../../../../../../test/support/checkout-views.ts'
import { assets } from './assets.ts'
import { type Language, languages } from './language.ts'
import { pagePolicy } from './policy.ts'
import { renderCheckoutPage, renderMessagePage } from './render.ts'

// The pages in a real browser, under the real Content-Security-Policy.

const messages = ['notFound', 'tooMany', 'failed'] as const
const pages = new Map(
  languages.flatMap((language) => [
    ...Object.entries({ ...firstViews, ...samples }).map(
      ([name, sample]) => [`${language}/${name}`, renderCheckoutPage({ ...sample, language })] as const,
    ),
    ...messages.map(
      (message) => [`${language}/${message}`, renderMessagePage({ language, nonce, message })] as const,
    ),
  ]),
)
const pagesIn = (language: Language) =>
  [...Object.keys(samples), ...messages].map((name) => `${language}/${name}` as const)

const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#27408b" d="M0 0h48v48H0z"/><path stroke="#8fa6e8" stroke-width="4" d="M0 48 48 0M-12 36 36-12M12 60 60 12"/></svg>',
)

/** The requests that the server received, and its next response. */
let posts: Record<string, string>[] = []
let polls = 0
let done = false

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  const asset = assets.find((each) => each.path === path)
  if (asset) return response.setHeader('content-type', asset.type).end(asset.body)
  if (path.endsWith('.png')) return response.setHeader('content-type', 'image/png').end(providerLogo.image)
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
  const outcome = view(done ? { kind: 'paid' } : waiting())
  const html =
    path === '/pay/cos-1' ? renderCheckoutPage(outcome) : pages.get(path.slice(1) as `${Language}/${string}`)
  if (html === undefined) return response.writeHead(404).end()
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('content-security-policy', pagePolicy(nonce))
  response.end(html)
})

let browser: Browser
let base = ''

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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

/** Opens a page that fails the test on any console error, such as a blocked style or script. */
async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 360, height: 740 },
    // Animations are rendered by the CPU.
    reducedMotion: 'reduce',
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

// Each page is opened once for all three tests.
for (const language of languages)
  describe(`pages in ${language}`, () => {
    // One and two columns. Dark mode is checked once, because it does not depend on language or width; and only two
    // languages are checked for accessibility, because the languages differ in the length of their texts only.
    const views = [
      { width: 360, colorScheme: 'light' },
      { width: 1440, colorScheme: 'light' },
      ...(language === 'en' ? [{ width: 360, colorScheme: 'dark' } as const] : []),
    ] as const
    const isChecked = language === 'en' || language === 'fr'
    const inaccessible: object[] = []
    const low: object[] = []
    const wide: object[] = []

    before(() =>
      withPage({}, async (page) => {
        for (const name of pagesIn(language)) {
          await page.goto(`/${name}`)
          low.push(...(await lowTargets(page)).map((html) => ({ name, html })))
          if (isChecked) await loadAxe(page)
          for (const { width, colorScheme } of isChecked ? views : []) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize({ width, height: 740 })
            const issues = await accessibilityIssues(page)
            inaccessible.push(...issues.map((fault) => ({ name, width, colorScheme, ...fault })))
          }
          wide.push(...(await tooWide(page)).map((place) => ({ name, ...place })))
          await page.setViewportSize({ width: 360, height: 740 })
          await page.emulateMedia({ colorScheme: 'light' })
        }
      }),
    )

    test('have no accessibility violations', () => {
      assert.deepEqual(inaccessible, [])
    })

    test('do not scroll sideways on a narrow phone, or with text at 200 %', () => {
      assert.deepEqual(wide, [])
    })

    test('have no touch target lower than 44 pixels', () => {
      assert.deepEqual(low, [])
    })
  })

async function tooWide(page: Page) {
  await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`)
  const places: { width: number; size: string; scrollWidth: number }[] = []
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
    if (scrollWidth > width) places.push({ width, size, scrollWidth })
  }
  return places
}

const lowTargets = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('a, button, summary, .provider, .entry')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`,
  )

test('a wide screen expands the order that a phone collapses', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-limits')
    const last = page.getByText('Item number 16 of a long order')
    assert.equal(await last.isVisible(), false)
    await page.getByText('Order details: 16 items').click()
    assert.equal(await last.isVisible(), true)

    await page.goto('/en/choose-limits')
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.equal(await last.isVisible(), true)
    assert.equal(await page.getByText('Order details: 16 items').isVisible(), false)
  })
})

test('images do not shift the page when they load', async () => {
  await withPage({ viewport: { width: 1280, height: 2000 } }, async (page) => {
    const heights = async () => {
      await page.goto('/en/choose-limits')
      return page.evaluate<number[]>(`[...document.querySelectorAll('.row')].map((row) => row.offsetHeight)`)
    }
    const loaded = await heights()
    await page
      .context()
      .route('https://images.example/**', (route) => route.fulfill({ body: '', contentType: 'image/png' }))
    assert.deepEqual(await heights(), loaded)
  })
})

test('paying works with the keyboard alone', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose')
    const focused = () =>
      page.evaluate<string>(`document.activeElement.name || document.activeElement.tagName`)
    const path = []
    for (let i = 0; i < 2; i += 1) {
      await page.keyboard.press('Tab')
      path.push(await focused())
    }
    assert.deepEqual(path, ['SUMMARY', 'phone'])
    await page.keyboard.type('076123456')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'provider')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(`document.activeElement.textContent`), 'Not Orange Money?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.deepEqual(posts, [{ formToken: 'form-token', way: 'momo', phone: '076123456' }])
  })
})

test('the number determines the network while it is typed, and the payer can choose another one', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose')
    const phone = page.getByLabel('Mobile money number')
    const tiles = () => page.locator('.provider:visible').allInnerTexts()
    assert.deepEqual(
      await tiles(),
      ['Orange Money', 'Afrimoney'].map((name) => `${name[0]}\n${name}`),
    )
    for (const [typed, name] of [
      ['7', undefined],
      ['76', 'Orange Money'],
      ['077 1', 'Afrimoney'],
      ['+232 78', 'Orange Money'],
      ['0023230', 'Afrimoney'],
      ['99', undefined],
    ] as const) {
      await phone.fill(typed)
      const shown = await tiles()
      if (name) assert.deepEqual(shown, [`${name[0]}\n${name}`], typed)
      else assert.equal(shown.length, 2, typed)
      assert.equal(await page.locator('.not').isVisible(), name !== undefined)
      if (name) assert.equal(await page.locator('.not').innerText(), `Not ${name}?`)
      assert.equal(await page.locator('[data-said]').innerText(), name ? `${name}` : '')
    }
    await phone.fill('076123456')
    await page.getByRole('button', { name: 'Not Orange Money?' }).click()
    assert.equal((await tiles()).length, 2)
    await page.keyboard.press('ArrowDown')
    await phone.fill('076123457')
    assert.equal((await tiles()).length, 2)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cos-1')
    assert.deepEqual(posts, [{ formToken: 'form-token', way: 'momo', phone: '076123457', provider: 'm18' }])
  })
})

for (const javaScriptEnabled of [true, false])
  test(`payment methods expand one at a time, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    await withPage({ javaScriptEnabled }, async (page) => {
      await page.goto('/en/choose-all')
      const fields = ['Mobile money number', 'Bank account number', 'Wallet ID']
      const visible = async () => {
        const each = await Promise.all(fields.map((label) => page.getByLabel(label).isVisible()))
        return fields.filter((_, i) => each[i])
      }
      assert.deepEqual(await visible(), ['Mobile money number'])
      for (const [way, shown] of [
        ['Bank account', ['Bank account number']],
        ['Wallet', ['Wallet ID']],
        ['Debit or credit card', []],
        ['Mobile money', ['Mobile money number']],
      ] as const) {
        await page.locator('summary', { hasText: way }).click()
        assert.deepEqual(await visible(), shown)
      }
    })
  })

test('paying from a bank account works with the keyboard alone', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-all')
    const focused = () => page.evaluate<string>(`document.activeElement.textContent`)
    while ((await focused()) !== 'Bank account') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Rokel')
    await page.keyboard.press('Tab')
    await page.keyboard.type('004 821 93')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    const [{ provider, accountNumber } = {}] = posts
    assert.deepEqual([provider, accountNumber], ['slb004', '004 821 93'])
  })
})

test('the browser requires the account of the chosen payment method, and no other', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-all')
    await page.locator('summary', { hasText: 'Wallet' }).click()
    await page.getByRole('button', { name: 'Pay Le 150.00' }).click()
    assert.equal(await page.evaluate(`document.activeElement.id`), 'walletId')
    await page.locator('summary', { hasText: 'Debit or credit card' }).click()
    await page.getByRole('button', { name: 'Continue with card' }).click()
    await page.waitForURL('**/pay/cos-1')
    assert.equal(posts[0]?.provider, 'card')
  })
})

test('the receipt can be shared, or its link copied', async () => {
  await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.goto('/en/paid')
    await page.getByRole('button', { name: 'Share receipt' }).click()
    await page.getByRole('button', { name: 'Link copied' }).waitFor()
    assert.equal(await page.evaluate(`navigator.clipboard.readText()`), `${base}/pay/cos-1/receipt`)
    await page.addInitScript(
      `navigator.share = (shared) => { window.shared = shared; return Promise.reject() }`,
    )
    await page.goto('/en/paid')
    await page.getByRole('button', { name: 'Share receipt' }).click()
    assert.deepEqual(await page.evaluate(`window.shared`), { url: `${base}/pay/cos-1/receipt` })
  })
})

test('check mark, amount, merchant, receipt and share are on the first screen of a small phone', async () => {
  await withPage({ viewport: { width: 360, height: 640 } }, async (page) => {
    for (const name of ['paid', 'paid-no-return']) {
      await page.goto(`/en/${name}`)
      for (const part of ['.sign', '.amount', '.merchant', '.actions a', '.actions button']) {
        const box = (await page.locator(part).boundingBox())!
        assert(box.y >= 0 && box.y + box.height <= 640, `${name} ${part}`)
      }
    }
  })
})

test('the focus is always visible: outlined, on screen, and not covered', async () => {
  await withPage({ viewport: { width: 320, height: 480 } }, async (page) => {
    for (const name of ['choose-all', 'choose-bank', 'choose-phone-fault', 'waiting-continue', 'paid']) {
      await page.goto(`/en/${name}`)
      let stops = 0
      for (; stops < 20; stops += 1) {
        await page.keyboard.press('Tab')
        const seen = await page.evaluate<string | boolean>(`(() => {
          const focused = document.activeElement
          if (focused === document.body) return 'end'
          const box = focused.getBoundingClientRect()
          const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
          const framed = focused.closest('.provider, .entry') ?? focused
          const outline = getComputedStyle(framed)
          return focused.contains(there) && outline.outlineStyle !== 'none' && parseFloat(outline.outlineWidth) >= 2
        })()`)
        if (seen === 'end') break
        assert.equal(seen, true, `${name}, stop ${stops + 1}`)
      }
      assert(stops >= 2, name)
    }
  })
})

test('nothing moves if the payer prefers reduced motion', async () => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    await withPage({ reducedMotion }, async (page) => {
      await page.goto('/en/waiting')
      const moving = await page.evaluate<number>(`document.getAnimations().length`)
      assert.equal(moving > 0, reducedMotion === 'no-preference')
    })
})

test('nothing shifts while a page loads, however late its images arrive', async () => {
  for (const width of [360, 1440])
    await withPage({ viewport: { width, height: 900 }, reducedMotion: 'no-preference' }, async (page) => {
      await page.context().route('https://images.example/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await route.fulfill({ body: picture, contentType: 'image/svg+xml' })
      })
      for (const name of pagesIn('en')) {
        await page.goto(`/${name}`)
        const shift = await page.evaluate<number>(`new Promise((resolve) => {
          let sum = 0
          const add = (entries) => { for (const { value } of entries) sum += value }
          const observer = new PerformanceObserver((list) => add(list.getEntries()))
          observer.observe({ type: 'layout-shift', buffered: true })
          requestAnimationFrame(() => setTimeout(() => { add(observer.takeRecords()); resolve(sum) }, 20))
        })`)
        assert.equal(shift, 0, `${name} at ${width}`)
      }
    })
})

test('the amount is on the screen when the page opens, and on the button', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-all')
    await page.getByText('Le 150.00').first().waitFor()
    assert((await page.getByText('Le 150.00').first().boundingBox())!.y < 200)
    assert.match(await page.locator('form .button:visible').innerText(), /Le\s150\.00/)
  })
})

test('amount, field and button fit on a small phone’s screen, for any merchant', async () => {
  await withPage({ viewport: { width: 360, height: 640 } }, async (page) => {
    for (const language of languages)
      for (const name of Object.keys(firstViews)) {
        await page.goto(`/${language}/${name}`)
        const seen = await page.evaluate<boolean[]>(`['.amount', '.entry', 'form .button']
          .map((each) => [...document.querySelectorAll(each)].find((one) => one.checkVisibility()).getBoundingClientRect())
          .map(({ top, bottom }) => top >= 0 && bottom <= innerHeight)`)
        assert.deepEqual(seen, [true, true, true], `${language}/${name}`)
      }
  })
})

test('the QR code for another device is visible on desktops only', async () => {
  for (const [width, isSeen] of [
    [360, false],
    [768, false],
    [1440, true],
  ] as const)
    await withPage({ viewport: { width, height: 900 } }, async (page) => {
      await page.goto('/en/choose')
      const code = page.getByRole('img', { name: 'QR code with a link to this page' })
      assert.equal(await code.isVisible(), isSeen)
    })
})

test('without JavaScript the payer pays, and the waiting page shows the outcome', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto('/en/choose')
    await page.getByLabel('Mobile money number').fill('76 123 456')
    await page.getByRole('button', { name: 'Pay Le 150.00' }).click()
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.deepEqual(posts, [{ formToken: 'form-token', way: 'momo', phone: '76 123 456' }])
    assert.equal(polls, 0)
    done = true
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  })
})

for (const javaScriptEnabled of [true, false])
  test(`one click pays with the number’s own provider, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    await withPage({ javaScriptEnabled }, async (page) => {
      await page.goto('/en/choose-phone-likely-other')
      await page.getByText('Press Pay to use Afrimoney.').waitFor()
      await page.getByRole('button', { name: /^Pay Le/ }).click()
      await page.waitForURL('**/pay/cos-1')
      await page.goto('/fr/choose-phone-likely-other')
      await page.getByRole('button', { name: 'Continuer avec Orange Money' }).click()
      await page.waitForURL('**/pay/cos-1')
      const form = { formToken: 'form-token', way: 'momo', phone: '077123456', provider: 'm18' }
      const refused = { refused: '077123456', instead: 'm18' }
      assert.deepEqual(posts, [
        { ...form, ...refused },
        { ...form, ...refused, confirmed: 'm17' },
      ])
    })
  })

test('Enter in the field pays with the provider of a corrected number, whatever the note suggests', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-phone-likely-other')
    await page.getByLabel('Mobile money number').fill('076123456')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cos-1')
    assert.deepEqual(posts, [{ formToken: 'form-token', way: 'momo', phone: '076123456' }])
  })
})

test('an error, and what was offered because of it, disappears when the number is corrected', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-phone-likely-other')
    const phone = page.getByLabel('Mobile money number')
    const offered = page.getByRole('button', { name: 'Continue with Orange Money' })
    assert.deepEqual([await phone.getAttribute('aria-invalid'), await offered.isVisible()], ['true', true])
    await phone.fill('076123456')
    assert.deepEqual([await phone.getAttribute('aria-invalid'), await offered.count()], [null, 0])
    assert.equal(await page.locator('.fault').count(), 0)
  })
})

test('without JavaScript the payer cancels, and is asked first', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto('/en/choose')
    await page.getByText('Cancel payment').click()
    assert.deepEqual(posts, [])
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await page.waitForURL('**/pay/cos-1')
    assert.deepEqual(posts, [{ formToken: 'form-token' }])
  })
})

test('an issue or a failure has the focus when the page opens', async () => {
  await withPage({}, async (page) => {
    for (const [name, focused] of [
      ['choose-phone-fault', '#phone:focus'],
      ['choose-provider-fault', '[name=provider]:focus'],
      ['choose-failure', '[role=alert]:focus'],
    ] as const) {
      await page.goto(`/en/${name}`)
      await page.locator(focused).waitFor({ timeout: 5000 })
    }
  })
})

test('a second click does not pay twice, and a stopped load re-enables the button', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose-test')
    // Uses a single call, because the browser does not respond to further calls on a page that it is about to
    // leave.
    const [clicked, back] = await page.evaluate<[string, boolean][][]>(`(() => {
      const buttons = () => [...document.querySelectorAll('button[data-busy]')].map((each) => [each.textContent, each.disabled])
      for (let i = 0; i < 3; i += 1) document.querySelector('form .button').click()
      const clicked = buttons()
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
      return [clicked, buttons()]
    })()`)
    assert.deepEqual(clicked, [
      ['Sending the request…', true],
      ['Yes, cancel', true],
    ])
    assert.deepEqual(back, [
      ['Pay Le\u00a0150.00', false],
      ['Yes, cancel', false],
    ])
    await page.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    assert.equal(posts.length, 1)
    await page.goBack()
    assert.equal(await page.getByRole('button', { name: 'Pay Le 150.00' }).isEnabled(), true)
  })
})

test('a paid page with a second payment still open reloads itself', async () => {
  await withPage({}, async (page) => {
    await page.clock.install()
    await page.goto('/en/paid-open')
    const reloaded = page.waitForEvent('load')
    await page.clock.runFor(5_000)
    await reloaded
  })
})

test('a page restored from memory is reloaded, because it may have been paid since', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose')
    const reloaded = page.waitForEvent('load')
    await page.evaluate(`window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await reloaded
  })
})

test('a dial code that is typed or autofilled is removed from the field', async () => {
  await withPage({}, async (page) => {
    await page.goto('/en/choose')
    const phone = page.getByLabel('Mobile money number')
    await phone.fill('+232 76 123456')
    await phone.blur()
    assert.equal(await phone.inputValue(), '76 123456')
  })
})

test('the waiting page polls until the outcome is known, even across lost connections', async () => {
  await withPage({}, async (page) => {
    let lost = 0
    await page.goto('/en/choose')
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
    assert(page.url().endsWith('/en/choose'), 'the waiting page is replaced, not kept in the history')
  })
})

test('the waiting page reports a delay, and stops polling after fifteen minutes', async () => {
  await withPage({}, async (page) => {
    await page.clock.install()
    await page.goto('/en/waiting')
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

// Not a test: with SCREENSHOTS=<folder>, writes every page in every size, for review.
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
