import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { startTestApp, until } from '../../../support/harness.ts'
import { openShop, reasonOf, type Shown } from './shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

/** Creates a payment that the rail reported as failed, and whose money arrived later. */
async function lateShop() {
  const made = await openShop(t, rail)
  const { merchant, pay } = made
  const failed = await pay(1_000, 'm17', '076000012')
  assert.equal(failed.status, 'failed')
  await rail.advance(6_000)
  const listed = async (query = '') =>
    (await merchant.call('GET', `/v1/cases${query}`)).body.result as Shown[]
  const [found] = await until(async () => {
    await t.advance(merchant.scope, 3_700_000)
    const cases = await listed()
    return cases.length > 0 && cases
  })
  const giveBack = (as = merchant, body: object = {}) => as.call('POST', `/v1/cases/${found.id}/return`, body)
  return { ...made, failed, found, listed, giveBack }
}

describe('GET /v1/cases', () => {
  test('200 with the Space’s cases, filtered by open; 404 to another Space', async () => {
    const { merchant, failed, found, listed } = await lateShop()
    assert.deepEqual(
      { ...found, createTime: '' },
      {
        id: found.id,
        kind: 'success_after_failure',
        status: 'open',
        objectId: failed.id,
        amount: { currency: 'SLE', value: 1_000 },
        returned: { currency: 'SLE', value: 0 },
        remaining: { currency: 'SLE', value: 1_000 },
        financialTransactionReference: null,
        createTime: '',
        closeTime: null,
      },
    )
    assert.deepEqual((await merchant.call('GET', `/v1/cases/${found.id}`)).body.result, found)
    assert.equal((await listed('?status=open')).length, 1)
    assert.deepEqual(await listed('?status=closed'), [])
    assert.equal((await merchant.call('GET', '/v1/cases?status=gone')).status, 400)
    const other = await t.merchant()
    assert.deepEqual((await other.call('GET', '/v1/cases')).body.result, [])
    assert.equal((await other.call('GET', `/v1/cases/${found.id}`)).status, 404)
  })
})

describe('POST /v1/cases/{id}/return', () => {
  test('200 refunds the full late amount to its payer, once', async () => {
    const { failed, payment, ended, listed, giveBack, balance, refund } = await lateShop()
    assert.equal((await refund(failed.id, 1)).status, 400)
    const answers = await Promise.all([giveBack(undefined, { note: 'Paid again' }), giveBack(), giveBack()])
    assert.deepEqual(answers.map(reasonOf).sort(), ['200', '409 state_conflict', '409 state_conflict'])
    const { result } = answers.find(({ status }) => status === 200)!.body
    assert.deepEqual(
      [result.paymentId, result.amount.value, result.reason, result.fees],
      [failed.id, 1_000, 'late_payment', []],
    )
    assert.equal((await ended(result.id)).status, 'completed')
    assert.deepEqual(await balance(failed.financialAccountId), [0, 0])
    const after = await payment(failed.id)
    assert.deepEqual([after.status, after.refund.status], ['failed', 'full'])
    assert.equal((await listed('?status=closed')).length, 1)
    await t.verify()
  })

  test('404 in another Space, 403 without the permission, 400 for too long a note', async () => {
    const { giveBack, join } = await lateShop()
    assert.equal(reasonOf(await giveBack((await openShop(t, rail)).merchant)), '404 not_found')
    assert.equal(reasonOf(await giveBack(await join('viewer'))), '403 access_denied')
    assert.equal((await giveBack(undefined, { note: 'x'.repeat(141) })).status, 400)
  })
})
