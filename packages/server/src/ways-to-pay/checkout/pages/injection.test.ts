import assert from 'node:assert/strict'
import { test } from 'node:test'
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
import { renderCheckoutPage } from './render.ts'
import type { CheckoutState, CheckoutView } from './view.ts'

// All input from merchants and payers is rendered as text. The test compares the page's skeleton, its tags and
// attribute names, which must not depend on whether a field holds plain letters or a payload.

const payloads = [
  `"'><img src=x onerror=alert(1)><script>alert(2)</script>`,
  `</title></style></script><svg onload=alert(1)>`,
  `" autofocus onfocus=alert(1) x="`,
  `' onmouseover='alert(1)`,
  `<!--><iframe srcdoc="<script>alert(1)</script>">`,
  `&lt;script&gt;alert(1)&lt;/script&gt;&#34;&quot;`,
  '<%= process.env %><%~ it.nonce %>',
  `$\{alert(1)}\`-alert(1)-\`{{7*7}}`,
  'javascript:alert(1)//</a><a href=javascript:alert(1)>',
  ';}body{display:none}</style><style>*{color:red}',
  '\u2028\u0000\u202eevil<\u0130script>＜script＞',
]

type Fields = Record<string, (payload: string) => Partial<CheckoutView>>

/** Fields that every state shows. */
const shown: Fields = {
  merchant: (merchant) => ({ merchant }),
  name: (name) => ({ name }),
  description: (description) => ({ description }),
  'order number': (orderNumber) => ({ orderNumber }),
  total: (total) => ({ total }),
  brand: (brand) => ({ brand }),
  'item name': (name) => ({ items: [{ ...fabric, name }] }),
  'item description': (description) => ({ items: [{ ...fabric, description }] }),
  'item price': (price) => ({ items: [{ ...fabric, price, total: price }] }),
  'item image': (path) => ({ items: [{ ...fabric, image: `https://i.example/${path}` }] }),
}

const providers = (of: (each: (typeof allWays)[number]) => object) =>
  choosing({ providers: allWays.map((each) => ({ ...each, ...of(each) })) })

/** Fields that only some states show. */
const states: Record<string, (payload: string) => CheckoutState> = {
  'provider name': (name) => providers(() => ({ name })),
  'message about a provider': (unavailable) => providers(() => ({ unavailable })),
  'provider colour': (color) => providers(() => ({ color })),
  'provider logo': (path) => providers(() => ({ logo: `/provider-logos/${path}` })),
  'provider id': (id) => providers(() => ({ id })),
  'posted provider': (provider) => choosing({ providers: allWays, provider }),
  phone: (phone) => choosing({ phone, fault: { field: 'phone', code: 'invalid' } }),
  'posted number of another': (phone) => choosing({ phone, fault: otherNetwork() }),
  'other network': (looksLike) => choosing({ fault: otherNetwork({ looksLike }) }),
  'other provider': (name) => choosing({ fault: otherNetwork({ instead: { id: name, name } }) }),
  accountNumber: (accountNumber) => choosing({ providers: allWays, accountNumber }),
  walletId: (walletId) => choosing({ providers: allWays, walletId }),
  'dial code': (dialCode) => choosing({ dialCode }),
  'form token': (formToken) => choosing({ formToken }),
  'failure code': (code) => choosing({ failure: { code, type: 'momo' } }),
  'waiting provider': (provider) => waiting({ provider }),
  'waiting account': (account) => waiting({ account }),
  'waiting at a bank': (provider) => waiting({ type: 'bank', provider, account: provider }),
  'continue address': (path) => waiting({ type: 'wallet', continueUrl: `https://bank.example/${path}` }),
  'guidance text': (text) => waiting({ guidance: { text, language: 'en' } }),
  'guidance language': (language) => waiting({ guidance: { text: 'Dial', language } }),
  'dial string': (dialString) => waiting({ guidance: { dialString } }),
  'approval code': (approvalCode) => waiting({ approvalCode }),
  'return address': (path) => ({ kind: 'cancelled', returnUrl: `https://shop.example/#${path}` }),
}

// All languages share the templates.
for (const language of ['en', 'fr'] as const) {
  test(`markup in any field of any state is rendered as text, in ${language}`, () => {
    const ordinary = Object.values(samples).filter(({ name }) => name.length < 100)
    for (const { state } of ordinary)
      for (const [field, change] of Object.entries(shown))
        assertSameSkeleton(`${field} in ${state.kind}`, (text) =>
          renderCheckoutPage(view(state, { ...change(text), language })),
        )
    for (const [field, make] of Object.entries(states))
      assertSameSkeleton(field, (text) => renderCheckoutPage(view(make(text), { language })))
  })
}

test('the comparison detects escaping errors', () => {
  const plain = skeleton('<p title="a">a</p>')
  assert.equal(skeleton('<p title="b &lt;i>">&#39;b</p>'), plain)
  for (const broken of ['<p title="a">a<b></p>', '<p title="a" x="">a</p>', '<p title=a>a</p><!---->'])
    assert.notEqual(skeleton(broken), plain)
})

function assertSameSkeleton(field: string, render: (text: string) => string): void {
  const expected = skeleton(render('plain'))
  for (const payload of payloads) {
    const html = render(payload)
    assert.equal(skeleton(html), expected, `${field}: ${payload}`)
    assert.doesNotMatch(html, /(?:href|src|action)="\s*(?:javascript|data:text)/i)
    assert.equal(styleOf(html), styleOf(render('plain')), field)
  }
}

/** Returns a document's tags and attribute names, without values and text. */
function skeleton(html: string): string {
  const tag = /<!--|<[!/]?[a-z][^\s/>]*(?:\s+[^\s=>]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*\/?>/gi
  return [...html.matchAll(tag)].map(([text]) => text.replace(/=(?:"[^"]*"|'[^']*')/g, '=""')).join('\n')
}

const styleOf = (html: string) => /<style[^>]*>[^<]*<\/style>/.exec(html)?.[0]

test("the page's nonce is the only one", () => {
  const html = renderCheckoutPage(view(choosing(), { name: `" nonce="${nonce}"` }))
  assert.equal(html.match(/ nonce="/g)?.length, 3)
})
