import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskedBody } from './masking.ts'

const readable: [name: string, value: unknown][] = [
  ['currencyCode', 'SLE'],
  ['country_code', 'SL'],
  ['statusCode', 'paid'],
  ['bankCode', 'slb001'],
  ['dueDate', '2026-11-30'],
  ['createTime', '2026-11-23T19:23:09.123Z'],
  ['description', 'Rent until 2026-11-30, and for 2026-12-24T10:00Z too'],
  ['name', 'Two lappa of country cloth'],
  ['orderId', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  ['networkCode', 'orange-sl'],
  ['successUrl', 'https://shop.example/orders/thanks/for/your/purchase'],
  ['quantity', 3],
]
for (const [name, value] of readable)
  test(`${name}: ${value} stays readable`, () => {
    assert.equal(maskedBody({ [name]: value }).body, JSON.stringify({ [name]: value }))
  })

const digit = fc.integer({ min: 0, max: 9 }).map(String)
const digits = (min: number, max: number) => fc.array(digit, { minLength: min, maxLength: max })
const separator = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '-',
  '.',
  '/',
  ' (',
  ') ',
  ' - ',
  '*',
  ':',
  ' | ',
  '\u2011',
  '\u200b',
)
/** Generates numbers as people write them, but not dates. */
const number = fc
  .tuple(digits(9, 15), fc.array(separator, { minLength: 15, maxLength: 15 }), fc.constantFrom('', '+', '00'))
  .map(([figures, separators, plus]) => ({
    written: plus + figures.map((figure, i) => figure + separators[i]).join(''),
    figures: figures.join(''),
  }))
const token = fc
  .tuple(
    fc.constantFrom('psw_live_', 'psw_test_', 'whsec_', 'sk_live_', 'eyJhbGciOiJIUzI1NiJ9.'),
    fc.stringMatching(/^[A-Za-z0-9_-]{24,48}$/),
  )
  .filter(([, random]) => /[A-Z0-9]/.test(random))
  .map(([prefix, random]) => ({ written: prefix + random, random }))
const words = fc.constantFrom('', 'call ', 'for Ama: ', 'due 2026-11-30 ')
const ending = fc.constantFrom('', ' please', ', thanks', '\n')
const anyName = fc.oneof(
  fc.constantFrom('reference', 'name', 'metadata', 'note', 'x'),
  fc.string({ maxLength: 12 }),
)

/** Puts a text somewhere in a body: nested under any names, in lists, as a value or as a name. */
const planted = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.array(fc.tuple(anyName, fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 6 }))
    .map(([secret, steps]) =>
      steps.reduce<unknown>(
        (inner, [name, how]) =>
          how === 0
            ? { [name]: inner }
            : how === 1
              ? [name, inner]
              : { [name]: inner, [typeof inner === 'string' ? inner : 'x']: 1 },
        secret,
      ),
    )

const figuresOf = (text: string) => text.normalize('NFKC').replace(/\D/g, '')

test('a number of nine digits or more never reaches the log, in any notation or position', () => {
  fc.assert(
    fc.property(
      fc
        .tuple(words, number, ending)
        .chain(([before, { written, figures }, after]) =>
          planted(fc.constant(before + written + after)).map((body) => ({ body, figures })),
        ),
      ({ body, figures }) => {
        const { body: logged } = maskedBody(body)
        assert.ok(!figuresOf(logged).includes(figures), logged)
      },
    ),
    { numRuns: 2_000 },
  )
})

for (const written of [
  '+2026-11-30',
  '2026-11-30-77',
  '2026-11-30 776 123',
  '77.2026-11-30',
  '2026-13-30',
  '2026-11-3077',
])
  test(`${written} is a number, not a date`, () => {
    assert.equal(figuresOf(maskedBody([`on ${written}`]).body), '')
  })

test('no number of six digits or more reaches the log, except the value of an amount', () => {
  const large = fc.oneof(
    fc.integer({ min: 100_000, max: 2 ** 53 - 1 }),
    fc.double({ min: 100_000, max: 1e15, noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(
      large,
      fc.constantFrom('a', 'value', 'minAccount', 'total', 'amount', 'id'),
      (value, name) => {
        assert.equal(maskedBody({ [name]: value, n: [value] }).body, `{"${name}":"***","n":["***"]}`)
      },
    ),
  )
  assert.equal(
    maskedBody({ amount: { currency: 'SLE', value: 23276998877 } }).body,
    '{"amount":{"currency":"SLE","value":23276998877}}',
  )
})

test('no eight consecutive base64 characters of a secret reach the log', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), words, ending, (bytes, before, after) => {
      const secret = Buffer.from(bytes).toString('base64')
      fc.pre(/[A-Z]/.test(secret) && /[a-z]/.test(secret) && new Set(secret).size > 12)
      const { body } = maskedBody([before + secret + after])
      for (let i = 0; i + 8 <= secret.length; i++) assert.ok(!body.includes(secret.slice(i, i + 8)), body)
    }),
    { numRuns: 2_000 },
  )
})

test('a token never reaches the log, in any position', () => {
  fc.assert(
    fc.property(
      fc
        .tuple(words, token, ending)
        .chain(([before, { written, random }, after]) =>
          planted(fc.constant(before + written + after)).map((body) => ({ body, random })),
        ),
      ({ body, random }) => assert.ok(!maskedBody(body).body.includes(random)),
    ),
    { numRuns: 1_000 },
  )
})

const secretNames = [
  ...[
    'secret',
    'clientSecret',
    'accessToken',
    'password',
    'PIN',
    'userPin',
    'otp',
    'code',
    'paymentCode',
    'authCode',
  ],
  ...[
    'authorization',
    'cookie',
    'headers',
    'apiKey',
    'api_key',
    'privateKey',
    'cvv',
    'cardNumber',
    'phone',
    'msisdn',
  ],
  ...['phoneNumber', 'accountNumber', 'account_number', 'walletId', 'iban', 'signature', 'verificationCode'],
]

test('nothing under a name that marks a secret reaches the log, however deeply nested', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...secretNames),
      fc.stringMatching(/^[a-z]{6,12}$/),
      planted(fc.constant('PLACE')),
      (name, secret, around) => {
        const inner = [{ deep: secret }, secret, { [name]: secret }]
        const body = JSON.parse(JSON.stringify({ around, [name]: inner }))
        const { body: logged } = maskedBody(body)
        assert.ok(!logged.includes(secret), logged)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a secret cut by the length limit leaves no trace', () => {
  const secret = 'psw_live_k3x9Qm7TzR2vB8nW5yHc'
  for (let before = 990 - secret.length; before <= 1_001; before++) {
    const note = `${'word '.repeat(300).slice(0, before - 1)} ${secret} and more`
    const { body, isBodyCut } = maskedBody({ note })
    assert.ok(!body.includes('psw_'), `${before}: ${body.slice(-60)}`)
    assert.equal(isBodyCut, note.length > 1_000)
  }
})
