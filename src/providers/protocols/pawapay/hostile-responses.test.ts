import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RailKind } from '../../lane.ts'
import { outcomeOf, submitted } from './responses.ts'

// pawaPay's documents, with parts of them changed at random; and what each outcome has to have in its response.

const reference = randomUUID()
const kinds = ['collect', 'disburse', 'refund'] as const
const idOf = { collect: 'depositId', disburse: 'payoutId', refund: 'refundId' } as const

const junk = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    0,
    -1,
    15.5,
    '',
    '15.50',
    'ACCEPTED',
    'COMPLETED',
    'FOUND',
    reference,
  ),
  fc.constantFrom(
    'NOT_FOUND',
    'FAILED',
    'REJECTED',
    'UNKNOWN_ERROR',
    'SLE',
    '1e3',
    '0x10',
    '15,50',
    '-15',
    ' 15',
  ),
  fc.string(),
  fc.jsonValue(),
)
const status = fc.constantFrom(...[200, 200, 200, 200, 201, 202, 302, 400, 401, 403, 404, 409, 429, 500, 503])
const words = [
  'ACCEPTED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'REJECTED',
  'DUPLICATE_IGNORED',
  'ENQUEUED',
  'Completed',
]
const codes = [
  'PAYMENT_NOT_APPROVED',
  'UNKNOWN_ERROR',
  'UNSPECIFIED_FAILURE',
  'INVALID_INPUT',
  'REFUND_IN_PROGRESS',
  'x',
]
const reason = fc.record({ failureCode: fc.constantFrom(...codes) })

const document = (kind: RailKind) =>
  fc.record({
    [idOf[kind]]: fc.constantFrom(reference, reference, reference, randomUUID()),
    status: fc.constantFrom(...words),
    amount: fc.constantFrom('15.50', '15', '1550.00', '0.00', '15.505'),
    currency: fc.constantFrom('SLE', 'XOF', 'USD', 'ABC'),
    failureReason: fc.option(reason, { nil: undefined }),
  })

const mutated = (value: fc.Arbitrary<object>): fc.Arbitrary<string> =>
  fc
    .tuple(
      value,
      fc.dictionary(
        fc.constantFrom('status', 'amount', 'currency', 'failureReason', 'data', 'depositId'),
        junk,
        { maxKeys: 2 },
      ),
      fc.nat(400),
    )
    .map(([whole, changes, length]) => {
      const text = JSON.stringify({ ...whole, ...changes })
      return length < 20 ? text.slice(0, length) : text
    })

const response = (kind: RailKind) =>
  fc.record({
    status,
    body: fc.oneof(
      { weight: 4, arbitrary: mutated(document(kind)) },
      { weight: 6, arbitrary: mutated(document(kind).map((data) => ({ status: 'FOUND', data }))) },
      {
        weight: 4,
        arbitrary: mutated(
          fc
            .tuple(
              document(kind),
              fc.dictionary(fc.constantFrom('status', 'amount', 'currency', 'failureReason'), junk, {
                maxKeys: 1,
              }),
            )
            .map(([data, changes]) => ({ status: 'FOUND', data: { ...data, ...changes } })),
        ),
      },
      { weight: 1, arbitrary: fc.constant('{"status":"NOT_FOUND"}') },
      { weight: 1, arbitrary: fc.string() },
    ),
  })

const runs = { numRuns: 4_000, seed: 20_261_123 }

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
const parsed = (body: string): any => {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}
const isOurs = (fields: Record<string, unknown>, kind: RailKind) =>
  (fields[idOf[kind]] ?? fields[kind === 'refund' ? 'payoutId' : idOf[kind]] ?? reference) === reference

for (const kind of kinds) {
  test(`no response to a submit is taken for what it does not say: ${kind}`, () => {
    fc.assert(
      fc.property(response(kind), ({ status: code, body }) => {
        const { outcome } = submitted({ status: code, body, retryAfter: undefined }, { kind, reference })
        const fields = parsed(body)
        if (outcome === 'accepted')
          assert.ok(
            code === 200 && ['ACCEPTED', 'DUPLICATE_IGNORED'].includes(fields.status) && isOurs(fields, kind),
          )
        if (outcome === 'refused') {
          const said = fields.failureReason?.failureCode
          assert.notEqual(said, 'UNKNOWN_ERROR')
          assert.ok(
            code === 200 ? fields.status === 'REJECTED' : [400, 401, 403].includes(code) && said,
            body,
          )
          assert.ok(isOurs(fields, kind))
        }
      }),
      runs,
    )
  })

  test(`no response to a query is taken for what it does not say: ${kind}`, () => {
    fc.assert(
      fc.property(response(kind), ({ status: code, body }) => {
        const result = outcomeOf({ status: code, body, retryAfter: undefined }, { kind, reference })
        const { status: found, data } = parsed(body)
        if (result.outcome === 'unknown') return
        assert.equal(code, 200)
        if (result.outcome === 'missing') return assert.equal(found, 'NOT_FOUND')
        assert.equal(found, 'FOUND')
        assert.ok(isOurs(data, kind))
        if (result.outcome === 'done') {
          assert.equal(data.status, 'COMPLETED')
          assert.equal(data.currency, result.currency)
          const places = { SLE: 100, USD: 100, XOF: 1 }[data.currency as 'SLE']
          assert.equal(Number(result.amount), Math.round(Number(data.amount) * places), body)
        } else if (result.outcome === 'refused') {
          assert.equal(data.status, 'FAILED')
          assert.notEqual(data.failureReason?.failureCode, 'UNKNOWN_ERROR')
        } else assert.match(data.status, /^(ACCEPTED|PROCESSING|ENQUEUED|SUBMITTED|IN_RECONCILIATION)$/)
      }),
      runs,
    )
  })
}
