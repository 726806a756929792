import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { failureCodes } from '@pesewa/connector-kit'
import {
  allWays,
  choosing,
  fabric,
  nonce,
  samples,
  view,
  waiting,
} from '../../../../../../test/support/checkout-views.ts'
import { compressAround, compressSharedPart } from '../../../platform/http/server/compression.ts'
import { assets, scriptPath, styles } from './assets.ts'
import { contrast } from './color.ts'
import { languages } from './language.ts'
import { pagePolicy } from './policy.ts'
import { renderCheckoutPage } from './render.ts'
import { testNumbers } from './test-numbers.ts'
import { texts } from './texts.ts'
import type { FormIssue } from './view.ts'

type Providers = ReturnType<typeof choosing>['providers']

test('every page is a complete document without inline scripts, handlers or styles', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const html = renderCheckoutPage(sample)
    assert.match(html, /^<!doctype html>\n<html lang="en">/, name)
    assert.equal(html.match(/ nonce="/g)?.length, 3, name)
    assert.match(html, /<\/html>\n$/, name)
    assert.doesNotMatch(html, /undefined|\[object|NaN/, name)
    assert.equal(html.match(/<style/g)?.length, 2, name)
    assert.doesNotMatch(html, /<link rel="stylesheet"/, name)
    assert.equal(html.match(/<script/g)?.length, 1, name)
    assert.doesNotMatch(html, /<[^>]* (style|on[a-z]+)=/, name)
    assert(html.includes(`<style nonce="${nonce}">${styles}</style>`), name)
  }
})

test('an unsafe URL is left out', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//x',
  ]) {
    const html = renderCheckoutPage(
      view({ kind: 'paid', returnUrl: url }, { items: [fabric, { ...fabric, image: url }] }),
    )
    assert.doesNotMatch(html, /javascript:|data:text/i)
    assert.doesNotMatch(html, /<a /)
    assert.equal(html.match(/<img/g)?.length, 1)
    assert.equal(html.match(/class="picture"/g)?.length, 2, 'the box remains, so that rows stay aligned')
  }
})

test('images load over https only', () => {
  const html = renderCheckoutPage(
    view(choosing(), { items: [{ ...fabric, image: 'http://i.example/a.png' }] }),
  )
  assert.doesNotMatch(html, /<img/)
})

test('our own forms and links stay on this server', () => {
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

test('templates print only the output of templates unescaped', () => {
  for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith('.eta'))) {
    const template = readFileSync(new URL(name, import.meta.url), 'utf8')
    for (const [tag] of template.matchAll(/<%[-_]?\s*~[^%]*%>/g))
      assert.match(tag, /~ (include\('\.\/\w+'\)|it\.body|it\.css) %>/)
  }
})

test('the head of a page reveals nothing about the order to link previews', () => {
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

test('the title shows the state', () => {
  const titleOf = (name: string) => /<title>(.*)<\/title>/.exec(renderCheckoutPage(samples[name]!))?.[1]
  assert.equal(titleOf('choose'), 'Payment: choose how to pay')
  assert.equal(titleOf('choose-failure'), 'Payment failed: try again')
  assert.equal(titleOf('choose-phone-fault'), 'Payment: check your details')
  assert.equal(titleOf('waiting'), 'Payment: waiting for your approval')
  assert.equal(titleOf('paid'), 'Payment received')
  assert.equal(titleOf('cancelled'), 'Payment cancelled')
  assert.equal(titleOf('expired'), 'Payment page expired')
})

test('test payments are marked, live ones are not', () => {
  assert(renderCheckoutPage(view(choosing(), { environment: 'test' })).includes(texts.en.testNotice))
  assert(!renderCheckoutPage(view(choosing(), { environment: 'live' })).includes(texts.en.testNotice))
})

test('the form posts the fields of the payment methods it offers', () => {
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

test('payment methods follow the order of their first providers', () => {
  const html = renderCheckoutPage(view(choosing({ providers: allWays.toReversed() })))
  assert.deepEqual(
    [...html.matchAll(/id="way-(\w+)"/g)].map((match) => match[1]),
    ['card', 'wallet', 'bank', 'momo'],
  )
})

test('the browser requires a field only if no other payment method is offered', () => {
  const required = (providers: Providers) =>
    renderCheckoutPage(view(choosing({ providers }))).match(/<input id="\w+" name="\w+"[^>]* required /g)
      ?.length ?? 0
  assert.equal(required(choosing().providers), 1)
  assert.equal(required(allWays), 0)
})

test('the first available provider is preselected by default', () => {
  const chosen = (change: Parameters<typeof choosing>[0]) =>
    [...renderCheckoutPage(view(choosing(change))).matchAll(/value="([^"]*)" required [^>]*checked/g)].map(
      (match) => match[1],
    )
  assert.deepEqual(chosen({}), ['m17'])
  assert.deepEqual(chosen({ provider: 'm18' }), ['m18'])
  assert.deepEqual(chosen({ provider: 'unheard-of' }), ['m17'])
  const [first, ...others] = choosing().providers
  const paused = { ...first!, unavailable: 'Back at noon' }
  assert.deepEqual(chosen({ providers: [paused, ...others], provider: 'm17' }), ['m18'])
  assert.deepEqual(chosen({ providers: [paused] }), [])
})

test('the button describes its action', () => {
  const actions = (change: Parameters<typeof choosing>[0]) =>
    [
      ...renderCheckoutPage(view(choosing(change))).matchAll(/class="button +" data-busy="[^"]*">([^<]*)</g),
    ].map((match) => match[1]?.replaceAll('\u00a0', ' '))
  const wave = { id: 'wave-sn', name: 'Wave', type: 'momo', hasPage: true } as const
  const pay = 'Pay Le 150.00'
  assert.deepEqual(actions({}), [pay])
  assert.deepEqual(actions({ providers: allWays }), [pay, 'Continue to your bank', pay, 'Continue with card'])
  assert.deepEqual(actions({ providers: [wave] }), ['Continue to Wave'])
  assert.deepEqual(actions({ providers: [wave, ...choosing().providers] }), [pay])
  assert.deepEqual(actions({ providers: allWays, failure: { code: 'unknown', type: 'bank' } }), [
    pay,
    'Try again',
    pay,
    'Continue with card',
  ])
})

test('a provider’s tile has its colour with legible text; without a colour it is plain', () => {
  const html = renderCheckoutPage(samples['first-eight-providers']!)
  const tiles = [...html.matchAll(/\.(tile-\d){background:(#[0-9a-f]{6});color:(#[0-9a-f]{6})}/g)]
  assert.equal(tiles.length, 7)
  for (const [, name, fill = '', ink = ''] of tiles) {
    assert(contrast(fill, ink) >= 4.5, `${fill} ${ink}`)
    assert(html.includes(`class="badge ${name}"`))
  }
  assert.match(renderCheckoutPage(view(choosing({ providers: allWays.slice(1, 2) }))), /class="badge "/)
})

test('a provider’s logo is served by us, with its size', () => {
  const html = (logo: string) =>
    renderCheckoutPage(
      view(choosing({ providers: [{ id: 'm17', name: 'Orange Money', type: 'momo', logo }] })),
    )
  assert.match(
    html('/provider-logos/a.png'),
    /<img class="badge" src="\/provider-logos\/a.png" alt="" width="40" height="40">/,
  )
  assert.throws(() => html('https://elsewhere.example/a.png'), /path on this server/)
})

test('every page distinguishes the order’s name from its number', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const html = renderCheckoutPage(sample)
    assert.match(html, /Order number <span class="number">604811932075</, name)
    assert(html.includes(`<h1 class="short">${sample.name}</h1>`), name)
  }
})

test('the test notice lists the guide’s test numbers with the same outcomes', () => {
  const guide = readFileSync(new URL('../../../../../../docs/guides/testing.md', import.meta.url), 'utf8')
  const [, table = ''] = /\| digits \| what the rail does \| what you see \|\n(.*?)\n\n/s.exec(guide) ?? []
  const outcomes: Record<(typeof testNumbers)[number]['outcome'], RegExp> = {
    fund_insufficient: /`failed`, `fund_insufficient`/,
    declined: /APPROVAL_REJECTED.*`failed`/,
    expired: /`EXPIRED` after 60 s.*`failed`/,
    slow: /reports this after 30 s.*`completed`/,
    unreported: /never calls back.*`completed`.*through a query/,
    provider_account_blocked: /`failed`, `provider_account_blocked`/,
    provider_account_missing: /`failed`, `provider_account_missing`/,
    provider_account_quota_exhausted: /`failed`, `provider_account_quota_exhausted`/,
  }
  assert.match(table, /\| any other \| approves .* \| `completed` \|/)
  const html = renderCheckoutPage(samples['choose-test']!)
  for (const { digits, outcome } of testNumbers) {
    const [row = ''] = new RegExp(`^\\| \`${digits}\` .*$`, 'm').exec(table) ?? []
    assert.match(row, outcomes[outcome], digits)
    assert(html.includes(`<dt>…${digits}</dt><dd>${texts.en.test.outcomes[outcome]}</dd>`), digits)
  }
})

test('the test notice links to the simulated phones, if there are any', () => {
  const link = /<a href="\/simulator" target="_blank" rel="noopener">/
  const where = { environment: 'test', handsetsUrl: '/simulator' } as const
  assert.match(renderCheckoutPage(view(choosing(), where)), link)
  assert.match(renderCheckoutPage(view(waiting(), where)), link)
  assert.doesNotMatch(renderCheckoutPage(view(choosing(), { environment: 'test' })), link)
  assert.doesNotMatch(renderCheckoutPage(view(choosing(), { ...where, environment: 'live' })), link)
})

test('the dial code is not repeated in the phone field', () => {
  const value = (phone: string) =>
    renderCheckoutPage(view(choosing({ phone }))).match(/required value="([^"]*)"/)?.[1]
  assert.equal(value('+23276123456'), '76123456')
  assert.equal(value('076123456'), '076123456')
  assert.equal(value('+233241234567'), '+233241234567')
})

test('an issue appears in a focused summary that links to its field and describes it', () => {
  for (const [field, faults] of Object.entries(texts.en.faults))
    for (const [code, text] of Object.entries(faults)) {
      const fault = { field, code } as FormIssue
      const html = renderCheckoutPage(view(choosing({ providers: allWays, fault })))
      assert.equal(html.match(/autofocus/g)?.length, 1)
      assert.match(html, /role="alert" tabindex="-1" autofocus/)
      assert(html.includes(`<a href="#${field}">${text}</a>`))
      assert(html.includes(`id="${field}-fault">${text}`))
      assert.match(html, new RegExp(`aria-describedby="${field}-fault[ "]`))
      assert.match(html, new RegExp(` id="?${field}[ "]`))
    }
})

test('every failure has a message in each language, even an unknown one', () => {
  for (const language of languages) {
    const shown = (code: string) =>
      renderCheckoutPage(view(choosing({ failure: { code, type: 'momo' } }), { language }))
    const { failures } = texts[language]
    assert.deepEqual(Object.keys(failures).toSorted(), failureCodes.toSorted())
    for (const code of failureCodes) assert(shown(code).includes(failures[code]), code)
    for (const code of ['brand_new', 'constructor', '__proto__'])
      assert(shown(code).includes(failures.unknown))
  }
})

test('a payer who must continue elsewhere gets a link, if it is safe', () => {
  const html = (continueUrl: string) => renderCheckoutPage(view(waiting({ type: 'card', continueUrl })))
  assert.match(html('https://card.example/c'), /<a class="button" href="https:\/\/card.example\/c" rel="nore/)
  assert.doesNotMatch(html('javascript:alert(1)'), /class="button"|javascript:/)
})

test('only the page with the payment form shows the QR code for another device', () => {
  for (const [name, sample] of Object.entries(samples))
    assert.equal(renderCheckoutPage(sample).includes('class="qr"'), sample.state.kind === 'choose', name)
  const { address: _, ...onPhone } = samples.choose!
  assert(!renderCheckoutPage(onPhone).includes('class="qr"'))
})

test('the waiting page explains what the payer can do about a sent request', () => {
  const html = (change: Parameters<typeof waiting>[0]) => renderCheckoutPage(view(waiting(change)))
  assert.match(html({}), /A request cannot be withdrawn once it has been sent/)
  assert.match(
    html({ type: 'bank', provider: 'Rokel', continueUrl: 'https://bank.example/1' }),
    /Go back to Rokel and cancel there/,
  )
  assert.doesNotMatch(html({}), /action="[^"]*cancel"/)
})

test('the waiting page shows the approval code and the time left, if known', () => {
  const html = (change: Parameters<typeof waiting>[0]) => renderCheckoutPage(view(waiting(change)))
  assert.match(html({ approvalCode: '*170#' }), /href="tel:\*170%23">Dial \*170#</)
  assert.doesNotMatch(html({}), /href="tel:/)
  assert.match(html({ minutesLeft: 24 }), /Minutes left to pay: <span class="number" data-minutes-left>24</)
  assert.doesNotMatch(html({}), /Minutes left/)
})

test('without JavaScript the waiting page reloads itself, and has a link', () => {
  const html = renderCheckoutPage(view(waiting()))
  assert(html.includes('<noscript><meta http-equiv="refresh" content="2;url=/pay/cos-1"></noscript>'))
  assert.match(html, /<a class="quiet" href="\/pay\/cos-1">/)
  assert.doesNotMatch(renderCheckoutPage(view(choosing())), /http-equiv="refresh"/)
})

test('quantity and price are shown for quantities above one', () => {
  const html = renderCheckoutPage(view(choosing(), { items: [{ ...fabric, quantity: 100_000 }] }))
  assert(html.includes('100,000 × Le\u00a060.00'))
})

/** The number of bytes that a server sends before the first acknowledgement: ten segments, less the headers. */
const firstFlightBytes = 12_000

/** Returns the first page that a slow phone receives, as it is sent: without the QR code for another device. */
test('a page with its styles fits one flight of under 12 KB, compressed, on phones and desktops', () => {
  const part = compressSharedPart(styles)
  for (const [name, sample] of Object.entries(samples)) {
    const { address: _, ...onPhone } = sample
    for (const view of [sample, onPhone]) {
      const { length } = compressAround(renderCheckoutPage(view), part)
      assert(length < firstFlightBytes, `${name}: ${length} bytes`)
    }
  }
  const { address: _, ...onPhone } = samples['choose-all']!
  const answered = compressAround(renderCheckoutPage(onPhone), part, false)
  assert(answered.length < firstFlightBytes, `${answered.length} bytes in response to a form`)
})

test('the script’s URL contains its hash, and the styles are inline', () => {
  assert.match(scriptPath, /^\/assets\/checkout\.[0-9a-f]{8}\.js$/)
  assert.deepEqual(
    assets.map(({ path, type }) => [path, type]),
    [[scriptPath, 'text/javascript; charset=utf-8']],
  )
  assert.doesNotMatch(styles, /\/\*|\n|<| {2}/)
})

test('the policy allows forms to lead only to this server and the session’s URLs', () => {
  const policy = pagePolicy('abc', [
    'https://shop.example/thanks?x=1',
    'https://shop.example/back',
    'nonsense; x',
  ])
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
  assert.match(policy, /^default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc';/)
})
