import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { renderFront } from '../../../../packages/docs/src/pages/render.ts'
import { startTestApp } from '../../../support/harness.ts'
import { send } from '../../../support/wire.ts'
import { openPages } from './browsing.ts'

const t = await startTestApp({ work: false })
const withoutSimulator = await startTestApp({ work: false, settings: { SIMULATOR: 'off' }, anotherNodeOf: t })
const pages = await openPages(t.baseUrl)
after(async () => {
  await pages.close()
  await withoutSimulator.close()
  await t.close()
})

const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

const look = async (headers: Record<string, string>, method = 'GET', baseUrl = t.baseUrl) => {
  const response = await send(baseUrl, { method, path: '/', headers })
  assert.equal(response.status, 200)
  return response
}

const typeFor = async (headers: Record<string, string>) => {
  const { headers: sent, json, text } = await look(headers)
  const isPage = sent['content-type'] === 'text/html; charset=utf-8'
  if (isPage) assert.match(text, /^<!doctype html>/)
  else assert.equal(json.platform, 'Pesewa')
  return isPage ? 'page' : 'JSON'
}

const page = async (language: string, baseUrl = t.baseUrl) =>
  look({ accept: chrome, 'accept-language': language }, 'GET', baseUrl)

describe('GET / is a page for clients that prefer text/html', () => {
  const accepts = {
    page: [
      chrome,
      'text/html',
      'TEXT/HTML',
      ' text/html ;q=1.0',
      'text/html;charset=utf-8, */*;q=0.1',
      'text/html, */*',
      '*/*, text/html',
      'text/html;q=0.3, */*;q=0.2',
      'application/json;q=0.5, text/html;q=0.6',
      'text/html;q=0.1, application/json;q=0',
      'text/html;q=0.5, application/json;q=0.2, */*;q=0.9',
      'text/html;q=0.5, application/*;q=0.4, */*;q=0.9',
      'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    ],
    JSON: [
      '*/*',
      'application/json',
      'application/json, text/plain, */*',
      'text/*',
      'text/html;q=0',
      'text/html;q=0.000, */*',
      'text/html;q=0.5, */*',
      'text/html;q=0.5, application/json;q=0.6',
      'text/html, application/json',
      'application/json, text/html',
      'application/xhtml+xml',
      'text/plain, text/css',
      '',
    ],
  }
  for (const [kind, headers] of Object.entries(accepts))
    for (const accept of headers)
      test(`200, ${kind}: ${accept || 'an empty header'}`, async () => {
        assert.equal(await typeFor({ accept }), kind)
      })

  test('200, JSON without the header', async () => {
    assert.equal(await typeFor({}), 'JSON')
  })

  test('200, JSON for hostile headers', async () => {
    for (const accept of [
      'text/html;q=nonsense',
      'text/html;q=2',
      'text/html;q=-1',
      'text/html;q=1e9',
      'text/html;q=0.9999999',
      'text/htmlx',
      'xtext/html',
      'text /html',
      '"text/html"',
      '<script>',
      ',;,;=,q=',
      ','.repeat(8_000),
      ';q=1'.repeat(3_000),
      ` ${'\t'.repeat(8_000)}`,
      `${'a/b,'.repeat(2_000)}text/html`,
      '__proto__',
      '\u00ff\u00fe',
    ])
      assert.equal(await typeFor({ accept }), 'JSON', accept.slice(0, 40))
  })

  test('200, JSON with any Authorization header, valid or not', async () => {
    const { token } = await t.merchant()
    for (const authorization of [`Bearer ${token}`, 'Bearer x', 'Basic dTpw', ''])
      assert.equal(await typeFor({ accept: chrome, authorization }), 'JSON', authorization)
  })

  test('200: both responses list the headers that they vary on', async () => {
    for (const accept of ['*/*', chrome])
      assert.equal(
        (await look({ accept })).headers.vary,
        'accept, authorization, accept-language, accept-encoding',
      )
  })

  test('200 for HEAD, with the headers of GET and no body', async () => {
    for (const accept of ['*/*', chrome]) {
      const [got, head] = [await look({ accept }), await look({ accept }, 'HEAD')]
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'vary', 'etag', 'cache-control'])
        assert.equal(head.headers[name], got.headers[name], name)
    }
  })

  test('304 for an unchanged page; never for JSON', async () => {
    const tag = (await page('en')).headers.etag ?? ''
    assert.match(tag, /^W\/"/)
    const again = (accept: string, language: string) =>
      send(t.baseUrl, {
        path: '/',
        headers: { accept, 'accept-language': language, 'if-none-match': tag },
      })
    assert.equal((await again(chrome, 'en')).status, 304)
    assert.equal((await again(chrome, 'fr')).status, 200)
    assert.equal((await again('*/*', 'en')).status, 200)
  })
})

describe('the front page', () => {
  const linksOf = (text: string) => [...text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!)

  test('is in the available language that the browser prefers, or else in English', async () => {
    for (const [acceptLanguage, language] of [
      ['fr-CI,fr;q=0.9,en;q=0.8', 'fr'],
      ['en-GB', 'en'],
      ['de, fr;q=0.5', 'fr'],
      ['kri', 'en'],
      ['', 'en'],
      [`${'x'.repeat(5_000)}, fr`, 'en'],
    ] as const) {
      const { headers, text } = await page(acceptLanguage)
      assert.equal(headers['content-language'], language, acceptLanguage)
      assert.match(text, new RegExp(`<html lang="${language}">`))
    }
    assert.match((await page('en')).text, /a payments service that you host yourself/)
    assert.match((await page('fr')).text, /un service de paiement que vous hébergez vous-même/)
  })

  test('links to all parts that are installed', async () => {
    for (const language of ['en', 'fr']) {
      const links = linksOf((await page(language)).text)
      assert.deepEqual(links, ['/console', '/docs', '/docs/reference/api', '/simulator'])
      for (const link of links) assert.equal((await fetch(t.baseUrl + link)).status, 200, link)
    }
  })

  test('does not link to simulated phones if there are none', async () => {
    const { text } = await page('en', withoutSimulator.baseUrl)
    assert.deepEqual(linksOf(text), ['/console', '/docs', '/docs/reference/api'])
  })

  test('does not link to guides if there are none', () => {
    const text = renderFront({ language: 'en', baseUrl: t.baseUrl, hasDocuments: false, hasSimulator: true })
    assert.deepEqual(linksOf(text), ['/console', '/docs/reference/api', '/simulator'])
  })

  test('loads no external resources and no script, and cannot be framed', async () => {
    const { headers, text } = await page('en')
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.doesNotMatch(text, /<script|<link rel="stylesheet"| style=|@import/)
  })

  for (const locale of ['en', 'fr'])
    test(`is accessible, in ${locale}`, () => pages.assertUsable('/', { locale }, `front-${locale}`))

  test('leads to the guides by keyboard alone', () =>
    pages.visit('/', { locale: 'en' }, async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
    }))
})

describe('the front page of a demo', () => {
  const { host } = new URL(t.baseUrl)
  const own = { host, origin: t.baseUrl }
  const enter = (headers: Record<string, string>, path = '/demo/sign-in/finance') =>
    send(t.baseUrl, { method: 'POST', path, headers })
  const isOffered = async (headers: Record<string, string>) =>
    /action="\/demo\//.test((await look({ accept: chrome, ...headers })).text)

  test('404 for its entries, and no offers, before the demo is open', async () => {
    assert.equal(await isOffered({ host }), false)
    for (const path of ['/demo/pay', '/demo/stock', '/demo/sign-in/owner'])
      assert.equal((await enter(own, path)).status, 404, path)
  })

  test('303 to a checkout or to the sign-in of a role', async () => {
    t.app.demoDoor.open({
      signIn: async (role) => `${t.baseUrl}/console/sign-in#link=${role}`,
      pay: async () => `${t.baseUrl}/pay/x`,
      apiAddress: '/docs/reference/api#token=x',
    })
    assert.equal(await isOffered({ host }), true)
    for (const [path, expected] of [
      ['/demo/pay', '/pay/x'],
      ['/demo/sign-in/owner', '/console/sign-in#link=owner'],
      ['/demo/sign-in/finance', '/console/sign-in#link=finance'],
    ] as const) {
      const { status, headers } = await enter(own, path)
      assert.deepEqual([status, headers.location], [303, t.baseUrl + expected])
      assert.equal(headers['cache-control'], 'no-store')
    }
    assert.equal((await enter(own, '/demo/stock')).status, 204)
  })

  test('404 for a role that does not exist', async () => {
    for (const role of ['admin', 'Owner', '__proto__', '%00', 'x'.repeat(200)])
      assert.equal((await enter(own, `/demo/sign-in/${role}`)).status, 404, role)
  })

  test('offers nothing to other hosts, nor through a proxy', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { host: host.replace('127.0.0.1', 'evil.example') },
      { host: `${host}.evil.example` },
      { host: `evil.example@${host}` },
      { host: '127.0.0.1' },
      { host, 'x-forwarded-for': '203.0.113.7' },
      { host, 'x-forwarded-host': 'pay.example' },
      { host, 'x-real-ip': '203.0.113.7' },
      { host, forwarded: 'for=203.0.113.7' },
      { host, via: '1.1 proxy' },
    ]) {
      assert.equal(await isOffered(headers), false, JSON.stringify(headers))
      assert.equal((await enter({ origin: t.baseUrl, ...headers })).status, 404, JSON.stringify(headers))
    }
  })

  test('403 for a form on another site', async () => {
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `${t.baseUrl}.x` },
    ])
      assert.equal((await enter({ host, ...headers })).status, 403, JSON.stringify(headers))
  })

  test('is never cached, because it must not reach anyone else', async () => {
    const { headers } = await look({ accept: chrome, host })
    assert.deepEqual([headers['cache-control'], headers.etag], ['no-store', undefined])
    assert.match(String(headers['content-security-policy']), /; form-action 'self'; /)
  })

  for (const locale of ['en', 'fr'])
    test(`is accessible, in ${locale}`, () => pages.assertUsable('/', { locale }, `demo-${locale}`))
})
