import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { providerLogo } from '../../../support/checkout-views.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// Raw HTTP responses of the payment page.

const folder = mkdtempSync(path.join(tmpdir(), 'page-responses-'))
writeFileSync(path.join(folder, 'orange.png'), providerLogo.image)
const providersFile = path.join(folder, 'providers.json')
writeFileSync(providersFile, JSON.stringify({ tiles: { m17: { logo: 'orange.png' } } }))
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const merchant = await t.merchant()

const evil = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`

async function openSession(more: object = {}) {
  const body = {
    name: 'Order 42',
    successUrl: 'https://shop.example/thanks',
    lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 } }],
    ...more,
  }
  const answer = await merchant.call('POST', '/v1/checkout-sessions', body)
  assert.equal(answer.status, 200)
  const session = answer.body.result
  return { session, url: session.redirectUrl as string, payer: createPayer(session.redirectUrl) }
}

/** Creates a paid session, a waiting one, one with a failed attempt, and a cancelled one. */
async function openEach(more: object = {}) {
  const [choose, waiting, failed, paid, cancelled] = await Promise.all(
    Array.from({ length: 5 }, () => openSession(more)),
  )
  await waiting!.payer.pay('m17', '076 123 004')
  await failed!.payer.pay('m17', '076 123 001')
  await paid!.payer.pay('m17', '076 123 456')
  await cancelled!.payer.cancel()
  for (const { payer } of [failed!, paid!]) await until(async () => (await payer.status()) === 'done')
  return { choose: choose!, waiting: waiting!, failed: failed!, paid: paid!, cancelled: cancelled! }
}

/** Returns the body, decompressed if needed. */
async function textOf({ headers, body }: Awaited<ReturnType<typeof request>>): Promise<string> {
  const bytes = Buffer.from(await body.arrayBuffer())
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const faultyForm = async ({ payer }: Awaited<ReturnType<typeof openSession>>, phone: string) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'br, gzip' },
  body: new URLSearchParams({ formToken: await payer.formToken(), provider: 'm17', phone }).toString(),
})

const each = await openEach()
const faulty = await faultyForm(each.choose, '12')

describe('GET and POST /pay/{key}, every page', () => {
  const missing = `${t.baseUrl}/pay/${'A'.repeat(66)}`
  const pages: [name: string, status: number, url: string, init?: Awaited<ReturnType<typeof faultyForm>>][] =
    [
      ['choose', 200, each.choose.url],
      ['choose, with an issue', 422, each.choose.url, faulty],
      ['choose, after a failure', 200, each.failed.url],
      ['waiting', 200, `${each.waiting.url}/wait`],
      ['paid', 200, each.paid.url],
      ['receipt', 200, `${each.paid.url}/receipt`],
      ['cancelled', 200, each.cancelled.url],
      ['not found', 404, missing],
    ]

  for (const [name, status, url, init] of pages)
    test(`${status} with security headers: ${name}`, async () => {
      const answer = await request(url, init)
      const html = await textOf(answer)
      assert.equal(answer.statusCode, status)
      const { headers } = answer
      const [, nonce] = /<style nonce="([0-9a-z]{26})"/.exec(html) ?? []
      assert(nonce)
      const forms = ["'self'"]
      if (name !== 'not found' && name !== 'receipt') forms.push('https://shop.example')
      // Banks, wallets and cards have their own pages, which are all the simulator's here.
      if (name.startsWith('choose')) forms.push(new URL(t.baseUrl).origin)
      assert.deepEqual(String(headers['content-security-policy']).split('; '), [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "img-src 'self' https: data:",
        "connect-src 'self'",
        `form-action ${forms.join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['x-robots-tag'], 'noindex, nofollow')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.match(String(headers['permissions-policy']), /camera=\(\).*geolocation=\(\)/)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['content-language'], 'en')
      assert.equal(headers.vary, 'accept-language, accept-encoding, cookie')
      assert.equal(headers['set-cookie'], undefined)
      const again = await request(url, init)
      assert(!(await textOf(again)).includes(nonce), 'a nonce is used once')
    })
})

test('GET /pay/{key}/wait and /receipt: 303, not cacheable', async () => {
  const { payer, url } = await openSession()
  const answer = await request(`${url}/wait`)
  await answer.body.dump()
  assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [303, 'no-store'])
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  assert.equal((await payer.look('/receipt')).location, new URL(url).pathname)
})

test('GET /pay/{key}: 200 compressed; POST: 422 with only its styles compressed, because it echoes input next to the form’s token', async () => {
  const opened = await openSession()
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, body } = await request(opened.url, { headers: { 'accept-encoding': encoding } })
    await body.dump()
    assert.equal(headers['content-encoding'], encoding)
  }
  const plain = await request(opened.url)
  assert.equal(plain.headers['content-encoding'], undefined)
  await plain.body.dump()
  const lengths = []
  for (const typed of ['0761'.repeat(20), `formToken${'x'.repeat(71)}`, '07612345678980'.padEnd(80, 'q')]) {
    const faulty = await request(opened.url, await faultyForm(opened, typed))
    assert.equal(faulty.headers['content-encoding'], 'gzip')
    const packed = Buffer.from(await faulty.body.arrayBuffer())
    assert(gunzipSync(packed).toString().includes(`value="${typed}"`))
    lengths.push(packed.length)
  }
  assert.deepEqual(new Set(lengths).size, 1, 'including repetitions elsewhere in the page')
})

test('GET and POST /pay/{key}: 200 and 303 echo nothing of the request, except for a form submitted with its token', async () => {
  const { url, payer } = await openSession()
  const headers = {
    'accept-language': 'fr;x=MARK',
    'user-agent': 'MARK',
    referer: 'https://MARK/',
    cookie: 'a=MARK',
  }
  const page = await request(`${url}?phone=MARK&provider=MARK&formToken=MARK`, { headers })
  assert.doesNotMatch(await page.body.text(), /MARK/)
  const refused = await payer.post('', { provider: 'm17', phone: 'MARK', formToken: 'MARK' })
  assert.deepEqual([refused.status, refused.text], [303, ''])
})

test('GET /assets/…: 200 compressed, cached permanently, and not for other sites', async () => {
  const { payer } = await openSession()
  const paths = [...(await payer.look()).text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  assert.equal(paths.length, 1)
  for (const path of paths) {
    const answer = await request(t.baseUrl + path, { headers: { 'accept-encoding': 'gzip, br' } })
    await answer.body.dump()
    assert.equal(answer.headers['content-encoding'], 'br')
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers.vary, 'accept-encoding')
  }
})

test('GET /provider-logos/{id}: 200 with an included SVG that can load nothing, cached for an hour', async () => {
  for (const id of ['m18', 'slb001', 'visa', 'verve?size=40']) {
    const answer = await request(`${t.baseUrl}/provider-logos/${id}`)
    assert.equal(answer.statusCode, 200, id)
    assert.equal(answer.headers['content-type'], 'image/svg+xml')
    assert.equal(answer.headers['cache-control'], 'public, max-age=3600')
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'")
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
    assert.match(await answer.body.text(), /^<svg /)
  }
})

test('GET /provider-logos/{logo}: 200 with the operator’s logo, cached permanently; 404 for any other', async () => {
  const { payer } = await openSession()
  const [, address] = /<img class="badge" src="([^"]+)"/.exec((await payer.look()).text) ?? []
  const answer = await request(t.baseUrl + address)
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(Buffer.from(await answer.body.arrayBuffer()), providerLogo.image)
  assert.equal(answer.headers['content-type'], 'image/png')
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'")
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  const hostile = [
    '%2e%2e%2fproviders.json',
    '%00',
    'constructor',
    '__proto__',
    'm17%3Cscript%3E',
    'M17',
    'x'.repeat(90),
  ]
  for (const other of ['0123456789abcdef.png', 'orange-money.svg', 'x', ...hostile]) {
    const missing = await request(`${t.baseUrl}/provider-logos/${other}`)
    assert.deepEqual(
      [missing.statusCode, await missing.body.text()],
      [404, 'There is no such logo.\n'],
      other,
    )
  }
})

test('HEAD /pay/{key}: 200 with the headers, without side effects', async () => {
  const { url, payer } = await openSession()
  const answer = await request(url, { method: 'HEAD' })
  assert.deepEqual([answer.statusCode, await answer.body.text()], [200, ''])
  assert.equal(answer.headers['x-robots-tag'], 'noindex, nofollow')
  assert.equal(await payer.status(), 'done')
})

test('GET /pay/{key}: 200 to a link preview, without amount, merchant or order', async () => {
  const each = await openEach({ name: 'SECRET order', description: 'SECRET text' })
  for (const { url } of Object.values(each))
    for (const path of ['', '/wait', '/receipt']) {
      const answer = await request(url + path, { headers: { 'user-agent': 'WhatsApp/2.23' } })
      // The nonce, the key and the script's hash may contain any word.
      const html = (await answer.body.text())
        .replace(/<style.*?<\/style>/s, '')
        .replace(/nonce="[^"]*"|\/(?:pay|assets)\/[\w.-]+/g, '')
      const [head = ''] = /<head>.*<\/head>/s.exec(html) ?? []
      assert.doesNotMatch(head, /SECRET|Test Shop|150|Le|Country cloth|og:|twitter:/)
    }
})

test('GET /pay/{key}: 200 in the payer’s language, including money and times', async () => {
  const { session, url } = await openSession({
    lineItems: [{ name: 'Riz', price: { currency: 'XOF', value: 12_500 } }],
  })
  const { headers, body } = await request(url, { headers: { 'accept-language': 'fr-SN,fr;q=0.9,en;q=0.5' } })
  const html = await body.text()
  assert.equal(headers['content-language'], 'fr')
  assert.match(html, /<html lang="fr">/)
  assert.match(html, /Payer 12\s500\sFCFA/)
  assert.match(html, /MTN MoMo, Bénin/)
  const until = new Date(session.expireTime).toISOString().slice(11, 16)
  assert.match(html, new RegExp(`Vous pouvez payer jusqu’au \\d+ \\p{L}+ \\d{4} à ${until} UTC\\.`, 'u'))
  const missing = await request(`${t.baseUrl}/pay/nothing`, { headers: { 'accept-language': 'fr' } })
  assert.match(await missing.body.text(), /Cette page de paiement n’existe pas/)
})

test('GET and POST /pay/{key}: 200 and 422 render all input of merchants and payers as text, in every state', async () => {
  const each = await openEach({
    name: evil,
    description: evil,
    reference: evil,
    callbackState: evil,
    lineItems: [
      {
        name: evil,
        description: evil,
        reference: evil,
        price: { currency: 'SLE', value: 1 },
        images: [`https://i.example/${encodeURI(evil)}?${evil.replace(/\s/g, '')}`],
      },
    ],
    metadata: { [evil.slice(0, 20)]: evil },
    cancelUrl: `https://shop.example/?q=${encodeURIComponent(evil)}`,
    successUrl: null,
  })
  for (const [name, { url, payer }] of Object.entries(each))
    for (const path of ['', '/wait', '/receipt']) {
      const { status, text } = await payer.look(path)
      if (status !== 303) assertHarmless(text, `${name}: ${url}${path}`)
    }
  const formToken = await each.choose.payer.formToken()
  for (const field of ['provider', 'phone', 'accountNumber', 'walletId']) {
    const { status, text } = await each.choose.payer.post('', {
      provider: 'm17',
      phone: '12',
      formToken,
      [field]: evil,
    })
    assert.equal(status, 422)
    assertHarmless(text, field)
  }
})

function assertHarmless(html: string, where: string): void {
  assert.doesNotMatch(html, /<img src="?x|<script>|<[^>]*"'>/, where)
  assert((html.match(/<script/g)?.length ?? 0) <= 1, where)
}
