import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { openShop, type Shown } from '../refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const emailOf = async ({ userId }: Merchant) =>
  (await db.only<{ email: string }>(sql`select email from users where id = ${userId}`)).email

const phones = { known: '076123456', unknown: '076123457' }
const toPhone = (phoneNumber: string, value = 1_000) => ({
  amount: { currency: 'SLE', value },
  destination: { type: 'momo', providerId: 'm17', phoneNumber },
})

/** A Space with money, one completed payout and a member of the finance role, in which everything needs approval. */
async function shop() {
  const opened = await openShop(t, rail)
  const { merchant, pay, get, refund } = opened
  await pay(50_000)
  const paid: Shown = await pay(5_000)
  const payOut = async (phone: string, more = {}) =>
    (await merchant.call('POST', '/v1/payouts', { ...toPhone(phone), ...more })).body.result as Shown
  const first = await payOut(phones.known)
  await until(async () => {
    await rail.advance(300)
    return (await merchant.call('GET', `/v1/payouts/${first.id}`)).body.result.status === 'completed'
  })
  for (const kind of ['payout', 'refund'] as const)
    await db.transaction((tx) => setLimit(tx, merchant.scope, kind, 'SLE', 0n))
  const finance = await t.merchant({ sameSpaceAs: merchant, role: 'finance' })
  const details = async (path: string, as = finance): Promise<Shown> =>
    (await as.call('GET', `/v1/${path}/approval`)).body.result
  return { ...opened, paid, payOut, first, finance, details, get, refund }
}

describe('the details for an approver', () => {
  test('of a payout name its creator to the finance role, its reason and earlier payouts to the payee', async () => {
    const { merchant, payOut, details, balance } = await shop()
    const waiting = await payOut(phones.known, { metadata: { note: 'Rent for November' } })
    const shown = await details(`payouts/${waiting.id}`)
    assert.equal(shown.requester.email, await emailOf(merchant))
    assert.match(shown.requester.userId, /^usr-/)
    assert.equal(shown.reason, 'Rent for November')
    const { count, isMore, lastAmount } = shown.earlier
    assert.deepEqual([count, isMore, lastAmount.value], [1, false, 1_000])
    const accountId = waiting.source.financialAccountId
    const [available] = await balance(accountId)
    // The amount of a payout is held when it is created.
    assert.deepEqual(
      shown.balances.map(({ available, availableAfter }: Shown) => [available.value, availableAfter.value]),
      [[available, available]],
    )
    const unknown = await details(`payouts/${(await payOut(phones.unknown)).id}`)
    assert.deepEqual([unknown.earlier.count, unknown.earlier.lastTime, unknown.reason], [0, null, null])
  })

  test('of a batch count the payees who were never paid, and subtract its amounts and fees', async () => {
    const { merchant, details } = await shop()
    const decider = { by: 'operator', reason: 'as agreed' }
    await db.transaction((tx) => setFee(tx, merchant.scope.spaceId, 'payout', '1%', decider))
    const rows = [toPhone(phones.known), toPhone(phones.unknown)]
    const created = await merchant.call('POST', '/v1/payout-batches', { name: 'Salaries', rows })
    const shown = await details(`payout-batches/${created.body.result.id}`)
    assert.deepEqual([shown.reason, shown.newPayees, shown.earlier], ['Salaries', 1, null])
    const [{ available, availableAfter }] = shown.balances
    assert.equal(available.value - availableAfter.value, 2_000 + 20)
  })

  test('of a refund count earlier refunds to the payer', async () => {
    const { merchant, paid, refund, details } = await shop()
    const { id } = (await refund(paid.id, 500, { note: 'Torn cloth' })).body.result
    const shown = await details(`refunds/${id}`)
    assert.deepEqual([shown.reason, shown.earlier.count], ['Torn cloth', 0])
    assert.equal(shown.requester.email, await emailOf(merchant))
    assert.equal(shown.balances.length, 1)
  })

  test('need the permission to approve, and exist only in their own Space', async () => {
    const { merchant, payOut, details } = await shop()
    const { id } = await payOut(phones.known)
    const path = `/v1/payouts/${id}/approval`
    for (const role of ['developer', 'support', 'viewer'])
      assert.equal(
        (await (await t.merchant({ sameSpaceAs: merchant, role })).call('GET', path)).status,
        403,
        role,
      )
    for (const as of [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })])
      assert.equal((await as.call('GET', path)).status, 404)
    for (const wrong of ['payouts/pyt-none', `refunds/${id}`, `payout-batches/${id}`])
      assert.equal((await merchant.call('GET', `/v1/${wrong}/approval`)).status, 404, wrong)
    const token = await t.merchant({ sameUserAs: merchant, scopes: ['payouts:approve'] })
    assert.deepEqual((await details(`payouts/${id}`, token)).balances, [])
  })
})
