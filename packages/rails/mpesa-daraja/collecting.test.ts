import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { about } from '@pesewa/connector-kit/testing'
import { safaricomAddresses } from './source-addresses.ts'
import {
  acceptedResponse,
  callbackUrl,
  checkoutId,
  codeOrOutcome,
  collection,
  connectDaraja,
  darajaSecrets,
  received,
  reference,
  refusal,
  startGateway,
  verdict,
} from './testing.ts'

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

describe('M-Pesa Express', () => {
  test('is sent with numbers, the current password in Nairobi time, and the order number', async () => {
    gateway.answer(200, acceptedResponse)
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

  test('pays into a till if the connection has one', async () => {
    const till = connectDaraja(gateway.baseUrl, { till: '5551234' })
    gateway.answer(200, acceptedResponse)
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
      assert.equal(codeOrOutcome(await mpesa.collect({ ...collection, amount })), 'rejected')
    assert.deepEqual([gateway.seen, gateway.tokens], [[], []])
  })

  test('is sent only once, whatever the response, and not after the fence', async () => {
    gateway.onCall = () => undefined
    assert.equal(codeOrOutcome(await mpesa.collect(collection)), 'unknown')
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
    [200, { ResponseCode: '1', ResponseDescription: 'Rejected' }, 'rejected'],
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
    [200, { ...acceptedResponse, ResponseCode: '1' }, 'unknown'],
    [200, { CheckoutRequestID: checkoutId }, 'unknown'],
    [503, '<html>', 'unknown'],
    [302, '', 'unknown'],
  ]
  for (const [status, document, word] of submits)
    test(`a submit answered with ${status} ${JSON.stringify(document)} is ${word}`, async () => {
      gateway.answer(status, document)
      const result = await mpesa.collect(collection)
      assert.equal(codeOrOutcome(result), word)
      if (result.outcome === 'refused') assert.match(result.message, /^[A-Z][A-Za-z0-9’ ,-]+\.$/)
    })
})

describe('a query of a payment', () => {
  const ask = () => mpesa.queryCollection(about(reference, { providerReference: checkoutId }))
  const response = (ResultCode: unknown, more: object = {}) => ({
    ...acceptedResponse,
    ResultCode,
    ResultDesc: 'Any',
    ...more,
  })

  test('names the checkout; without the checkout’s id nothing is sent', async () => {
    gateway.answer(200, response('0'))
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
    assert.equal(codeOrOutcome(await mpesa.queryCollection(about(reference))), 'unknown')
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
      gateway.answer(200, response(code))
      assert.equal(codeOrOutcome(await ask()), word)
    })

  test('500.001.1001 never means missing: it means pending or unknown, depending on its text', async () => {
    for (const [text, word] of [
      ['The transaction is being processed', 'pending'],
      ['', 'unknown'],
      ['The transaction does not Exist', 'unknown'],
    ] as const)
      for (const status of [200, 500]) {
        gateway.answer(status, refusal('500.001.1001', text))
        assert.equal(codeOrOutcome(await ask()), word)
      }
  })

  test('a response for another payment, or without its own code, is unknown', async () => {
    for (const document of [
      response('0', { CheckoutRequestID: 'ws_CO_1' }),
      response('0', { ResponseCode: '1' }),
      response('1032', { ResponseCode: undefined }),
    ]) {
      gateway.answer(200, document)
      assert.equal(codeOrOutcome(await ask()), 'unknown')
    }
    gateway.answer(500, response('0'))
    assert.equal(codeOrOutcome(await ask()), 'unknown')
  })
})

describe('a callback from M-Pesa Express', () => {
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

  test('has the checkout, amount and receipt by name in any order, and gets the response that Safaricom expects', () => {
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

  test('has no verdict without a clear amount; cents are read, not cut off', () => {
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

  test('about a failure is read by its code alone; undocumented codes are ignored', () => {
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

  test('is read quickly, however many items it has', () => {
    const Item = Array.from({ length: 100_000 }, (_, i) => ({ Name: `n${i}`, Value: i }))
    const startedAt = performance.now()
    mpesa.readReport(received({ Body: { stkCallback: { CallbackMetadata: { Item } } } }))
    assert.ok(performance.now() - startedAt < 5_000)
  })

  test('is authentic only from Safaricom’s published addresses or the connection’s own', () => {
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
