import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readConsoleFiles } from '../../../../packages/server/src/operations/console/files.ts'
import { networkMs, viewSlowly } from '../../../support/slow-network.ts'
import { payment } from './shop.ts'
import { openConsole, settled } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(stage.t.baseUrl + path, { headers })

test('every URL below /console serves the page, which loads nothing from other origins and cannot be framed', async () => {
  const { page } = readConsoleFiles() ?? {}
  for (const path of [
    '/console',
    '/console/',
    '/console/spc-x/live/payments?q=%00',
    '/console/..%2f..%2fetc/passwd',
  ]) {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    assert.equal(await response.text(), page)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/]{43}=';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https:|\*/)
    assert.equal(response.headers.get('x-frame-options'), 'DENY')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('cache-control'), 'no-cache')
  }
})

test('assets have hashed names, are compressed and are cached permanently', async () => {
  const { page, assets } = readConsoleFiles() ?? { page: '', assets: [] }
  const [script] = /\/console\/assets\/index-[\w-]+\.js/.exec(page) ?? []
  assert.ok(script && assets.length > 3)
  const response = await get(script, { 'accept-encoding': 'br' })
  assert.equal(response.headers.get('content-encoding'), 'br')
  assert.match(response.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
  assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/)
})

test('the first list needs less than 60 KB of compressed assets', async () => {
  const shop = await stage.t.merchant()
  const bytes = await stage.visit({ merchant: shop }, async (page) => {
    const bodies: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.url().includes('/console')) bodies.push(response.body())
    })
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0)
  })
  assert.ok(bytes > 20_000 && bytes < 60_000, `${bytes} bytes`)
})

test('on a slow network, the first view takes one round trip and does not shift', async () => {
  const view = await viewSlowly(stage.browser, `${stage.t.baseUrl}/console`)
  assert.deepEqual([view.roundTripsToContent, view.layoutShift], [1, 0])
  // Of the one-second budget, 600 ms are for the network, including the round trip; the rest is for the phone.
  assert.ok(networkMs(view) < 600, `${view.bytesToContent} bytes`)
})

for (const path of ['', '/console'])
  test(`the code of home is requested together, without waiting for the user’s details (${path || 'by its own address'})`, async () => {
    const shop = await stage.t.merchant()
    await stage.visit({ merchant: shop }, async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      // The user’s details are held back until the page’s own files have been requested.
      const own = ['home', 'payments-table'].map((name) =>
        page.waitForRequest(new RegExp(`/${name}-[^/]+[.]js`)),
      )
      await page.route('**/v1/me', async (route) => {
        await Promise.all(own)
        await route.continue()
      })
      await page.goto(path ? stage.t.baseUrl + path : stage.addressOf(shop, '/'))
      await settled(page)
      assert.ok(requested.includes('/v1/me'))
    })
  })

test('what the console reads is compressed, unlike what programs read', async () => {
  const shop = await stage.t.merchant()
  const days = '/v1/overview/days?days=30&withEmptyDays=true'
  const encodings = await stage.visit({ merchant: shop }, async (page) => {
    const read = page.waitForResponse((response) => response.url().includes('/v1/overview/days'))
    await page.goto(stage.addressOf(shop, '/'))
    const { headers, body } = { headers: await (await read).allHeaders(), body: await (await read).json() }
    assert.equal(body.success, true)
    return [headers['content-encoding'], headers.vary]
  })
  assert.deepEqual(encodings, ['br', 'accept-encoding'])
  const { headers } = await get(days, {
    authorization: `Bearer ${shop.token}`,
    'service-space-id': shop.spaceId,
    'accept-encoding': 'br, gzip',
  })
  assert.equal(headers.get('content-encoding'), null)
})

test('an unbuilt console is detected', () => {
  assert.equal(readConsoleFiles(pathToFileURL(join(mkdtempSync(join(tmpdir(), 'pesewa-')), '/'))), undefined)
})

test('another origin cannot frame the console', async () => {
  const context = await stage.browser.newContext()
  const page = await context.newPage()
  await page.route('http://127.0.0.1:9/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>Free phones</title><iframe src="${stage.t.baseUrl}/console"></iframe>`,
    }),
  )
  await page.goto('http://127.0.0.1:9/', { waitUntil: 'load' })
  assert.match(page.frames()[1]?.url() ?? '', /^chrome-error:/)
  await context.close()
})

test('a list updates without reloading', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await page.getByText('No payments yet.').waitFor()
    await page.locator('.live.on').waitFor()
    await payment(shop, 'Palm oil', '076123456', 'completed')
    await page.getByRole('link', { name: 'Palm oil' }).waitFor()
    await page.locator('.status', { hasText: 'Completed' }).waitFor()
  })
})
