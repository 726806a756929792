import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Connector } from '@pesewa/connector-kit'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { createRefunds, type NewRefund } from '../../../../packages/server/src/money/refunds/new-refund.ts'
import { refundIds } from '../../../../packages/server/src/money/refunds/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { startTransferProxy } from '../../../support/transfer-proxy.ts'
import { openShop, type Shown } from './shop.ts'

const clock = createManualClock()
const rail = await startTransferProxy()
const t = await startTestApp({ app: { simulatorClock: clock }, settings: { SIMULATOR_URL: rail.url } })
rail.simulatorUrl = `${t.baseUrl}/simulator`
after(async () => {
  rail.close()
  await t.close()
})
const { db, connectors } = t.app.parts

/** Refunds through connectors with fewer capabilities, in full if no amount is given. */
async function refundBy(
  otherwise: { [Name in keyof Connector]?: Connector[Name] | undefined },
  made: Awaited<ReturnType<typeof openShop>>,
  paid: Shown,
  more: Pick<NewRefund, 'amount' | 'bearer'> = { amount: { currency: 'SLE', value: 400 } },
) {
  const findConnector: typeof connectors.findConnector = (providerId, environment) => {
    const connector = connectors.findConnector(providerId, environment)
    return connector && ({ ...connector, ...otherwise } as Connector)
  }
  const parts = { ...t.app.parts, connectors: { ...connectors, findConnector } }
  const { scope, userId } = made.merchant
  const request = {
    scope,
    paymentId: paid.id,
    reason: 'other',
    userId,
    purpose: `refund ${paid.id}`,
    at: new Date(),
  } as const
  const [outcome] = await db.transaction((tx) => createRefunds(tx, parts, [{ ...request, ...more }]))
  return outcome!
}

describe('a provider without refunds', () => {
  test('pays out to the account that paid', async () => {
    const made = await openShop(t, clock)
    const paid = await made.pay(1_000)
    const outcome = await refundBy({ refund: undefined, queryRefund: undefined }, made, paid)
    assert.ok('answer' in outcome)
    const done = await made.ended(showId(refundIds, outcome.answer.id))
    assert.deepEqual([done.status, done.method], ['completed', 'payout'])
    const moved = await db.query(sql`
      select payee, amount_minor, refund_of from simulator_disbursements
      where financial_transaction_id = ${done.destination.transactionReference}`)
    assert.deepEqual(moved, [{ payee: '23276123456', amountMinor: 400n, refundOf: null }])
    assert.equal((await made.payment(paid.id)).refund.refunded.value, 400)
    await t.verify()
  })

  test('and without payouts refuses before anything is stored', async () => {
    const made = await openShop(t, clock)
    const paid = await made.pay(1_000)
    const outcome = await refundBy(
      { refund: undefined, queryRefund: undefined, disburse: undefined },
      made,
      paid,
    )
    assert.ok('error' in outcome)
    assert.equal((outcome.error as { reason: string }).reason, 'refund_unsupported')
    assert.equal((await made.payment(paid.id)).refund.refundable.value, 1_000)
    assert.deepEqual((await made.merchant.call('GET', '/v1/refunds')).body.result, [])
  })
})

describe('a provider that refunds only in full', () => {
  const wholeOnly = { refundsWholeOnly: true } as const
  test('does so, and pays out partial amounts, including the net amount after a fee that the payer bears', async () => {
    const merchant = await t.merchant()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'refund', '1%', { by: 'operator', reason: 'as agreed' }),
    )
    const made = await openShop(t, clock, merchant)
    const methodOf = async (more: Pick<NewRefund, 'amount' | 'bearer'>) => {
      // Otherwise the merchant bears the fee, so the account needs more than the payment.
      const [paid] = [await made.pay(1_000), await made.pay(1_000)]
      const outcome = await refundBy(wholeOnly, made, paid, more)
      assert.ok('answer' in outcome, String('error' in outcome && outcome.error))
      return (await made.ended(showId(refundIds, outcome.answer.id))).method
    }
    assert.equal(await methodOf({}), 'provider_refund')
    assert.equal(await methodOf({ amount: { currency: 'SLE', value: 1_000 } }), 'provider_refund')
    assert.equal(await methodOf({ amount: { currency: 'SLE', value: 999 } }), 'payout')
    assert.equal(await methodOf({ bearer: 'payer' }), 'payout')
    await t.verify()
  })

  test('and without payouts refuses a partial refund', async () => {
    const made = await openShop(t, clock)
    const paid = await made.pay(1_000)
    const outcome = await refundBy({ ...wholeOnly, disburse: undefined }, made, paid)
    assert.ok('error' in outcome)
    assert.equal((outcome.error as { reason: string }).reason, 'refund_unsupported')
  })
})

describe('a provider without clear responses', () => {
  test('leaves refunds pending with a reason until it is available again', async () => {
    const made = await openShop(t, clock)
    const paid = await made.pay(1_000)
    const { onTransfer } = rail
    // Every response is lost, so the breaker opens.
    rail.onTransfer = ({ answer }) => answer(undefined)
    const ids: string[] = []
    const waiting = await until(async () => {
      ids.push((await made.refund(paid.id, 1)).body.result.id)
      const all = (await made.merchant.call('GET', '/v1/refunds?limit=50')).body.result
      return all.find(({ pendingReason }: Shown) => pendingReason === 'provider_unavailable')
    })
    assert.equal(waiting.status, 'pending')
    rail.onTransfer = onTransfer
    assert.equal((await made.ended(waiting.id)).status, 'completed')
    assert.equal((await made.get(waiting.id)).pendingReason, null)
  })
})
