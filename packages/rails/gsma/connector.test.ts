import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type Collection,
  type Connector,
  createPeer,
  isUnauthorized,
  type MoneyOrder,
} from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { loadCatalogue } from '../../server/src/rails/connections/catalogue.ts'
import { mtnMomo } from '../mtn-momo/protocol.ts'
import { createGsma } from './connector.ts'
import { gsma } from './protocol.ts'
import type { GsmaSettings } from './settings.ts'

// The test runs the wallet's server and controls its responses.
type Seen = { method: string; path: string; headers: IncomingHttpHeaders; text: string }
type Reply = { status?: number; body?: unknown; hangUp?: boolean }

const seen: Seen[] = []
/** Responses by path prefix. */
let replies: Record<string, (request: Seen) => Reply>
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const one = { method: request.method!, path: request.url!, headers: request.headers, text }
  seen.push(one)
  const [, reply] = Object.entries(replies).find(([path]) => one.path.startsWith(path)) ?? []
  const { status = 200, body = {}, hangUp } = reply?.(one) ?? { status: 404, body: '<h1>Not found</h1>' }
  if (hangUp) return response.destroy()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
})
const opened: Connector[] = []
const addressOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function connect(more: Partial<GsmaSettings> = { apiKey: 'secret-key' }): Required<Connector> {
  const connector = createGsma(
    {
      baseUrl: addressOf(),
      merchant: { key: 'organisationid', value: '4711' },
      clientId: 'our-id',
      currency: 'SLE',
      timeoutMs: 2_000,
      ...more,
    },
    createPeer(10),
  )
  opened.push(connector)
  return connector as Required<Connector>
}

let wallet: Required<Connector>
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => {
  seen.length = 0
  replies = {}
  wallet = connect()
})
after(async () => {
  server.closeAllConnections()
  await Promise.all(opened.map((connector) => connector.close()))
  server.close()
})

const order = (more: Partial<MoneyOrder> = {}): MoneyOrder => ({
  reference: randomUUID(),
  amount: 1_550n,
  currency: 'SLE',
  description: 'x'.repeat(200),
  callbackUrl: 'https://pay.example/callbacks/payments/sealed',
  mayLeave: () => true,
  ...more,
})
const collection = (more: Partial<Collection> = {}): Collection => ({
  ...order(),
  payerAccount: '+23276123456',
  orderNumber: '604811932075',
  returnUrl: null,
  ...more,
})
const original = { reference: randomUUID(), railTransaction: 'REF-1/2' }
const kinds = {
  'a payment': {
    type: 'merchantpay',
    submit: () => wallet.collect(collection()),
    query: (reference: string) => wallet.queryCollection(about(reference)),
  },
  'a payout': {
    type: 'disbursement',
    submit: () => wallet.disburse({ ...order(), payeeAccount: '+23276123456' }),
    query: (reference: string) => wallet.queryDisbursement(about(reference)),
  },
  'a refund': {
    type: 'reversal',
    submit: () => wallet.refund({ ...order(), original }),
    query: (reference: string) => wallet.queryRefund(about(reference)),
  },
}
const all = Object.entries(kinds)
const error = (errorCategory: string, errorCode: string) => ({
  errorCategory,
  errorCode,
  errorDescription: 'PIN 4711',
})
const word = (result: { outcome: string; code?: string }) => result.code ?? result.outcome
const accepts = () => ({ status: 202, body: { serverCorrelationId: 'srv-1', status: 'pending' } })
const sent = () => JSON.parse(seen.at(-1)!.text)

describe('a request', () => {
  test('to collect has the payer, merchant, amount and our reference, which is also its correlation id', async () => {
    replies['/transactions'] = accepts
    const requested = collection()
    assert.deepEqual(await wallet.collect(requested), { outcome: 'accepted', providerReference: 'srv-1' })
    const { method, path, headers, text } = seen[0]!
    assert.deepEqual([method, path], ['POST', '/transactions/type/merchantpay'])
    assert.deepEqual(sent(), {
      amount: '15.50',
      currency: 'SLE',
      requestingOrganisationTransactionReference: requested.reference,
      descriptionText: 'x'.repeat(160),
      debitParty: [{ key: 'msisdn', value: '+23276123456' }],
      creditParty: [{ key: 'organisationid', value: '4711' }],
      customData: [{ key: 'orderNumber', value: '604811932075' }],
    })
    assert.equal(headers['x-correlationid'], requested.reference)
    assert.equal(headers['x-callback-url'], requested.callbackUrl)
    assert.equal(headers['x-content-hash'], createHash('sha256').update(text).digest('hex'))
    assert.match(String(headers['x-date']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual(
      [headers['x-api-key'], headers['x-client-id'], headers.authorization],
      ['secret-key', 'our-id', undefined],
    )
  })

  test('to pay out has our account as the payer', async () => {
    replies['/transactions/type/disbursement'] = accepts
    await kinds['a payout'].submit()
    const { debitParty, creditParty } = sent()
    assert.deepEqual(
      [debitParty, creditParty],
      [[{ key: 'organisationid', value: '4711' }], [{ key: 'msisdn', value: '+23276123456' }]],
    )
  })

  test('to refund names the transaction and may be partial', async () => {
    replies['/transactions/REF-1%2F2/reversals'] = accepts
    const back = order({ amount: 1n })
    assert.equal((await wallet.refund({ ...back, original })).outcome, 'accepted')
    const { type, amount, requestingOrganisationTransactionReference } = sent()
    assert.deepEqual(
      [type, amount, requestingOrganisationTransactionReference],
      ['reversal', '0.01', back.reference],
    )
    assert.equal(seen[0]!.headers['x-correlationid'], back.reference)
  })

  test('to refund is refused and not sent if the wallet reported no transaction', async () => {
    const result = await wallet.refund({ ...order(), original: { ...original, railTransaction: null } })
    assert.deepEqual([word(result), seen.length], ['rejected', 0])
  })

  test('has a token if the connection has client credentials, and a new one if that is rejected', async () => {
    wallet = connect({ oauth: { key: 'us', secret: 'secret' } })
    let issued = 0
    replies['/oauth/accesstoken'] = () => ({ body: { access_token: `t${++issued}`, expires_in: '3600' } })
    replies['/transactions'] = ({ headers }) =>
      headers.authorization === 'Bearer t2'
        ? accepts()
        : { status: 401, body: error('authorisation', 'clientAuthorisationError') }
    assert.equal((await kinds['a payment'].submit()).outcome, 'accepted')
    const { headers, text } = seen[0]!
    assert.equal(headers.authorization, `Basic ${Buffer.from('us:secret').toString('base64')}`)
    assert.equal(text, 'grant_type=client_credentials')
    replies['/transactions'] = () => ({ status: 401, body: error('authorisation', 'requestDeclined') })
    seen.length = 0
    assert.equal(word(await kinds['a payment'].submit()), 'authorization_failed')
    assert.equal(seen.length, 1, 'the 401 is not about the token')
  })

  test('without a token is unknown and not sent', async () => {
    wallet = connect({ oauth: { key: 'us', secret: 'secret', path: '/v1/token' } })
    replies['/v1/token'] = () => ({ status: 503 })
    assert.equal((await kinds['a payment'].submit()).outcome, 'unknown')
    assert.equal(seen.length, 1)
  })
})

for (const [what, { type, submit, query }] of all)
  describe(`of ${what}`, () => {
    const submittedWith = async (status: number, body: unknown) => {
      replies['/transactions'] = () => ({ status, body })
      return word(await submit())
    }

    test('a request state and an immediate transaction are accepted', async () => {
      assert.equal(await submittedWith(202, { serverCorrelationId: 'srv-1', status: 'pending' }), 'accepted')
      assert.equal(await submittedWith(202, { status: 'completed' }), 'accepted')
      assert.equal(
        await submittedWith(201, { transactionReference: 'REF-1', transactionStatus: 'completed' }),
        'accepted',
      )
    })

    test('a duplicate request is accepted and queried', async () =>
      assert.equal(await submittedWith(400, error('BusinessRule', 'DuplicateRequest')), 'accepted'))

    const missing = what === 'a refund' ? 'rejected' : 'provider_account_missing'
    const blocked = what === 'a refund' ? 'rejected' : 'provider_account_blocked'
    for (const [status, category, code, expected] of [
      [400, 'businessRule', 'insufficientFunds', 'fund_insufficient'],
      [400, 'BusinessRule', 'InsufficientFunds', 'fund_insufficient'],
      [400, 'businessRule', 'weeklyVolumeLimitExceeded', 'provider_account_quota_exhausted'],
      [400, 'businessRule', 'accountMaxTotalValueExceeded', 'provider_account_quota_exhausted'],
      [400, 'businessRule', 'maxBalanceExceeded', 'provider_account_quota_exhausted'],
      [400, 'businessRule', 'lessThanTransactionMinValue', 'rejected'],
      [400, 'businessRule', 'samePartiesError', 'rejected'],
      [400, 'businessRule', 'overPaymentNotAllowed', 'rejected'],
      [400, 'businessRule', 'incorrectState', blocked],
      [400, 'validation', 'formatError', 'rejected'],
      [400, 'validation', 'currencyNotSupported', 'rejected'],
      [401, 'authorisation', 'clientAuthorisationError', 'rejected'],
      [401, 'authorisation', 'requestDeclined', 'authorization_failed'],
      [401, 'authorisation', 'requestingPartyAuthorisationError', 'authorization_failed'],
      [404, 'identification', 'identifierError', missing],
    ] as const)
      test(`${status} ${category} ${code}: ${expected}`, async () =>
        assert.equal(await submittedWith(status, error(category, code)), expected))

    test('no other response proves anything', async () => {
      for (const [status, body] of [
        [200, { status: 'pending' }],
        [202, '<html>'],
        [202, { status: 'perhaps' }],
        [201, {}],
        [302, error('businessRule', 'insufficientFunds')],
        [400, error('businessRule', 'noSuchCode')],
        [400, error('authorisation', 'requestDeclined')],
        [404, '<h1>Not found</h1>'],
        [429, error('businessRule', 'rateLimitError')],
        [500, error('internal', 'genericError')],
        [500, error('businessRule', 'insufficientFunds')],
        [503, error('serviceUnavailable', 'genericError')],
      ] as const)
        assert.equal(await submittedWith(status, body), 'unknown', `${status} ${JSON.stringify(body)}`)
      replies['/transactions'] = () => ({ hangUp: true })
      assert.equal(word(await submit()), 'unknown')
    })

    const reference = randomUUID()
    const transaction = (more: object = {}) => ({
      transactionReference: 'REF-9',
      transactionStatus: 'completed',
      type,
      amount: '15.50',
      currency: 'SLE',
      requestingOrganisationTransactionReference: reference,
      ...more,
    })
    const leadsTo = (link: string, resource: unknown = {}) => {
      replies[`/responses/${reference}`] = () => ({ body: { link } })
      replies['/transactions/REF-9'] ??= () => ({ body: resource })
      replies['/requeststates/srv-1'] ??= () => ({ body: resource })
    }

    test('the link leads to the transaction, whose amount counts', async () => {
      for (const link of ['/transactions/REF-9', `${addressOf()}/transactions/REF-9`]) {
        leadsTo(link, transaction())
        assert.deepEqual(await query(reference), {
          outcome: 'done',
          amount: 1_550n,
          currency: 'SLE',
          railTransaction: 'REF-9',
        })
      }
    })

    test('the link may lead to the request’s state first', async () => {
      replies['/transactions/REF-9'] = () => ({ body: transaction({ transactionStatus: 'Completed' }) })
      leadsTo('/requeststates/srv-1', { status: 'completed', objectReference: 'REF-9' })
      assert.equal((await query(reference)).outcome, 'done')
      replies['/requeststates/srv-1'] = () => ({ body: { status: 'pending' } })
      assert.equal((await query(reference)).outcome, 'pending')
      replies['/requeststates/srv-1'] = () => ({
        body: { status: 'failed', error: error('businessRule', 'insufficientFunds') },
      })
      assert.equal(word(await query(reference)), 'fund_insufficient')
    })

    test('a failure inside the wallet is unknown, even if it is reported as failed', async () => {
      leadsTo('/requeststates/srv-1', { status: 'failed', error: error('internal', 'genericError') })
      assert.equal((await query(reference)).outcome, 'unknown')
      assert.equal(
        await submittedWith(202, { status: 'failed', error: error('Service Unavailable', 'GenericError') }),
        'unknown',
      )
      assert.equal(
        await submittedWith(202, { status: 'failed', error: error('businessRule', 'insufficientFunds') }),
        'fund_insufficient',
      )
    })

    test('only the standard’s own 404 means missing', async () => {
      replies['/responses'] = () => ({ status: 404, body: error('identification', 'identifierError') })
      assert.deepEqual(await query(reference), { outcome: 'missing' })
      replies['/responses'] = () => ({ status: 404, body: '<h1>Not found</h1>' })
      assert.equal((await query(reference)).outcome, 'unknown')
      leadsTo('/transactions/REF-9')
      replies['/responses'] = () => ({ body: { link: '/transactions/REF-9' } })
      replies['/transactions/REF-9'] = () => ({
        status: 404,
        body: error('identification', 'identifierError'),
      })
      assert.equal((await query(reference)).outcome, 'unknown', 'the 404 is not from the standard')
    })

    test('links to other hosts or other resources are not followed', async () => {
      for (const link of [
        'https://evil.example/transactions/REF-9',
        '//evil.example/transactions/REF-9',
        'file:///transactions/REF-9',
        '/accounts/msisdn/1',
        '/transactions/REF-9?x=1#/requeststates/../x y',
        '/transactions/..',
        'http://[',
        '',
      ]) {
        seen.length = 0
        replies['/transactions/REF-9'] = () => ({ body: {} })
        leadsTo(link)
        const result = await query(reference)
        assert.equal(result.outcome, 'unknown', link)
        assert.equal(
          'isSecurity' in result && result.isSecurity,
          link.includes('evil') || link.startsWith('file'),
          link,
        )
      }
    })

    test('another transaction, an unknown state and an unreadable amount are unknown', async () => {
      for (const more of [
        { requestingOrganisationTransactionReference: randomUUID() },
        { type: 'transfer' },
        { transactionStatus: 'reversed' },
        { transactionStatus: undefined },
        { amount: '15.505' },
        { amount: undefined },
        { currency: undefined },
      ]) {
        replies['/transactions/REF-9'] = () => ({ body: transaction(more) })
        leadsTo('/transactions/REF-9')
        assert.equal((await query(reference)).outcome, 'unknown', JSON.stringify(more))
      }
      replies['/requeststates/srv-1'] = () => ({ body: { status: 'completed' } })
      leadsTo('/requeststates/srv-1')
      assert.equal((await query(reference)).outcome, 'unknown')
    })
  })

test('a callback is only a hint: it names our reference if it is the transaction', () => {
  const read = (fields: object) =>
    wallet.readReport({
      method: 'PUT',
      path: '/',
      headers: {},
      address: '::1',
      rawBody: Buffer.from(JSON.stringify(fields)),
      fields: { ...fields },
    })
  const reference = randomUUID()
  assert.deepEqual(
    read({
      requestingOrganisationTransactionReference: reference,
      transactionStatus: 'completed',
      amount: '15.50',
      currency: 'SLE',
    }),
    { isAuthentic: false, isHint: true, reference, amount: 1_550n, currency: 'SLE' },
  )
  for (const fields of [{ serverCorrelationId: 'srv-1', status: 'completed' }, error('businessRule', 'x')])
    assert.deepEqual(read(fields), { isAuthentic: false, isHint: true, reference: undefined })
})

describe('an account', () => {
  test('has a name and a status, or is missing', async () => {
    const path = '/accounts/msisdn/%2B23276123456'
    for (const [name, state, expected] of [
      [{ fullName: 'Aminata Kamara' }, { accountStatus: 'available' }, true],
      [{ firstName: 'Aminata', lastName: 'Kamara' }, { status: 'unavailable' }, false],
    ] as const) {
      replies[`${path}/accountname`] = () => ({ body: { name } })
      replies[`${path}/status`] = () => ({ body: state })
      assert.deepEqual(await wallet.verifyAccount('+23276123456'), {
        outcome: 'found',
        holderName: 'Aminata Kamara',
        isActive: expected,
      })
    }
    replies[`${path}/status`] = () => ({ body: {} })
    assert.equal((await wallet.verifyAccount('+23276123456')).outcome, 'unknown')
    replies[`${path}/accountname`] = () => ({ status: 404, body: error('identification', 'identifierError') })
    assert.deepEqual(await wallet.verifyAccount('+23276123456'), { outcome: 'missing' })
    replies[`${path}/accountname`] = () => ({ status: 500 })
    assert.equal((await wallet.verifyAccount('+23276123456')).outcome, 'unknown')
  })

  test('that belongs to us has a balance', async () => {
    const path = '/accounts/organisationid/4711/balance'
    replies[path] = () => ({ body: { availableBalance: '100.00', currentBalance: '120.00' } })
    assert.deepEqual(await wallet.balances(), [{ name: 'organisationid', currency: 'SLE', amount: 10_000n }])
    replies[path] = () => ({ body: { currentBalance: 'much' } })
    assert.ok('outcome' in (await wallet.balances()))
  })
})

test('a probe requests the heartbeat and an unknown reference', async () => {
  replies['/responses'] = () => ({ status: 404, body: error('identification', 'identifierError') })
  for (const [reply, expected] of [
    [{ body: { serviceStatus: 'available' } }, 'ok'],
    [{ body: { serviceStatus: 'degraded', delay: 900 } }, 'ok'],
    [{ body: { serviceStatus: 'unavailable' } }, 'failed'],
    [{ status: 401 }, 'failed'],
    [{ status: 503 }, 'unknown'],
  ] as const) {
    replies['/heartbeat'] = () => reply
    assert.deepEqual(
      (await wallet.probe()).map(({ outcome }) => outcome),
      [expected, 'ok'],
    )
  }
})

test('a reason contains no secret and no text that the wallet writes for people', async () => {
  replies['/'] = () => ({ status: 500, body: error('PIN 4711', 'secret-key') })
  for (const [, { submit, query }] of all)
    for (const result of [await submit(), await query(randomUUID())])
      assert.doesNotMatch(JSON.stringify(result), /4711|secret/)
})

test('a connection has either an API key or client credentials', () => {
  const provider = loadCatalogue().find('afrimoney-gm')!
  const connection = { baseUrl: 'https://a.example', merchant: { key: 'accountid', value: '1' } } as const
  const oauth = { key: 'a', secret: 'b' }
  const issues = [{}, { apiKey: 'x', oauth }, { apiKey: 'x' }, { oauth }].map((more) =>
    gsma.findIssue?.({ ...connection, ...more }, provider),
  )
  const error = 'set either apiKey or oauth'
  assert.deepEqual(issues, [error, error, undefined, undefined])
})

test('a Basic username with a colon is refused', () => {
  for (const [name, isTaken] of [
    ['a:b', false],
    ['a=+/', true],
  ] as const) {
    const oauth = { key: name, secret: 'c:d' }
    const collection = { apiUser: name, apiKey: 'c:d', subscriptionKey: 'e' }
    assert.equal(Value.Check(Type.Object({ oauth: gsma.fields.oauth! }), { oauth }), isTaken)
    assert.equal(
      Value.Check(Type.Object({ collection: mtnMomo.fields.collection! }), { collection }),
      isTaken,
    )
  }
})

test('the second credentials are tried only after a 401 about ours; a 401 about the payer is final', async () => {
  const submitAfter = async (code: string) => {
    replies['/transactions'] = () => ({ status: 401, body: error('authorisation', code) })
    return isUnauthorized(await wallet.collect(collection()))
  }
  assert.equal(await submitAfter('clientAuthorisationError'), true)
  assert.equal(await submitAfter('requestDeclined'), false)
})
