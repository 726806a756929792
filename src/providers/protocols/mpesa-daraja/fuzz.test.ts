import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { connectDaraja, received, startGateway } from '../../../../test/daraja.ts'
import { about } from '../../../../test/rail-query.ts'
import type { RailOutcome, SubmitOutcome, Verdict } from '../../connector.ts'
import type { RailKind } from '../../lane.ts'

// The oracle reads responses by itself, and as strictly as the tables of codes are: whatever it does not find in a
// response, the connector may not have found there.

const gateway = await startGateway()
const mpesa = connectDaraja(gateway.baseUrl)
after(async () => {
  await mpesa.close()
  gateway.close()
})

const checkoutId = 'ws_CO_1912201910203639'
const reference = '5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0'
const order = {
  reference,
  amount: 150_000n,
  currency: 'KES',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/sealed',
  mayLeave: () => true,
}

const texts = [
  ...[
    '',
    '0',
    '00',
    '1',
    '4',
    '25',
    '26',
    '1032',
    '1037',
    '2001',
    '2040',
    '4999',
    '8006',
    '9999',
    ' 0',
    '0 ',
    '-0',
  ],
  ...[
    'SFC_IC0003',
    'R000001',
    'R000002',
    '400.002.02',
    '404.001.01',
    '404.001.03',
    '405.001',
    '500.001.1001',
  ],
  ...[
    '500.002.1001',
    '403.002.1001',
    'Wrong credentials',
    'Merchant does not exist',
    'The transaction does not Exist',
  ],
  ...[
    'The transaction is being processed',
    'Duplicate OriginatorConversationID.',
    checkoutId,
    reference,
    'AG_1',
  ],
  ...[
    'Completed',
    'Failed',
    'Reversed',
    'Cancelled',
    '1500',
    '1500.00',
    '1e3',
    '١',
    'constructor',
    '__proto__',
  ],
]
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...texts) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(0, 1, -0, 1032, 1037, 4999, 1500, 1500.5, -1, 1e21, null, true),
  },
  { weight: 1, arbitrary: fc.oneof(fc.string({ maxLength: 8 }), fc.constant([]), fc.constant({})) },
)

type Fields = Record<string, unknown>

/** What a field often is. */
const likely: Record<string, fc.Arbitrary<unknown>> = {
  ResultCode: fc.constantFrom<unknown>(0, '0', '1', '1032', '4999', '2001', '2040', 'R000002', 26),
  TransactionStatus: fc.constantFrom('Completed', 'Failed', 'Expired', 'Reversed', 'Pending'),
}

/** A document with some of its fields changed, lost or added. */
const mutated = (base: Fields, names = Object.keys(base)) => {
  const change = fc.constantFrom(...names).chain((name) => {
    const other = fc.oneof(value, likely[name] ?? value, fc.constant(undefined))
    return fc.tuple(fc.constant(name), other)
  })
  return fc
    .array(change, { maxLength: 3 })
    .map((changes) => ({ ...base, ...Object.fromEntries(changes) }) as Fields)
}

/** As text, now and then broken. */
const written = (document: fc.Arbitrary<Fields>) =>
  fc.oneof(
    { weight: 9, arbitrary: document.map((fields) => JSON.stringify(fields)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(document, fc.nat({ max: 60 }))
        .map(([fields, at]) => JSON.stringify(fields).slice(0, at)),
    },
  )

const status = fc.constantFrom(200, 200, 200, 200, 400, 403, 404, 405, 429, 500, 503)
const errorNames = ['errorCode', 'errorMessage']
const taken = { MerchantRequestID: '2654', CheckoutRequestID: checkoutId, ResponseCode: '0' }
const refusal = { requestId: '94fc', errorCode: '400.002.02', errorMessage: 'Bad Request - Invalid Amount' }
const acknowledged = { OriginatorConversationID: reference, ConversationID: 'AG_1', ResponseCode: '0' }
const responses = (base: Fields) =>
  fc.tuple(
    status,
    written(
      fc.oneof(
        mutated(base, [...Object.keys(base), ...errorNames]),
        mutated(refusal, [...errorNames, 'ResponseCode', 'CheckoutRequestID']),
      ),
    ),
  )

function fieldsIn(text: string): Fields {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : {}
  } catch {
    return {}
  }
}
const is = (value: unknown, ...codes: string[]) =>
  (typeof value === 'string' || typeof value === 'number') && codes.includes(String(value))
const isId = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && /^[\x21-\x7e]{1,64}$/.test(String(value))
const refusedByGateway = (at: number, { errorCode }: Fields) =>
  is(errorCode, '400.002.02', '403.002.1001', '404.001.01', '405.001') &&
  String(errorCode).startsWith(`${at}.`)

const failedPayment = '1 2 3 4 8 17 1019 1025 1032 1037 2001 2028 SFC_IC0003 8006'.split(' ')
const failedPayout = '1 2 3 4 8 11 18 20 21 22 2001 2006 2028 8006 2040 SFC_IC0003'.split(' ')
const failedReversal = '1 11 21 2001 2006 2028 8006 R000002'.split(' ')

/** Tries responses, some at once. */
async function tryEach<Outcome extends SubmitOutcome | RailOutcome>(
  base: Fields,
  call: () => Promise<Outcome>,
  allowed: (at: number, fields: Fields) => string[],
) {
  const seen = new Set<string>()
  for (const [at, text] of fc.sample(responses(base), { numRuns: 1_250, seed: 16 })) {
    gateway.answer(at, text)
    gateway.reset()
    const { outcome } = await call()
    seen.add(outcome)
    assert.ok(['unknown', ...allowed(at, fieldsIn(text))].includes(outcome), `${outcome} from ${at} ${text}`)
  }
  return [...seen].toSorted()
}

test('5 000 responses to submits and queries have no outcome that they do not say', async () => {
  const collection = { ...order, payerAccount: '+254708374149', orderNumber: '482915037264', returnUrl: null }
  const submits = await tryEach(
    taken,
    () => mpesa.collect(collection),
    (at, fields) => {
      const { ResponseCode, CheckoutRequestID, errorCode, errorMessage } = fields
      const isConfiguration = /merchant does not exist|wrong credentials/i.test(String(errorMessage))
      if (at === 500 && is(errorCode, '500.001.1001') && isConfiguration) return ['refused']
      if (at !== 200) return refusedByGateway(at, fields) ? ['refused'] : []
      if (is(ResponseCode, '0') && isId(CheckoutRequestID)) return ['accepted']
      const isCode = /^[A-Za-z0-9_.]+$/.test(String(ResponseCode)) && !is(ResponseCode, '0')
      return isCode && CheckoutRequestID === undefined ? ['refused'] : []
    },
  )
  assert.deepEqual(submits, ['accepted', 'refused', 'unknown'])

  const queried = { ...taken, ResultCode: '0', ResultDesc: 'Any' }
  const queries = await tryEach<RailOutcome>(
    queried,
    () => mpesa.queryCollection(about(reference, { providerReference: checkoutId })),
    (at, { ResponseCode, ResultCode, CheckoutRequestID, errorCode, errorMessage }) => {
      if (is(errorCode, '500.001.1001') && /being processed/.test(String(errorMessage))) return ['pending']
      if (at !== 200 || !is(ResponseCode, '0') || CheckoutRequestID !== checkoutId) return []
      if (is(ResultCode, '0')) return ['done']
      if (is(ResultCode, '4999')) return ['pending']
      return is(ResultCode, ...failedPayment) ? ['refused'] : []
    },
  )
  assert.deepEqual(queries, ['done', 'pending', 'refused', 'unknown'])

  const payouts = await tryEach(
    acknowledged,
    () => mpesa.disburse({ ...order, payeeAccount: '+254708374149' }),
    (at, fields) => {
      if (at === 200 && is(fields.ResponseCode, '0')) return ['accepted']
      if (at === 500 && is(fields.errorCode, '500.002.1001') && /Duplicate/.test(String(fields.errorMessage)))
        return ['accepted']
      return refusedByGateway(at, fields) ? ['refused'] : []
    },
  )
  assert.deepEqual(payouts, ['accepted', 'refused', 'unknown'])

  const asked = await tryEach<RailOutcome>(
    acknowledged,
    () => mpesa.queryDisbursement(about(reference)),
    (at, { ResponseCode }) => (at === 200 && is(ResponseCode, '0') ? ['asked'] : []),
  )
  assert.deepEqual(asked, ['asked', 'unknown'])
})

/** What an amount may be read from: 1500, `"1500"`, `"1500.00"`, 1500.5. */
const centsOf = (value: unknown) => {
  const [, whole, cents = ''] = /^([0-9]{1,9})(?:\.([0-9]{1,2}))?$/.exec(String(value)) ?? []
  return whole === undefined || typeof value === 'object' ? undefined : BigInt(whole + cents.padEnd(2, '0'))
}

function judge(
  verdict: Verdict | undefined,
  code: unknown,
  amount: unknown,
  failures: string[],
  shown: string,
) {
  if (!verdict) return 'none'
  if (verdict.outcome === 'done') {
    assert.ok(is(code, '0') && verdict.amount === centsOf(amount) && verdict.currency === 'KES', shown)
  } else assert.ok(is(code, ...failures), shown)
  return verdict.outcome
}

test('5 000 reports have no verdict that they do not say, whatever they are about', () => {
  const codes = mutated({ ResultCode: 0, OriginatorConversationID: reference, CheckoutRequestID: checkoutId })
  const values = mutated({
    Amount: 1500,
    TransactionAmount: '1500.00',
    TransactionStatus: 'Completed',
    MpesaReceiptNumber: 'NLJ7RT61SV',
    OriginatorConversationID: reference,
  })
  const notice = fc.constantFrom(
    undefined,
    undefined,
    'timeout',
    'status',
    'reversal',
    'reversal-status',
    'other',
  )
  const documents = fc.tuple(codes, values, notice, fc.boolean())
  const seen = new Set<string>()
  for (const [outside, inside, notice, isExpress] of fc.sample(documents, { numRuns: 5_000, seed: 16 })) {
    const list = (name: string) => Object.entries(inside).map(([key, Value]) => ({ [name]: key, Value }))
    const document = isExpress
      ? { Body: { stkCallback: { ...outside, CallbackMetadata: { Item: list('Name') } } } }
      : { Result: { ...outside, ResultParameters: { ResultParameter: list('Key') } } }
    const report = mpesa.readReport(received(document, { notice }))
    const shown = JSON.stringify({ document, notice })
    for (const kind of ['collect', 'disburse', 'refund'] satisfies RailKind[]) {
      const verdict = report.verdictOn?.(kind)
      const subject = `${isExpress ? 'express' : 'result'} ${notice ?? ''} ${kind}`
      const { ResultCode } = outside
      const { Amount, TransactionAmount, TransactionStatus } = inside
      const ended = ['failed', 'expired', 'declined', 'rejected', 'cancelled']
      const statusCode =
        is(ResultCode, '0') && typeof TransactionStatus === 'string'
          ? TransactionStatus.toLowerCase().replace('completed', '0')
          : undefined
      const judged =
        subject === 'express  collect'
          ? judge(verdict, ResultCode, Amount, failedPayment, shown)
          : subject === 'result  disburse'
            ? judge(verdict, ResultCode, TransactionAmount, failedPayout, shown)
            : subject === 'result reversal refund'
              ? judge(verdict, ResultCode, Amount, failedReversal, shown)
              : subject === 'result status disburse' || subject === 'result reversal-status refund'
                ? judge(verdict, statusCode, Amount, ended, shown)
                : judge(verdict, undefined, undefined, [], shown)
      seen.add(`${subject}: ${judged}`)
    }
  }
  for (const subject of [
    ...['express  collect', 'result  disburse', 'result reversal refund'],
    ...['result status disburse', 'result reversal-status refund'],
  ])
    for (const judged of ['done', 'refused', 'none']) assert.ok(seen.has(`${subject}: ${judged}`), subject)
})

test('no report is so odd that reading it fails, or so long that it takes long', () => {
  const names = [
    'Body',
    'stkCallback',
    'CallbackMetadata',
    'Item',
    'Result',
    'ResultParameters',
    'ResultParameter',
  ]
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      value,
      fc.dictionary(fc.constantFrom(...names, 'Name', 'Key', 'Value', 'ResultCode'), tie('tree'), {
        maxKeys: 4,
      }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }))
  const document = fc.dictionary(fc.constantFrom(...names), tree, { maxKeys: 3 })
  for (const fields of fc.sample(document, { numRuns: 2_000, seed: 16 }))
    for (const notice of [undefined, 'status']) {
      const report = mpesa.readReport(received(fields, { notice }))
      for (const kind of ['collect', 'disburse', 'refund'] satisfies RailKind[]) report.verdictOn?.(kind)
    }
  const Item = Array.from({ length: 100_000 }, (_, i) => ({ Name: `n${i}`, Value: i }))
  const startedAt = performance.now()
  mpesa.readReport(received({ Body: { stkCallback: { CallbackMetadata: { Item } } } }))
  assert.ok(performance.now() - startedAt < 5_000)
})
