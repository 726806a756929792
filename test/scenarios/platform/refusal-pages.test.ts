import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { fieldsOf, must } from '@pesewa/values'
import { startTestApp } from '../../support/harness.ts'
import { openPages } from '../operations/docs/browsing.ts'

const t = await startTestApp({ work: false })
const pages = await openPages(t.baseUrl)
after(async () => {
  await pages.close()
  await t.close()
})

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string>) =>
  fetch(t.baseUrl + path, { headers, redirect: 'manual' })

/** Addresses that are refused, with the status and the heading of the page. */
const refused = {
  '/nothing': [404, 'Page not found'],
  '/v1/nothing': [404, 'Page not found'],
  '/v1/payments': [401, 'This address is for programs'],
  '/v1/refunds/ref-1': [401, 'This address is for programs'],
  '/v1/sign-in/link': [405, 'This address is for programs'],
} as const

describe('a refusal', () => {
  for (const [path, [status, heading]] of Object.entries(refused)) {
    test(`of ${path} is a page in a browser: ${status}, ${heading}`, async () => {
      const response = await get(path, browser)
      const html = await response.text()
      assert.equal(response.status, status)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.ok(html.includes(`<h1>${heading}</h1>`), html)
      assert.ok(html.includes(must(response.headers.get('service-request-id'), 'request id')))
      assert.ok(Buffer.byteLength(html) < 6_000)
    })

    test(`of ${path} is JSON for programs`, async () => {
      for (const headers of [
        {},
        { accept: '*/*' },
        { accept: 'application/json' },
        { accept: 'application/json, text/html' },
        { accept: 'text/event-stream' },
        { ...browser, authorization: 'Bearer x' },
      ]) {
        const response = await get(path, headers)
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(fieldsOf(await response.json()).success, false)
      }
    })
  }

  test('is a page for an expired payment page, too', async () => {
    const response = await get('/pay/expired', browser)
    assert.equal(response.status, 404)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  })

  test('is in the language of the browser', async () => {
    const response = await get('/nothing', { ...browser, 'accept-language': 'fr-CI,fr;q=0.9' })
    assert.equal(response.headers.get('content-language'), 'fr')
    assert.match(await response.text(), /<html lang="fr">[\s\S]*<h1>Page introuvable<\/h1>/)
  })

  test('allows no scripts, no other resources and no frames', async () => {
    const response = await get('/nothing', browser)
    const html = await response.text()
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    assert.equal(
      response.headers.get('content-security-policy'),
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    )
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(html, /<script| style=| on\w+=/)
  })

  test('shows nothing that the caller sent, and is never a 5xx', async () => {
    for (const url of [
      '/<script>alert(1)</script>',
      '/%3Cscript%3Ealert(1)%3C/script%3E',
      '/v1/"onload="alert(1)',
      '/v1/payments/<img src=x onerror=alert(1)>',
      '/%',
      '/%zz',
      '/%c0%ae',
      '/%00',
      '//evil.example/',
      '/v1/%2e%2e%2f',
      '/__proto__',
      `/${'x'.repeat(5_000)}`,
      `/v1/payments?q=${'<b>'.repeat(500)}`,
    ])
      for (const headers of [
        browser,
        { ...browser, 'accept-language': '<script>' },
        { ...browser, 'accept-language': 'fr;q=x,'.repeat(500) },
        { ...browser, cookie: 'pesewa=<script>' },
        { ...browser, 'service-version': '<script>', 'service-space-id': '"><script>' },
      ]) {
        const { statusCode, body, headers: sent } = await t.app.server.inject({ method: 'GET', url, headers })
        assert.ok(statusCode >= 400 && statusCode < 500, `${statusCode} ${url}`)
        assert.match(String(sent['content-type']), /^text\/html/, url)
        assert.doesNotMatch(body, /alert|<img|<b>|evil|x{50}/, url)
      }
  })

  test('has a page in response to a form that is sent to an unknown address', async () => {
    const response = await fetch(`${t.baseUrl}/nothing`, { method: 'POST', headers: browser, body: 'a=b' })
    assert.equal(response.status, 404)
    assert.match(await response.text(), /<h1>Page not found<\/h1>/)
  })

  test('is sent without a body in response to HEAD', async () => {
    const response = await fetch(`${t.baseUrl}/nothing`, { method: 'HEAD', headers: browser })
    assert.deepEqual([response.status, await response.text()], [404, ''])
  })

  for (const locale of ['en', 'fr'])
    test(`is accessible, in ${locale}`, () => pages.assertUsable('/nothing', { locale }, `refusal-${locale}`))
})
