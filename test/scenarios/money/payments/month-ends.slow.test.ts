import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPayments } from '../../../../packages/server/src/money/payments/payments.ts'
import type { Tx } from '../../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { newId, readId } from '../../../../packages/server/src/platform/ids.ts'
import { paySessions } from '../../../../packages/server/src/ways-to-pay/checkout/paying.ts'
import { sessionIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import { createDatabaseOfMonths } from '../../../support/database.ts'
import { type Merchant, startTestApp, type TestApp, until } from '../../../support/harness.ts'

// Unique indexes apply within a month. These transactions overlap, and their payments belong to different months.
const lastMoment = new Date('2030-05-31T23:59:59.999Z')
const nextMonth = new Date('2030-06-01T00:00:00.000Z')
const payer = { type: 'momo' as const, providerId: 'm17', account: '+23276123456' }

describe('at the end of a month', () => {
  let t: TestApp
  let merchant: Merchant
  before(async () => {
    t = await startTestApp({
      work: false,
      database: await createDatabaseOfMonths('2030-05-01', '2030-08-01'),
    })
    merchant = await t.merchant()
  })
  after(() => t.close())

  /** Runs two transactions. The first one commits when the second one waits for a lock. */
  async function overlapping<T>(work: (tx: Tx, at: Date) => Promise<T>): Promise<[T, T]> {
    const { db } = t.app.parts
    const isDone = Promise.withResolvers<void>()
    const first = db.transaction(async (tx) => {
      const answer = await work(tx, lastMoment)
      isDone.resolve()
      await until(
        async () =>
          (
            await db.query(sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          ).length === 1,
      )
      return answer
    })
    await Promise.race([isDone.promise, first])
    return Promise.all([first, db.transaction((tx) => work(tx, nextMonth))])
  }

  const partsOf = async (ids: string[]) =>
    (
      await t.app.parts.db.query<{ part: string }>(sql`
        -- every space: the payments of this test
        select tableoid::regclass::text as part from payments where id = any(${ids}::uuid[]) order by id`)
    ).map(({ part }) => part)

  test('only one of two payments for a session starts', async () => {
    const { body } = await merchant.call('POST', '/v1/checkout-sessions', {
      name: 'Order',
      lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 100 }, quantity: 1 }],
    })
    const sessionId = readId(sessionIds, body.result.id)!
    // The session does not expire by then.
    await t.app.parts.db.query(sql`
      update checkout_sessions set expires_at = '2031-01-01'
      where space_id = ${merchant.scope.spaceId} and environment = 'test' and id = ${sessionId}`)
    const [[first], [second]] = await overlapping((tx, at) =>
      paySessions(tx, t.app.parts, [{ scope: merchant.scope, sessionId, payer, address: '127.0.0.1', at }]),
    )
    assert.ok(first && 'answer' in first && first.answer)
    assert.deepEqual(await partsOf([first.answer]), ['payments_2030_05'])
    assert.ok(second && 'error' in second)
    assert.equal((second.error as { reason?: string }).reason, 'state_conflict')
  })

  test('two payments for the same purpose get different rail references', async () => {
    const [[first], [second]] = await overlapping((tx, at) =>
      startPayments(tx, t.app.parts, [
        {
          ...{
            ...payer,
            scope: merchant.scope,
            at,
            reference: null,
            financialAccountId: newId(at),
            returnUrl: null,
          },
          origin: { type: 'payment_code', id: newId(at), metadata: {} },
          purpose: 'the same',
          order: { id: newId(at), number: '000000000001', name: 'Order', amount: 100n, currency: 'SLE' },
        },
      ]),
    )
    assert.deepEqual(await partsOf([first!.id, second!.id]), ['payments_2030_05', 'payments_2030_06'])
    assert.notEqual(first!.railReference, second!.railReference)
  })

  test('an order whose number an order of another month has is given another number', async () => {
    const { db } = t.app.parts
    const { openOrders, newOrder } = await import('../../../../packages/server/src/money/payments/orders.ts')
    const terms = { name: 'Order', amount: 100n, currency: 'SLE', entitlements: [] }
    const order = (at: Date) => ({ ...newOrder(terms, at), scope: merchant.scope })
    const [first] = await db.transaction((tx) => openOrders(tx, [order(lastMoment)]))
    const second = { ...order(nextMonth), number: first!.number }
    await db.transaction((tx) => openOrders(tx, [second]))
    assert.notEqual(second.number, first!.number)
    assert.notEqual(second.number.slice(0, 2), first!.number.slice(0, 2))
  })
})
