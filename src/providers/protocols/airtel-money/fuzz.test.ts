import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RailOutcome, SubmitOutcome } from '../../connector.ts'
import { collectionCodes, disbursementCodes } from './codes.ts'
import { outcomeOf, submitted } from './responses.ts'

const id = '3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f'

// By themselves, apart from the tables of the connector.
const refusing = /ESB00003[34569]|ROUTER(00[13567]|11[24569])|DP008000010(04|26)|DP009000010(0[3479]|1[0236])/
const notBegun = (text: string) =>
  refusing.test(text) || /DP00800001005.*Not Found|Not Found.*DP00800001005/s.test(text)
const doubtful = /ESB00000[148]|ROUTER117|0000900/

const pieces = [
  ...[
    'SUCCESS',
    'TS',
    'TF',
    'TE',
    'TIP',
    'TA',
    'TR',
    'ts',
    '',
    'Msisdn Not Found',
    id,
    'other',
    '200',
    '500',
  ],
  ...['ESB000001', 'ESB000008', 'ESB000010', 'ESB000033', 'ESB000041', 'ESB000045', 'ROUTER001', 'ROUTER115'],
  ...['ROUTER117', '0000900'],
  ...[
    '1000',
    '1001',
    '1002',
    '1003',
    '1004',
    '1005',
    '1006',
    '1007',
    '1010',
    '1012',
    '1013',
    '1014',
    '1015',
  ].flatMap((digits) => [`DP0080000${digits}`, `DP0090000${digits}`]),
  ...['DP00800001024', 'DP00800001025', 'DP00800001026', 'DP00800001029', 'DP00900001017', 'DP00900001016'],
]
const piece = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...pieces) },
  fc.constantFrom(null, true, 7, 49.5, [], {}, ['TS'], { status: 'TS' }, 'x'.repeat(300)),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const shaped = fc.record({
  data: maybe(
    fc.record({
      transaction: fc.record({
        id: fc.oneof(fc.constant(id), maybe(piece)),
        status: maybe(piece),
        airtel_money_id: maybe(piece),
      }),
    }),
  ),
  status: maybe(
    fc.record({
      code: maybe(piece),
      message: maybe(piece),
      result_code: maybe(piece),
      response_code: maybe(piece),
    }),
  ),
  status_code: maybe(piece),
  error: maybe(piece),
})
const cut = fc.tuple(shaped, fc.nat(200)).map(([value, at]) => JSON.stringify(value).slice(0, at))
const response = fc.record({
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 302, 400, 401, 404, 408, 429, 500, 503),
  ),
  body: fc.oneof({ weight: 9, arbitrary: shaped.map((value) => JSON.stringify(value)) }, cut, fc.string()),
})
type Response = { status: number; body: string }

const isClear = (status: number) => [200, 400, 404].includes(status)
const parsed = (body: string) => {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

function mayBeSubmitted({ status, body }: Response, { outcome }: SubmitOutcome): boolean {
  const transaction = parsed(body).data?.transaction ?? {}
  if (outcome === 'unknown') return true
  if (!isClear(status)) return false
  if (outcome === 'accepted')
    return (
      /ESB000041|DP00900001017/.test(body) ||
      (status === 200 && ['SUCCESS', 'TS', 'TIP', 'TA'].includes(transaction.status))
    )
  return notBegun(body) && !['SUCCESS', 'TS', 'TIP', 'TA'].includes(transaction.status)
}

function mayHaveEnded({ status, body }: Response, { outcome }: RailOutcome): boolean {
  const transaction = parsed(body).data?.transaction ?? {}
  if (outcome === 'unknown') return true
  if (!isClear(status)) return false
  const isOurs = status === 200 && [undefined, id].includes(transaction.id)
  if (outcome === 'done') return isOurs && transaction.status === 'TS' && !doubtful.test(codesIn(body))
  if (outcome === 'refused')
    return (isOurs && ['TF', 'TE'].includes(transaction.status)) || /DP00800001029/.test(body)
  if (outcome === 'pending') return isOurs && ['TIP', 'TA', 'TF'].includes(transaction.status)
  return outcome === 'missing' && /ESB000045|DP0080000(?:1025)|DP0090000(?:1015)/.test(body)
}

/** A transaction's own id may look like a code, and is none. */
const codesIn = (body: string) => {
  const { data: _, error: __, status = {}, ...top } = parsed(body)
  const { message: ___, ...codes } = status ?? {}
  return JSON.stringify([Object.values(codes), Object.values(top)])
}

for (const [what, codes] of [
  ['collection', collectionCodes],
  ['disbursement', disbursementCodes],
] as const) {
  test(`of 10 000 odd responses to a ${what} none means what it does not say`, () => {
    const counts: Record<string, number> = {}
    fc.assert(
      fc.property(response, (answer) => {
        const result = submitted({ ...answer, retryAfter: undefined }, codes, id)
        counts[result.outcome] = (counts[result.outcome] ?? 0) + 1
        assert.ok(mayBeSubmitted(answer, result), result.outcome)
      }),
      { numRuns: 10_000, seed: 20_261_123 },
    )
    assert.deepEqual(Object.keys(counts).toSorted(), ['accepted', 'refused', 'unknown'])
  })

  test(`of 10 000 odd responses to an enquiry about a ${what} none means what it does not say`, () => {
    const counts: Record<string, number> = {}
    fc.assert(
      fc.property(response, (answer) => {
        const result = outcomeOf({ ...answer, retryAfter: undefined }, codes, id)
        counts[result.outcome] = (counts[result.outcome] ?? 0) + 1
        assert.ok(mayHaveEnded(answer, result), result.outcome)
      }),
      { numRuns: 10_000, seed: 20_261_123 },
    )
    assert.deepEqual(Object.keys(counts).toSorted(), ['done', 'missing', 'pending', 'refused', 'unknown'])
  })
}
