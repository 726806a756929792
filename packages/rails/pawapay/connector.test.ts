import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type Collection,
  type Connector,
  createPeer,
  type MoneyOrder,
  type ReceivedReport,
} from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { until } from '../../../test/support/harness.ts'
import { fetchStatement } from '../../server/src/rails/connections/rail-statements.ts'
import { createPawapay } from './connector.ts'
import { isSignedBy, readSignatureInput, signRequest } from './message-signatures.ts'
import type { PawapaySettings } from './rail.ts'

// The test runs pawaPay's server and controls its responses.
type Seen = { method: string; path: string; headers: IncomingHttpHeaders; text: string }
type Reply = { status?: number; body?: unknown; hangUp?: boolean }

const seen: Seen[] = []
/** Responses by method and path without ids; the first matching prefix applies. */
let replies: Record<string, (request: Seen) => Reply>
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const one = { method: request.method!, path: request.url!, headers: request.headers, text }
  seen.push(one)
  const [, reply] = Object.entries(replies).find(([path]) => one.path.startsWith(path)) ?? []
  const { status = 200, body = {}, hangUp } = reply?.(one) ?? { status: 404 }
  if (hangUp) return response.destroy()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
})
const token = 'eyJhbGciOi.secret-token'
const opened: Connector[] = []

function connect(more: Partial<PawapaySettings> = {}): GivesBack {
  const settings = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    name: 'ORANGE_SLE',
    isRedirect: false,
    isPreauth: false,
    signer: undefined,
    timeoutMs: 2_000,
    ...more,
  }
  const connector = createPawapay(settings, createPeer(10))
  opened.push(connector)
  return connector as GivesBack
}
type GivesBack = Connector &
  Required<Pick<Connector, 'disburse' | 'refund' | 'queryRefund' | 'queryDisbursement' | 'readReport'>>

let pawapay: GivesBack
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => {
  seen.length = 0
  replies = {}
  pawapay = connect()
})
after(async () => {
  server.closeAllConnections()
  await Promise.all(opened.map((connector) => connector.close()))
  server.close()
})

const order = (): MoneyOrder => ({
  reference: randomUUID(),
  amount: 1_550n,
  currency: 'SLE',
  description: 'Café crème (2) & cake, to go',
  callbackUrl: 'https://pay.example/callbacks/payments/sealed',
  mayLeave: () => true,
})
const collection = (more: Partial<Collection> = {}): Collection => ({
  ...order(),
  payerAccount: '+23276123456',
  orderNumber: '604811932075',
  returnUrl: 'https://pay.example/s/1/return',
  ...more,
})
const sent = (path: string) => JSON.parse(seen.find((one) => one.path === path)!.text)
const word = (result: { outcome: string; code?: string }) => result.code ?? result.outcome

const collect = (more: Partial<Collection> = {}) => pawapay.collect(collection(more))
const kinds = {
  deposit: {
    path: '/v2/deposits',
    submit: (connector: GivesBack, more: Partial<Collection> = {}) => connector.collect(collection(more)),
    query: (connector: GivesBack, reference: string) => connector.queryCollection(about(reference)),
  },
  payout: {
    path: '/v2/payouts',
    submit: (connector: GivesBack, more: Partial<MoneyOrder> = {}) =>
      connector.disburse({ ...order(), payeeAccount: '+23276123456', ...more }),
    query: (connector: GivesBack, reference: string) => connector.queryDisbursement(about(reference)),
  },
  refund: {
    path: '/v2/refunds',
    submit: (connector: GivesBack, more: Partial<MoneyOrder> = {}) =>
      connector.refund({ ...order(), original: { reference: randomUUID(), railTransaction: null }, ...more }),
    query: (connector: GivesBack, reference: string) => connector.queryRefund(about(reference)),
  },
}
type Kind = keyof typeof kinds
const all = Object.keys(kinds) as Kind[]

describe('a request', () => {
  test('for a deposit has our reference, the order number, a message of letters and digits, and the token', async () => {
    replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED', nextStep: 'FINAL_STATUS' } })
    const requested = collection()
    assert.deepEqual(await pawapay.collect(requested), { outcome: 'accepted' })
    assert.deepEqual(sent('/v2/deposits'), {
      depositId: requested.reference,
      amount: '15.50',
      currency: 'SLE',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '23276123456', provider: 'ORANGE_SLE' } },
      clientReferenceId: '604811932075',
      customerMessage: 'Cafe creme 2 cake to g',
    })
    const { method, headers } = seen.find(({ path }) => path === '/v2/deposits')!
    assert.deepEqual(
      [method, headers.authorization, headers['content-type'], headers.signature],
      ['POST', `Bearer ${token}`, 'application/json', undefined],
    )
  })

  test('for a payout has the recipient and the message, and for a refund the deposit and the reason', async () => {
    replies['/v2/'] = () => ({ body: { status: 'ACCEPTED' } })
    const out = { ...order(), payeeAccount: '+23276123456' }
    assert.deepEqual(await pawapay.disburse(out), { outcome: 'accepted' })
    assert.deepEqual(sent('/v2/payouts'), {
      payoutId: out.reference,
      amount: '15.50',
      currency: 'SLE',
      recipient: { type: 'MMO', accountDetails: { phoneNumber: '23276123456', provider: 'ORANGE_SLE' } },
      customerMessage: 'Cafe creme 2 cake to g',
    })
    const back = { ...order(), original: { reference: randomUUID(), railTransaction: null } }
    assert.deepEqual(await pawapay.refund(back), { outcome: 'accepted' })
    assert.deepEqual(sent('/v2/refunds'), {
      refundId: back.reference,
      amount: '15.50',
      currency: 'SLE',
      depositId: back.original.reference,
      metadata: [{ reason: back.description }],
    })
  })

  test('has return URLs only if payers authorize on a page', async () => {
    replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED', nextStep: 'GET_AUTH_URL' } })
    const wave = connect({ name: 'WAVE_SEN', isRedirect: true, pageOrigin: 'https://pay.wave.com' })
    await wave.collect(collection({ currency: 'XOF' }))
    const { successfulUrl, failedUrl } = sent('/v2/deposits')
    assert.deepEqual([successfulUrl, failedUrl], Array(2).fill('https://pay.example/s/1/return'))
    seen.length = 0
    await wave.collect(collection({ currency: 'XOF', returnUrl: null }))
    assert.equal('successfulUrl' in sent('/v2/deposits'), false)
  })

  for (const [description, message] of [
    ['Tea', undefined],
    ['☕☕☕☕', undefined],
    ['Thé à la menthe', 'The a la menthe'],
    ['12345678901234567890 abc', '12345678901234567890 a'],
  ])
    test(`shows “${description}” to the customer as “${message}”`, async () => {
      replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED' } })
      await collect({ description: description! })
      assert.equal(sent('/v2/deposits').customerMessage, message)
    })

  for (const [name, currency, amount, text] of [
    ['ORANGE_SLE', 'SLE', 1_500n, '15'],
    ['ORANGE_SLE', 'SLE', 1_550n, '15.50'],
    ['ORANGE_SLE', 'SLE', 1n, '0.01'],
    ['WAVE_CIV', 'XOF', 1_500n, '1500'],
    ['MTN_MOMO_UGA', 'UGX', 1_500n, '1500'],
    ['VODACOM_TZA', 'TZS', 150_000n, '1500'],
    ['VODACOM_TZA', 'TZS', 150_050n, undefined],
    ['MPESA_KEN', 'KES', 150_050n, undefined],
    ['VODACOM_MPESA_COD', 'CDF', 1_050n, undefined],
    ['VODACOM_MPESA_COD', 'USD', 1_050n, '10.50'],
    ['ORANGE_SLE', 'SLE', 9_007_199_254_740_991n, '90071992547409.91'],
  ] as const)
    test(`of ${amount} ${currency} by ${name} is for ${text ?? 'an unsupported amount, and not sent'}`, async () => {
      replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED' } })
      const result = await connect({ name }).collect(collection({ currency, amount }))
      if (text === undefined) {
        assert.deepEqual(result, {
          outcome: 'refused',
          code: 'rejected',
          message: 'The provider accepts only whole amounts.',
        })
        assert.equal(seen.filter(({ method }) => method === 'POST').length, 0)
      } else assert.equal(sent('/v2/deposits').amount, text)
    })

  test('for a payout to M-Pesa in Kenya may have decimals, unlike a deposit', async () => {
    replies['/v2/payouts'] = () => ({ body: { status: 'ACCEPTED' } })
    const safaricom = connect({ name: 'MPESA_KEN' })
    const out = { ...order(), currency: 'KES', payeeAccount: '+254703456789' }
    assert.equal((await safaricom.disburse(out)).outcome, 'accepted')
  })

  test('is not sent after the fence', async () => {
    assert.deepEqual(await collect({ mayLeave: () => false }), {
      outcome: 'unknown',
      why: 'not sent: the time limit for sending had passed',
      isTooLate: true,
    })
    assert.equal(seen.filter(({ method }) => method === 'POST').length, 0)
  })
})

const reasoned = (failureCode: string) => ({ failureReason: { failureCode, failureMessage: 'For people.' } })
const older = (rejectionCode: string) => ({
  rejectionReason: { rejectionCode, rejectionMessage: 'For people.' },
})

/** pawaPay's rejection codes, with our own code for each. */
const ofKind: Record<Kind, [code: string, ours: string][]> = {
  deposit: [
    ['PAYMENT_IN_PROGRESS', 'rejected'],
    ['TRANSACTION_ALREADY_IN_PROCESS', 'rejected'],
    ['DEPOSITS_NOT_ALLOWED', 'rejected'],
  ],
  payout: [
    ['PAYOUTS_NOT_ALLOWED', 'rejected'],
    ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'fund_insufficient'],
  ],
  refund: [
    ['REFUND_IN_PROGRESS', 'rejected'],
    ['AMOUNT_TOO_LARGE', 'rejected'],
    ['DEPOSIT_ALREADY_REFUNDED', 'rejected'],
    ['NOT_FOUND', 'rejected'],
    ['INVALID_STATE', 'rejected'],
    ['REFUNDS_NOT_ALLOWED', 'rejected'],
    ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'fund_insufficient'],
  ],
}

describe('a submit', () => {
  for (const kind of all) {
    const { path, submit } = kinds[kind]
    const outcome = async (reply: Reply, more = {}) => {
      replies[path] = () => reply
      return word(await submit(pawapay, more))
    }
    for (const status of ['ACCEPTED', 'DUPLICATE_IGNORED'])
      test(`of a ${kind} that is ${status} is accepted`, async () =>
        assert.equal(await outcome({ body: { status } }), 'accepted'))

    const rejections: [code: string, ours: string][] = [
      ['INVALID_AMOUNT', 'rejected'],
      ['AMOUNT_OUT_OF_BOUNDS', 'rejected'],
      ['INVALID_CURRENCY', 'rejected'],
      ['INVALID_PROVIDER', 'rejected'],
      ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'rejected'],
      ['INVALID_PHONE_NUMBER', 'provider_account_missing'],
      ['WALLET_LIMIT_REACHED', 'provider_account_quota_exhausted'],
      ['SOMETHING_NEW', 'unknown'],
      ...ofKind[kind],
    ]
    test(`of a ${kind} that is REJECTED started nothing, whatever the code is and wherever it appears`, async () => {
      for (const [code, ours] of rejections)
        for (const reason of [reasoned(code), older(code)]) {
          replies[path] = () => ({ body: { status: 'REJECTED', ...reason } })
          const result = await submit(pawapay)
          assert.deepEqual([code, result.outcome, word(result)], [code, 'refused', ours])
          assert.doesNotMatch(JSON.stringify(result), /For people/)
        }
      assert.equal(await outcome({ body: { status: 'REJECTED' } }), 'unknown')
    })

    test(`of a ${kind} is refused only by a 400, 401 or 403 with a known code`, async () => {
      for (const [status, code] of [
        [401, 'NO_AUTHENTICATION'],
        [403, 'AUTHENTICATION_ERROR'],
        [403, 'AUTHORISATION_ERROR'],
        [403, 'HTTP_SIGNATURE_ERROR'],
        [400, 'INVALID_INPUT'],
        [400, 'MISSING_PARAMETER'],
        [400, 'UNSUPPORTED_PARAMETER'],
        [400, 'INVALID_PARAMETER'],
        [400, 'DUPLICATE_METADATA_FIELD'],
      ] as const)
        assert.equal(await outcome({ status, body: reasoned(code) }), 'rejected', code)
      for (const [status, body] of [
        [400, reasoned('SOMETHING_NEW')],
        [400, reasoned('UNKNOWN_ERROR')],
        [401, {}],
        [404, reasoned('INVALID_INPUT')],
        [429, reasoned('INVALID_INPUT')],
        [500, reasoned('UNKNOWN_ERROR')],
        [500, { status: 'REJECTED', ...reasoned('INVALID_INPUT') }],
        [503, '<html>'],
        [302, reasoned('INVALID_INPUT')],
      ] as const)
        assert.equal(await outcome({ status, body }), 'unknown', `${status} ${JSON.stringify(body)}`)
    })

    test(`of a ${kind} is unknown without a clear response`, async () => {
      assert.equal(await outcome({ hangUp: true }), 'unknown')
      for (const body of [
        {},
        '',
        'ACCEPTED',
        '{"status": "ACC',
        { status: 'accepted' },
        { status: ['ACCEPTED'] },
        { status: 'REJECTED', ...reasoned('UNKNOWN_ERROR') },
        { status: 'COMPLETED' },
        { status: 'ACCEPTED', depositId: randomUUID(), payoutId: randomUUID(), refundId: randomUUID() },
      ])
        assert.equal(await outcome({ body }), 'unknown', JSON.stringify(body))
    })
  }

  test('of a refund identified by `payoutId` is accepted', async () => {
    replies['/v2/refunds'] = ({ text }) => ({
      body: { payoutId: JSON.parse(text).refundId, status: 'ACCEPTED' },
    })
    assert.equal((await kinds.refund.submit(pawapay)).outcome, 'accepted')
  })

  test('of a refund is refused while another is in progress', async () => {
    replies['/v2/refunds'] = () => ({ body: { status: 'REJECTED', ...older('REFUND_IN_PROGRESS') } })
    assert.deepEqual(await kinds.refund.submit(pawapay), {
      outcome: 'refused',
      code: 'rejected',
      message: 'Another refund of this payment is still in progress.',
    })
  })
})

describe('a query', () => {
  const reference = randomUUID()
  for (const kind of all) {
    const { path, query } = kinds[kind]
    const id = `${kind}Id`
    const ask = async (reply: Reply) => {
      replies[`${path}/${reference}`] = () => reply
      return query(pawapay, reference)
    }
    const ofData = (data: object) => ask({ body: { status: 'FOUND', data: { [id]: reference, ...data } } })

    test(`about a ${kind} uses our reference, and NOT_FOUND is missing`, async () => {
      assert.deepEqual(await ask({ body: { status: 'NOT_FOUND' } }), { outcome: 'missing' })
      assert.deepEqual([seen.at(-1)!.method, seen.at(-1)!.path], ['GET', `${path}/${reference}`])
    })

    test(`about a ${kind} returns the amount, even with decimals that the currency does not have`, async () => {
      for (const [amount, currency, minor] of [
        ['15.50', 'SLE', 1_550n],
        ['15', 'SLE', 1_500n],
        ['100.00', 'XOF', 100n],
        ['100.00', 'RWF', 100n],
        ['1500.00', 'UGX', 1_500n],
      ] as const)
        assert.deepEqual(
          await ofData({ status: 'COMPLETED', amount, currency, providerTransactionId: 'df0e-9405' }),
          { outcome: 'done', amount: minor, currency, railTransaction: 'df0e-9405' },
        )
    })

    test(`about a ${kind} that is COMPLETED without a readable amount is unknown`, async () => {
      for (const money of [
        {},
        { amount: '15.50' },
        { amount: '100.50', currency: 'XOF' },
        { amount: 15.5, currency: 'SLE' },
        { amount: '-1', currency: 'SLE' },
        { amount: '1e2', currency: 'SLE' },
        { amount: '15.50', currency: 'XXX?' },
      ])
        assert.equal(word(await ofData({ status: 'COMPLETED', ...money })), 'unknown', JSON.stringify(money))
    })

    test(`about a ${kind} is pending until it has ended`, async () => {
      for (const status of ['ACCEPTED', 'SUBMITTED', 'PROCESSING', 'IN_RECONCILIATION', 'ENQUEUED'])
        assert.deepEqual(await ofData({ status }), { outcome: 'pending' })
      for (const status of ['REJECTED', 'NOT_FOUND', 'completed', '', null, 7])
        assert.equal(word(await ofData({ status, amount: '1', currency: 'SLE' })), 'unknown')
    })

    const failures: [string | undefined, string][] = [
      ['UNSPECIFIED_FAILURE', 'unknown'],
      ['SOMETHING_NEW', 'unknown'],
      [undefined, 'unknown'],
      ['MANUALLY_CANCELLED', 'cancelled'],
      ['WALLET_LIMIT_REACHED', 'provider_account_quota_exhausted'],
      ['PAYER_LIMIT_REACHED', 'provider_account_quota_exhausted'],
      ['RECIPIENT_LIMIT_REACHED', 'provider_account_quota_exhausted'],
      ['PAYER_NOT_FOUND', 'provider_account_missing'],
      ['RECIPIENT_NOT_FOUND', 'provider_account_missing'],
      ['INVALID_PHONE_NUMBER', 'provider_account_missing'],
      ['AMOUNT_OUT_OF_BOUNDS', 'rejected'],
      ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'rejected'],
      ...((kind === 'deposit'
        ? [
            ['INSUFFICIENT_BALANCE', 'fund_insufficient'],
            ['PAYMENT_NOT_APPROVED', 'authorization_failed'],
            ['PAYMENT_IN_PROGRESS', 'rejected'],
          ]
        : [['PAWAPAY_WALLET_OUT_OF_FUNDS', 'fund_insufficient']]) as [string, string][]),
    ]
    test(`about a ${kind} that FAILED gives one of our reasons`, async () => {
      for (const [code, ours] of failures) {
        const result = await ofData({ status: 'FAILED', ...(code && reasoned(code)) })
        assert.deepEqual([code, result.outcome, word(result)], [code, 'refused', ours])
        assert.doesNotMatch(JSON.stringify(result), /For people/)
      }
    })

    test(`about a ${kind} that FAILED with UNKNOWN_ERROR is unknown and queried again`, async () =>
      assert.equal((await ofData({ status: 'FAILED', ...reasoned('UNKNOWN_ERROR') })).outcome, 'unknown'))

    test(`about a ${kind} is unknown if pawaPay’s response is unclear or for another reference`, async () => {
      const completed = { status: 'COMPLETED', amount: '15.50', currency: 'SLE' }
      for (const reply of [
        { hangUp: true },
        { status: 500, body: reasoned('UNKNOWN_ERROR') },
        { status: 404, body: { status: 'NOT_FOUND' } },
        { status: 404 },
        { body: 'NOT_FOUND' },
        { body: { status: 'FOUND' } },
        { body: completed },
        { body: { status: 'FOUND', data: [completed] } },
        { body: { status: 'FOUND', data: { ...completed, [id]: randomUUID() } } },
      ])
        assert.equal((await ask(reply)).outcome, 'unknown', JSON.stringify(reply))
    })
  }

  test('about a refund identified by `payoutId` is read in the same way', async () => {
    const data = { payoutId: reference, status: 'COMPLETED', amount: '30', currency: 'RWF' }
    replies['/v2/refunds'] = () => ({ body: { status: 'FOUND', data } })
    assert.equal((await pawapay.queryRefund(about(reference))).outcome, 'done')
  })

  test('returns Wave’s page only on its own origin', async () => {
    const wave = connect({ name: 'WAVE_SEN', isRedirect: true, pageOrigin: 'https://pay.wave.com' })
    const ask = async (authorizationUrl: unknown) => {
      const data = { depositId: reference, status: 'PROCESSING', authorizationUrl }
      replies['/v2/deposits'] = () => ({ body: { status: 'FOUND', data } })
      return wave.queryCollection(about(reference))
    }
    const page = 'https://pay.wave.com/c/cos-18qq25rgr100a?a=100'
    assert.deepEqual(await ask(page), { outcome: 'pending', redirectUrl: page })
    assert.deepEqual(await ask(undefined), { outcome: 'pending' })
    for (const elsewhere of [
      'https://pay.wave.com.evil.example/c',
      'http://pay.wave.com/c',
      'https://user@pay.wave.com/c',
      'javascript:alert(1)',
      7,
    ])
      assert.deepEqual(await ask(elsewhere), {
        outcome: 'unknown',
        why: "the redirect URL is not on the rail's own origin",
        isSecurity: true,
      })
  })

  test('trusts `missing` after 15 minutes, as pawaPay’s own rule says', () => {
    assert.equal(pawapay.missingAfterMs, 900_000)
    assert.equal(connect({ missingAfterMs: 0 }).missingAfterMs, 0)
  })
})

describe('the active configuration', () => {
  const steps = (dial: string, enter: string) => [
    { text: `${dial} *555*6#`, template: `${dial} {{shortCode}}`, variables: { shortCode: '*555*6#' } },
    { text: enter, template: enter, variables: { shortCode: '*555*6#' } },
  ]
  const manual = {
    authType: 'PROVIDER_AUTH',
    pinPrompt: 'MANUAL',
    pinPromptInstructions: {
      channels: [
        {
          type: 'USSD',
          instructions: {
            en: steps('Dial', 'Enter PIN'),
            fr: steps('Composez', 'Entrez le code PIN'),
          },
        },
      ],
    },
  }
  const confOf = (deposit: object) => ({
    countries: [
      {
        country: 'SLE',
        providers: [
          { provider: 'OTHER_SLE', currencies: [] },
          {
            provider: 'ORANGE_SLE',
            currencies: [
              {
                currency: 'SLE',
                operationTypes: {
                  DEPOSIT: { decimalsInAmount: 'TWO_PLACES', status: 'OPERATIONAL', ...deposit },
                },
              },
            ],
          },
        ],
      },
    ],
  })
  /** Creates a connector that has read its configuration. */
  async function after(deposit: object): Promise<GivesBack> {
    const connector = connect()
    replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED' } })
    replies['/v2/active-conf'] = () => ({ body: confOf(deposit) })
    await connector.collect(collection())
    await until(() => seen.some(({ path }) => path.startsWith('/v2/active-conf')))
    const pending = { status: 'FOUND', data: { status: 'PROCESSING' } }
    replies['/v2/deposits/'] = () => ({ body: pending })
    replies = { '/v2/deposits/': replies['/v2/deposits/'], ...replies }
    // By the time that another response has arrived, the configuration has, too.
    await connector.queryCollection(about(randomUUID()))
    await new Promise((resolve) => setImmediate(resolve))
    return connector
  }
  const guidance = {
    texts: { en: 'Dial *555*6#. Enter PIN', fr: 'Composez *555*6#. Entrez le code PIN' },
    dialString: '*555*6#',
  }

  test('tells the payer what to dial if there is no automatic prompt, on submit and query', async () => {
    const connector = await after(manual)
    assert.equal(
      seen.find(({ path }) => path.startsWith('/v2/active-conf'))!.path,
      '/v2/active-conf?country=SLE&operationType=DEPOSIT',
    )
    assert.deepEqual(await connector.collect(collection()), { outcome: 'accepted', guidance })
    assert.deepEqual(await connector.queryCollection(about(randomUUID())), { outcome: 'pending', guidance })
  })

  test('gives no guidance if the prompt is automatic or the payer authorizes elsewhere', async () => {
    for (const other of [
      { pinPrompt: 'AUTOMATIC' },
      { authType: 'REDIRECT_AUTH' },
      { authType: 'PREAUTH' },
    ]) {
      const connector = await after({ ...manual, ...other })
      assert.deepEqual(await connector.collect(collection()), { outcome: 'accepted' })
    }
  })

  test('refuses amounts outside its limits and unsupported decimals before sending', async () => {
    const connector = await after({ minAmount: '5', maxAmount: '20.00', decimalsInAmount: 'NONE' })
    seen.length = 0
    for (const [amount, outcome] of [
      [499n, 'refused'],
      [500n, 'accepted'],
      [2_000n, 'accepted'],
      [2_100n, 'refused'],
      [1_550n, 'refused'],
    ] as const)
      assert.equal((await connector.collect(collection({ amount }))).outcome, outcome, `${amount}`)
    assert.equal(seen.filter(({ path }) => path === '/v2/deposits').length, 2)
  })

  test('is ignored if it is unreadable, and is not read for each payment', async () => {
    replies['/v2/deposits'] = () => ({ body: { status: 'ACCEPTED' } })
    for (const reply of [
      { status: 500 },
      { hangUp: true },
      { body: '{"countries":' },
      {
        body: { countries: [null, 7, { providers: [null, { provider: 'ORANGE_SLE', currencies: 'SLE' }] }] },
      },
      { body: confOf({ minAmount: 'lots', maxAmount: -1, decimalsInAmount: 'SOME', pinPrompt: 'MANUAL' }) },
      {
        body: confOf({ ...manual, pinPromptInstructions: { channels: [{ instructions: { en: [7, {}] } }] } }),
      },
    ]) {
      replies['/v2/active-conf'] = () => reply
      const connector = connect()
      for (let i = 0; i < 3; i++)
        assert.deepEqual(await connector.collect(collection()), { outcome: 'accepted' })
    }
    assert.equal(seen.filter(({ path }) => path.startsWith('/v2/active-conf')).length, 6)
  })
})

describe('the provider of a number', () => {
  test('is predicted by pawaPay, if it can', async () => {
    replies['/v2/predict-provider'] = () => ({
      body: { country: 'RWA', provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' },
    })
    assert.equal(await pawapay.predictProvider?.('+250783456789'), 'MTN_MOMO_RWA')
    assert.deepEqual(sent('/v2/predict-provider'), { phoneNumber: '250783456789' })
    for (const reply of [
      { status: 400, body: reasoned('INVALID_INPUT') },
      { hangUp: true },
      { body: { provider: '<b>' } },
      { body: 'MTN' },
    ]) {
      replies['/v2/predict-provider'] = () => reply
      assert.equal(await pawapay.predictProvider?.('+250783456789'), undefined)
    }
  })
})

describe('balances', () => {
  test('are listed for each wallet, which belongs to a country or to a provider there', async () => {
    const balances = [
      { country: 'SLE', currency: 'SLE', balance: '1500.50' },
      { country: 'COD', currency: 'USD', balance: '0.00', provider: 'AIRTEL_COD' },
      { country: 'CIV', currency: 'XOF', balance: '21798.00' },
    ]
    replies['/v2/wallet-balances'] = () => ({ body: { balances } })
    assert.deepEqual(await pawapay.balances?.(), [
      { name: 'SLE', currency: 'SLE', amount: 150_050n },
      { name: 'COD AIRTEL_COD', currency: 'USD', amount: 0n },
      { name: 'CIV', currency: 'XOF', amount: 21_798n },
    ])
  })

  test('are unknown as a whole if one of them is unreadable', async () => {
    for (const reply of [
      { status: 403, body: reasoned('AUTHORISATION_ERROR') },
      { hangUp: true },
      { body: { balances: [{ country: 'SLE', currency: 'SLE', balance: '1.234' }] } },
      { body: { balances: [{ currency: 'SLE', balance: '1' }] } },
      { body: { balances: {} } },
    ]) {
      replies['/v2/wallet-balances'] = () => reply
      const read = await pawapay.balances?.()
      assert(read && 'outcome' in read && read.outcome === 'unknown')
    }
  })
})

describe('if payers create a code first', () => {
  const step = (text: string) => ({ text, variables: { shortCode: '*144*4*6#' } })
  const authTokenInstructions = {
    channels: [{ instructions: { en: [step('Dial *144*4*6#'), step('Use OTP')] } }],
  }
  const burkina = () => connect({ name: 'ORANGE_BFA', isPreauth: true, missingAfterMs: 0 })
  const francs = { amount: 1_500n, currency: 'XOF', payerAccount: '+22670123456' }
  const asking = (guidance: object) => ({ outcome: 'accepted', guidance: { ...guidance, asksForCode: true } })
  const confOfBurkina = () => {
    const DEPOSIT = { authType: 'PREAUTH', authTokenInstructions, minAmount: '100' }
    const currencies = [{ currency: 'XOF', operationTypes: { DEPOSIT } }]
    return { body: { countries: [{ providers: [{ provider: 'ORANGE_BFA', currencies }] }] } }
  }
  const deposits = () => seen.filter(({ path }) => path === '/v2/deposits')

  test('nothing is submitted before the code, and even the first payer reads how to get one', async () => {
    replies['/v2/active-conf'] = confOfBurkina
    assert.deepEqual(
      await burkina().collect(collection(francs)),
      asking({ texts: { en: 'Dial *144*4*6#. Use OTP' }, dialString: '*144*4*6#' }),
    )
    assert.deepEqual(deposits(), [])
    assert.equal((await burkina().collect(collection({ ...francs, amount: 99n }))).outcome, 'refused')
    for (const reply of [{ status: 500 }, { hangUp: true }, { body: '{' }]) {
      replies['/v2/active-conf'] = () => reply
      assert.deepEqual(await burkina().collect(collection(francs)), asking({ texts: {}, dialString: null }))
    }
  })

  test('the deposit is submitted once with the code, which appears in no result', async () => {
    const order = collection(francs)
    replies['/v2/deposits'] = () => ({ body: { depositId: order.reference, status: 'ACCEPTED' } })
    const connector = burkina()
    const given = { outcome: 'accepted', guidance: { texts: {}, dialString: null } }
    assert.deepEqual(await connector.submitCode?.(order, '367025'), given)
    const { depositId, amount, preAuthorisationCode, payer, clientReferenceId } = sent('/v2/deposits')
    assert.deepEqual(
      [depositId, amount, preAuthorisationCode, payer.accountDetails.phoneNumber, clientReferenceId],
      [order.reference, '1500', '367025', '22670123456', order.orderNumber],
    )
    replies['/v2/deposits'] = () => ({ body: { status: 'DUPLICATE_IGNORED' } })
    assert.deepEqual(await connector.submitCode?.(order, '367026'), given)
    for (const [reply, word] of [
      [{ body: { status: 'REJECTED', ...reasoned('PAYMENT_NOT_APPROVED') } }, 'authorization_failed'],
      [{ status: 500, body: '367025' }, 'unknown'],
      [{ hangUp: true }, 'unknown'],
    ] as [Reply, string][]) {
      replies['/v2/deposits'] = () => reply
      const result = await connector.submitCode?.(order, '367025')
      assert.ok(result)
      assert.equal('code' in result ? result.code : result.outcome, word)
      assert.doesNotMatch(JSON.stringify(result), /367025/)
    }
    const late = await connector.submitCode?.({ ...order, mayLeave: () => false }, '367025')
    assert.ok(late?.outcome === 'unknown' && late.isTooLate)
  })

  test('a query finds nothing before the code, and asks for none after it', async () => {
    const { reference } = order()
    replies['/v2/deposits'] = () => ({ body: { status: 'NOT_FOUND' } })
    assert.deepEqual(await burkina().queryCollection(about(reference)), { outcome: 'missing' })
    replies['/v2/deposits'] = () => ({
      body: { status: 'FOUND', data: { depositId: reference, status: 'PROCESSING' } },
    })
    assert.deepEqual(await burkina().queryCollection(about(reference)), {
      outcome: 'pending',
      guidance: { texts: {}, dialString: null },
    })
    assert.equal(burkina().missingAfterMs, 900_000, 'even if the simulator would report it immediately')
  })

  test('other providers accept no code', () => assert.equal(pawapay.submitCode, undefined))
})

describe('statements', () => {
  const statementId = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'
  const period = {
    currency: 'SLE',
    from: new Date('2026-11-01T00:00:00Z'),
    until: new Date('2026-12-02T00:00:00Z'),
    callbackUrl: 'https://pay.example/callbacks/connections/live/africa',
  }
  const country = { country: 'SLE', currency: 'SLE', balance: '1.00' }
  const own = { ...country, provider: 'ORANGE_SLE' }
  const wallets = (...balances: object[]) => ({ body: { balances } })
  const { request, query } = {
    request: (more: object = {}) => pawapay.statements!.request({ ...period, ...more }),
    query: () => pawapay.statements!.query(statementId),
  }
  const accepted = { body: { statementId, status: 'ACCEPTED', created: '2026-11-21T10:00:00Z' } }

  test('are those of the provider’s own wallet or, if it has none, of the country’s', async () => {
    replies['/v2/statements'] = () => accepted
    for (const [balances, wallet] of [
      [[country], { country: 'SLE', currency: 'SLE' }],
      [[country, own], { country: 'SLE', currency: 'SLE', provider: 'ORANGE_SLE' }],
    ] as const) {
      replies['/v2/wallet-balances'] = () => wallets(...balances)
      assert.deepEqual(await request(), { outcome: 'accepted', statementId })
      assert.deepEqual(sent('/v2/statements'), {
        wallet,
        callbackUrl: period.callbackUrl,
        startDate: '2026-11-01T00:00:00',
        endDate: '2026-12-02T00:00:00',
      })
      seen.length = 0
    }
  })

  test('are not requested for more than 31 days, an empty period or an unknown wallet', async () => {
    replies['/v2/wallet-balances'] = () =>
      wallets({ ...country, currency: 'USD' }, { ...country, country: 'GHA' })
    for (const more of [{ until: new Date('2026-12-02T00:00:01Z') }, { until: period.from }, {}])
      assert.equal((await request(more)).outcome, 'refused')
    replies['/v2/wallet-balances'] = () => ({ status: 503 })
    assert.equal((await request()).outcome, 'unknown')
    assert.deepEqual(
      seen.filter(({ path }) => path === '/v2/statements'),
      [],
    )
  })

  for (const [reply, outcome] of [
    [{ body: { status: 'REJECTED', failureReason: { failureCode: 'INVALID_INPUT' } } }, 'refused'],
    [{ status: 400, body: reasoned('MISSING_PARAMETER') }, 'refused'],
    [{ status: 400, body: '<html>' }, 'unknown'],
    [{ status: 500, body: reasoned('UNKNOWN_ERROR') }, 'unknown'],
    [{ body: { status: 'ACCEPTED', statementId: '../deposits' } }, 'unknown'],
    [{ body: { status: 'ACCEPTED' } }, 'unknown'],
    [{ hangUp: true }, 'unknown'],
  ] as [Reply, string][])
    test(`requested, and pawaPay responds ${JSON.stringify(reply)}: ${outcome}`, async () => {
      replies['/v2/wallet-balances'] = () => wallets(country)
      replies['/v2/statements'] = () => reply
      assert.equal((await request()).outcome, outcome)
    })

  const ofStatement = (data: object) => ({ body: { status: 'FOUND', data: { statementId, ...data } } })
  for (const [what, reply, outcome] of [
    ['PROCESSING', ofStatement({ status: 'PROCESSING' }), 'pending'],
    ['FAILED', ofStatement({ status: 'FAILED', failureReason: { failureCode: 'NO' } }), 'refused'],
    ['another state', ofStatement({ status: 'DONE' }), 'unknown'],
    ['another statement', ofStatement({ statementId: randomUUID(), status: 'PROCESSING' }), 'unknown'],
    ['NOT_FOUND', { body: { status: 'NOT_FOUND' } }, 'unknown'],
    ['a 500', { status: 500 }, 'unknown'],
    ['nonsense', { body: 'FOUND' }, 'unknown'],
    ['no address', ofStatement({ status: 'COMPLETED' }), 'refused'],
    ['an invalid URL', ofStatement({ status: 'COMPLETED', downloadUrl: 'file:///etc/passwd' }), 'refused'],
    [
      'a file on another host',
      ofStatement({ status: 'COMPLETED', downloadUrl: 'http://169.254.169.254/secret?X-Amz-Signature=1' }),
      'refused',
    ],
  ] as [string, Reply, string][])
    test(`queried, and pawaPay returns ${what}: ${outcome}, without showing a full URL`, async () => {
      replies['/v2/statements'] = () => reply
      const state = await query()
      assert.equal(state.outcome, outcome)
      assert.ok(!('why' in state) || !/secret|Signature|passwd/.test(state.why), JSON.stringify(state))
    })

  test('are polled and written to a file once ready, without sending our token', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pawapay-statements-'))
    const file = path.join(folder, 'statement.csv')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const states = [
      ofStatement({ status: 'PROCESSING' }),
      { status: 502 },
      ofStatement({ status: 'COMPLETED', downloadUrl: `${origin}/files/1.csv?signature=x` }),
    ]
    replies['/v2/wallet-balances'] = () => wallets(country)
    replies['/v2/statements/'] = () => states.shift() ?? { status: 500 }
    replies['/v2/statements'] = () => accepted
    replies['/files'] = () => ({ body: 'Creation Date,Transaction ID\n' })
    const fetching = (withinMs = 60_000) =>
      fetchStatement(pawapay, { ...period, file }, { everyMs: 1, withinMs })
    assert.deepEqual(await fetching(), { outcome: 'written', bytes: 29 })
    assert.equal(readFileSync(file, 'utf8'), 'Creation Date,Transaction ID\n')
    assert.equal(seen.find(({ path }) => path.startsWith('/files'))!.headers.authorization, undefined)
    seen.length = 0
    assert.equal((await fetching()).outcome, 'refused', 'the file exists')
    assert.deepEqual(seen, [])
    rmSync(file)
    assert.equal((await fetching(20)).outcome, 'unknown', 'it is never ready')
    states.push(ofStatement({ status: 'COMPLETED', downloadUrl: `${origin}/gone.csv` }))
    assert.deepEqual(await fetching(), { outcome: 'unknown', why: 'download failed: status 404' })
    assert.deepEqual(readdirSync(folder), [])
    rmSync(folder, { recursive: true })
  })
})

const pair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pemOf = ({ publicKey }: ReturnType<typeof pair>) =>
  String(publicKey.export({ type: 'spki', format: 'pem' }))

describe('a signed request', () => {
  test('has digest, date and signature over its content; the token is not signed', async () => {
    replies['/v2/'] = () => ({ body: { status: 'ACCEPTED' } })
    const { privateKey: key, publicKey } = pair()
    const connector = connect({ signer: { key, keyId: 'CUSTOMER_KEY' } })
    await kinds.deposit.submit(connector)
    await kinds.payout.submit(connector)
    await kinds.refund.submit(connector)
    const posts = seen.filter(({ method }) => method === 'POST')
    assert.equal(posts.length, 3)
    for (const { method, path, headers, text } of posts) {
      const input = readSignatureInput(headers['signature-input'])!
      assert.deepEqual([input.keyId, input.algorithm], ['CUSTOMER_KEY', 'ecdsa-p256-sha256'])
      assert.deepEqual(input.components, [
        ...['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'],
        'content-length',
      ])
      const request = { method, path, authority: headers.host!, headers, body: Buffer.from(text) }
      assert.equal(isSignedBy(request, input, publicKey), true)
    }
  })
})

describe('a report', () => {
  const reference = randomUUID()
  const data = { depositId: reference, status: 'COMPLETED', amount: '15.50', currency: 'SLE' }
  const url = 'https://pay.example/callbacks/connections/live/pawapay'
  const received = (body: object, headers: IncomingHttpHeaders = {}): ReceivedReport => ({
    method: 'POST',
    path: '/callbacks/connections/live/pawapay',
    headers: { host: 'pay.example', ...headers },
    address: '192.0.2.1',
    rawBody: Buffer.from(JSON.stringify(body)),
    fields: body as Record<string, unknown>,
  })
  const signed = (body: object, key = ours.privateKey, keyId = 'HTTP_EC_P256_KEY:1') =>
    received(body, signRequest({ key, keyId }, { method: 'POST', url, body: JSON.stringify(body) }))
  const ours = pair()
  const checking = () => connect({ callbackKeys: { 'HTTP_EC_P256_KEY:1': pemOf(ours) } })

  test('without keys is a hint that names our reference, even if it is signed', () => {
    for (const each of [received(data), signed(data)]) {
      const { isAuthentic, isHint, reference: named, amount, currency } = pawapay.readReport(each)
      assert.deepEqual(
        [isAuthentic, isHint, named, amount, currency],
        [false, true, reference, 1_550n, 'SLE'],
      )
    }
    for (const [body, named] of [
      [{ payoutId: reference }, reference],
      [{ refundId: reference, depositId: randomUUID() }, reference],
      [{ depositId: 7 }, undefined],
      [{}, undefined],
    ] as const)
      assert.equal(pawapay.readReport(received(body)).reference, named)
  })

  test('that is signed is authentic, and its verdict equals that of a query', () => {
    const reads = (body: object) => checking().readReport(signed(body))
    const done = { outcome: 'done', amount: 1_550n, currency: 'SLE', railTransaction: undefined }
    assert.deepEqual([reads(data).isAuthentic, reads(data).isHint], [true, false])
    assert.deepEqual(reads(data).verdictOn?.('collect'), done)
    // A deposit's document does not decide the outcome of a payout or a refund.
    assert.equal(reads(data).verdictOn?.('disburse'), undefined)
    assert.equal(reads(data).verdictOn?.('refund'), undefined)
    const { depositId: _, ...money } = data
    assert.deepEqual(reads({ ...money, payoutId: reference }).verdictOn?.('disburse'), done)
    assert.deepEqual(reads({ ...money, refundId: reference }).verdictOn?.('refund'), done)
    const failed = reads({ depositId: reference, status: 'FAILED', ...reasoned('PAYMENT_NOT_APPROVED') })
    assert.equal(word(failed.verdictOn!('collect')!), 'authorization_failed')
    for (const status of ['PROCESSING', 'ACCEPTED', 'IN_RECONCILIATION'])
      assert.equal(reads({ ...data, status }).verdictOn?.('collect'), undefined)
    const unsure = { depositId: reference, status: 'FAILED', ...reasoned('UNKNOWN_ERROR') }
    assert.equal(reads(unsure).verdictOn?.('collect'), undefined)
  })

  test('that is not signed with a known key is neither authentic nor a hint', () => {
    const forged = [
      received(data),
      signed(data, pair().privateKey),
      signed(data, ours.privateKey, 'ANOTHER_KEY'),
      { ...signed(data), rawBody: Buffer.from(JSON.stringify({ ...data, amount: '99' })) },
      { ...signed(data), path: '/callbacks/connections/live/another' },
      { ...signed(data), method: 'PUT' },
      { ...signed(data), headers: { ...signed(data).headers, host: 'evil.example' } },
    ]
    for (const each of forged) {
      const { isAuthentic, isHint } = checking().readReport(each)
      assert.deepEqual([isAuthentic, isHint], [false, false])
    }
  })

  test('with a published key is a hint until the keys are read, and then authentic', async () => {
    replies['/v2/public-key/http'] = () => ({
      body: [{ id: 'HTTP_EC_P256_KEY:1', key: pemOf(ours) }, { id: 7 }],
    })
    const connector = connect({ callbackKeys: 'published' })
    const first = connector.readReport(signed(data))
    assert.deepEqual([first.isAuthentic, first.isHint], [false, true])
    await until(() => connector.readReport(signed(data)).isAuthentic)
    assert.equal(seen.filter(({ path }) => path === '/v2/public-key/http').length, 1)
    const forged = connector.readReport(signed(data, pair().privateKey))
    assert.deepEqual([forged.isAuthentic, forged.isHint], [false, false])
    // A newly published key is not a forgery, and keys are read again after a minute at the earliest.
    const newer = connector.readReport(signed(data, pair().privateKey, 'HTTP_EC_P256_KEY:2'))
    assert.deepEqual([newer.isAuthentic, newer.isHint], [false, true])
    assert.equal(connector.readReport(received(data)).isHint, false)
  })

  test('is a hint while pawaPay’s keys are unavailable', async () => {
    for (const reply of [
      { status: 500 },
      { hangUp: true },
      { body: [{ id: 'HTTP_EC_P256_KEY:1', key: 'no' }] },
    ]) {
      replies['/v2/public-key/http'] = () => reply
      const connector = connect({ callbackKeys: 'published' })
      connector.readReport(signed(data))
      await until(() => seen.some(({ path }) => path === '/v2/public-key/http'))
      assert.deepEqual([connector.readReport(signed(data)).isHint], [true])
      seen.length = 0
    }
  })
})

test('the log contains neither pawaPay’s text nor the token', async () => {
  const leak = `${token} <PIN 1234>`
  for (const body of [leak, { status: leak, failureReason: { failureCode: leak, failureMessage: leak } }])
    for (const status of [200, 400, 500]) {
      replies['/v2/'] = () => ({ status, body })
      for (const kind of all) {
        const results = [await kinds[kind].submit(pawapay), await kinds[kind].query(pawapay, randomUUID())]
        for (const result of results) assert.doesNotMatch(JSON.stringify(result), /secret|PIN/)
      }
    }
})
