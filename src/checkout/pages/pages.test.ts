import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assetPath, assets } from './assets.ts'
import { pagePolicy } from './policy.ts'
import { type CheckoutView, renderCheckoutPage, renderMessagePage } from './render.ts'
import { choosing, fabric, nonce, samples, view, waiting } from './samples.ts'
import { texts } from './texts.ts'

const evil = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`

test('every page is a whole document without inline scripts, handlers or styles', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const html = renderCheckoutPage(sample)
    assert.match(html, /^<!doctype html>\n<html lang="en">/, name)
    assert.match(html, /<\/html>\n$/, name)
    assert.doesNotMatch(html, /undefined|\[object|NaN/, name)
    assert.equal(html.match(/<style/g)?.length, 1, name)
    assert.equal(html.match(/<script/g)?.length, 1, name)
    assert.doesNotMatch(html, /<[^>]* (style|on[a-z]+)=/, name)
    assert(html.includes(`<style nonce="${nonce}">`), name)
    assert(html.includes('<meta name="robots" content="noindex">'), name)
    assert.doesNotMatch(html, /property="og:/, name)
  }
})

test('markup planted in any field comes out as text', () => {
  const item = {
    ...fabric,
    name: evil,
    description: evil,
    price: evil,
    total: evil,
    image: `https://i.example/${evil}`,
  }
  const fields = {
    merchant: evil,
    name: evil,
    description: evil,
    total: evil,
    items: [item],
    nonce: evil,
    brand: evil,
  }
  const states: CheckoutView['state'][] = [
    choosing({
      payAction: `/${evil}`,
      cancelAction: `/${evil}`,
      providers: [{ type: 'momo', id: evil, name: evil }],
      provider: evil,
      phone: evil,
      dialCode: evil,
      formToken: evil,
      failure: { code: evil },
    }),
    waiting({ provider: evil, phone: evil, statusUrl: `/${evil}`, waitUrl: `/${evil}` }),
    { kind: 'paid', orderNumber: evil, returnUrl: `https://shop.example/?${evil}` },
    { kind: 'cancelled', returnUrl: `https://shop.example/#${evil}` },
    { kind: 'expired', returnUrl: `https://${evil}/` },
  ]
  for (const state of states) assertHarmless(renderCheckoutPage(view(state, fields)))
  assertHarmless(renderMessagePage({ nonce: evil, title: evil, text: evil }))
})

function assertHarmless(html: string) {
  assert.doesNotMatch(html, /<img src="?x|<script>|<[^>]*"'>/)
  assert.equal(html.match(/<script/g)?.length, 1)
  assert(html.includes('&lt;img src=x onerror=alert(1)&gt;'))
}

test('an address that is not what it should be is left out', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//x',
  ]) {
    const html = renderCheckoutPage(
      view(
        { kind: 'paid', orderNumber: '1', returnUrl: url },
        { items: [fabric, { ...fabric, image: url }] },
      ),
    )
    assert.doesNotMatch(html, /javascript:|data:text/i)
    assert.doesNotMatch(html, /<a /)
    assert.equal(html.match(/<img/g)?.length, 1)
    assert.equal(html.match(/class="picture"/g)?.length, 2, 'the box stays, so the rows stay aligned')
  }
})

test('images load over https only', () => {
  const html = renderCheckoutPage(
    view(choosing(), { items: [{ ...fabric, image: 'http://i.example/a.png' }] }),
  )
  assert.doesNotMatch(html, /<img/)
})

test('forms and links of ours stay on this server', () => {
  for (const path of [
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:x',
  ]) {
    assert.throws(() => renderCheckoutPage(view(choosing({ payAction: path }))), /path on this server/)
    assert.throws(() => renderCheckoutPage(view(choosing({ cancelAction: path }))), /path on this server/)
    assert.throws(() => renderCheckoutPage(view(waiting({ waitUrl: path }))), /path on this server/)
    assert.throws(() => renderCheckoutPage(view(waiting({ statusUrl: path }))), /path on this server/)
  }
})

test('templates print raw only what templates made', () => {
  for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith('.eta'))) {
    const template = readFileSync(new URL(name, import.meta.url), 'utf8')
    for (const [tag] of template.matchAll(/<%[-_]?\s*~[^%]*%>/g))
      assert.match(tag, /~ (include\('\.\/\w+'\)|it\.body) %>/)
  }
})

test('the title says the state', () => {
  const titles = Object.values(samples).map(
    (sample) => /<title>(.*)<\/title>/.exec(renderCheckoutPage(sample))?.[1],
  )
  assert(titles.includes('Pay Le 150.00 to Aminata Textiles'))
  assert(titles.includes('Payment failed. Try again: Aminata Textiles'))
  assert(titles.includes('Please correct: payment to Aminata Textiles'))
  assert(titles.includes('Approve Le 150.00 on your phone: Aminata Textiles'))
  assert(titles.includes('Paid Le 150.00 to Aminata Textiles'))
  assert(titles.includes('Payment cancelled: Aminata Textiles'))
  assert(titles.includes('Payment page expired: Aminata Textiles'))
})

test('test payments say so, live ones do not', () => {
  assert(renderCheckoutPage(view(choosing(), { environment: 'test' })).includes(texts.en.testNotice))
  assert(!renderCheckoutPage(view(choosing(), { environment: 'live' })).includes(texts.en.testNotice))
})

test('the form posts provider, phone and formToken', () => {
  const html = renderCheckoutPage(view(choosing()))
  assert.match(html, /<form method="post" action="\/pay\/cos-1" /)
  assert.deepEqual(
    [...new Set([...html.matchAll(/ name="(provider|phone|formToken)"/g)].map((match) => match[1]))],
    ['formToken', 'provider', 'phone'],
  )
})

test('a single provider is chosen already, several are not', () => {
  const chosen = (change: Parameters<typeof choosing>[0]) =>
    renderCheckoutPage(view(choosing(change))).match(/value="([^"]*)" required checked/)?.[1]
  assert.equal(chosen({}), undefined)
  assert.equal(chosen({ provider: 'm18' }), 'm18')
  assert.equal(chosen({ providers: [{ type: 'momo', id: 'm17', name: 'Orange Money' }] }), 'm17')
})

test('the dial code is not repeated in the phone field', () => {
  const value = (phone: string) =>
    renderCheckoutPage(view(choosing({ phone }))).match(/required value="([^"]*)"/)?.[1]
  assert.equal(value('+23276123456'), '76123456')
  assert.equal(value('076123456'), '076123456')
  assert.equal(value('+233241234567'), '+233241234567')
})

test('a fault is tied to its field, which has the focus', () => {
  const phone = renderCheckoutPage(view(choosing({ fault: { field: 'phone', code: 'invalid' } })))
  assert.match(phone, /id="phone-fault">This is not a number/)
  assert.match(phone, /<input id="phone"[^>]*aria-invalid="true" autofocus aria-describedby="phone-fault /)

  const provider = renderCheckoutPage(view(choosing({ fault: { field: 'provider', code: 'missing' } })))
  assert.match(
    provider,
    /<fieldset role="radiogroup"[^>]*aria-invalid="true" aria-describedby="provider-fault"/,
  )
  assert.match(provider, /type="radio"[^>]*autofocus/)
  assert.equal(provider.match(/autofocus/g)?.length, 1)
})

test('every failure is told in words, an unheard-of one too', () => {
  for (const [code, text] of Object.entries(texts.en.failures)) {
    assert(renderCheckoutPage(view(choosing({ failure: { code } }))).includes(text), code)
  }
  for (const code of ['brand_new', 'constructor', '__proto__']) {
    assert(renderCheckoutPage(view(choosing({ failure: { code } }))).includes(texts.en.failures.unknown))
  }
})

test('without JavaScript the waiting page reloads itself, and has a link', () => {
  const html = renderCheckoutPage(view(waiting()))
  assert(html.includes('<noscript><meta http-equiv="refresh" content="2;url=/pay/cos-1"></noscript>'))
  assert.match(html, /<a class="quiet" href="\/pay\/cos-1">/)
  assert.doesNotMatch(renderCheckoutPage(view(choosing())), /http-equiv="refresh"/)
})

test('quantity and price are shown when there are several', () => {
  const html = renderCheckoutPage(view(choosing(), { items: [{ ...fabric, quantity: 100_000 }] }))
  assert(html.includes('100,000 × Le\u00a060.00'))
})

test('html, css and script together weigh under 30 KB', () => {
  const assetBytes = assets.reduce((sum, asset) => sum + asset.body.length, 0)
  const ordinary = ['choose', 'choose-failure', 'waiting', 'paid', 'cancelled', 'expired']
  for (const name of ordinary) {
    const sample = samples[name]
    assert(sample)
    const bytes = Buffer.byteLength(renderCheckoutPage(sample)) + assetBytes
    assert(bytes < 30_000, `${name}: ${bytes}`)
  }
  const longest = Math.max(
    ...Object.values(samples).map((sample) => Buffer.byteLength(renderCheckoutPage(sample))),
  )
  assert(longest + assetBytes < 30_000, `longest: ${longest}`)
})

test('assets are named by their content', () => {
  assert.match(assetPath('checkout.css'), /^\/assets\/checkout\.[0-9a-f]{8}\.css$/)
  assert.match(assetPath('checkout.js'), /^\/assets\/checkout\.[0-9a-f]{8}\.js$/)
  assert.deepEqual(
    assets.map(({ path, type }) => [path, type]),
    [
      [assetPath('checkout.css'), 'text/css; charset=utf-8'],
      [assetPath('checkout.js'), 'text/javascript; charset=utf-8'],
    ],
  )
})

test('the policy lets forms lead to this server and to the addresses given, nowhere else', () => {
  const policy = pagePolicy('abc', [
    'https://shop.example/thanks?x=1',
    'https://shop.example/back',
    'nonsense; x',
  ])
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-abc';/)
})
