import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type { Bills } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import fc from 'fast-check'
import { connectDaraja, darajaSecrets, received, startGateway } from './testing.ts'

const gateway = await startGateway()
after(() => gateway.close())
beforeEach(() => gateway.reset())

const pullNumber = '254708000000'
const billsOf = (more: Parameters<typeof connectDaraja>[1] = {}): Bills =>
  must(connectDaraja(gateway.baseUrl, { bills: { pullNumber }, ...more }).bills, 'bills of a connection')
const bills = billsOf()
const addresses = { validation: 'https://pay.example/v', confirmation: 'https://pay.example/c' }

/** Version 2, as shown in Safaricom's portal. */
const notice = {
  TransactionType: 'Pay Bill',
  TransID: 'RKL51ZDR4F',
  TransTime: '20231121121325',
  TransAmount: '5.00',
  BusinessShortCode: '600111',
  BillRefNumber: '5773920187',
  InvoiceNumber: '',
  OrgAccountBalance: '25.00',
  ThirdPartyTransID: '',
  MSISDN: '2547 ***** 126',
  FirstName: 'NICHOLAS',
}
const read = (more: object = {}, address = '196.201.214.200') =>
  bills.readNotice(received({ ...notice, ...more }, { address }))

describe('a notification of a manual payment', () => {
  test('has the amount, the reference, the time in Nairobi and, if shown, the payer', () => {
    assert.deepEqual(read({ MSISDN: '25470***149' }).payment, {
      transaction: 'RKL51ZDR4F',
      amount: 500n,
      currency: 'KES',
      accountReference: '5773920187',
      payerAccount: null,
      payerMask: '+25470***149',
      paidAt: new Date('2023-11-21T09:13:25Z'),
    })
  })

  test('has the payer’s number in full, masked or not at all', () => {
    const payerOf = (MSISDN: unknown) => {
      const { payerAccount, payerMask } = must(read({ MSISDN }).payment, 'payment')
      return payerAccount ?? payerMask
    }
    assert.equal(payerOf('254708374149'), '+254708374149')
    assert.equal(payerOf(254708374149), '+254708374149')
    for (const hidden of ['2547 ***** 126', 'a'.repeat(64), '', null, undefined, {}, '+254', '0708374149'])
      assert.equal(payerOf(hidden), '****')
  })

  test('is authentic only from Safaricom’s published addresses or the connection’s own', () => {
    assert.equal(read().isAuthentic, true)
    assert.equal(read({}, '203.0.113.9').isAuthentic, false)
    const own = billsOf({ callbackAddresses: ['203.0.113.0/24'] })
    assert.equal(own.readNotice(received(notice, { address: '203.0.113.9' })).isAuthentic, true)
  })

  test('for another PayBill, or without a transaction, an amount or a time, is not a payment', () => {
    for (const more of [
      { BusinessShortCode: '600112' },
      { BusinessShortCode: undefined },
      { TransID: '' },
      { TransAmount: '0.00' },
      { TransAmount: '5.005' },
      { TransAmount: 'five' },
      { TransTime: '20231321121325' },
      { TransTime: null },
    ])
      assert.equal(read(more).payment, undefined, JSON.stringify(more))
    assert.equal(bills.readNotice(received([], { fields: undefined })).payment, undefined)
  })

  test('is answered in Safaricom’s format, and a validation with the reason', () => {
    const reply = (refusal?: 'reference' | 'amount' | 'payer') => JSON.parse(read().answer(refusal).body)
    assert.deepEqual(reply(), { ResultCode: '0', ResultDesc: 'Accepted' })
    assert.deepEqual(reply('payer'), { ResultCode: 'C2B00011', ResultDesc: 'Rejected' })
    assert.deepEqual(reply('reference'), { ResultCode: 'C2B00012', ResultDesc: 'Rejected' })
    assert.deepEqual(reply('amount'), { ResultCode: 'C2B00013', ResultDesc: 'Rejected' })
  })

  test('that is damaged is read unchanged, or not at all', () => {
    const values = fc.anything({ withBigInt: false, withSparseArray: true, withNullPrototype: true })
    const fields = fc.constantFrom(...Object.keys(notice))
    fc.assert(
      fc.property(fields, values, (field, value) => {
        const { payment } = read({ [field]: value })
        if (!payment) return
        assert.ok(payment.amount > 0n && payment.currency === 'KES')
        if (field !== 'TransAmount') assert.equal(payment.amount, 500n)
        if (field !== 'TransID') assert.equal(payment.transaction, 'RKL51ZDR4F')
        assert.doesNotMatch(payment.accountReference, /\p{Cc}/u)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the callback URLs for manual payments', () => {
  test('are registered, and transactions are registered for pulling', async () => {
    gateway.onCall = (body) =>
      'RequestType' in body
        ? [200, { 'Response Status': '1001', ResponseDescription: 'already' }]
        : [200, { OriginatorCoversationID: '1', ResponseCode: '0', ResponseDescription: 'success' }]
    const steps = await bills.register(addresses)
    assert.deepEqual(
      steps.map(({ step, outcome }) => [step, outcome]),
      [
        ['addresses', 'ok'],
        ['pull of transactions', 'ok'],
      ],
    )
    assert.deepEqual(
      gateway.seen.map(({ url, body }) => [url, body]),
      [
        [
          '/mpesa/c2b/v2/registerurl',
          {
            ShortCode: '600111',
            ResponseType: 'Cancelled',
            ConfirmationURL: addresses.confirmation,
            ValidationURL: addresses.validation,
          },
        ],
        [
          '/pulltransactions/v1/register',
          {
            ShortCode: '600111',
            RequestType: 'Pull',
            NominatedNumber: pullNumber,
            CallBackURL: addresses.confirmation,
          },
        ],
      ],
    )
  })

  test('are not registered if Safaricom refuses or gives no clear answer', async () => {
    gateway.answer(500, {
      requestId: '1',
      errorCode: '500.003.1001',
      errorMessage: 'URLs are already registered',
    })
    const [refused] = await bills.register(addresses)
    assert.deepEqual(refused, { step: 'addresses', outcome: 'failed', detail: '500 500.003.1001' })
    gateway.onCall = () => undefined
    const [unknown] = await bills.register(addresses)
    assert.equal(unknown?.outcome, 'unknown')
    const shown = JSON.stringify([refused, unknown])
    for (const secret of Object.values(darajaSecrets)) assert.ok(!shown.includes(String(secret)))
  })
})

describe('pulling transactions', () => {
  const [from, until] = [new Date('2026-11-22T21:00:00Z'), new Date('2026-11-23T09:30:00Z')]
  const listed = (transactionId: string, more: object = {}) => ({
    transactionId,
    trxDate: '2026-11-23 10:13:00',
    msisdn: 254722000000,
    sender: 'JANE',
    transactiontype: 'c2b-pay-bill-debit',
    billreference: '5773920187',
    amount: '168.00',
    organizationname: 'Shop',
    ...more,
  })
  const page = (...list: object[]) =>
    [200, { ResponseRefID: '1', ResponseCode: '1000', ResponseMessage: 'Success', Response: [list] }] as const
  const list = () => must(bills.list, 'list')(from, until)
  const idsOf = async () => {
    const found = await list()
    return 'outcome' in found ? found.outcome : found.map(({ transaction }) => transaction)
  }

  test('lists payments in Nairobi time, page by page, until a page has nothing new', async () => {
    const pages: Record<string, readonly [number, object]> = {
      '0': page(listed('A1B2C3D4E5'), listed('A1B2C3D4E6')),
      '1000': page(listed('A1B2C3D4E7')),
    }
    gateway.onCall = ({ OffSetValue }) => pages[String(OffSetValue)] ?? page()
    assert.deepEqual(await idsOf(), ['A1B2C3D4E5', 'A1B2C3D4E6', 'A1B2C3D4E7'])
    assert.deepEqual(gateway.seen[0]?.body, {
      ShortCode: '600111',
      StartDate: '2026-11-23 00:00:00',
      EndDate: '2026-11-23 12:30:00',
      OffSetValue: '0',
    })
    assert.deepEqual(
      gateway.seen.map(({ body }) => body.OffSetValue),
      ['0', '1000', '2000'],
    )
  })

  test('works if page numbers are ignored, and if the list is not nested', async () => {
    gateway.answer(...page(listed('A1B2C3D4E5')))
    assert.deepEqual(await idsOf(), ['A1B2C3D4E5'])
    gateway.answer(200, { ResponseCode: '1000', Response: [listed('A1B2C3D4E5')] })
    assert.deepEqual(await idsOf(), ['A1B2C3D4E5'])
  })

  test('returns the amount, payer and time of each', async () => {
    gateway.answer(...page(listed('A1B2C3D4E5')))
    const found = await list()
    assert.deepEqual('outcome' in found ? found : found[0], {
      transaction: 'A1B2C3D4E5',
      amount: 16_800n,
      currency: 'KES',
      accountReference: '5773920187',
      payerAccount: '+254722000000',
      payerMask: null,
      paidAt: new Date('2026-11-23T07:13:00Z'),
    })
  })

  test('skips entries that are not payments to us or are unreadable', async () => {
    gateway.answer(
      ...page(
        listed('A1B2C3D4E5', { transactiontype: 'b2c-payout' }),
        listed('A1B2C3D4E6', { transactiontype: undefined }),
        listed('A1B2C3D4E7', { amount: 'x' }),
        listed('A1B2C3D4E8', { trxDate: 'x' }),
        [],
      ),
    )
    assert.deepEqual(await idsOf(), [])
  })

  test('is unknown if Safaricom’s response is unclear or the list does not end', async () => {
    for (const [status, document] of [
      [200, {}],
      [200, { ResponseCode: '1000' }],
      [200, { ResponseCode: '1001', Response: [[listed('A1B2C3D4E5')]] }],
      [200, 'null'],
      [500, { errorCode: '500.003.1001' }],
      [200, { ResponseCode: '1000', Response: 'x'.repeat(5_000_000) }],
    ] as const) {
      gateway.answer(status, document)
      assert.equal(await idsOf(), 'unknown')
    }
    let count = 0
    gateway.onCall = () => page(listed(`A${String(count++).padStart(9, '0')}`))
    assert.equal(await idsOf(), 'unknown')
  })
})
