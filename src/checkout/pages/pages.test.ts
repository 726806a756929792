import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allWays, choosing, fabric, nonce, samples, view, waiting } from '../../../test/checkout-views.ts'
import { packNow } from '../../platform/http/compression.ts'
import { failureCodes } from '../../providers/connector.ts'
import { assetPath, assets } from './assets.ts'
import { languages } from './language.ts'
import { pagePolicy } from './policy.ts'
import { renderCheckoutPage } from './render.ts'
import { texts } from './texts.ts'
import type { CheckoutView, FormFault } from './view.ts'

type Providers = ReturnType<typeof choosing>['providers']

test('every page is a whole document without inline scripts, handlers or styles', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const html = renderCheckoutPage(sample)
    assert.match(html, /^<!doctype html>\n<html lang="en">/, name)
    assert.equal(html.match(/ nonce="/g)?.length, 3, name)
    assert.match(html, /<\/html>\n$/, name)
    assert.doesNotMatch(html, /undefined|\[object|NaN/, name)
    assert.equal(html.match(/<style/g)?.length, 1, name)
    assert.equal(html.match(/<script/g)?.length, 1, name)
    assert.doesNotMatch(html, /<[^>]* (style|on[a-z]+)=/, name)
    assert(html.includes(`<style nonce="${nonce}">`), name)
  }
})

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

test('what a preview of the link could show tells nothing of the order', () => {
  for (const [name, { state }] of Object.entries(samples)) {
    const secret = {
      merchant: 'SECRETSHOP',
      name: 'SECRETORDER',
      description: 'SECRETTEXT',
      total: 'SECRETSUM',
    }
    const html = renderCheckoutPage(view(state, { ...secret, items: [{ ...fabric, name: 'SECRETITEM' }] }))
    const [, head = ''] = /<head>(.*)<\/head>/s.exec(html) ?? []
    assert.match(head, /<title>[^<]+<\/title>/, name)
    assert.doesNotMatch(head, /SECRET/, name)
    assert.doesNotMatch(head, /property="og:|name="twitter:|application\/ld\+json/, name)
    assert(head.includes('<meta name="robots" content="noindex, nofollow">'), name)
  }
})

test('the title says the state', () => {
  const titleOf = (name: string) => /<title>(.*)<\/title>/.exec(renderCheckoutPage(samples[name]!))?.[1]
  assert.equal(titleOf('choose'), 'Payment: choose how to pay')
  assert.equal(titleOf('choose-failure'), 'Payment failed: try again')
  assert.equal(titleOf('choose-phone-fault'), 'Payment: please correct')
  assert.equal(titleOf('waiting'), 'Payment: waiting for your approval')
  assert.equal(titleOf('paid'), 'Payment received')
  assert.equal(titleOf('cancelled'), 'Payment cancelled')
  assert.equal(titleOf('expired'), 'Payment page expired')
})

test('test payments say so, live ones do not', () => {
  assert(renderCheckoutPage(view(choosing(), { environment: 'test' })).includes(texts.en.testNotice))
  assert(!renderCheckoutPage(view(choosing(), { environment: 'live' })).includes(texts.en.testNotice))
})

test('the form posts the fields of the ways to pay that it offers', () => {
  const posted = (providers: Providers) => [
    ...new Set(
      [...renderCheckoutPage(view(choosing({ providers }))).matchAll(/<input [^>]*name="(\w+)"/g)].map(
        (match) => match[1],
      ),
    ),
  ]
  assert.match(renderCheckoutPage(view(choosing())), /<form method="post" action="\/pay\/cos-1" /)
  assert.deepEqual(posted(choosing().providers), ['formToken', 'provider', 'phone'])
  assert.deepEqual(posted(allWays), ['formToken', 'provider', 'phone', 'accountNumber', 'walletId'])
  assert.deepEqual(posted(allWays.slice(-1)), ['formToken', 'provider'])
})

test('the ways to pay stand in the order of their first providers', () => {
  const html = renderCheckoutPage(view(choosing({ providers: allWays.toReversed() })))
  assert.deepEqual(
    [...html.matchAll(/id="way-(\w+)"/g)].map((match) => match[1]),
    ['card', 'wallet', 'bank', 'momo'],
  )
})

test('a field is required by the browser only where no other way to pay is offered', () => {
  const required = (providers: Providers) =>
    renderCheckoutPage(view(choosing({ providers }))).match(/<input id="\w+" name="\w+"[^>]* required /g)
      ?.length ?? 0
  assert.equal(required(choosing().providers), 1)
  assert.equal(required(allWays), 0)
})

test('a single provider is chosen already, several are not', () => {
  const chosen = (change: Parameters<typeof choosing>[0]) =>
    /value="([^"]*)" required [^>]*checked/.exec(renderCheckoutPage(view(choosing(change))))?.[1]
  assert.equal(chosen({}), undefined)
  assert.equal(chosen({ provider: 'm18' }), 'm18')
  assert.equal(chosen({ providers: [{ id: 'm17', name: 'Orange Money', type: 'momo' }] }), 'm17')
})

test('the dial code is not repeated in the phone field', () => {
  const value = (phone: string) =>
    renderCheckoutPage(view(choosing({ phone }))).match(/required value="([^"]*)"/)?.[1]
  assert.equal(value('+23276123456'), '76123456')
  assert.equal(value('076123456'), '076123456')
  assert.equal(value('+233241234567'), '+233241234567')
})

test('a fault is shown in a summary that has the focus, leads to the field, and describes it', () => {
  for (const [field, faults] of Object.entries(texts.en.faults))
    for (const [code, text] of Object.entries(faults)) {
      const fault = { field, code } as FormFault
      const html = renderCheckoutPage(view(choosing({ providers: allWays, fault })))
      assert.equal(html.match(/autofocus/g)?.length, 1)
      assert.match(html, /role="alert" tabindex="-1" autofocus/)
      assert(html.includes(`<a href="#${field}">${text}</a>`))
      assert(html.includes(`id="${field}-fault">${text}`))
      assert.match(html, new RegExp(`aria-describedby="${field}-fault[ "]`))
      assert.match(html, new RegExp(` id="?${field}[ "]`))
    }
})

test('every failure has words of each language, an unheard-of one too', () => {
  for (const language of languages) {
    const shown = (code: string) => renderCheckoutPage(view(choosing({ failure: { code } }), { language }))
    const { failures } = texts[language]
    assert.deepEqual(Object.keys(failures).toSorted(), failureCodes.toSorted())
    for (const code of failureCodes) assert(shown(code).includes(failures[code]), code)
    for (const code of ['brand_new', 'constructor', '__proto__'])
      assert(shown(code).includes(failures.unknown))
  }
})

test('a payer who is to go on elsewhere has a link there, and only a link that can be trusted', () => {
  const html = (continueUrl: string) => renderCheckoutPage(view(waiting({ type: 'card', continueUrl })))
  assert.match(html('https://card.example/c'), /<a class="button" href="https:\/\/card.example\/c" rel="nore/)
  assert.doesNotMatch(html('javascript:alert(1)'), /class="button"|javascript:/)
})

test('the code for another device is on the page where the payer chooses, and nowhere else', () => {
  for (const [name, sample] of Object.entries(samples))
    assert.equal(renderCheckoutPage(sample).includes('class="qr"'), sample.state.kind === 'choose', name)
  const { address: _, ...onPhone } = samples.choose!
  assert(!renderCheckoutPage(onPhone).includes('class="qr"'))
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

/** A slow phone's first view, as it is sent: phones are not sent the code for another device. */
test('html, css and script together weigh under 8 KB on a phone, and under 10 KB on a desk', async () => {
  for (const encoding of ['br', 'gzip'] as const) {
    const files = assets.reduce((sum, asset) => sum + asset.packed[encoding].length, 0)
    const weigh = async (view: CheckoutView) =>
      files + (await packNow[encoding](renderCheckoutPage(view))).length
    for (const [name, sample] of Object.entries(samples)) {
      const { address: _, ...onPhone } = sample
      const [phone, desk] = [await weigh(onPhone), await weigh(sample)]
      assert(phone < 8_000 && desk < 10_000, `${name}: ${phone} bytes on a phone, ${desk} on a desk`)
    }
  }
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

test('the policy lets forms lead to this server and to the addresses of the session, nowhere else', () => {
  const policy = pagePolicy('abc', [
    'https://shop.example/thanks?x=1',
    'https://shop.example/back',
    'nonsense; x',
  ])
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
  assert.match(policy, /^default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc';/)
})
