import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { about } from '@pesewa/connector-kit/testing'
import {
  callbackUrl,
  codeOrOutcome,
  connectDaraja,
  darajaSecrets,
  openCredential,
  payout,
  payouts,
  received,
  reference,
  refusal,
  reversal,
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

describe('B2C', () => {
  const acknowledged = { ConversationID: 'AG_1', OriginatorConversationID: reference, ResponseCode: '0' }

  test('is sent under our reference, with a credential and a URL for queue time-outs', async () => {
    gateway.answer(200, acknowledged)
    assert.deepEqual(await mpesa.disburse(payout), { outcome: 'accepted' })
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/b2c/v3/paymentrequest')
    assert.equal(openCredential(SecurityCredential), darajaSecrets.initiatorPassword)
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

  test('accepts 10 to 250,000 whole shillings and refuses other amounts before sending', async () => {
    for (const amount of [999n, 900n, 100_050n, 25_000_100n])
      assert.equal(codeOrOutcome(await mpesa.disburse({ ...payout, amount })), 'rejected')
    assert.equal(gateway.seen.length, 0)
    gateway.answer(200, acknowledged)
    for (const amount of [1_000n, 25_000_000n])
      assert.equal(codeOrOutcome(await mpesa.disburse({ ...payout, amount })), 'accepted')
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
      assert.equal(codeOrOutcome(await mpesa.disburse(payout)), word)
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

  test('its result has our reference and the amount, in a list or a single parameter', () => {
    for (const ResultParameter of [[{ Key: 'Other', Value: 'x' }, amountParameter], amountParameter]) {
      const report = mpesa.readReport(received(result(0, { ResultParameters: { ResultParameter } })))
      assert.equal(report.reference, reference)
      assert.deepEqual(verdict(report, 'disburse'), paid)
      assert.deepEqual([verdict(report, 'collect'), verdict(report, 'refund')], [undefined, undefined])
    }
    assert.equal(verdict(mpesa.readReport(received(result(0))), 'disburse'), undefined)
  })

  test('only documented failures are failures; any other code is unknown', () => {
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

  test('a queue time-out is not a failure', () => {
    const report = mpesa.readReport(received(result(1), { notice: 'timeout' }))
    assert.deepEqual([report.reference, verdict(report, 'disburse')], [undefined, undefined])
  })

  test('is queried by our reference, and the result arrives as a report', async () => {
    gateway.answer(200, { ...acknowledged, OriginatorConversationID: '2654-1' })
    assert.deepEqual(await mpesa.queryDisbursement(about(reference, { callbackUrl })), { outcome: 'asked' })
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/transactionstatus/v1/query')
    assert.equal(openCredential(SecurityCredential), darajaSecrets.initiatorPassword)
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
    assert.equal(codeOrOutcome(await mpesa.queryDisbursement(about(reference))), 'unknown')
  })

  test('a query’s report counts for the payout named in its parameters, and never triggers another query', () => {
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
    // A bad parameter or a queue time-out concerns the query, not the payout.
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
  test('refunds in full by M-Pesa’s transaction id, and is identified only by Safaricom’s id', async () => {
    gateway.answer(200, { ConversationID: 'AG_2', OriginatorConversationID: '2654-7', ResponseCode: '0' })
    assert.deepEqual(await mpesa.refund(reversal), { outcome: 'accepted', providerReference: '2654-7' })
    assert.equal(mpesa.refundsWholeOnly, true)
    const { url, body } = gateway.seen[0]!
    const { SecurityCredential, ...fields } = body
    assert.equal(url, '/mpesa/reversal/v1/request')
    assert.equal(openCredential(SecurityCredential), darajaSecrets.initiatorPassword)
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
    assert.equal(codeOrOutcome(await mpesa.queryRefund(about(reference))), 'unknown')
    assert.equal(gateway.seen.length, 2)
  })

  test('with cents or without M-Pesa’s transaction id is refused before it is sent', async () => {
    const original = { reference: 'x', railTransaction: null }
    assert.equal(codeOrOutcome(await mpesa.refund({ ...reversal, original })), 'rejected')
    assert.equal(codeOrOutcome(await mpesa.refund({ ...reversal, amount: 150n })), 'rejected')
    assert.equal(gateway.seen.length, 0)
  })

  test('its result is matched by Safaricom’s id, and “reversed before” is inconclusive', () => {
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

  test('requires the API operator’s role, but its outcome can be queried without the role', async () => {
    const without = connectDaraja(gateway.baseUrl, {
      payouts: { ...payouts, reverses: false, checksNames: false },
    })
    assert.equal(without.refund, undefined)
    assert.equal(without.verifyAccount, undefined)
    assert.equal(typeof without.queryRefund, 'function')
    await without.close()
  })
})

describe('the account holder', () => {
  test('is shown by first name with the other names masked; an unknown customer is missing', async () => {
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
