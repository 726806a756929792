import assert from 'node:assert/strict'
import { constants, privateDecrypt } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import {
  certificate,
  certificateKey,
  connectDaraja,
  darajaSecrets,
  payouts,
  received,
  startGateway,
} from '../../../../test/daraja.ts'
import { about } from '../../../../test/rail-query.ts'
import type { Collection, MoneyOrder, RailReport } from '../../connector.ts'
import type { RailKind } from '../../lane.ts'
import { mpesaDaraja } from './protocol.ts'
import { encryptionKeyOf, securityCredential } from './security-credential.ts'
import { createSourceCheck, safaricomAddresses } from './source-addresses.ts'

const gateway = await startGateway()
let mpesa = connectDaraja(gateway.baseUrl)
after(async () => {
  await mpesa.close()
  gateway.close()
})
beforeEach(async () => {
  await mpesa.close()
  mpesa = connectDaraja(gateway.baseUrl)
  gateway.reset()
})

const callbackUrl = 'https://pay.example/callbacks/payments/c2VhbGVk.tag'
const reference = '5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0'
const order: MoneyOrder = {
  reference,
  amount: 150_000n,
  currency: 'KES',
  description: 'Fatu’s Crème & Söhne',
  callbackUrl,
  mayLeave: () => true,
}
const collection: Collection = {
  ...order,
  payerAccount: '+254708374149',
  orderNumber: '482915037264',
  returnUrl: null,
}
const payout = { ...order, payeeAccount: '+254708374149' }
const reversal = { ...order, original: { reference: 'x', railTransaction: 'NLJ7RT61SV' } }
const checkoutId = 'ws_CO_191220191020363925254708374149'
const taken = { MerchantRequestID: '2654-4b64', CheckoutRequestID: checkoutId, ResponseCode: '0' }
const refusal = (errorCode: string, errorMessage = '') => ({
  requestId: '94fc-460e',
  errorCode,
  errorMessage,
})
const wordOf = (result: { outcome: string; code?: string }) => result.code ?? result.outcome

describe('M-Pesa Express', () => {
  test('is sent with numbers, the password of this moment in Nairobi, and the order’s number', async () => {
    gateway.answer(200, taken)
    assert.deepEqual(await mpesa.collect(collection), { outcome: 'accepted', providerReference: checkoutId })
    const [{ url, headers, body }] = gateway.seen as [(typeof gateway.seen)[0]]
    const { Password, Timestamp, ...fields } = body
    assert.equal(url, '/mpesa/stkpush/v1/processrequest')
    assert.equal(headers.authorization, `Bearer ${darajaSecrets.token}`)
    const password = Buffer.from(String(Password), 'base64').toString()
    assert.equal(password, `600111${darajaSecrets.passkey}${Timestamp}`)
    const [year, month, day, hour, minute, second] = String(Timestamp).match(/^\d{4}|\d\d/g)!
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+03:00`)
    assert.ok(Math.abs(at - Date.now()) < 60_000)
    assert.deepEqual(fields, {
      BusinessShortCode: 600111,
      TransactionType: 'CustomerPayBillOnline',
      Amount: 1500,
      PartyA: 254708374149,
      PartyB: 600111,
      PhoneNumber: 254708374149,
      CallBackURL: callbackUrl,
      AccountReference: '482915037264',
      TransactionDesc: 'Fatu s Creme',
    })
  })

  test('pays into a till where the connection has one', async () => {
    const till = connectDaraja(gateway.baseUrl, { till: '5551234' })
    gateway.answer(200, taken)
    await till.collect(collection)
    const { TransactionType, PartyB, BusinessShortCode } = gateway.seen[0]!.body
    assert.deepEqual(
      [TransactionType, PartyB, BusinessShortCode],
      ['CustomerBuyGoodsOnline', 5551234, 600111],
    )
    await till.close()
  })

  test('refuses cents before anything is sent', async () => {
    for (const amount of [1n, 99n, 150_050n])
      assert.equal(wordOf(await mpesa.collect({ ...collection, amount })), 'rejected')
    assert.deepEqual([gateway.seen, gateway.tokens], [[], []])
  })

  test('is sent once, whatever becomes of the response, and not at all after the fence', async () => {
    gateway.onCall = () => undefined
    assert.equal(wordOf(await mpesa.collect(collection)), 'unknown')
    assert.equal(gateway.seen.length, 1)
    const late = await mpesa.collect({ ...collection, mayLeave: () => false })
    assert.ok(late.outcome === 'unknown' && late.isTooLate)
    assert.equal(gateway.seen.length, 1)
  })

  const submits: [status: number, document: unknown, word: string][] = [
    [400, refusal('400.002.02', 'Bad Request - Invalid PhoneNumber'), 'provider_account_missing'],
    [400, refusal('400.002.02', 'Bad Request - Invalid Amount'), 'rejected'],
    [400, refusal('400.002.02', 'Bad Request - Invalid CallBackURL'), 'rejected'],
    [404, refusal('404.001.01', 'Resource not found'), 'rejected'],
    [405, refusal('405.001', 'Method Not Allowed'), 'rejected'],
    [500, refusal('500.001.1001', 'Merchant does not exist'), 'rejected'],
    [500, refusal('500.001.1001', '[MerchantValidate] - Wrong credentials'), 'rejected'],
    [200, { ResponseCode: '1', ResponseDescription: 'Rejected' }, 'fund_insufficient'],
    [200, { ResponseCode: '77' }, 'rejected'],
    [
      500,
      refusal('500.001.1001', 'Unable to lock subscriber, a transaction is already in process'),
      'unknown',
    ],
    [500, refusal('500.001.1001'), 'unknown'],
    [500, refusal('500.003.02', 'Error Occurred: Spike Arrest Violation'), 'unknown'],
    [429, refusal('500.003.02', 'System is busy.'), 'unknown'],
    [500, refusal('500.003.03', 'Quota Violation'), 'unknown'],
    [500, refusal('500.003.1001', 'Internal Server Error'), 'unknown'],
    [500, refusal('400.002.02', 'Bad Request - Invalid Amount'), 'unknown'],
    [200, refusal('400.002.02', 'Bad Request - Invalid Amount'), 'unknown'],
    [404, refusal('404.001.03', 'Invalid Access Token'), 'unknown'],
    [401, { fault: { faultstring: 'Invalid API call as no apiproduct match found' } }, 'unknown'],
    [200, { ResponseCode: '0' }, 'unknown'],
    [200, { ...taken, ResponseCode: '1' }, 'unknown'],
    [200, { CheckoutRequestID: checkoutId }, 'unknown'],
    [503, '<html>', 'unknown'],
    [302, '', 'unknown'],
  ]
  for (const [status, document, word] of submits)
    test(`a submit answered with ${status} ${JSON.stringify(document)} is ${word}`, async () => {
      gateway.answer(status, document)
      const result = await mpesa.collect(collection)
      assert.equal(wordOf(result), word)
      if (result.outcome === 'refused') assert.match(result.message, /^[A-Z][A-Za-z0-9’ ,-]+\.$/)
    })
})

describe('a query of a payment', () => {
  const ask = () => mpesa.queryCollection(about(reference, { providerReference: checkoutId }))
  const said = (ResultCode: unknown, more: object = {}) => ({
    ...taken,
    ResultCode,
    ResultDesc: 'Any',
    ...more,
  })

  test('names the checkout, and without its name nothing is asked or known', async () => {
    gateway.answer(200, said('0'))
    assert.deepEqual(await ask(), {
      outcome: 'done',
      amount: undefined,
      currency: undefined,
      isAmountUnstated: true,
      railTransaction: undefined,
    })
    const { url, body } = gateway.seen[0]!
    assert.equal(url, '/mpesa/stkpushquery/v1/query')
    assert.deepEqual(Object.keys(body), ['BusinessShortCode', 'Password', 'Timestamp', 'CheckoutRequestID'])
    assert.equal(body.CheckoutRequestID, checkoutId)
    gateway.reset()
    assert.equal(wordOf(await mpesa.queryCollection(about(reference))), 'unknown')
    assert.equal(gateway.seen.length, 0)
  })

  const words: [unknown, string][] = [
    ['0', 'done'],
    [0, 'done'],
    ['1', 'fund_insufficient'],
    ['2', 'rejected'],
    ['3', 'rejected'],
    ['4', 'provider_account_quota_exhausted'],
    ['8', 'rejected'],
    ['17', 'rejected'],
    ['1019', 'authorization_failed'],
    ['1025', 'rejected'],
    ['1032', 'authorization_failed'],
    ['1037', 'authorization_failed'],
    ['2001', 'authorization_failed'],
    ['2028', 'rejected'],
    ['SFC_IC0003', 'rejected'],
    ['8006', 'provider_account_blocked'],
    ['4999', 'pending'],
    ['26', 'unknown'],
    ['9999', 'unknown'],
    ['1001', 'unknown'],
    ['00', 'unknown'],
    [null, 'unknown'],
    ['constructor', 'unknown'],
  ]
  for (const [code, word] of words)
    test(`ResultCode ${JSON.stringify(code)} is ${word}`, async () => {
      gateway.answer(200, said(code))
      assert.equal(wordOf(await ask()), word)
    })

  test('500.001.1001 never says that a payment is missing: it is pending by its text, or unknown', async () => {
    for (const [text, word] of [
      ['The transaction is being processed', 'pending'],
      ['', 'unknown'],
      ['The transaction does not Exist', 'unknown'],
    ] as const)
      for (const status of [200, 500]) {
        gateway.answer(status, refusal('500.001.1001', text))
        assert.equal(wordOf(await ask()), word)
      }
  })

  test('another payment’s answer, or one without its own code, says nothing', async () => {
    for (const document of [
      said('0', { CheckoutRequestID: 'ws_CO_1' }),
      said('0', { ResponseCode: '1' }),
      said('1032', { ResponseCode: undefined }),
    ]) {
      gateway.answer(200, document)
      assert.equal(wordOf(await ask()), 'unknown')
    }
    gateway.answer(500, said('0'))
    assert.equal(wordOf(await ask()), 'unknown')
  })
})

const verdict = (report: RailReport, kind: RailKind) => report.verdictOn?.(kind)

describe('a callback of M-Pesa Express', () => {
  const callback = (ResultCode: unknown, items?: object[]) => ({
    Body: {
      stkCallback: {
        MerchantRequestID: '2654-4b64',
        CheckoutRequestID: checkoutId,
        ResultCode,
        ResultDesc: 'Any',
        ...(items && { CallbackMetadata: { Item: items } }),
      },
    },
  })
  const receipt = { Name: 'MpesaReceiptNumber', Value: 'NLJ7RT61SV' }

  test('carries checkout, amount and receipt, by name and in any order, and is answered in Safaricom’s words', () => {
    const items = [{ Name: 'Balance' }, receipt, { Name: 'Amount', Value: 1500.0 }]
    const report = mpesa.readReport(received(callback(0, items)))
    assert.deepEqual([report.isAuthentic, report.providerReference], [true, checkoutId])
    assert.deepEqual([report.amount, report.currency, report.reference], [150_000n, 'KES', undefined])
    assert.deepEqual(verdict(report, 'collect'), {
      outcome: 'done',
      amount: 150_000n,
      currency: 'KES',
      railTransaction: 'NLJ7RT61SV',
    })
    assert.equal(verdict(report, 'disburse'), undefined)
    assert.equal(verdict(report, 'refund'), undefined)
    assert.deepEqual(JSON.parse(report.answer!.body), { ResultCode: 0, ResultDesc: 'Success' })
  })

  test('of money has no verdict without an amount that is certain; cents are read, not cut', () => {
    for (const items of [
      undefined,
      [receipt],
      [{ Name: 'Amount', Value: 'many' }],
      [{ Name: 'Amount', Value: -1 }],
      [{ Name: 'Amount', Value: 10.005 }],
      [
        { Name: 'Amount', Value: 10 },
        { Name: 'Amount', Value: 20 },
      ],
    ])
      assert.equal(verdict(mpesa.readReport(received(callback(0, items))), 'collect'), undefined)
    const report = mpesa.readReport(received(callback(0, [{ Name: 'Amount', Value: 10.5 }])))
    assert.equal(report.amount, 1_050n)
  })

  test('of a failure counts by its code alone, and any that is not documented says nothing', () => {
    for (const [code, word] of [
      [1032, 'authorization_failed'],
      ['1037', 'authorization_failed'],
      [1, 'fund_insufficient'],
      [4999, undefined],
      [26, undefined],
      [9999, undefined],
      [undefined, undefined],
    ] as const) {
      const found = verdict(mpesa.readReport(received(callback(code))), 'collect')
      assert.equal(found?.outcome === 'refused' ? found.code : found?.outcome, word)
    }
  })

  test('is authentic from the addresses that Safaricom publishes, or those of the connection, only', () => {
    const isAuthentic = (address: string, more = {}) =>
      connectDaraja(gateway.baseUrl, more).readReport(received(callback(0), { address })).isAuthentic
    for (const address of [...safaricomAddresses, '::ffff:196.201.214.200']) assert.ok(isAuthentic(address))
    for (const address of ['127.0.0.1', '196.201.214.201', '::1', 'unix', ''])
      assert.ok(!isAuthentic(address))
    const callbackAddresses = ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7']
    for (const address of ['10.1.2.3', '2001:db8::1', '192.0.2.7', '::ffff:10.1.9.9'])
      assert.ok(isAuthentic(address, { callbackAddresses }), address)
    for (const address of ['10.2.0.1', '192.0.2.8', '196.201.214.200'])
      assert.ok(!isAuthentic(address, { callbackAddresses }), address)
  })
})

describe('B2C', () => {
  const acknowledged = { ConversationID: 'AG_1', OriginatorConversationID: reference, ResponseCode: '0' }

  test('is sent under our reference, with a credential and an address for the notice of a queue', async () => {
    gateway.answer(200, acknowledged)
    assert.deepEqual(await mpesa.disburse(payout), { outcome: 'accepted' })
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/b2c/v3/paymentrequest')
    assert.equal(opened(SecurityCredential), darajaSecrets.initiatorPassword)
    assert.deepEqual(fields, {
      OriginatorConversationID: reference,
      InitiatorName: 'operator',
      CommandID: 'BusinessPayment',
      Amount: '1500',
      PartyA: '600222',
      PartyB: '254708374149',
      Remarks: 'Fatu s Creme Sohne',
      ResultURL: callbackUrl,
      QueueTimeOutURL: `${callbackUrl}/timeout`,
    })
  })

  test('moves 10 to 250,000 whole shillings, and refuses all else before it is sent', async () => {
    for (const amount of [999n, 900n, 100_050n, 25_000_100n])
      assert.equal(wordOf(await mpesa.disburse({ ...payout, amount })), 'rejected')
    assert.equal(gateway.seen.length, 0)
    gateway.answer(200, acknowledged)
    for (const amount of [1_000n, 25_000_000n])
      assert.equal(wordOf(await mpesa.disburse({ ...payout, amount })), 'accepted')
  })

  const submits: [status: number, document: unknown, word: string][] = [
    [500, refusal('500.002.1001', 'Duplicate OriginatorConversationID.'), 'accepted'],
    [500, refusal('500.002.1001', 'Service is currently under maintenance'), 'unknown'],
    [400, refusal('400.002.02', 'Bad Request - Invalid PartyB'), 'rejected'],
    [403, refusal('403.002.1001', 'The service is not allowed'), 'rejected'],
    [401, refusal('401.002.01', 'Invalid Access Token'), 'unknown'],
    [500, refusal('500.003.02', 'Spike Arrest'), 'unknown'],
    [200, { ...acknowledged, ResponseCode: '1' }, 'unknown'],
    [200, 'nonsense', 'unknown'],
  ]
  for (const [status, document, word] of submits)
    test(`a submit answered with ${status} ${JSON.stringify(document)} is ${word}`, async () => {
      gateway.answer(status, document)
      assert.equal(wordOf(await mpesa.disburse(payout)), word)
    })

  const result = (ResultCode: unknown, more: object = {}) => ({
    Result: {
      ResultType: 0,
      ResultCode,
      ResultDesc: 'Any',
      OriginatorConversationID: reference,
      ConversationID: 'AG_1',
      TransactionID: 'SG72H4N1XX',
      ...more,
    },
  })
  const amountParameter = { Key: 'TransactionAmount', Value: 1500 }
  const paid = { outcome: 'done', amount: 150_000n, currency: 'KES', railTransaction: 'SG72H4N1XX' }

  test('its result names our reference and has the amount, among a list or alone', () => {
    for (const ResultParameter of [[{ Key: 'Other', Value: 'x' }, amountParameter], amountParameter]) {
      const report = mpesa.readReport(received(result(0, { ResultParameters: { ResultParameter } })))
      assert.equal(report.reference, reference)
      assert.deepEqual(verdict(report, 'disburse'), paid)
      assert.deepEqual([verdict(report, 'collect'), verdict(report, 'refund')], [undefined, undefined])
    }
    assert.equal(verdict(mpesa.readReport(received(result(0))), 'disburse'), undefined)
  })

  test('its failures are those that are documented as such; any other is unknown', () => {
    const words: Record<string, (string | number)[]> = {
      fund_insufficient: [1, '1'],
      rejected: [2, 3, 11, 2006, 2028, 21, 2001, 8006, 18, 20, 22],
      provider_account_quota_exhausted: [4, 8],
      provider_account_missing: [2040, 'SFC_IC0003'],
      none: [15, 17, 19, 26, 100000001, 100000002, 100000004, '00.002.1001', 1032, 'x y'],
    }
    for (const [word, codes] of Object.entries(words))
      for (const code of codes) {
        const found = verdict(mpesa.readReport(received(result(code))), 'disburse')
        assert.equal(found?.outcome === 'refused' ? found.code : 'none', word, String(code))
      }
  })

  test('a queue that timed out is no failure', () => {
    const report = mpesa.readReport(received(result(1), { notice: 'timeout' }))
    assert.deepEqual([report.reference, verdict(report, 'disburse')], [undefined, undefined])
  })

  test('is queried by our reference, and the response comes as a report', async () => {
    gateway.answer(200, { ...acknowledged, OriginatorConversationID: '2654-1' })
    assert.deepEqual(await mpesa.queryDisbursement(about(reference, { callbackUrl })), { outcome: 'asked' })
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/transactionstatus/v1/query')
    assert.equal(opened(SecurityCredential), darajaSecrets.initiatorPassword)
    assert.deepEqual(fields, {
      Initiator: 'operator',
      CommandID: 'TransactionStatusQuery',
      OriginalConversationID: reference,
      PartyA: '600222',
      IdentifierType: '4',
      ResultURL: `${callbackUrl}/status`,
      QueueTimeOutURL: `${callbackUrl}/status`,
      Remarks: 'Status',
    })
    gateway.answer(400, refusal('400.002.02', 'Bad Request - Invalid Initiator'))
    assert.equal(wordOf(await mpesa.queryDisbursement(about(reference))), 'unknown')
  })

  test('the response to a query counts by what it names inside, and never makes us query again', () => {
    const status = (TransactionStatus: string, more: [string, unknown][] = [['Amount', '1500']]) => {
      const inside: [string, unknown][] = [
        ['OriginatorConversationID', reference],
        ['TransactionStatus', TransactionStatus],
        ['ReceiptNo', 'SG72H4N1XX'],
        ['DebitPartyName', 'one'],
        ['DebitPartyName', 'another'],
        ...more,
      ]
      const ResultParameter = inside.map(([Key, Value]) => ({ Key, Value }))
      const outside = { OriginatorConversationID: 'query-1', ResultParameters: { ResultParameter } }
      return mpesa.readReport(received(result(0, outside), { notice: 'status' }))
    }
    const completed = status('Completed')
    assert.deepEqual([completed.reference, completed.isQueryResult], [reference, true])
    assert.deepEqual(verdict(completed, 'disburse'), paid)
    assert.equal(verdict(status('Completed', []), 'disburse'), undefined)
    for (const [word, code] of [
      ['Failed', 'unknown'],
      ['Cancelled', 'cancelled'],
      ['Expired', 'unknown'],
      ['Declined', 'unknown'],
      ['Rejected', 'unknown'],
      ['Reversed', undefined],
      ['Pending', undefined],
    ] as const) {
      const found = verdict(status(word), 'disburse')
      assert.equal(found?.outcome === 'refused' ? found.code : undefined, code, word)
    }
    // A bad parameter, or the notice of a queue: about the query, and not about the payout.
    for (const code of [25, 1, 2040]) {
      const report = mpesa.readReport(received(result(code), { notice: 'status' }))
      assert.deepEqual(
        [report.isQueryResult, report.reference, verdict(report, 'disburse')],
        [true, undefined, undefined],
      )
    }
  })
})

describe('a reversal', () => {
  test('gives back the whole by M-Pesa’s transaction, and is known by Safaricom’s id alone', async () => {
    gateway.answer(200, { ConversationID: 'AG_2', OriginatorConversationID: '2654-7', ResponseCode: '0' })
    assert.deepEqual(await mpesa.refund(reversal), { outcome: 'accepted', providerReference: '2654-7' })
    assert.equal(mpesa.refundsWholeOnly, true)
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/reversal/v1/request')
    assert.equal(opened(SecurityCredential), darajaSecrets.initiatorPassword)
    assert.deepEqual(fields, {
      Initiator: 'operator',
      CommandID: 'TransactionReversal',
      TransactionID: 'NLJ7RT61SV',
      Amount: '1500',
      ReceiverParty: '600222',
      RecieverIdentifierType: '11',
      ResultURL: `${callbackUrl}/reversal`,
      QueueTimeOutURL: `${callbackUrl}/timeout`,
      Remarks: 'Fatu s Creme Sohne',
    })
    await mpesa.queryRefund(about(reference, { providerReference: '2654-7', callbackUrl }))
    assert.equal(gateway.seen[1]!.body.OriginalConversationID, '2654-7')
    assert.equal(gateway.seen[1]!.body.ResultURL, `${callbackUrl}/reversal-status`)
    assert.equal(wordOf(await mpesa.queryRefund(about(reference))), 'unknown')
    assert.equal(gateway.seen.length, 2)
  })

  test('without M-Pesa’s transaction, or of cents, is refused before it is sent', async () => {
    const original = { reference: 'x', railTransaction: null }
    assert.equal(wordOf(await mpesa.refund({ ...reversal, original })), 'rejected')
    assert.equal(wordOf(await mpesa.refund({ ...reversal, amount: 150n })), 'rejected')
    assert.equal(gateway.seen.length, 0)
  })

  test('its result counts under Safaricom’s id; one that was reversed before says nothing', () => {
    const result = (ResultCode: unknown) => ({
      Result: {
        ResultCode,
        OriginatorConversationID: '2654-7',
        TransactionID: 'SG72REVERS',
        ResultParameters: { ResultParameter: [{ Key: 'Amount', Value: '1500.00' }] },
      },
    })
    const read = (code: unknown) => mpesa.readReport(received(result(code), { notice: 'reversal' }))
    assert.deepEqual([read(0).reference, read(0).providerReference], [undefined, '2654-7'])
    const done = { outcome: 'done', amount: 150_000n, currency: 'KES', railTransaction: 'SG72REVERS' }
    assert.deepEqual(verdict(read(0), 'refund'), done)
    assert.equal(verdict(read(0), 'disburse'), undefined)
    for (const [code, word] of [
      ['R000002', 'rejected'],
      [1, 'fund_insufficient'],
      [11, 'rejected'],
      [2006, 'rejected'],
      [21, 'rejected'],
      ['R000001', undefined],
      [26, undefined],
    ] as const) {
      const found = verdict(read(code), 'refund')
      assert.equal(found?.outcome === 'refused' ? found.code : undefined, word, String(code))
    }
  })

  test('is there only where the API operator has its role, and its outcome can be queried without', async () => {
    const without = connectDaraja(gateway.baseUrl, {
      payouts: { ...payouts, reverses: false, checksNames: false },
    })
    assert.equal(without.refund, undefined)
    assert.equal(without.verifyAccount, undefined)
    assert.equal(typeof without.queryRefund, 'function')
    await without.close()
  })
})

describe('whose number it is', () => {
  test('is the first name, with the others masked, and no such customer is missing', async () => {
    gateway.answer(200, {
      header: { status: '200' },
      body: { firstName: 'Wanjiku', middleName: 'M******', lastName: 'K******' },
    })
    assert.deepEqual(await mpesa.verifyAccount('+254708374149'), {
      outcome: 'found',
      holderName: 'Wanjiku M****** K******',
      isActive: true,
    })
    assert.deepEqual(gateway.seen[0]!.body.body, { msisdn: '254708374149', shortcode: '600222' })
    gateway.answer(400, { body: { message: 'The customer does not exist.' } })
    assert.deepEqual(await mpesa.verifyAccount('+254708374149'), { outcome: 'missing' })
    for (const [status, document] of [
      [400, { body: { message: 'Any' } }],
      [200, { header: { status: '500' }, body: { firstName: 'Wanjiku' } }],
      [200, { header: { status: '200' }, body: {} }],
    ] as const) {
      gateway.answer(status, document)
      assert.equal((await mpesa.verifyAccount('+254708374149')).outcome, 'unknown')
    }
  })
})

describe('a token', () => {
  test('is asked for with key and secret, and used until its life, a number or text, ends', async () => {
    gateway.answer(200, taken)
    for (const expires_in of [3599, '3599']) {
      gateway.reset()
      const fresh = connectDaraja(gateway.baseUrl)
      gateway.onToken = () => [200, { access_token: darajaSecrets.token, expires_in }]
      await fresh.collect(collection)
      await fresh.collect(collection)
      assert.equal(gateway.tokens.length, 1)
      const { url, headers } = gateway.tokens[0]!
      assert.equal(url, '/oauth/v1/generate?grant_type=client_credentials')
      const basic = Buffer.from(`${darajaSecrets.consumerKey}:${darajaSecrets.consumerSecret}`).toString(
        'base64',
      )
      assert.equal(headers.authorization, `Basic ${basic}`)
      await fresh.close()
    }
  })

  test('that is refused, as each product does it, is replaced once, and the message sent once more', async () => {
    for (const [status, document] of [
      [404, refusal('404.001.03', 'Invalid Access Token')],
      [401, refusal('401.002.01', 'Invalid Access Token')],
      [400, refusal('400.003.01', 'Invalid Access Token')],
    ] as const) {
      gateway.reset()
      let calls = 0
      gateway.onCall = () => (++calls === 1 ? [status, document] : [200, taken])
      assert.equal(wordOf(await mpesa.collect(collection)), 'accepted')
      assert.equal(gateway.seen.length, 2)
    }
    gateway.reset()
    gateway.answer(404, refusal('404.001.01'))
    await mpesa.collect(collection)
    assert.equal(gateway.seen.length, 1)
  })

  test('that there is not leaves everything unsent', async () => {
    for (const code of ['400.008.01', '400.008.02']) {
      gateway.onToken = () => [400, refusal(code, 'Invalid Authentication passed')]
      assert.equal(wordOf(await mpesa.collect(collection)), 'unknown')
    }
    assert.equal(gateway.seen.length, 0)
  })
})

describe('a connection', () => {
  const opened = securityCredential({ initiatorPassword: 'p#ss&w%rd$1', certificate })

  test('its credential opens with the certificate’s own key, in PEM or base64, however long ago it expired', () => {
    assert.match(opened, /^[A-Za-z0-9+/]{342}==$/)
    assert.equal(open(opened), 'p#ss&w%rd$1')
    const bare = certificate.replace(/-----[A-Z ]+-----|\s/g, '')
    assert.equal(open(securityCredential({ initiatorPassword: 'x', certificate: bare })), 'x')
    assert.equal(encryptionKeyOf('not a certificate'), undefined)
  })

  test('has its faults shown without a value', () => {
    const { payouts: _, ...rest } = connection
    const provider = { currencies: ['KES'] } as never
    const faultOf = (more: object, of = provider) => mpesaDaraja.faultOf?.({ ...rest, ...more } as never, of)
    assert.equal(faultOf({}), undefined)
    assert.equal(faultOf({ payouts, callbackAddresses: ['::1', '10.0.0.0/8'] }), undefined)
    assert.equal(faultOf({}, { currencies: ['UGX'] } as never), 'this protocol moves KES only')
    const certificateFault = 'payouts.certificate is not an X.509 certificate with an RSA key'
    assert.equal(faultOf({ payouts: { ...payouts, certificate: 'x' } }), certificateFault)
    for (const address of ['example.com', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129'])
      assert.match(
        String(faultOf({ callbackAddresses: ['10.0.0.1', address] })),
        /^callbackAddresses\[1\] is/,
      )
  })

  test('shows no secret, token or credential in what it returns', async () => {
    const results: unknown[] = []
    for (const [status, document] of [
      [500, refusal('500.001.1001', `${Object.values(darajaSecrets).join(' ')}`)],
      [400, Object.values(darajaSecrets).join(' ')],
      [200, { ResponseCode: darajaSecrets.passkey, ResultCode: darajaSecrets.token }],
    ] as const) {
      gateway.answer(status, document)
      results.push(
        await mpesa.collect(collection),
        await mpesa.disburse(payout),
        await mpesa.refund(reversal),
      )
      results.push(await mpesa.queryCollection(about(reference, { providerReference: checkoutId })))
      results.push(
        await mpesa.queryDisbursement(about(reference)),
        await mpesa.verifyAccount('+254708374149'),
      )
    }
    gateway.onToken = () => [400, Object.values(darajaSecrets).join(' ')]
    const fresh = connectDaraja(gateway.baseUrl)
    results.push(await fresh.collect(collection))
    await fresh.close()
    const shown = JSON.stringify(results)
    for (const secret of Object.values(darajaSecrets)) assert.ok(!shown.includes(secret), secret)
  })
})

const { token: _, initiatorPassword: __, ...keys } = darajaSecrets
const connection = { ...keys, baseUrl: gateway.baseUrl, shortCode: '600111', payouts }

const open = (credential: string) =>
  privateDecrypt(
    { key: certificateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(credential, 'base64'),
  ).toString()
const opened = (credential: unknown) => open(String(credential))

test('a list of sources is empty of strangers', () => {
  assert.equal(createSourceCheck(['192.0.2.1'])('192.0.2.1'), true)
  assert.equal(createSourceCheck(['192.0.2.1'])('192.0.2.2'), false)
})
