import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { newReferences } from '../../../../packages/server/src/rails/connections/references.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes } from '../../../support/payment-code.ts'
import { openShop } from '../../money/refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db, seals } = t.app.parts

const referenceOf = async (scope: Scope, purpose: string) =>
  (await newReferences(seals, [{ scope, purpose }], async () => new Set()))[0]

type Keyed = 'payout_batches' | 'checkout_sessions' | 'payment_codes'

/**
 * Changes a Space's only object in a table to what an earlier release would have stored, and returns its
 * internal id.
 */
const asBefore = async (table: Keyed, { spaceId }: Scope): Promise<string> =>
  (
    await db.transaction((tx) =>
      tx.only<{ id: string }>(
        new Sql(`update ${table} set idempotency_key = null where space_id = $1 returning id`, [spaceId]),
      ),
    )
  ).id

const sent = async ({ spaceId, environment }: Scope) =>
  (
    await db.query<{ reference: string }>(sql`
      select reference from instructions where space_id = ${spaceId} and environment = ${environment} order by created_at`)
  ).map(({ reference }) => reference)

describe('objects from an earlier release keep the reference that may already have been sent', () => {
  test('payouts of a batch that is approved later', async () => {
    const { merchant, join } = await openShop(t, rail)
    const { scope } = merchant
    await fund(t.app.parts, scope, 1_000)
    await db.transaction((tx) => setLimit(tx, scope, 'payout', 'SLE', 1n))
    const destination = { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' }
    const rows = [{ amount: { currency: 'SLE', value: 100 }, destination }]
    const { id } = (await merchant.call('POST', '/v1/payout-batches', { name: 'Salaries', rows })).body.result
    await asBefore('payout_batches', scope)
    assert.equal((await (await join()).call('POST', `/v1/payout-batches/${id}/approve`, {})).status, 200)
    assert.deepEqual(await sent(scope), [await referenceOf(scope, `payout ${id} 1`)])
  })

  test('the payment of a checkout session', async () => {
    const { merchant } = await openShop(t, rail)
    const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 1_000 } }]
    const made = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })
    const id = await asBefore('checkout_sessions', merchant.scope)
    await createPayer(made.body.result.redirectUrl).pay('m17', '076 123 456')
    assert.deepEqual(await sent(merchant.scope), [
      await referenceOf(merchant.scope, `checkout_session ${id}`),
    ])
  })

  test('the payment of a code', async () => {
    const { scope, begin } = await createCodes(t, rail)()
    const id = await asBefore('payment_codes', scope)
    const { railReference } = await begin()
    assert.equal(railReference, await referenceOf(scope, `payment_code ${id} +23276123456 500`))
  })

  test('the refund of a late payment with an open case', async () => {
    const { merchant, pay } = await openShop(t, rail)
    const { scope } = merchant
    await pay(1_000, 'm17', '076000012')
    await rail.advance(6_000)
    const [late] = await until(async () => {
      await t.advance(scope, 3_700_000)
      const { result } = (await merchant.call('GET', '/v1/cases')).body
      return result.length > 0 && result
    })
    await db.transaction((tx) =>
      tx.run(sql`
        update ledger_cases set refund_purpose = 'refund case ' || id
        where space_id = ${scope.spaceId} and environment = 'test'`),
    )
    const { id } = await db.only<{ id: string }>(sql`
      select id from ledger_cases where space_id = ${scope.spaceId} and environment = 'test'`)
    assert.equal((await merchant.call('POST', `/v1/cases/${late.id}/return`, {})).status, 200)
    assert.equal((await sent(scope)).at(-1), await referenceOf(scope, `refund case ${id}`))
  })
})
