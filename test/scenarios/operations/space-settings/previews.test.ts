import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { peopleOf } from '../../tenants/sign-in/people.ts'

const t = await startTestApp()
after(() => t.close())
const { signedIn } = peopleOf(t)

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const png = `data:image/png;base64,${dot}`
const typed = {
  name: 'Kadi’s Cloth',
  color: '#0077aa',
  supportEmail: 'help@shop.example',
  supportPhone: '',
  termsUrl: '',
  order: 'Two lappa',
  state: 'choose',
  scheme: 'light',
  language: 'en',
}

let shop: Merchant
let cookie: string
before(async () => {
  shop = await t.merchant({ name: 'Salone Fabrics' })
  ;({ cookie } = await signedIn(shop.userId))
})

type Sent = { space?: string; environment?: string; headers?: Record<string, string>; body?: string }

async function preview(change: Record<string, string> = {}, sent: Sent = {}) {
  const { space = shop.spaceId, environment = 'test', headers = { cookie } } = sent
  const response = await fetch(`${t.baseUrl}/previews/${space}/${environment}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: sent.body ?? new URLSearchParams({ ...typed, ...change }).toString(),
  })
  const text = await response.text()
  const error = response.headers.get('content-type')?.includes('json') ? JSON.parse(text).error : undefined
  return { status: response.status, headers: response.headers, text, reason: error?.reason, error }
}

describe('a preview', () => {
  test('is the payment page with the branding in the form, in every state and colour scheme', async () => {
    const { status, headers, text } = await preview()
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    for (const part of ['Kadi’s Cloth', '--brand:#0077aa', 'Two lappa', 'Le\u00a01,500.00', 'Orange Money'])
      assert.ok(text.includes(part), part)
    assert.ok(text.includes('name="phone"'))
    assert.ok(text.includes('@media not all'))
    assert.ok(!text.includes('prefers-color-scheme'))
    const waiting = await preview({ state: 'waiting', language: 'fr', scheme: 'dark' })
    assert.match(waiting.text, /<html lang="fr">.*@media all.*content="dark"/s)
    assert.match(waiting.text, /class="sign sign-wait"/)
    assert.match((await preview({ state: 'paid' })).text, /class="sign sign-good"/)
    assert.equal((await shop.call('GET', '/v1/settings')).body.result.brand.name, null, 'nothing was saved')
  })

  test('shows the saved logo, an unsaved one, or none', async () => {
    assert.doesNotMatch((await preview()).text, /class="logo"/)
    assert.ok((await preview({ logo: png })).text.includes(`class="logo" src="${png}"`))
    await shop.call('PATCH', '/v1/settings', { brand: { logo: png } })
    assert.match((await preview()).text, /class="logo" src="\/logos\/[^"]+\.png"/)
    assert.doesNotMatch((await preview({ logo: '' })).text, /class="logo"/)
    await shop.call('PATCH', '/v1/settings', { brand: { logo: null } })
  })

  test('runs no scripts, sends no forms, can only be framed by this service, and its links lead nowhere', async () => {
    for (const state of ['choose', 'waiting', 'paid']) {
      const { headers, text } = await preview({ state })
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; .*frame-ancestors 'self'; sandbox$/)
      assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.doesNotMatch(text, /<script|http-equiv/)
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]*)"/g))
        assert.match(href, /^(\/previews\/nowhere|mailto:)/, href)
    }
    const link = await fetch(`${t.baseUrl}/previews/nowhere?language=fr`)
    assert.deepEqual([link.status, await link.text()], [204, ''])
  })

  test('shows what was typed as text, even if it cannot be saved', async () => {
    const { status, text } = await preview({
      ...{ name: '<b>Orange Money</b>', color: '#zz', supportEmail: '"><script>1</script>' },
      ...{ supportPhone: 'x', termsUrl: 'javascript:alert(1)', order: '<i>&' },
    })
    assert.equal(status, 200)
    assert.doesNotMatch(text, /<b>Orange|<script|javascript:|<i>&/)
    assert.ok(text.includes('--brand:#0f6b4f'))
  })

  test('is only for signed-in members of the Space, and only from this service', async () => {
    const other = await signedIn((await t.merchant()).userId)
    const token = { authorization: `Bearer ${shop.token}` }
    for (const [headers, status, reason] of [
      [{}, 401, 'token_missing'],
      [token, 401, 'token_missing'],
      [{ cookie: `${cookie}x` }, 401, 'session_invalid'],
      [{ cookie: other.cookie }, 403, 'access_denied'],
      [{ cookie, 'sec-fetch-site': 'cross-site' }, 403, 'access_denied'],
      [{ cookie, 'sec-fetch-site': 'same-site' }, 403, 'access_denied'],
    ] as const) {
      const refused = await preview({}, { headers })
      assert.equal(refused.status, status, JSON.stringify(refused.error))
      if (reason !== 'session_invalid') assert.equal(refused.reason, reason)
    }
    for (const role of ['viewer', 'support', 'finance', 'developer', 'admin']) {
      const { userId } = await t.merchant({ sameSpaceAs: shop, role })
      const { cookie } = await signedIn(userId)
      assert.equal((await preview({}, { headers: { cookie } })).status, 200, role)
    }
    assert.equal((await preview({}, { space: 'spc-none' })).status, 400)
    assert.equal((await preview({}, { environment: 'staging' })).reason, 'not_found')
  })

  test('refuses malformed forms', async () => {
    const big = 'x'.repeat(70_000)
    const refused: [Record<string, string>, string][] = [
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ color: '#1234567' }, 'color'],
      [{ state: 'stolen' }, 'state'],
      [{ scheme: 'red' }, 'scheme'],
      [{ language: 'xx' }, 'language'],
      [{ order: '' }, 'order'],
      [{ unknown: '1' }, 'unknown'],
      [{ logo: 'https://elsewhere.example/logo.png' }, 'logo'],
      [{ logo: '/logos/x.png' }, 'logo'],
      [{ logo: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'logo'],
      [{ logo: `data:image/png;base64,${Buffer.from('not a PNG').toString('base64')}` }, 'logo'],
      [{ logo: `data:image/png;base64,${Buffer.from(big).toString('base64')}` }, 'logo'],
    ]
    for (const [change, param] of refused) {
      const { status, error } = await preview(change)
      assert.deepEqual(
        [status, error?.reason],
        [400, 'arguments_invalid'],
        JSON.stringify(change).slice(0, 80),
      )
      assert.equal(error.details[0].param, param)
    }
    for (const body of ['', 'name=1&name=2', 'name[a]=1', '%', '__proto__=1'])
      assert.equal((await preview({}, { body })).status, 400, body)
    const nul = await preview({ name: 'a\0b' })
    assert.ok(nul.status === 400 || nul.status === 200)
    const json = { cookie, 'content-type': 'application/json' }
    assert.equal((await preview({}, { headers: json, body: '[]' })).status, 400)
    assert.equal((await preview({}, { headers: json, body: '{' })).status, 400)
    const huge = await preview({}, { body: `logo=${'x'.repeat(200_000)}` })
    assert.deepEqual([huge.status, huge.reason], [413, 'body_too_large'])
    assert.match(huge.error.message, /128 KiB/)
  })
})
