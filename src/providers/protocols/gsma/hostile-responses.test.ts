import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { outcomeOf, resourceOf, submitted } from './responses.ts'

// The standard's documents, with parts of them changed at random; and what each outcome has to have in its response.

const reference = randomUUID()
const types = { collect: 'merchantpay', disburse: 'disbursement', refund: 'reversal' } as const
const kinds = ['collect', 'disburse', 'refund'] as const

const junk = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    0,
    -1,
    15.5,
    '',
    '15.50',
    'completed',
    'failed',
    'pending',
    reference,
    '1e3',
  ),
  fc.string(),
  fc.jsonValue(),
)
const failure = fc.record({
  errorCategory: fc.constantFrom('businessRule', 'validation', 'authorisation', 'identification', 'internal'),
  errorCode: fc.constantFrom('insufficientFunds', 'duplicateRequest', 'identifierError', 'genericError', 'x'),
})
const words = fc.constantFrom('pending', 'completed', 'failed', 'Completed', 'reversed')
const state = fc.record({
  serverCorrelationId: fc.constant('srv-1'),
  status: words,
  objectReference: fc.constantFrom('REF-1', undefined),
  error: fc.option(failure, { nil: undefined }),
})
const transaction = fc.record({
  transactionReference: fc.constantFrom('REF-1', undefined),
  transactionStatus: words,
  type: fc.constantFrom(...Object.values(types), undefined),
  amount: fc.constantFrom('15.50', '15', '1550.00', '0.00', '15.505'),
  currency: fc.constantFrom('SLE', 'XOF', 'ABC'),
  requestingOrganisationTransactionReference: fc.constantFrom(reference, reference, undefined, 'other'),
  error: fc.option(failure, { nil: undefined }),
})
const link = fc.record({
  link: fc.oneof(
    fc.constantFrom(
      '/transactions/REF-1',
      'https://a.example/requeststates/1',
      'https://b.example/transactions/1',
    ),
    fc.webUrl(),
    fc.string(),
  ),
})
const names = ['status', 'transactionStatus', 'amount', 'currency', 'error', 'type', 'link', 'errorCategory']
const response = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 201, 202, 202, 302, 400, 400, 401, 404, 404, 500, 503),
  retryAfter: fc.constant(undefined),
  body: fc.oneof(
    fc.string(),
    ...[failure, state, transaction, transaction, link].map((document: fc.Arbitrary<object>) =>
      fc
        .tuple(document, fc.dictionary(fc.constantFrom(...names), junk, { maxKeys: 2 }), fc.nat(400))
        .map(([whole, changes, length]) => {
          const text = JSON.stringify({ ...whole, ...changes })
          return length < 20 ? text.slice(0, length) : text
        }),
    ),
  ),
})
const runs = { numRuns: 2_000, seed: 20_261_123 }

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
const parsed = (body: string): any => {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}
const statusOf = { businessRule: 400, validation: 400, authorisation: 401, identification: 404 }
const isRefusal = (
  status: number,
  { errorCategory, errorCode }: { errorCategory: 'validation'; errorCode: string },
) => statusOf[errorCategory] === status && errorCode !== 'x'

for (const kind of kinds) {
  test(`no response to a submit is taken for what it does not say: ${kind}`, () => {
    fc.assert(
      fc.property(response, (one) => {
        const { outcome } = submitted(one, kind)
        const fields = parsed(one.body)
        if (outcome === 'accepted')
          assert.ok(
            (one.status === 202 && ['pending', 'completed'].includes(fields.status)) ||
              (one.status === 201 && fields.transactionReference === 'REF-1') ||
              (isRefusal(one.status, fields) && fields.errorCode === 'duplicateRequest'),
          )
        if (outcome === 'refused')
          assert.ok(
            one.status === 202
              ? fields.status === 'failed' && fields.error?.errorCategory !== 'internal'
              : isRefusal(one.status, fields),
            one.body,
          )
      }),
      runs,
    )
  })

  test(`no response to a query is taken for what it does not say: ${kind}`, () => {
    fc.assert(
      fc.property(response, (one) => {
        const result = outcomeOf(one, { kind, reference })
        if ('path' in result) return assert.match(result.path, /^\/transactions\/[^/]+$/)
        if (result.outcome === 'unknown') return
        const fields = parsed(one.body)
        assert.equal(one.status, 200)
        assert.notEqual(result.outcome, 'missing')
        const word = String(fields.transactionStatus ?? fields.status).toLowerCase()
        const expected = { done: 'completed', refused: 'failed', pending: 'pending' }
        assert.equal(word, expected[result.outcome as 'done'])
        if (result.outcome === 'refused') assert.notEqual(fields.error?.errorCategory, 'internal')
        if (result.outcome !== 'done') return
        assert.equal(fields.requestingOrganisationTransactionReference ?? reference, reference)
        assert.equal(fields.type ?? types[kind], types[kind])
        assert.equal(fields.currency, result.currency)
        const places = { SLE: 100, XOF: 1 }[fields.currency as 'SLE']
        assert.equal(Number(result.amount), Math.round(Number(fields.amount) * places))
      }),
      runs,
    )
  })
}

test('nothing but the standard’s 404 is missing, and no link leads elsewhere', () => {
  fc.assert(
    fc.property(response, (one) => {
      const result = resourceOf(one, 'https://a.example/mm')
      const fields = parsed(one.body)
      if ('path' in result) {
        assert.match(result.path, /^\/(transactions|requeststates)\/[A-Za-z0-9._~-]+$/)
        assert.equal(new URL(fields.link, 'https://a.example').origin, 'https://a.example')
      } else if (result.outcome === 'missing')
        assert.deepEqual([one.status, fields.errorCategory], [404, 'identification'])
    }),
    runs,
  )
})
