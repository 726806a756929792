import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { failureCodes, failures } from '@pesewa/connector-kit'
import { contrast } from '@pesewa/pages/colors'
import { keysOf } from '@pesewa/values'
import {
  allWays,
  choosing,
  fabric,
  nonce,
  otherNetwork,
  samples,
  view,
  waiting,
} from '../../../../../../test/support/checkout-views.ts'
import { compressAround, compressSharedPart } from '../../../platform/http/server/compression.ts'
import { assets, scriptPath, styles } from './assets.ts'
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
    assert.doesNotMatch(html, /<a class/)
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
      assert.match(tag, /~ (include\('\.\/\w+'(, { \.\.\.it, \w+(: \w+)? })?\)|it\.body|it\.css) %>/)
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
  assert.deepEqual(posted(choosing().providers), ['formToken', 'way', 'phone', 'provider'])
  assert.deepEqual(posted(allWays), ['formToken', 'way', 'phone', 'provider', 'accountNumber', 'walletId'])
  assert.deepEqual(posted(allWays.slice(-1)), ['formToken', 'way', 'provider'])
})

test('payment methods follow the order of their first providers', () => {
  const html = renderCheckoutPage(view(choosing({ providers: allWays.toReversed() })))
  assert.deepEqual(
    [...html.matchAll(/name="way" value="(\w+)"/g)].map((match) => match[1]),
    ['card', 'wallet', 'bank', 'momo'],
  )
})

test('the browser requires the field and the provider of the posted form, except for mobile money', () => {
  const html = renderCheckoutPage(view(choosing({ providers: allWays })))
  assert.equal(html.match(/<input id="\w+" name="\w+"[^>]* required /g)?.length, 3)
  assert.equal(html.match(/<select id="provider-bank" name="provider" required/g)?.length, 1)
})

test('only one payment method is expanded: that of the issue, the payer’s, or the first', () => {
  const open = (change: Parameters<typeof choosing>[0]) =>
    [
      ...renderCheckoutPage(view(choosing({ providers: allWays, ...change }))).matchAll(
        /<details class="way" name="way" open>\s*<summary><span class="way-name">([^<]*)/g,
      ),
    ].map((match) => match[1])
  assert.deepEqual(open({}), ['Mobile money'])
  assert.deepEqual(open({ way: 'card' }), ['Debit or credit card'])
  assert.deepEqual(open({ fault: { field: 'accountNumber', code: 'invalid' } }), ['Bank account'])
})

test('a provider is preselected only if it is known', () => {
  const chosen = (change: Parameters<typeof choosing>[0]) =>
    [...renderCheckoutPage(view(choosing(change))).matchAll(/value="([^"]*)" +checked/g)].map(
      (match) => match[1],
    )
  assert.deepEqual(chosen({}), [])
  assert.deepEqual(chosen({ provider: 'm18' }), ['m18'])
  assert.deepEqual(chosen({ provider: 'unheard-of' }), [])
  const [first, ...others] = choosing().providers
  const paused = { ...first!, unavailable: 'Back at noon' }
  assert.deepEqual(chosen({ providers: [paused, ...others], provider: 'm17' }), [])
})

test('tiles carry the prefixes of their numbers, without the dial code if it is shown', () => {
  const prefixes = (dialCode?: string) =>
    [...renderCheckoutPage(view(choosing({ dialCode }))).matchAll(/data-prefixes="([^"]*)"/g)].map(
      (match) => match[1],
    )
  assert.deepEqual(prefixes('+232'), ['76 78', '77 30'])
  assert.deepEqual(prefixes(), ['23276 23278', '23277 23230'])
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
    'Continue to your bank',
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

test('the order number is shown only after the payment', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const html = renderCheckoutPage(sample)
    assert.equal(html.includes('604811932075'), sample.state.kind === 'paid', name)
    assert(html.includes(sample.name), name)
  }
})

test('the page offers every language under its own name, and marks the current one', () => {
  const html = renderCheckoutPage(view(choosing(), { language: 'fr' }))
  for (const language of languages)
    assert.match(html, new RegExp(`href="/pay/cos-1\\?language=${language}" lang="${language}"`))
  assert.match(html, /lang="fr" hreflang="fr" aria-current=true>Français</)
})

test('the monogram of a merchant is its first letter', () => {
  for (const [merchant, letter] of [
    ['Kadi’s Cloth', 'K'],
    ["Kadi's Cloth", 'K'],
    ['42 Wilkinson Road', '4'],
    ['«École»', 'É'],
    ['!?', '•'],
  ])
    assert(
      renderCheckoutPage(view(choosing(), { merchant: merchant! })).includes(
        `badge-brand" aria-hidden="true">${letter}<`,
      ),
      merchant,
    )
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
  // The rest is written as in the example next to it.
  assert.equal(value('+23276123456'), '076123456')
  assert.equal(value('076123456'), '076123456')
  assert.equal(value('+233241234567'), '+233241234567')
})

test('an issue appears once, at its focused field, which it describes', () => {
  const { faults } = texts.en
  const issues = [
    [{ field: 'provider', code: 'missing' }, faults.network],
    [{ field: 'provider', code: 'invalid' }, faults.provider.invalid],
    [{ field: 'phone', code: 'missing' }, 'Enter 9 digits, like 076 123 456.'],
    [{ field: 'phone', code: 'invalid' }, 'Enter 9 digits, like 076 123 456.'],
    [{ field: 'phone', code: 'askedOften', waitMinutes: 3 }, texts.en.askedOften(3)],
    [{ field: 'accountNumber', code: 'missing' }, faults.accountNumber.missing],
    [{ field: 'walletId', code: 'invalid' }, faults.walletId.invalid],
  ] as [FormIssue, string][]
  for (const [fault, text] of issues) {
    const { field } = fault
    const html = renderCheckoutPage(view(choosing({ providers: allWays, fault })))
    assert.equal(html.match(/autofocus/g)?.length, 1, field)
    assert.equal(html.split(text).length, 2, field)
    assert(new RegExp(`id="${field}-fault"( data-fault)?>${text}`).test(html), field)
    assert.match(html, new RegExp(`aria-describedby="${field}-fault[ "]`))
  }
})

test('the example of a number is in the payer’s format, or has a country code if there are several', () => {
  const fault = { field: 'phone', code: 'invalid' } as const
  const text = (phoneExample?: string) =>
    /id="phone-fault" data-fault>([^<]*)/.exec(
      renderCheckoutPage(view(choosing({ fault, phoneExample }))),
    )?.[1]
  assert.equal(text('0712 345 678'), 'Enter 10 digits, like 0712 345 678.')
  assert.equal(text('+233 24 123 4567'), 'Enter the number with its country code, like +233 24 123 4567.')
  assert.equal(text(), 'Enter a valid mobile money number.')
})

test('a number of another network selects its provider, and offers to continue unless it cannot pay', () => {
  const offered = (isCertain: boolean) => {
    const page = renderCheckoutPage(view(choosing({ provider: 'm17', fault: otherNetwork({ isCertain }) })))
    const [, selected] = /name="provider" value="(\w+)"\s+checked/.exec(page) ?? []
    const buttons = page.matchAll(/<button class="\w+" name="(\w+)" value="(\w+)"/g)
    return [selected, ...[...buttons].map(([, ...choice]) => choice.join(' '))]
  }
  assert.deepEqual(offered(true), ['m18'])
  assert.deepEqual(offered(false), ['m18', 'confirmed m17'])
})

test('the payer reads the cause that the rail reported, if it is known', () => {
  const shown = (message: string, type: 'momo' | 'bank' = 'bank') =>
    renderCheckoutPage(view(choosing({ failure: { code: 'authorization_failed', message, type } })))
  const { causes, declinedOnPhone, failures: byCode } = texts.en
  for (const name of keysOf(causes)) assert(shown(failures[name].message).includes(causes[name]), name)
  assert(shown(failures.payerDeclined.message, 'momo').includes(declinedOnPhone))
  for (const message of ['', 'A sentence of a later release.', 'constructor'])
    assert(shown(message).includes(byCode.authorization_failed), message)
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
