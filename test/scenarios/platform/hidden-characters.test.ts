import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hidesCharacters, withoutHidden } from '../../../packages/server/src/platform/text-rules.ts'
import { startTestApp } from '../../support/harness.ts'
import { sendForm } from '../ways-to-pay/payment-links/visitor.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true })
after(() => t.close())

const code = (point: number) => `U+${point.toString(16).toUpperCase()}`
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const tricks = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069), ...range(0x200b, 0x200f)]
const others = [0xad, 0x61c, 0x2060, 0xfeff, 0xe0041]

describe('a text without hidden characters', () => {
  for (const point of [...tricks, ...others])
    test(`cannot contain ${code(point)}, within a word or at either end`, () => {
      const hidden = String.fromCodePoint(point)
      for (const text of [
        `Ora${hidden}nge`,
        `${hidden}Orange`,
        `Orange${hidden}`,
        hidden,
        `Oran${hidden}гe`,
      ]) {
        assert.equal(hidesCharacters(text), true)
        assert.equal(hidesCharacters(withoutHidden(text)), false)
      }
    })

  test('may contain the joiners that its script or emoji needs', () => {
    const needed = ['می‌خواهم', 'क्‍ष', 'শ্রী‌মতী', '👩‍🌾 Shop', '🏳️‍🌈', '👩🏾‍🍳', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'ߒߞߏ‌ߊ']
    for (const text of [...needed, 'Café “Ñandú” – №5', 'متجر القماش', 'ሱቅ', '小店', 'Adama’s'])
      assert.equal(hidesCharacters(text), false, text)
  })
})

type Shape = {
  type?: string | string[]
  properties?: Record<string, Shape>
  items?: Shape
  pattern?: string
  format?: string
  enum?: unknown[]
  anyOf?: Shape[]
  '~refine'?: { check(value: unknown): boolean }[]
}

/** Texts that people never read directly, or that identify something to be looked up. */
const opaque =
  /(^|\.)(callbackState|csv|query|secret|url|successUrl|cancelUrl|termsUrl|logo|code|image.*|mapping|.*Id|id|after|response|clientDataJSON)$|Provider|provider|phone|Phone|Time$|duration|overlap|networks|scopes|events|images|currency|ips/

function* textsOf(shape: Shape, at: string): Generator<[string, Shape]> {
  for (const [name, field] of Object.entries(shape.properties ?? {}))
    yield* textsOf(field, at === '' ? name : `${at}.${name}`)
  if (shape.items) yield* textsOf(shape.items, `${at}[]`)
  const isText = [shape.type].flat().includes('string')
  if (isText && !shape.enum && shape.format === undefined) yield [at, shape]
}

test('every text in a body that people read refuses hidden characters', () => {
  const taking: string[] = []
  let checked = 0
  for (const route of t.app.routes) {
    if (!('body' in route) || !route.body) continue
    for (const [at, shape] of textsOf(route.body as Shape, '')) {
      const isAddressed = shape.pattern !== undefined && !new RegExp(shape.pattern, 'u').test('Ora\u202enge')
      const refuses = shape['~refine']?.some(({ check }) => !check('Ora\u202enge')) ?? false
      if (refuses) checked++
      else if (!isAddressed && !opaque.test(at.replaceAll('[]', '')))
        taking.push(`${route.method} ${route.url} ${at}`)
    }
  }
  assert.deepEqual(taking, [])
  assert.ok(checked > 40, `${checked} texts`)
})

test('the issue is reported on the field, even together with other issues', async () => {
  const merchant = await t.merchant()
  const { status, body } = await merchant.call('POST', '/v1/checkout-sessions', {
    name: 'Pay \u202eegnarO',
    reference: 'a\u200bb',
    callbackState: 'a\u200bb',
    lineItems: [{ name: 'Cl\u2066oth', price: { currency: 'SLE', value: 500 } }],
  })
  assert.equal(status, 400)
  assert.deepEqual(body.error.details.map(({ param }: { param: string }) => param).sort(), [
    'lineItems[0].name',
    'name',
    'reference',
  ])
})

test('hidden characters are removed from what a payer pastes into a payment link’s form', async () => {
  const merchant = await t.merchant()
  const { body } = await merchant.call('POST', '/v1/payment-links', {
    name: 'Fees',
    lineItems: [{ name: 'Term', price: { currency: 'SLE', value: 500 } }],
    payerReference: { label: 'Pupil' },
  })
  assert.equal((await sendForm(body.result.url, { reference: '\u202aAma\u200b Kamara\u202c' })).status, 303)
  const sessions = await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${body.result.id}`)
  assert.equal(sessions.body.result[0].reference, 'Ama Kamara')
})

test('an operator cannot use the API to open a Space whose name looks like a provider’s', async () => {
  const operator = await t.merchant({ environment: 'live', isOperator: true, scopes: ['*'] })
  const open = (name: string) => operator.call('POST', '/v1/installation/spaces', { name, country: 'SL' })
  const { body } = await open('ORANGE—MONЕY')
  assert.deepEqual(body.error?.details[0]?.param, 'name')
  assert.equal((await open('Orange Grove')).status, 200)
})

test('a webhook’s secret is only replayed to the user who created it, with any of their tokens', async () => {
  const ama = await t.merchant()
  const kofi = await t.merchant({ sameSpaceAs: ama })
  const again = await t.merchant({ sameUserAs: ama })
  const key = { 'idempotency-key': 'the same' }
  const body = { name: 'Orders', url: 'https://shop.example/hooks', events: ['*'] }
  const create = (of: typeof ama) => of.call('POST', '/v1/webhooks', body, key)
  const made = await create(ama)
  assert.match(made.body.result.verificationMethod.secret, /^whsec_/)
  assert.deepEqual((await create(again)).body, made.body)
  const refused = await create(kofi)
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'idempotency_key_in_use'])
  assert.ok(!JSON.stringify(refused.body).includes('whsec_'))

  const rotate = (of: typeof ama) =>
    of.call('POST', `/v1/webhooks/${made.body.result.id}/rotate-secret`, {}, { 'idempotency-key': 'another' })
  const rotated = await rotate(kofi)
  assert.match(rotated.body.result.verificationMethod.secret, /^whsec_/)
  assert.deepEqual((await rotate(kofi)).body, rotated.body)
  assert.equal((await rotate(ama)).body.error.reason, 'idempotency_key_in_use')
})
