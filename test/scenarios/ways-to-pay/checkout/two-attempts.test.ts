import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fee, openAttempts, type Shown, total } from './attempts.ts'

// Two attempts of one session with every pair of outcomes, on two nodes that share a database.

const rail = createManualClock()
const one = await startTestApp({ app: { simulatorClock: rail } })
const other = await startTestApp({ app: { simulatorClock: rail }, anotherNodeOf: one })
after(async () => {
  await other.close()
  await one.close()
})

type End = 'completed' | 'failed'

/**
 * The last digits of a number, how its payment ends, and what happens on the rail. The end is undefined if it
 * depends on whether the first or the second report is recorded first.
 */
const outcomes: [digits: string, end: End | undefined, what: string][] = [
  ['456', 'completed', 'is paid at once'],
  ['004', 'completed', 'is paid after 30 seconds'],
  ['005', 'completed', 'is paid, and reported three times'],
  ['006', 'completed', 'is paid, and not reported'],
  ['007', 'completed', 'is paid, and the response to its submission is lost'],
  ['002', 'failed', 'is declined'],
  ['003', 'failed', 'expires'],
  ['008', 'failed', 'is never received by the rail'],
  ['012', undefined, 'fails, and its money arrives later'],
]

type Order = Awaited<ReturnType<typeof openAttempts>>

const isOver = ({ status }: { status: string }) => status === 'completed' || status === 'failed'

/** Moves both clocks until all attempts and their refunds have ended. */
async function settle(merchant: Merchant, orders: Order[]): Promise<void> {
  const hasSettled = async (order: Order) => {
    const [payments, refunds] = [await order.payments(), await order.refunds()]
    const paid = payments.filter(({ status }) => status === 'completed').length
    return payments.every(isOver) && refunds.every(isOver) && refunds.length >= paid - 1
  }
  for (const order of orders)
    await until(async () => {
      if (await hasSettled(order)) return true
      await rail.advance(5_000)
      await one.advance(merchant.scope, 5_000)
      return false
    })
}

/**
 * Asserts that a session keeps at most one payment, and that every other one was returned once, in full.
 * Returns the number of completed payments.
 */
async function assertOneKept(order: Order, ends: (End | undefined)[], what: string): Promise<number> {
  const [payments, refunds] = [await order.payments(), await order.refunds()]
  const paid = payments.filter(({ status }) => status === 'completed')
  const returned = paid.filter(({ id }) => refunds.some(({ paymentId }: Shown) => paymentId === id))
  assert.deepEqual(
    {
      payments: payments.map(({ status }) => status),
      session: await order.status(),
      returned: returned.length,
      refunds: refunds.map(({ status, reason, amount, fees }: Shown) => [status, reason, amount.value, fees]),
    },
    {
      payments: payments.map(({ status }, i) => ends[i] ?? status),
      session: paid.length > 0 ? 'completed' : 'pending',
      returned: Math.max(0, paid.length - 1),
      refunds: returned.map(() => ['completed', 'paid_twice', total, []]),
    },
    what,
  )
  return paid.length
}

test('of two attempts with any outcomes, in any order, at most one is kept, and the other is returned once', async () => {
  const merchant = await one.merchant()
  const pairs = outcomes.flatMap((first) => outcomes.map((second) => [first, second] as const))
  const orders: Order[] = []
  // One after the other, because the rail's breaker opens after five unknown outcomes in a row.
  for (const [i, [[first], [second]]] of pairs.entries()) {
    const order = await openAttempts(one, rail, merchant)
    await order.payer.pay('m17', `076${100 + 2 * i}${first}`)
    await order.payer.another('m17', `076${101 + 2 * i}${second}`)
    assert.equal((await order.payments()).length, 2, `${first} and ${second}`)
    orders.push(order)
  }
  await settle(merchant, orders)
  let [completed, kept] = [0, 0]
  for (const [i, order] of orders.entries()) {
    const [[, first, what], [, second, then]] = pairs[i]!
    const paid = await assertOneKept(
      order,
      [first, second],
      `the first attempt ${what}, and the second one ${then}`,
    )
    completed += paid
    kept += Math.min(1, paid)
  }
  const { spaceId, environment } = merchant.scope
  const [main] = await one.app.parts.db.query<{ posted: bigint }>(sql`
    select posted from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and purpose = 'main'`)
  assert.equal(main?.posted, BigInt(kept * total - completed * fee))
  await one.verify()
})

test('of two attempts that complete at the same time on two nodes, exactly one is kept, 40 times', async () => {
  const merchant = await one.merchant()
  const orders = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const order = await openAttempts(one, rail, merchant)
      // The rail does not report the outcome, so both nodes query it as soon as a query is due.
      await order.payer.pay('m17', `076${100 + i}006`)
      await order.payer.another('m18', `077${100 + i}006`)
      return order
    }),
  )
  await settle(merchant, orders)
  for (const order of orders) await assertOneKept(order, ['completed', 'completed'], 'both are paid')
  const kept = (await one.events(merchant.scope)).filter(({ type }) => type === 'checkout_session.completed')
  assert.equal(kept.length, orders.length)
  await one.verify()
})
