import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  type Collection,
  type Connector,
  createPeer,
  type Disbursement,
  type RailRefund,
} from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { loadCatalogue } from '../../server/src/rails/connections/catalogue.ts'
import { createPaystack } from './connector.ts'
import { paystack } from './protocol.ts'
import { signReport } from './report.ts'
import type { PaystackConnection } from './settings.ts'

// The test runs Paystack's server and controls its responses.
type Seen = {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  body: unknown
}
type Reply = [status: number, body: unknown]
let replyTo: (seen: Seen) => Reply | undefined
let seen: Seen[] = []
const bodyAt = (place: number): Record<string, unknown> => Object(seen[place]?.body)
const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const { method, url } = request
  const each = { method, url, authorization: request.headers.authorization, body: text && JSON.parse(text) }
  seen.push(each)
  const reply = replyTo(each)
  if (!reply) return request.socket.destroy()
  response.writeHead(reply[0]).end(typeof reply[1] === 'string' ? reply[1] : JSON.stringify(reply[1]))
})
const secretKey = 'sk_live_0123456789abcdef0123'
const pageOrigin = 'https://checkout.paystack.com'
const ref = '6f1f0c5e-3c55-4f0e-8d2b-0d4f7f2a9a11'
const opened: Connector[] = []
let baseUrl: string
const catalogue = loadCatalogue()
function connect(providerId: string, more: Partial<PaystackConnection> = {}) {
  const provider = catalogue.find(providerId)
  assert(provider)
  const connector = paystack.connect(
    { baseUrl, secretKey, timeoutMs: 500, ...more },
    provider,
    createPeer(50),
  )
  opened.push(connector)
  return connector as Required<Connector>
}
let mtn: Required<Connector>
let telecel: Required<Connector>
let bank: Required<Connector>
let card: Required<Connector>
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  mtn = connect('mtn-gh')
  telecel = connect('telecel-gh')
  bank = connect('ng-gtb')
  card = connect('card')
})
after(async () => {
  await Promise.all(opened.map((each) => each.close()))
  server.closeAllConnections()
  server.close()
})
const say = (status: number, body: unknown) => {
  seen = []
  replyTo = () => [status, body]
}
const ok = (data: object | object[]) => ({ status: true, message: 'Fine', data })
const no = (message: string, code?: string, type?: string) => ({ status: false, message, code, type })

describe('asking a payer to pay', () => {
  test('a wallet in Ghana is charged in Paystack’s format, with an email address made for the payer', async () => {
    say(200, ok({ reference: ref, status: 'pay_offline', display_text: 'Approve on your phone' }))
    assert.deepEqual(await mtn.collect(collection()), {
      outcome: 'accepted',
      guidance: { texts: { en: 'Approve on your phone' }, dialString: null },
    })
    assert.deepEqual(seen, [
      {
        method: 'POST',
        url: '/charge',
        authorization: `Bearer ${secretKey}`,
        body: {
          email: `${ref}@payers.example`,
          amount: 15_000,
          currency: 'GHS',
          reference: ref,
          metadata: { orderNumber: '123456789012' },
          mobile_money: { phone: '0241234567', provider: 'mtn' },
        },
      },
    ])
  })

  for (const [country, payerAccount, phone] of [
    ['KE', '+254712345678', '+254712345678'],
    ['CI', '+2250701234567', '+2250701234567'],
  ] as const)
    for (const as of country === 'KE' ? ['mpesa'] : ['orange', 'mtn', 'wave'])
      test(`${as} in ${country} is charged at an E.164 number`, async () => {
        const settings = {
          baseUrl,
          secretKey,
          timeoutMs: 500,
          pageOrigin,
          emailDomain: 'shop.example',
          missingAfterMs: 60_000,
        }
        const currency = country === 'KE' ? 'KES' : 'XOF'
        const own = { ...settings, unitsPerFranc: 1, type: 'momo', country, currency, as } as const
        const connector = createPaystack(own, createPeer(1))
        opened.push(connector)
        say(200, ok({ reference: ref, status: 'pay_offline' }))
        assert.deepEqual(await connector.collect(collection({ payerAccount, currency })), {
          outcome: 'accepted',
        })
        const { mobile_money, email } = bodyAt(0)
        assert.deepEqual([mobile_money, email], [{ phone, provider: as }, `${ref}@shop.example`])
      })

  test('a bank’s payer is charged by the bank’s USSD code and reads what to dial', async () => {
    const display_text = 'Please dial *737*000*18791# on your phone'
    say(200, ok({ reference: ref, status: 'pay_offline', display_text, ussd_code: '*737*000*18791#' }))
    const result = await bank.collect(collection({ currency: 'NGN', payerAccount: '0123456789' }))
    assert(result.outcome === 'accepted')
    assert.equal(result.guidance?.dialString, '*737*000*18791#')
    assert.deepEqual(bodyAt(0).ussd, { type: '737' })
  })

  test('a card is entered only on Paystack’s own page', async () => {
    say(200, ok({ authorization_url: `${pageOrigin}/abc`, access_code: 'abc', reference: ref }))
    const order = collection({ payerAccount: null, returnUrl: 'https://pay.example/back' })
    assert.deepEqual(await card.collect(order), { outcome: 'accepted', redirectUrl: `${pageOrigin}/abc` })
    assert.equal(seen[0]?.url, '/transaction/initialize')
    const { callback_url, channels } = bodyAt(0)
    assert.deepEqual([callback_url, channels], ['https://pay.example/back', ['card']])
    for (const authorization_url of [
      'https://checkout.paystack.com.evil.example/a',
      'javascript:1',
      '/a',
      undefined,
      7,
    ]) {
      say(200, ok({ authorization_url, reference: ref }))
      const result = await card.collect(order)
      assert.deepEqual([result.outcome, 'isSecurity' in result && result.isSecurity], ['unknown', true])
    }
    assert.equal(card.pageOrigin, pageOrigin)
  })

  const statuses: [status: string, outcome: string, more?: object][] = [
    ['pay_offline', 'accepted'],
    ['send_otp', 'accepted'],
    ['send_pin', 'accepted'],
    ['send_phone', 'accepted'],
    ['send_birthday', 'accepted'],
    ['send_address', 'accepted'],
    ['pending', 'accepted'],
    ['processing', 'accepted'],
    ['success', 'accepted'],
    ['open_url', 'accepted', { url: `${pageOrigin}/x` }],
    ['open_url', 'unknown', { url: 'https://evil.example/x' }],
    ['failed', 'refused', { gateway_response: 'Declined' }],
    ['reversed', 'unknown'],
    ['constructor', 'unknown'],
  ]
  for (const [status, outcome, more] of statuses)
    test(`a charge that is ${status} ${JSON.stringify(more ?? {})} is ${outcome}`, async () => {
      say(200, ok({ reference: ref, status, ...more }))
      assert.equal((await mtn.collect(collection())).outcome, outcome)
    })

  test('a payer who has to enter a code is asked for it and reads where to get it', async () => {
    say(200, ok({ reference: ref, status: 'send_otp', display_text: 'Dial *110# for a voucher' }))
    const expectedGuidance = {
      texts: { en: 'Dial *110# for a voucher' },
      dialString: '*110#',
      asksForCode: true,
    }
    assert.deepEqual(await telecel.collect(collection()), { outcome: 'accepted', guidance: expectedGuidance })
    assert.deepEqual(await telecel.queryCollection(about(ref)), {
      outcome: 'pending',
      guidance: expectedGuidance,
    })
    say(200, ok({ reference: ref, status: 'pay_offline', display_text: 'Approve on your phone' }))
    const after = await telecel.submitCode(collection(), '123456')
    assert(after.outcome === 'accepted' && after.guidance && !after.guidance.asksForCode)
    assert.deepEqual([seen[0]?.url, seen[0]?.body], ['/charge/submit_otp', { otp: '123456', reference: ref }])
  })

  for (const reply of [
    [400, no('Invalid OTP', 'invalid_params', 'validation_error')],
    [400, no('Duplicate Transaction Reference', 'duplicate_reference', 'validation_error')],
    [500, no('Oops')],
    undefined,
  ] as const)
    test(`a code answered with ${JSON.stringify(reply)} fails nothing`, async () => {
      seen = []
      replyTo = () => reply && [reply[0], reply[1]]
      const result = await telecel.submitCode(collection(), '123456')
      assert.equal(result.outcome, 'unknown')
      assert.doesNotMatch(JSON.stringify(result), /123456/)
    })

  test('a reference that Paystack already has is accepted and queried', async () => {
    say(400, no('Duplicate Transaction Reference', 'duplicate_reference', 'validation_error'))
    for (const each of [mtn, card])
      assert.deepEqual(await each.collect(collection()), { outcome: 'accepted' })
  })

  test('an invalid request started nothing, and no other error proves that', async () => {
    say(400, no('Invalid phone', 'invalid_params', 'validation_error'))
    assert.deepEqual([await wordOf(mtn.collect(collection()))], ['rejected'])
    for (const [status, body] of [
      [400, { ...no('Charge attempted', 'x', 'validation_error'), data: { status: 'failed' } }],
      [400, no('Invalid phone')],
      [400, no('Oops', 'unknown', 'api_error')],
      [401, no('Invalid key', 'invalid_Key', 'validation_error')],
      [429, no('Too many', 'rate', 'validation_error')],
      [500, no('Invalid phone', 'invalid_params', 'validation_error')],
      [200, no('Invalid phone', 'invalid_params', 'validation_error')],
      [200, ok({ reference: randomUUID(), status: 'failed' })],
      [400, '<html>'],
    ] as const) {
      say(status, body)
      assert.equal((await mtn.collect(collection())).outcome, 'unknown', JSON.stringify([status, body]))
    }
  })

  test('francs are refused before sending unless their unit is configured', async () => {
    say(200, ok({}))
    assert.equal(await wordOf(connect('mtn-ci').collect(collection({ currency: 'XOF' }))), 'rejected')
    assert.equal(await wordOf(card.collect(collection({ currency: 'XOF' }))), 'rejected')
    assert.deepEqual(seen, [])
    say(200, ok({ reference: ref, status: 'pay_offline' }))
    await connect('mtn-ci', { unitsPerFranc: 100 }).collect(collection({ currency: 'XOF', amount: 1_500n }))
    await connect('mtn-ci', { unitsPerFranc: 1 }).collect(collection({ currency: 'XOF', amount: 1_500n }))
    assert.deepEqual(
      seen.map(({ body }) => (body as { amount: number }).amount),
      [150_000, 1_500],
    )
  })

  test('a submit after the fence is not sent, and says so', async () => {
    say(200, ok([]))
    const late = { mayLeave: () => false }
    for (const result of [
      await mtn.collect({ ...collection(), ...late }),
      await card.collect({ ...collection(), ...late }),
      await mtn.refund({ ...refund(), ...late }),
    ])
      assert.equal('isTooLate' in result && result.isTooLate, true)
    replyTo = ({ url }) => [200, ok(url === '/transferrecipient' ? { recipient_code: 'RCP_1' } : {})]
    const payout = await mtn.disburse({ ...disbursement(), ...late })
    assert.equal('isTooLate' in payout && payout.isTooLate, true)
    assert.deepEqual(
      seen.map(({ url }) => url?.split('?')[0]),
      ['/refund', '/transferrecipient'],
    )
  })
})

describe('the outcome of a charge', () => {
  const success = {
    id: 42,
    reference: ref,
    status: 'success',
    amount: 15_000,
    requested_amount: 15_000,
    currency: 'GHS',
  }
  test('is the amount in the transaction', async () => {
    say(200, ok(success))
    const moved = { outcome: 'done', amount: 15_000n, currency: 'GHS', railTransaction: '42' }
    assert.deepEqual(await mtn.queryCollection(about(ref)), moved)
    assert.deepEqual(
      seen.map(({ url }) => url),
      [`/charge/${ref}`, `/transaction/verify/${ref}`],
    )
    for (const wrong of [
      { amount: '15000' },
      { amount: 15.5 },
      { amount: 2 ** 60 },
      { currency: 'cedi' },
      { currency: 'ABC' },
      { reference: randomUUID() },
    ]) {
      say(200, ok({ ...success, ...wrong }))
      assert.equal((await card.queryCollection(about(ref))).outcome, 'unknown', JSON.stringify(wrong))
    }
  })

  const old = new Date(Date.now() - 25 * 3_600_000).toISOString()
  for (const [more, word] of [
    [{ status: 'failed', gateway_response: 'Insufficient Funds' }, 'fund_insufficient'],
    [{ status: 'failed', gateway_response: 'Declined' }, 'authorization_failed'],
    [{ status: 'failed', gateway_response: '__proto__' }, 'unknown'],
    [{ status: 'failed' }, 'unknown'],
    [{ status: 'abandoned' }, 'pending'],
    [{ status: 'abandoned', created_at: new Date().toISOString() }, 'pending'],
    [{ status: 'abandoned', created_at: old }, 'authorization_failed'],
    [{ status: 'ongoing' }, 'pending'],
    [{ status: 'pending' }, 'pending'],
    [{ status: 'processing' }, 'pending'],
    [{ status: 'queued' }, 'pending'],
    [{ status: 'send_otp' }, 'pending'],
    [{ status: 'reversed' }, 'unanswered'],
    [{ status: 'hasOwnProperty' }, 'unanswered'],
  ] as const)
    test(`is ${word} for ${JSON.stringify({ ...more, created_at: undefined })}`, async () => {
      say(200, ok({ ...success, ...more }))
      for (const each of [mtn, card]) {
        const outcome = await each.queryCollection(about(ref))
        assert.equal(outcome.outcome === 'unknown' ? 'unanswered' : await wordOf(outcome), word)
        assert.doesNotMatch(
          JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
          /Declined/,
        )
      }
    })

  test('is missing only if Paystack reports an unknown reference', async () => {
    for (const status of [400, 404]) {
      say(status, no('Transaction reference not found.', 'transaction_not_found', 'validation_error'))
      for (const each of [mtn, card])
        assert.deepEqual(await each.queryCollection(about(ref)), { outcome: 'missing' })
    }
    for (const [status, body] of [
      [404, '<html>Not found</html>'],
      [404, no('Not found')],
      [500, no('Transaction reference not found.')],
      [200, no('Transaction reference not found.')],
      [401, no('Transaction reference not found.')],
    ] as const) {
      say(status, body)
      assert.equal((await mtn.queryCollection(about(ref))).outcome, 'unknown')
    }
  })

  const authorization = {
    channel: 'card',
    brand: 'visa ',
    last4: '4081',
    signature: 'SIG_yEXu7dLBeqG0kU7g95Ke',
  }
  test('has the card, identified by a signature that is not its number', async () => {
    say(200, ok({ ...success, channel: 'card', authorization }))
    const paid = await card.queryCollection(about(ref))
    assert(paid.outcome === 'done')
    assert.deepEqual(paid.card, { scheme: 'visa', last4: '4081', token: 'SIG_yEXu7dLBeqG0kU7g95Ke' })
    for (const wrong of [{ brand: 'diners' }, { last4: '40810' }, { signature: '4084084084084081' }]) {
      say(200, ok({ ...success, channel: 'card', authorization: { ...authorization, ...wrong } }))
      const without = await card.queryCollection(about(ref))
      assert.deepEqual([without.outcome, 'card' in without], ['done', false])
    }
    say(
      200,
      ok({
        ...success,
        channel: 'card',
        authorization: { ...authorization, signature: undefined, authorization_code: 'AUTH_72btv547' },
      }),
    )
    const coded = await card.queryCollection(about(ref))
    assert.equal(coded.outcome === 'done' && coded.card?.token, 'AUTH_72btv547')
  })
})

describe('paying out', () => {
  const recipient = ok({ recipient_code: 'RCP_abc123' })
  const answer = (transfer: Reply) => {
    seen = []
    replyTo = ({ url }) => (url === '/transferrecipient' ? [201, recipient] : transfer)
  }
  test('creates the recipient first, then the transfer, under our reference', async () => {
    answer([200, ok({ reference: ref, status: 'pending', transfer_code: 'TRF_1' })])
    assert.deepEqual(await mtn.disburse(disbursement()), { outcome: 'accepted' })
    const account = {
      type: 'mobile_money',
      name: 'Payee',
      account_number: '0241234567',
      bank_code: 'MTN',
      currency: 'GHS',
    }
    const transfer = {
      source: 'balance',
      amount: 15_000,
      recipient: 'RCP_abc123',
      reference: ref,
      reason: 'Order 42',
      currency: 'GHS',
    }
    assert.deepEqual(
      seen.map(({ url, body }) => [url, body]),
      [
        ['/transferrecipient', account],
        ['/transfer', transfer],
      ],
    )
    assert.match(ref, /^[a-z0-9_-]{16,50}$/)
  })

  test('sends no transfer without a recipient', async () => {
    say(400, no('Account number is invalid', 'invalid_params', 'validation_error'))
    assert.equal(await wordOf(mtn.disburse(disbursement())), 'provider_account_missing')
    for (const reply of [[500, no('Oops')], [200, ok({})], undefined] as const) {
      replyTo = () => reply && [reply[0], reply[1]]
      assert.equal((await mtn.disburse(disbursement())).outcome, 'unknown')
    }
    assert.deepEqual(new Set(seen.map(({ url }) => url)), new Set(['/transferrecipient']))
  })

  for (const [status, atSubmit, later] of [
    ['pending', 'accepted', 'pending'],
    ['received', 'accepted', 'pending'],
    ['success', 'accepted', 'done'],
    ['otp', 'unanswered', 'unanswered'],
    ['abandoned', 'unanswered', 'unanswered'],
    ['blocked', 'unanswered', 'unanswered'],
    ['failed', 'fund_insufficient', 'fund_insufficient'],
    ['rejected', 'fund_insufficient', 'fund_insufficient'],
    ['reversed', 'fund_insufficient', 'fund_insufficient'],
  ] as const)
    test(`a transfer that is ${status}: ${atSubmit}, then ${later}`, async () => {
      const data = {
        reference: ref,
        status,
        amount: 15_000,
        currency: 'GHS',
        gateway_response: 'Insufficient funds',
      }
      answer([200, ok(data)])
      for (const [outcome, word] of [
        [await mtn.disburse(disbursement()), atSubmit],
        [await mtn.queryDisbursement(about(ref)), later],
      ] as const)
        assert.equal(outcome.outcome === 'unknown' ? 'unanswered' : await wordOf(outcome), word)
    })

  test('recognizes a used reference, an insufficient balance and a transfer that never started', async () => {
    answer([
      400,
      no(
        'Please provide a unique reference. Reference already exists on a transfer',
        'duplicate_transfer_reference',
        'validation_error',
      ),
    ])
    assert.deepEqual(await mtn.disburse(disbursement()), { outcome: 'accepted' })
    answer([
      400,
      no('Your balance is not enough to fulfil this request', 'insufficient_balance', 'api_error'),
    ])
    assert.equal(await wordOf(mtn.disburse(disbursement())), 'fund_insufficient')
    answer([400, no('You cannot initiate third party payouts', 'feature', 'api_error')])
    assert.equal((await mtn.disburse(disbursement())).outcome, 'unknown')
    say(404, no('Transfer not found', 'transfer_not_found'))
    assert.deepEqual(await mtn.queryDisbursement(about(ref)), { outcome: 'missing' })
    say(404, no('Page not found'))
    assert.equal((await mtn.queryDisbursement(about(ref))).outcome, 'unknown')
  })

  test('a name is looked up; only an account that cannot be resolved is missing', async () => {
    say(200, ok({ account_number: '0241234567', account_name: 'Ama Mensah' }))
    assert.deepEqual(await mtn.verifyAccount('+233241234567'), {
      outcome: 'found',
      holderName: 'Ama Mensah',
      isActive: true,
    })
    assert.equal(seen[0]?.url, '/bank/resolve?account_number=0241234567&bank_code=MTN')
    say(
      422,
      no(
        'Could not resolve account name. Check parameters or try again.',
        'invalid_params',
        'validation_error',
      ),
    )
    assert.deepEqual(await mtn.verifyAccount('+233241234567'), { outcome: 'missing' })
    say(400, no('Could not resolve account name. Check parameters or try again.'))
    assert.equal((await mtn.verifyAccount('+233241234567')).outcome, 'unknown')
    assert.deepEqual(
      [bank.verifyAccount, card.disburse, bank.disburse, bank.submitCode],
      [undefined, undefined, undefined, undefined],
    )
  })

  test('payouts and look-ups at a bank require its code in the connection', async () => {
    const gtb = connect('ng-gtb', { bankCode: '058' })
    const inNaira = { ...disbursement(), currency: 'NGN', payeeAccount: '0123456789' }
    answer([200, ok({ reference: ref, status: 'pending', transfer_code: 'TRF_1' })])
    assert.deepEqual(await gtb.disburse(inNaira), { outcome: 'accepted' })
    assert.deepEqual(bodyAt(0), {
      type: 'nuban',
      name: 'Payee',
      account_number: '0123456789',
      bank_code: '058',
      currency: 'NGN',
    })
    say(200, ok({ account_number: '0123456789', account_name: 'NGOZI OBI' }))
    assert.deepEqual(await gtb.verifyAccount('0123456789'), {
      outcome: 'found',
      holderName: 'NGOZI OBI',
      isActive: true,
    })
    assert.equal(seen[0]?.url, '/bank/resolve?account_number=0123456789&bank_code=058')
    assert.deepEqual(
      [bank.disburse, bank.queryDisbursement, bank.verifyAccount],
      [undefined, undefined, undefined],
    )
    assert.equal(connect('card', { bankCode: '058' }).disburse, undefined)
  })

  const listOf = (codes: string[]) => ok(codes.map((code) => ({ name: `Bank ${code}`, code })))
  const hundred = Array.from({ length: 100 }, (_, i) => `9${i}`)
  const probes: [what: string, bank: Reply | undefined, balance: Reply, outcomes: string[]][] = [
    ['that has the code', [200, listOf(['044', '058'])], [200, ok([])], ['ok', 'ok']],
    ['that does not', [200, listOf(['044'])], [200, ok([])], ['ok', 'failed']],
    ['that never ends', [200, listOf(hundred)], [200, ok([])], ['ok', 'unknown']],
    ['that is not a list', [200, ok({})], [200, ok([])], ['ok', 'unknown']],
    ['that is refused because of a wrong key', undefined, [401, no('Invalid key')], ['failed', 'unknown']],
    ['from a service that is down', [500, 'x'], [503, 'x'], ['unknown', 'unknown']],
  ]
  for (const [what, list, balance, outcomes] of probes)
    test(`a connection test with a list of banks ${what}: ${outcomes}`, async () => {
      seen = []
      replyTo = ({ url }) => (url?.startsWith('/bank?') ? list : balance)
      const steps = await connect('ng-gtb', { bankCode: '058' }).probe()
      assert.deepEqual(
        steps.map(({ outcome }) => outcome),
        outcomes,
      )
      assert.equal(seen[1]?.url, '/bank?currency=NGN&type=nuban&perPage=100&page=1')
      assert.ok(seen.length <= 11)
      assert.doesNotMatch(JSON.stringify(steps), /sk_live/)
    })

  test('Paystack’s bank names are shown only if they are plain text', async () => {
    replyTo = ({ url }) => [200, ok(url?.startsWith('/bank?') ? [{ code: 'MTN', name: '\u001b[2J<b>' }] : [])]
    const [, code] = await mtn.probe()
    assert.deepEqual([code?.outcome, code?.detail], ['ok', 'Paystack calls it a name that cannot be shown'])
    assert.equal((await bank.probe()).length, 1)
  })

  test('balances are listed by currency', async () => {
    say(
      200,
      ok([
        { currency: 'GHS', balance: 17_000 },
        { currency: 'NGN', balance: 1 },
      ]),
    )
    assert.deepEqual(await mtn.balances(), [
      { name: 'balance', currency: 'GHS', amount: 17_000n },
      { name: 'balance', currency: 'NGN', amount: 1n },
    ])
    say(200, ok([{ currency: 'GHS', balance: '17000' }]))
    assert.equal('outcome' in (await mtn.balances()), true)
  })
})

describe('refunding', () => {
  const original = { reference: randomUUID(), railTransaction: '42' }
  const listed = (...refunds: object[]) => {
    seen = []
    replyTo = ({ method }) => [200, ok(method === 'GET' ? refunds : { id: 1, status: 'pending' })]
  }
  const ours = { id: 7, merchant_note: ref, amount: 15_000, currency: 'GHS', status: 'processed' }
  const other = { ...ours, id: 8, merchant_note: randomUUID() }

  test('lists first, then sends once', async () => {
    listed(other)
    assert.deepEqual(await mtn.refund(refund()), { outcome: 'accepted' })
    assert.deepEqual(
      seen.map(({ method, url }) => `${method} ${url}`),
      ['GET /refund?transaction=42&perPage=100', 'POST /refund'],
    )
    assert.deepEqual(seen[1]?.body, {
      transaction: '42',
      amount: 15_000,
      currency: 'GHS',
      merchant_note: ref,
      customer_note: 'Order 42',
    })
    listed(other, ours)
    assert.deepEqual(await mtn.refund(refund()), { outcome: 'accepted' })
    assert.equal(seen.length, 1, 'it already exists')
    say(500, no('Oops'))
    assert.equal((await mtn.refund(refund())).outcome, 'unknown')
    assert.equal(seen.length, 1, 'nothing is sent if the list is unreadable')
  })

  for (const [what, refunds, word] of [
    ['processed', [other, ours], 'done'],
    ['pending', [{ ...ours, status: 'pending' }], 'pending'],
    ['processing', [{ ...ours, status: 'processing' }], 'pending'],
    ['failed', [{ ...ours, status: 'failed' }], 'unknown'],
    ['needs-attention', [{ ...ours, status: 'needs-attention' }], 'unanswered'],
    ['not in the list', [other], 'missing'],
    ['missing from an empty list', [], 'missing'],
    ['missing, while another cannot be identified', [{ ...other, merchant_note: null }], 'unanswered'],
    ['listed twice', [ours, ours], 'unanswered'],
    ['missing from a full page', Array.from({ length: 100 }, () => other), 'unanswered'],
  ] as const)
    test(`a refund that is ${what}: ${word}`, async () => {
      listed(...refunds)
      const outcome = await mtn.queryRefund(about(ref, { original }))
      assert.equal(outcome.outcome === 'unknown' ? 'unanswered' : await wordOf(outcome), word)
    })

  const refund = (): RailRefund => ({ ...order(), original })
})

describe('a report', () => {
  const data = { reference: ref, status: 'success', amount: 15_000, currency: 'GHS', id: 42 }
  const report = (body: object, sign = (text: string): object => signReport(secretKey, text)) => {
    const text = JSON.stringify(body)
    return mtn.readReport({
      method: 'POST',
      path: '/callbacks/connections/live/paystack',
      headers: { ...sign(text) },
      address: '127.0.0.1',
      rawBody: Buffer.from(text),
      fields: body as Record<string, unknown>,
    })
  }
  test('about a charge is trusted if it has the amount and the secret key’s signature', () => {
    const read = report({ event: 'charge.success', data })
    assert.deepEqual(
      [read.isAuthentic, read.reference, read.amount, read.currency],
      [true, ref, 15_000n, 'GHS'],
    )
    assert.deepEqual(read.verdictOn?.('collect'), {
      outcome: 'done',
      amount: 15_000n,
      currency: 'GHS',
      railTransaction: '42',
    })
    assert.equal(read.verdictOn?.('disburse'), undefined)
    assert.equal(
      report({ event: 'charge.success', data: { ...data, amount: undefined } }).verdictOn?.('collect'),
      undefined,
    )
    for (const sign of [
      () => ({}),
      () => ({ 'x-paystack-signature': 'f'.repeat(128) }),
      (text: string) => signReport(`${secretKey}x`, text),
      () => signReport(secretKey, '{}'),
    ]) {
      const forged = report({ event: 'charge.success', data }, sign)
      assert.deepEqual(
        [forged.isAuthentic, forged.reference, forged.verdictOn?.('collect')],
        [false, undefined, undefined],
      )
    }
  })

  for (const [event, word] of [
    ['transfer.success', 'done'],
    ['transfer.failed', 'authorization_failed'],
    ['transfer.reversed', 'authorization_failed'],
    ['charge.dispute.create', undefined],
    ['refund.processed', undefined],
    ['charge.failed', undefined],
  ] as const)
    test(`${event}: ${word ?? 'at most a query'}`, async () => {
      const read = report({ event, data: { ...data, gateway_response: 'Declined' } })
      const verdict = read.verdictOn?.('disburse')
      assert.equal(verdict && (await wordOf(verdict)), word)
      assert.deepEqual([read.verdictOn?.('collect'), read.verdictOn?.('refund')], [undefined, undefined])
    })
})

test('no secret appears in a report', async () => {
  say(401, no(`Invalid key ${secretKey}`, secretKey))
  for (const result of [
    await mtn.collect(collection()),
    await mtn.queryCollection(about(ref)),
    await mtn.disburse(disbursement()),
    await mtn.balances(),
    await mtn.verifyAccount('+233241234567'),
  ])
    assert.doesNotMatch(JSON.stringify(result), /sk_live/)
})

test('a reference that is missing from Paystack’s lists is trusted to be missing only after 15 minutes', () => {
  const provider = catalogue.find('mtn-gh')
  assert(provider)
  const live = paystack.connect(
    { baseUrl: 'https://api.paystack.co', secretKey, timeoutMs: 500 },
    provider,
    peer,
  )
  assert.equal(live.missingAfterMs, 15 * 60_000)
})

test('a connection with a test key, a page on another site, or no unit for francs is refused', () => {
  const errorOf = (more: object, providerId = 'mtn-gh') => {
    const provider = catalogue.find(providerId)
    assert(provider)
    return paystack.findIssue?.({ baseUrl: 'https://api.paystack.co', secretKey, ...more }, provider)
  }
  assert.equal(errorOf({}), undefined)
  assert.match(errorOf({ secretKey: 'sk_test_0123456789abcdef' }) ?? '', /live/)
  assert.match(errorOf({ pageOrigin: 'http://checkout.paystack.com' }) ?? '', /pageOrigin/)
  assert.match(errorOf({}, 'mtn-ci') ?? '', /unitsPerFranc/)
  assert.match(errorOf({}, 'm17') ?? '', /name/)
  assert.match(
    errorOf({ bankCode: '058', providers: ['ng-gtb', 'ng-uba'] }, 'ng-gtb') ?? '',
    /a single provider/,
  )
  assert.equal(errorOf({ bankCode: '058', providers: ['ng-gtb'] }, 'ng-gtb'), undefined)
})

const peer = createPeer(50)
after(() => peer.close())
async function wordOf(
  result:
    | Awaited<ReturnType<Connector['queryCollection' | 'collect']>>
    | Promise<Awaited<ReturnType<Connector['collect']>>>,
) {
  const outcome = await result
  return outcome.outcome === 'refused' ? outcome.code : outcome.outcome
}

const order = () => ({
  reference: ref,
  amount: 15_000n,
  currency: 'GHS',
  description: 'Order 42',
  callbackUrl: 'https://pay.example/callbacks',
  mayLeave: () => true,
})
const collection = (more: Partial<Collection> = {}): Collection => ({
  ...order(),
  orderNumber: '123456789012',
  payerAccount: '+233241234567',
  returnUrl: null,
  ...more,
})
const disbursement = (): Disbursement => ({ ...order(), payeeAccount: '+233241234567' })
const refund = (): RailRefund => ({
  ...order(),
  original: { reference: randomUUID(), railTransaction: '42' },
})
