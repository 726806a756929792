import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import {
  simulatedBusiness,
  simulatedShortCode,
} from '../../../../packages/rails/mpesa-daraja/test-credentials.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { billUrls } from '../../../../packages/server/src/ways-to-pay/bill-payments/addresses.ts'
import {
  assignBill,
  closeBill,
  listBills,
} from '../../../../packages/server/src/ways-to-pay/bill-payments/assigning.ts'
import { pullMissed } from '../../../../packages/server/src/ways-to-pay/bill-payments/pulls.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes, price } from '../../../support/payment-code.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its shape
type Shown = any

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
after(() => t.close())
const { parts } = t.app
const openCode = createCodes(t, clock)
const rail = must(
  parts.connectors.billConnections().find(({ environment }) => environment === 'test'),
  'connection that accepts manual payments',
)
const place = { environment: 'test', connection: 'mpesa-ke' } as const
const addresses = billUrls(parts, place)
assert.deepEqual(
  (await rail.bills.register(addresses)).map(({ outcome }) => outcome),
  ['ok', 'ok'],
)

const kes = (value: number) => price(value, 'KES')
const newCode = (more: object = {}, merchant?: Merchant) =>
  openCode({ amount: kes(150_000), ...more }, merchant)
const inKenya = () => t.merchant({ country: 'KE' })

/** Pays as a payer would through the phone's menu, using the sandbox's `simulate`. */
async function payByHand(reference: string, shillings: number, msisdn = '254708374149') {
  const { consumerKey, consumerSecret } = simulatedBusiness(parts.seals)
  const at = `${t.baseUrl}/simulator/mpesa-daraja/mpesa-ke`
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const issued = await fetch(`${at}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: `Basic ${basic}` },
  })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const response = await fetch(`${at}/mpesa/c2b/v2/simulate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ShortCode: simulatedShortCode,
      CommandID: 'CustomerPayBillOnline',
      Amount: shillings,
      Msisdn: msisdn,
      BillRefNumber: reference,
    }),
  })
  const { ResponseDescription } = (await response.json()) as { ResponseDescription: string }
  await clock.advance(300)
  return ResponseDescription !== 'Rejected by the business'
}

const paymentsOf = async ({ merchant }: { merchant: Merchant }): Promise<Shown[]> =>
  (await merchant.call('GET', '/v1/payments')).body.result

const notice = (more: object = {}) => ({
  TransactionType: 'Pay Bill',
  TransID: `T${Math.random().toString(36).slice(2, 11).toUpperCase()}`,
  TransTime: '20261123141500',
  TransAmount: '1500.00',
  BusinessShortCode: simulatedShortCode,
  BillRefNumber: '',
  OrgAccountBalance: '0.00',
  MSISDN: '25470***149',
  FirstName: 'JANE',
  ...more,
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Sends the rail's validation and then its confirmation. */
const confirm = (more: object) => post(addresses.confirmation, notice(more))
const validate = async (more: object) =>
  ((await (await post(addresses.validation, notice(more))).json()) as { ResultCode: string }).ResultCode

const waiting = async () => (await listBills(parts.db, false)).map(({ transaction }) => transaction)

describe('a payment code that is paid at the PayBill number', () => {
  test('becomes one completed payment, with receipt, fee, events and the rail’s transaction', async () => {
    const code = await newCode({}, await inKenya())
    assert.ok(await payByHand(code.number, 1_500))
    const [payment, ...more] = await until(async () => {
      const found = await paymentsOf(code)
      return found.length > 0 && found
    })
    assert.equal(more.length, 0)
    assert.equal(payment.status, 'completed')
    assert.deepEqual(payment.amount, kes(150_000))
    assert.match(payment.channel.reference, /^SIM[0-9]{10}$/)
    assert.equal(payment.channel.phoneNumber, '+25470***149')
    assert.equal(payment.channel.fingerprint, null)
    const shown = await code.read()
    assert.equal(shown.status, 'completed')
    assert.equal(shown.processedPaymentData.paymentId, payment.id)
    assert.deepEqual(await code.events(), ['created', 'processed', 'completed'])
    const receipt = await code.merchant.call('GET', `/v1/receipts/${payment.orderNumber}`)
    assert.equal(receipt.status, 200)
    await t.verify()
  })

  test('is paid once, however often the rail reports it', async () => {
    const code = await newCode({ mode: 'recurrent' }, await inKenya())
    assert.ok(await payByHand(code.number, 1_500, '254708374005'))
    const same = { TransID: 'TWICE12345', BillRefNumber: code.number }
    const responses = await Promise.all([confirm(same), confirm(same), confirm(same)])
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    )
    await until(async () => (await paymentsOf(code)).length === 2)
    await clock.advance(300)
    assert.equal((await paymentsOf(code)).length, 2)
    await t.verify()
  })

  test('accepts its number with spaces and dashes, and a payer whose number the rail shows in full', async () => {
    const code = await newCode({}, await inKenya())
    const typed = `${code.number.slice(0, 4)} ${code.number.slice(4, 7)}-${code.number.slice(7)}`
    assert.equal((await confirm({ BillRefNumber: ` ${typed} `, MSISDN: '254708374149' })).status, 200)
    const [payment] = await paymentsOf(code)
    assert.equal(payment.channel.phoneNumber, '+25470****49')
    assert.match(payment.channel.fingerprint, /./)
  })

  test('is found in the rail’s list, with its payer, if its notification was missed', async () => {
    const code = await newCode({}, await inKenya())
    assert.ok(await payByHand(code.number, 1_500, '254708374006'))
    assert.equal((await paymentsOf(code)).length, 0)
    const soon = {
      ...rail,
      bills: {
        ...rail.bills,
        list: (from: Date) => must(rail.bills.list, 'list')(from, new Date(clock.now().getTime() + 1_000)),
      },
    }
    await pullMissed(parts, soon, AbortSignal.timeout(60_000))
    const [payment] = await paymentsOf(code)
    assert.equal(payment.status, 'completed')
    await pullMissed(parts, soon, AbortSignal.timeout(60_000))
    assert.equal((await paymentsOf(code)).length, 1)
    await t.verify()
  })

  test('can only be refunded by the rail’s own reversal if its payer is unknown', async () => {
    const code = await newCode({}, await inKenya())
    await fund(parts, code.scope, 10_000, { currency: 'KES' })
    await confirm({ BillRefNumber: code.number })
    const [payment] = await paymentsOf(code)
    const part = { paymentId: payment.id, reason: 'other', amount: kes(100_000) }
    const refused = await code.merchant.call('POST', '/v1/refunds', part)
    assert.equal(refused.body.error?.reason, 'refund_unsupported')
    const whole = await code.merchant.call('POST', '/v1/refunds', { ...part, amount: kes(150_000) })
    assert.equal(whole.status, 200, JSON.stringify(whole.body))
  })
})

describe('the menu of a simulated M-Pesa phone', () => {
  const dial = async (...inputs: string[]) => {
    const step = { providerId: 'mpesa-ke', number: '+254708374149', code: '*334#', inputs }
    const response = await post(`${t.baseUrl}/simulator/handsets/dial`, step)
    assert.equal(response.status, 200)
    return (await response.json()) as { text: string; isEnd: boolean }
  }

  test('pays a code step by step, and the network sends a message', async () => {
    const code = await newCode({}, await inKenya())
    const screens = []
    for (const count of [0, 1, 2, 3, 4])
      screens.push(await dial(...[simulatedShortCode, code.number, '1500', '1'].slice(0, count)))
    assert.deepEqual(
      screens.map(({ isEnd }) => isEnd),
      [false, false, false, false, true],
    )
    assert.match(screens[3]!.text, new RegExp(`Ksh1500 to ${simulatedShortCode}, account ${code.number}`))
    assert.match(screens[4]!.text, /^Paid/)
    await clock.advance(300)
    await until(async () => (await paymentsOf(code)).length === 1)
    const numbers = ['+254708374149']
    const { handsets } = (await (
      await post(`${t.baseUrl}/simulator/handsets/state`, { numbers })
    ).json()) as Shown
    assert.match(handsets[0].notices[0].text, new RegExp(`paid .*1,500.* for account ${code.number}`))
  })

  test('refuses an invalid business, account, amount or confirmation, and payments that the business refuses', async () => {
    const code = await newCode({}, await inKenya())
    const refusals: [string[], RegExp][] = [
      [['600112'], /Unknown business/],
      [[simulatedShortCode, ''], /Account no\./],
      [[simulatedShortCode, 'x'.repeat(21)], /Account no\./],
      [[simulatedShortCode, code.number, '0'], /whole shillings/],
      [[simulatedShortCode, code.number, '1.50'], /whole shillings/],
      [[simulatedShortCode, code.number, '250001'], /whole shillings/],
      [[simulatedShortCode, code.number, '1500', '2'], /Nothing was paid/],
      [[simulatedShortCode, code.number, '1499', '1'], /did not accept/],
    ]
    for (const [inputs, expected] of refusals) {
      const { text, isEnd } = await dial(...inputs)
      assert.ok(isEnd, inputs.join())
      assert.match(text, expected)
    }
    await clock.advance(300)
    assert.equal((await paymentsOf(code)).length, 0)
  })
})

describe('validation by the rail before a payer pays', () => {
  test('accepts what the code allows, and stores nothing', async () => {
    const code = await newCode({}, await inKenya())
    assert.equal(await validate({ BillRefNumber: code.number }), '0')
    assert.equal((await paymentsOf(code)).length, 0)
    assert.equal((await code.read()).status, 'pending')
  })

  test('refuses anything else with the reason, and nothing is paid', async () => {
    const merchant = await inKenya()
    const code = await newCode({}, merchant)
    const others: [string, object, string][] = [
      ['an unknown code', { BillRefNumber: '0000000000' }, 'C2B00012'],
      ['text instead of digits', { BillRefNumber: 'rent july' }, 'C2B00012'],
      ['another amount', { BillRefNumber: code.number, TransAmount: '1499.00' }, 'C2B00013'],
      ['another currency', { BillRefNumber: (await newCode({ amount: price(150_000) })).number }, 'C2B00013'],
      [
        'another provider',
        { BillRefNumber: (await newCode({ authorizedProviders: ['airtel-ke'] }, merchant)).number },
        'C2B00011',
      ],
      [
        'another phone',
        { BillRefNumber: (await newCode({ authorizedPhoneNumber: '+254708374148' }, merchant)).number },
        'C2B00011',
      ],
      ['a disabled code', { BillRefNumber: (await newCode({ enable: false }, merchant)).number }, 'C2B00012'],
    ]
    for (const [what, more, refusal] of others) assert.equal(await validate(more), refusal, what)
    assert.equal(await payByHand(code.number, 1_499), false)
    assert.equal((await paymentsOf(code)).length, 0)
  })

  test('accepts the phone that a code is for, as far as the rail reveals it', async () => {
    const code = await newCode({ authorizedPhoneNumber: '+254708374149' }, await inKenya())
    assert.equal(await validate({ BillRefNumber: code.number }), '0')
    assert.equal(await validate({ BillRefNumber: code.number, MSISDN: 'a3f5'.repeat(16) }), 'C2B00011')
  })

  test('refuses a second payer of a one-time code whose prompt is in flight', async () => {
    const code = await newCode({ amount: kes(150_000) }, await inKenya())
    await code.begin({ providerId: 'mpesa-ke', phoneNumber: '+254708374004', amount: 150_000n })
    assert.equal(await validate({ BillRefNumber: code.number }), 'C2B00012')
  })
})

describe('an unallocated payment', () => {
  const decider = { by: 'ama', reason: 'the payer rang' }
  const key = (transaction: string) => ({ ...place, transaction })

  test('waits for an operator with a reason, outside every Space’s books', async () => {
    const code = await newCode({}, await inKenya())
    const cases: [string, object, string][] = [
      ['NOREF00001', { BillRefNumber: 'rent july' }, 'reference'],
      ['NOCODE0001', { BillRefNumber: '0000000000' }, 'reference'],
      ['AMOUNT0001', { BillRefNumber: code.number, TransAmount: '1499.00' }, 'amount'],
      ['NOORDER001', { BillRefNumber: '123456789012' }, 'reference'],
    ]
    for (const [TransID, more, reason] of cases) {
      assert.equal((await confirm({ TransID, ...more })).status, 200)
      const listed = (await listBills(parts.db, false)).find(({ transaction }) => transaction === TransID)
      assert.equal(listed?.reason, reason)
    }
    assert.equal((await paymentsOf(code)).length, 0)
    await t.verify()
  })

  test('pays the code that an operator assigns, once, whatever the code’s amount and status', async () => {
    const code = await newCode({}, await inKenya())
    await code.cancel()
    await confirm({ TransID: 'LATE000001', BillRefNumber: code.number, TransAmount: '700.00' })
    const assign = () =>
      parts.db.transaction((tx) => assignBill(tx, parts, key('LATE000001'), code.number, decider))
    const paymentId = await assign()
    const [payment] = await paymentsOf(code)
    assert.equal(payment.id, paymentId)
    assert.deepEqual([payment.status, payment.amount], ['completed', kes(70_000)])
    assert.equal((await code.read()).status, 'cancelled')
    await assert.rejects(assign, (error) => error instanceof Refusal && error.reason === 'state_conflict')
    assert.equal((await paymentsOf(code)).length, 1)
    await t.verify()
  })

  test('cannot be assigned to a code in another currency, or to an unknown one', async () => {
    const leones = await newCode({ amount: price(500) })
    await confirm({ TransID: 'WRONG00001', BillRefNumber: 'x' })
    for (const number of [leones.number, '0000000000', ''])
      await assert.rejects(
        parts.db.transaction((tx) => assignBill(tx, parts, key('WRONG00001'), number, decider)),
        (error) => error instanceof Refusal && error.reason === 'arguments_invalid',
      )
    assert.ok((await waiting()).includes('WRONG00001'))
  })

  test('is closed by an operator with a reason, once', async () => {
    await confirm({ TransID: 'GIVEBACK01', BillRefNumber: 'x' })
    const close = (reason: string) =>
      parts.db.transaction((tx) => closeBill(tx, key('GIVEBACK01'), { by: 'ama', reason }))
    await assert.rejects(
      close(' '),
      (error) => error instanceof Refusal && error.reason === 'arguments_invalid',
    )
    await close('reversed in the portal')
    assert.ok(!(await waiting()).includes('GIVEBACK01'))
    await assert.rejects(
      close('again'),
      (error) => error instanceof Refusal && error.reason === 'state_conflict',
    )
    await assert.rejects(
      parts.db.transaction((tx) => closeBill(tx, key('NEVERSEEN1'), decider)),
      (error) => error instanceof Refusal && error.reason === 'not_found',
    )
  })
})

describe('a prompted payment that the rail also reports as a manual payment', () => {
  async function checkout(digits: string) {
    const merchant = await inKenya()
    const lineItems = [{ name: 'Kikoi', price: kes(100_000) }]
    const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems }))
      .body.result
    assert.equal((await createPayer(session.redirectUrl).pay('mpesa-ke', `0708123${digits}`)).status, 303)
    const read = async (): Promise<Shown> => (await paymentsOf({ merchant }))[0]
    return { merchant, session, read }
  }

  test('is paid once', async () => {
    const { merchant, read } = await checkout('456')
    await until(async () => {
      await clock.advance(300)
      return (await read()).status === 'completed'
    })
    await clock.advance(2_000)
    assert.equal((await paymentsOf({ merchant })).length, 1)
    const transaction = (await read()).channel.reference
    await until(async () =>
      (await listBills(parts.db, true)).some(
        (bill) => bill.transaction === transaction && bill.status === 'allocated',
      ),
    )
    assert.ok(!(await waiting()).includes(transaction))
    await t.verify()
  })

  test('is found if response and callback are both lost', async () => {
    const { session, read } = await checkout('008')
    assert.equal((await read()).status, 'processing')
    const paid = { TransID: 'FOUND00001', BillRefNumber: session.orderNumber, TransAmount: '1000.00' }
    assert.equal((await confirm(paid)).status, 200)
    const payment = await read()
    assert.deepEqual([payment.status, payment.channel.reference], ['completed', 'FOUND00001'])
    await t.verify()
  })

  test('refuses another amount', async () => {
    const { session, read } = await checkout('008')
    await confirm({ TransID: 'OTHER00001', BillRefNumber: session.orderNumber, TransAmount: '999.00' })
    assert.equal((await read()).status, 'processing')
    assert.ok((await waiting()).includes('OTHER00001'))
  })

  test('that had failed puts the money in suspense and opens a case', async () => {
    const { session, merchant, read } = await checkout('002')
    await until(async () => {
      await clock.advance(300)
      return (await read()).status === 'failed'
    })
    await confirm({ TransID: 'SECOND0001', BillRefNumber: session.orderNumber, TransAmount: '1000.00' })
    assert.equal((await read()).status, 'failed')
    const cases = (await merchant.call('GET', '/v1/cases')).body.result
    assert.deepEqual(
      cases.map(({ kind, amount }: Shown) => [kind, amount]),
      [['success_after_failure', kes(100_000)]],
    )
    await confirm({ TransID: 'THIRD00001', BillRefNumber: session.orderNumber, TransAmount: '1000.00' })
    assert.ok((await waiting()).includes('THIRD00001'))
    await t.verify()
  })
})

describe('a notification', () => {
  test('is refused at a URL that we never issued, or for a connection without manual payments', async () => {
    const sealed = parts.seals.seal('bill payments', 'test m17')
    for (const path of ['abc', sealed, 'a'.repeat(5_000)])
      for (const stage of ['validation', 'confirmation']) {
        const { status } = await post(`${t.baseUrl}/callbacks/bills/${path}/${stage}`, notice())
        assert.ok([404, 414].includes(status), `${status}`)
      }
  })

  test('that cannot be read is refused, and nothing is stored', async () => {
    const before = (await listBills(parts.db, true)).length
    for (const broken of [
      '',
      '[]',
      '{"TransID":',
      notice({ TransAmount: '0.00' }),
      notice({ TransAmount: '-5.00' }),
      notice({ TransAmount: '1e3' }),
      notice({ TransAmount: '99999999999999999999.00' }),
      notice({ TransID: undefined }),
      notice({ TransID: 'x'.repeat(500) }),
      notice({ TransTime: 'yesterday' }),
      notice({ BusinessShortCode: '999999' }),
      notice({ MSISDN: { a: 1 }, TransAmount: null }),
    ]) {
      const { status } = await post(addresses.confirmation, broken)
      assert.ok(status >= 400 && status < 500, `${status} for ${JSON.stringify(broken)}`)
    }
    assert.equal((await listBills(parts.db, true)).length, before)
  })

  test('with unusual but readable fields is stored for an operator', async () => {
    for (const [TransID, more] of Object.entries({
      ODD0000001: { BillRefNumber: undefined, MSISDN: undefined },
      ODD0000002: { BillRefNumber: ['x'], MSISDN: 5 },
      ODD0000003: { BillRefNumber: '\u0000; drop table payments'.repeat(100) },
    })) {
      const { status } = await confirm({ TransID, ...more })
      assert.equal(status, 200)
      assert.ok((await waiting()).includes(TransID))
    }
  })
})
