import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { setPolicy } from '../../../../packages/server/src/money/refunds/policies.ts'
import { refundIds } from '../../../../packages/server/src/money/refunds/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { openShop, reasonOf, type Shown } from './shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const shop = () => openShop(t, rail)
const invalidParamsOf = ({ body }: { body: Shown }) => body.error.details.map(({ param }: Shown) => param)
const eventsOf = async (scope: Parameters<typeof t.events>[0], id: string) =>
  (await t.events(scope, readId(refundIds, id))).map(({ type }) => type)

describe('POST /v1/refunds', () => {
  test('200 holds the amount and its fee immediately; on completion both are debited, and the lines name what they reverse', async () => {
    const { merchant, pay, payment, refund, ended, balance, lines } = await shop()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'refund', '2%', { by: 'operator', reason: 'as agreed' }),
    )
    const paid = await pay(10_000)
    assert.deepEqual(paid.refund, {
      status: 'none',
      refunded: { currency: 'SLE', value: 0 },
      refundable: { currency: 'SLE', value: 10_000 },
    })
    const { status, body } = await refund(paid.id, 500, {
      note: 'called on Monday',
      payerMessage: 'Sorry',
      metadata: { ticket: '7' },
    })
    assert.equal(status, 200)
    assert.deepEqual(
      { ...body.result, id: '', createTime: '', updateTime: '', ownershipGraph: {} },
      {
        id: '',
        status: body.result.status,
        pendingReason: null,
        paymentId: paid.id,
        orderNumber: paid.orderNumber,
        amount: { currency: 'SLE', value: 500 },
        fees: [{ code: 'refund', amount: { currency: 'SLE', value: 10 }, metadata: {} }],
        bearer: 'merchant',
        source: { financialAccountId: paid.financialAccountId, transactionReference: null },
        destination: {
          type: 'momo',
          providerId: 'm17',
          phoneNumber: '+23276****56',
          transactionReference: null,
        },
        method: 'provider_refund',
        reason: 'requested_by_customer',
        note: 'called on Monday',
        payerMessage: 'Sorry',
        failureDetail: null,
        approval: null,
        createUserId: showId(userIds, merchant.userId),
        createTime: '',
        updateTime: '',
        completeTime: null,
        ownershipGraph: {},
        metadata: { ticket: '7' },
      },
    )
    const { owner } = body.result.ownershipGraph
    assert.deepEqual([owner.id, owner.owner.type], [paid.id, 'checkout_session'])
    // The payment's fee of 1 % is kept.
    assert.deepEqual(await balance(paid.financialAccountId), [9_390, 510])

    const done = await ended(body.result.id)
    assert.equal(done.status, 'completed')
    assert.equal(done.completeTime, done.updateTime)
    assert.ok(done.destination.transactionReference)
    assert.deepEqual(await balance(paid.financialAccountId), [9_390, 0])
    const original = (await lines(paid.financialTransactionReference)).find(({ type }) => type === 'credit')
    const booked = await lines(done.source.transactionReference)
    assert.deepEqual(
      booked.map((line) => [line.type, line.amount.value, line.originatingFee, line.originatingReversal]),
      [
        ['debit', 10, { code: 'refund' }, null],
        ['debit', 500, null, { originTxnId: original.id, originTxnRef: original.reference }],
      ],
    )
    assert.equal(booked[0].ownershipGraph.owner.id, done.id)
    assert.equal(booked[0].ownershipGraph.owner.owner.id, paid.id)
    assert.deepEqual((await payment(paid.id)).refund, {
      status: 'partial',
      refunded: { currency: 'SLE', value: 500 },
      refundable: { currency: 'SLE', value: 9_500 },
    })
    const moved = await db.query(sql`
      select amount_minor, payee from simulator_disbursements
      where financial_transaction_id = ${done.destination.transactionReference}`)
    assert.deepEqual(moved, [{ amountMinor: 500n, payee: '23276123456' }])
    assert.deepEqual(await eventsOf(merchant.scope, done.id), [
      'refund.created',
      'refund.processing',
      'refund.completed',
    ])
    await t.verify()
  })

  test('200 without an amount refunds everything that remains, even after a partial refund', async () => {
    const { pay, payment, refund, ended } = await shop()
    const paid = await pay(1_000)
    await fund(t.app.parts, (await shop()).merchant.scope, 1)
    await ended((await refund(paid.id, 300)).body.result.id)
    // The payment's fee is kept, so the account lacks that amount.
    assert.equal(reasonOf(await refund(paid.id)), '409 fund_insufficient')
    assert.equal((await payment(paid.id)).refund.refundable.value, 700)
  })

  test('200 with `bearer` payer deducts the fee from the payer’s amount', async () => {
    const { merchant, pay, refund, ended, balance } = await shop()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'refund', '2%,min=SLE:20', { by: 'operator', reason: 'as agreed' }),
    )
    const paid = await pay(1_000)
    assert.deepEqual(invalidParamsOf(await refund(paid.id, 20, { bearer: 'payer' })), ['amount'])
    const { id } = (await refund(paid.id, 500, { bearer: 'payer' })).body.result
    const done = await ended(id)
    assert.deepEqual(await balance(paid.financialAccountId), [490, 0])
    const [moved] = await db.query<{ amountMinor: bigint }>(sql`
      select amount_minor from simulator_disbursements
      where financial_transaction_id = ${done.destination.transactionReference}`)
    assert.equal(moved?.amountMinor, 480n)
    await t.verify()
  })

  test('200 through a bank, a wallet and a card: each rail refunds the account that paid', async () => {
    const { pay, refund, ended } = await shop()
    for (const [provider, account] of [
      ['slb001', { accountNumber: '0011223344' }],
      ['dw001', { walletId: 'fatu@safulpay' }],
      ['card', {}],
    ] as const) {
      const paid = await pay(1_000, provider, account)
      assert.equal(paid.status, 'completed', provider)
      const done = await ended((await refund(paid.id, 400)).body.result.id)
      assert.deepEqual([done.status, done.method], ['completed', 'provider_refund'], provider)
    }
    await t.verify()
  })

  test('409 for more than remains, for a second full refund, and for insufficient balance', async () => {
    const { merchant, pay, refund, ended } = await shop()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payment', '0%', { by: 'operator', reason: 'as agreed' }),
    )
    const paid = await pay(1_000)
    assert.equal(reasonOf(await refund(paid.id, 1_001)), '409 refund_exceeds_payment')
    const { id } = (await refund(paid.id)).body.result
    assert.equal(reasonOf(await refund(paid.id, 1)), '409 refund_exceeds_payment')
    assert.equal(reasonOf(await refund(paid.id)), '409 refund_exceeds_payment')
    assert.equal((await ended(id)).status, 'completed')
    assert.equal(reasonOf(await refund(paid.id)), '409 refund_exceeds_payment')
  })

  test('400 for a payment of another Space, a failed one, an unknown one, and another currency', async () => {
    const { pay, refund } = await shop()
    const other = await shop()
    const foreign = await other.pay(1_000)
    const failed = await pay(1_000, 'm17', '076000001')
    assert.equal(failed.status, 'failed')
    for (const id of [foreign.id, failed.id, 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz', 'no id'])
      assert.deepEqual(invalidParamsOf(await refund(id, 1)), ['paymentId'], id)
    const paid = await pay(1_000)
    const dollars = { amount: { currency: 'USD', value: 1 } }
    assert.deepEqual(invalidParamsOf(await refund(paid.id, undefined, dollars)), ['amount.currency'])
  })

  test('409 after twenty refunds, not counting failed and cancelled ones', async () => {
    const { merchant, pay, refund, act } = await shop()
    await db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 0n))
    const paid = await pay(1_000)
    const made: string[] = []
    for (let i = 0; i < 20; i++) made.push((await refund(paid.id, 1)).body.result.id)
    assert.equal(reasonOf(await refund(paid.id, 1)), '409 refund_limit_reached')
    await act(made[0]!, 'cancel')
    assert.equal((await refund(paid.id, 1)).status, 200)
    await t.verify()
  })

  test('409 180 days after the payment', async () => {
    const { merchant, pay, refund } = await shop()
    const paid = await pay(1_000)
    await t.advance(merchant.scope, 180 * 86_400_000 - 60_000)
    assert.equal((await refund(paid.id, 1)).status, 200)
    await t.advance(merchant.scope, 61_000)
    assert.equal(reasonOf(await refund(paid.id, 1)), '409 refund_window_closed')
  })

  test('409 with insufficient balance; if its Space queues refunds, it is sent in order when money arrives, or fails after 30 days', async () => {
    const { merchant, pay, refund, get, ended, payment, balance } = await shop()
    const paid = await pay(1_000)
    assert.equal(reasonOf(await refund(paid.id)), '409 fund_insufficient')
    assert.equal((await payment(paid.id)).refund.refundable.value, 1_000)
    await db.transaction((tx) => setPolicy(tx, merchant.scope, { queuesWhenShort: true }))
    const [first, second] = [(await refund(paid.id, 995)).body.result, (await refund(paid.id, 5)).body.result]
    assert.deepEqual([first.status, first.pendingReason], ['pending', 'insufficient_balance'])
    // The balance is sufficient for it, and nothing is held.
    assert.deepEqual([second.pendingReason, await balance(paid.financialAccountId)], [null, [985, 5]])
    await fund(t.app.parts, merchant.scope, 10)
    await t.app.parts.db.transaction(async (tx) => {
      const { enqueue } = await import('../../../../packages/server/src/platform/jobs/queue.ts')
      enqueue(tx, 'refunds.take-up', merchant.scope)
    })
    assert.equal((await ended(first.id)).status, 'completed')

    const again = await pay(1_000)
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'refund', '100%', { by: 'operator', reason: 'as agreed' }),
    )
    const { id } = (await refund(again.id, 1_000)).body.result
    assert.equal((await get(id)).pendingReason, 'insufficient_balance')
    await t.advance(merchant.scope, 31 * 86_400_000)
    const failed = await until(async () => {
      const found = await get(id)
      return found.status === 'failed' && found
    })
    assert.equal(failed.failureDetail.code, 'fund_insufficient')
    assert.equal((await payment(again.id)).refund.refundable.value, 1_000)
    await t.verify()
  })

  test('200 returns the payment’s fee in proportion if the Space’s policy says so; the last refund returns the rest', async () => {
    const { merchant, pay, refund, ended, balance, lines } = await shop()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payment', '1.7%', { by: 'operator', reason: 'as agreed' }),
    )
    await db.transaction((tx) => setPolicy(tx, merchant.scope, { returnsPaymentFee: true }))
    await fund(t.app.parts, merchant.scope, 100)
    const paid = await pay(1_000)
    for (const value of [333, 333, undefined]) await ended((await refund(paid.id, value)).body.result.id)
    assert.deepEqual(await balance(paid.financialAccountId), [100, 0])
    const { result } = (await merchant.call('GET', `/v1/refunds?paymentId=${paid.id}`)).body
    const fees = await Promise.all(
      result.map(async ({ source }: Shown) =>
        (await lines(source.transactionReference)).find(({ type }: Shown) => type === 'credit'),
      ),
    )
    assert.deepEqual(
      fees.map(({ amount }: Shown) => amount.value),
      [7, 5, 5],
    )
    assert.equal(fees[0].originatingReversal.originTxnRef, paid.financialTransactionReference)
    await t.verify()
  })

  for (const [message, status, code] of [
    ['001', 'failed', 'fund_insufficient'],
    ['002', 'failed', 'authorization_failed'],
    ['005', 'completed', undefined],
    ['007', 'completed', undefined],
    ['009', 'failed', 'provider_account_blocked'],
    ['010', 'failed', 'provider_account_missing'],
    ['011', 'failed', 'provider_account_quota_exhausted'],
    ['999', 'completed', undefined],
    ['0010', 'completed', undefined],
  ] as const)
    test(`200 with the message ${message} ends ${status}, whatever the payer’s number`, async () => {
      const { pay, payment, refund, ended, balance } = await shop()
      const paid = await pay(1_000, 'm17', '076000005')
      const { id } = (await refund(paid.id, 500, { payerMessage: message })).body.result
      const done = await ended(id)
      assert.deepEqual([done.status, done.failureDetail?.code], [status, code])
      const left = status === 'completed' ? 500 : 1_000
      assert.equal((await payment(paid.id)).refund.refundable.value, left)
      assert.deepEqual(await balance(paid.financialAccountId), [left - 10, 0])
      await t.verify()
    })
})

/** Creates a Space that requires approval above 100, and another member of it. */
async function approvalShop() {
  const made = await shop()
  await db.transaction((tx) => setLimit(tx, made.merchant.scope, 'refund', 'SLE', 100n))
  return { ...made, paid: await made.pay(1_000), other: await made.join() }
}

describe('POST /v1/refunds/{id}/approve and /reject', () => {
  test('403 to the creator, 200 to another user: required above an amount, and above a sum per day', async () => {
    const { merchant, paid, refund, ended, act, other } = await approvalShop()
    assert.equal((await refund(paid.id, 60)).body.result.approval, null)
    const { id, status, pendingReason, approval, createUserId } = (await refund(paid.id, 41)).body.result
    assert.deepEqual(
      [status, pendingReason, approval],
      ['pending', 'approval', { status: 'required', userId: null, time: null }],
    )
    assert.equal(createUserId, showId(userIds, merchant.userId))
    assert.equal(reasonOf(await act(id, 'approve', merchant)), '403 access_denied')
    assert.equal(reasonOf(await act(id, 'reject', merchant)), '403 access_denied')
    const approved = (await act(id, 'approve', other)).body.result
    assert.deepEqual([approved.approval.status, approved.pendingReason], ['approved', null])
    assert.equal((await ended(id)).status, 'completed')
    assert.equal((await act(id, 'approve', other)).status, 200)
    assert.equal(reasonOf(await act(id, 'reject', other)), '409 state_conflict')
    assert.equal((await refund(paid.id, 40)).body.result.approval, null)
    await t.verify()
  })

  test('200 when rejected: the refund is cancelled, its hold is released, and the payment can be refunded again', async () => {
    const { merchant, paid, refund, act, other, payment, balance } = await approvalShop()
    const { id } = (await refund(paid.id, 500)).body.result
    assert.deepEqual(await balance(paid.financialAccountId), [490, 500])
    const rejected = (await act(id, 'reject', other)).body.result
    assert.deepEqual([rejected.status, rejected.approval.status], ['cancelled', 'rejected'])
    assert.deepEqual(await balance(paid.financialAccountId), [990, 0])
    assert.equal((await payment(paid.id)).refund.refundable.value, 1_000)
    assert.deepEqual(await eventsOf(merchant.scope, id), ['refund.created', 'refund.cancelled'])
    assert.equal((await act(id, 'reject', other)).status, 200)
    assert.equal(reasonOf(await act(id, 'approve', other)), '409 state_conflict')
    await t.verify()
  })

  test('403 to a role without the permission, 409 for a refund that needs no approval, 404 for one of another Space', async () => {
    const { paid, refund, act, other, join } = await approvalShop()
    const { id } = (await refund(paid.id, 500)).body.result
    assert.equal(reasonOf(await act(id, 'approve', await join('developer'))), '403 access_denied')
    assert.equal(
      reasonOf(await act((await refund(paid.id, 1)).body.result.id, 'approve', other)),
      '409 state_conflict',
    )
    assert.equal(reasonOf(await act(id, 'approve', (await shop()).merchant)), '404 not_found')
  })
})

describe('POST /v1/refunds/{id}/cancel', () => {
  test('200 while pending, and when repeated; 409 once the provider has it', async () => {
    const { merchant, paid, refund, act, ended, balance } = await approvalShop()
    const { id } = (await refund(paid.id, 500)).body.result
    assert.equal((await act(id, 'cancel')).body.result.status, 'cancelled')
    assert.equal((await act(id, 'cancel')).body.result.status, 'cancelled')
    assert.deepEqual(await balance(paid.financialAccountId), [990, 0])
    assert.deepEqual(await eventsOf(merchant.scope, id), ['refund.created', 'refund.cancelled'])
    const sent = (await refund(paid.id, 1)).body.result
    await until(
      async () => (await merchant.call('GET', `/v1/refunds/${sent.id}`)).body.result.status === 'processing',
    )
    assert.equal(reasonOf(await act(sent.id, 'cancel')), '409 state_conflict')
    assert.equal((await ended(sent.id)).status, 'completed')
    await t.verify()
  })
})

describe('GET /v1/refunds', () => {
  test('200 by payment and by status, newest first; 400 for an invalid payment', async () => {
    const { merchant, pay, refund, ended } = await shop()
    const [one, other] = [await pay(1_000), await pay(1_000)]
    const ids: string[] = []
    for (const { id } of [one, other, one]) ids.push((await ended((await refund(id, 10)).body.result.id)).id)
    const list = async (query: string) =>
      (await merchant.call('GET', `/v1/refunds?${query}`)).body.result.map(({ id }: Shown) => id)
    assert.deepEqual(await list(''), ids.toReversed())
    assert.deepEqual(await list(`paymentId=${one.id}`), [ids[2], ids[0]])
    assert.deepEqual(await list('status=completed&limit=1'), [ids[2]])
    assert.deepEqual(await list('status=failed'), [])
    assert.deepEqual(invalidParamsOf(await merchant.call('GET', '/v1/refunds?paymentId=nothing')), [
      'paymentId',
    ])
    assert.deepEqual(invalidParamsOf(await merchant.call('GET', '/v1/refunds?status=gone')), ['status'])
  })
})

describe('a refund whose outcome the rail reports late', () => {
  test('is delayed after ten minutes, and never fails for lack of a response', async () => {
    const { merchant, pay, refund, get } = await shop()
    const paid = await pay(1_000)
    const { id } = (await refund(paid.id, 500, { payerMessage: '004' })).body.result
    await until(async () => (await get(id)).status === 'processing')
    await t.advance(merchant.scope, 11 * 60_000)
    await until(async () => (await eventsOf(merchant.scope, id)).includes('refund.delayed'))
    assert.equal((await get(id)).status, 'processing')
  })

  test('that succeeds after it had failed counts against the payment, and opens a case', async () => {
    const { merchant, pay, payment, refund, ended, get } = await shop()
    const paid = await pay(1_000)
    const { id } = (await refund(paid.id, 600, { payerMessage: '012' })).body.result
    assert.equal((await ended(id)).status, 'failed')
    assert.equal((await payment(paid.id)).refund.refundable.value, 1_000)
    await rail.advance(6_000)
    await t.advance(merchant.scope, 3_700_000)
    await until(async () => (await payment(paid.id)).refund.refundable.value === 400)
    assert.equal((await get(id)).status, 'failed')
    assert.equal(reasonOf(await refund(paid.id, 401)), '409 refund_exceeds_payment')
    await t.verify()
  })

  test('that succeeds after it had failed still counts when another refund of the same money is approved or cancelled', async () => {
    const { merchant, pay, payment, refund, ended, act, join } = await shop()
    await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 700n))
    const paid = await pay(1_000)
    // The account has enough for both refunds.
    await pay(1_000)
    const { id } = (await refund(paid.id, 600, { payerMessage: '012' })).body.result
    assert.equal((await ended(id)).status, 'failed')
    const { id: whole } = (await refund(paid.id, 1_000)).body.result
    const refundable = async () => (await payment(paid.id)).refund.refundable.value
    assert.equal(await refundable(), 0)
    await rail.advance(6_000)
    await t.advance(merchant.scope, 3_700_000)
    await until(async () => (await merchant.call('GET', '/v1/cases')).body.result.length === 1)
    // Approving it would refund the same money twice.
    assert.equal(reasonOf(await act(whole, 'approve', await join())), '409 refund_exceeds_payment')
    assert.equal((await act(whole, 'cancel')).status, 200)
    assert.equal(await refundable(), 400)
    assert.equal(reasonOf(await refund(paid.id, 401)), '409 refund_exceeds_payment')
    await t.verify()
  })
})
