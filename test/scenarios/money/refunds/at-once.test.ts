import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import fc from 'fast-check'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { openShop, reasonOf, type Shown } from './shop.ts'

// Two nodes on one database, and one rail that the test controls. Requests are sent to both nodes concurrently.
const rail = createManualClock()
const one = await startTestApp({ app: { simulatorClock: rail } })
const other = await startTestApp({ app: { simulatorClock: rail }, anotherNodeOf: one })
after(async () => {
  await other.close()
  await one.close()
})
const { db } = one.app.parts

const openShops = async () => {
  const merchant = await one.merchant()
  const approver = await one.merchant({ sameUserAs: { ...merchant, userId: (await one.merchant()).userId } })
  const onBoth = await Promise.all(
    [one, other].map(async (node) => ({
      merchant: await node.merchant({ sameUserAs: merchant }),
      approver: await node.merchant({ sameUserAs: approver }),
    })),
  )
  return { ...(await openShop(one, rail, merchant)), onBoth }
}

test('of 100 concurrent refunds of one payment through two nodes, exactly as many succeed as fit into the payment', async () => {
  const { pay, payment, refund, ended, balance, onBoth } = await openShops()
  const paid = await pay(1_000)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => refund(paid.id, 70, {}, onBoth[i % 2]!.merchant)),
  )
  const accepted = answers.flatMap(({ status, body }) => (status === 200 ? [body.result.id] : []))
  assert.equal(accepted.length, 14)
  assert.deepEqual(new Set(answers.map(reasonOf)), new Set(['200', '409 refund_exceeds_payment']))
  for (const id of accepted) assert.equal((await ended(id)).status, 'completed')
  const { refunded, refundable } = (await payment(paid.id)).refund
  assert.deepEqual([refunded.value, refundable.value], [980, 20])
  assert.deepEqual(await balance(paid.financialAccountId), [10, 0])
  await one.verify()
})

const amount = 1_000
const fee = 10
/** The sum per day above which another user must approve. */
const approvalAbove = 600n
/** Messages to the payer, which decide the rail's outcome: most succeed. */
const messages = ['456', '456', '001', '005', '007', '008', '009', '012']

const node = fc.nat({ max: 1 })
const request = fc.record({
  kind: fc.constant('refund' as const),
  node,
  payment: fc.nat({ max: 3 }),
  value: fc.option(fc.integer({ min: 1, max: amount + 50 }), { nil: undefined, freq: 8 }),
  message: fc.constantFrom(...messages),
})
const decision = fc.record({
  kind: fc.constantFrom('cancel' as const, 'approve' as const, 'reject' as const),
  node,
  pick: fc.nat(),
})
const payment = fc.record({ kind: fc.constant('pay' as const) })
const tick = fc.record({ kind: fc.constant('rail' as const), ms: fc.constantFrom(300, 6_000) })
/** Rounds of concurrent steps, each followed by a single step. */
const rounds = fc.array(
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: request },
      { weight: 3, arbitrary: decision },
      { weight: 1, arbitrary: payment },
      { weight: 1, arbitrary: tick },
    ),
    { minLength: 1, maxLength: 10 },
  ),
  { minLength: 1, maxLength: 4 },
)
type Command = typeof rounds extends fc.Arbitrary<(infer C)[][]> ? C : never

const refusals = new Set([
  '200',
  '409 refund_exceeds_payment',
  '409 refund_limit_reached',
  '409 fund_insufficient',
  '409 state_conflict',
])

type Shops = Awaited<ReturnType<typeof openShops>>
type World = Shops & { payments: Shown[]; refunds: string[] }

async function carryOut(
  { pay, refund, act, onBoth, payments, refunds }: World,
  command: Command,
): Promise<void> {
  if (command.kind === 'rail') return rail.advance(command.ms)
  if (command.kind === 'pay') return void payments.push(await pay(amount))
  const { merchant, approver } = onBoth[command.node]!
  if (command.kind === 'refund') {
    const { payment, value, message } = command
    const answer = await refund(
      payments[payment % payments.length].id,
      value,
      { payerMessage: message },
      merchant,
    )
    assert.ok(refusals.has(reasonOf(answer)), reasonOf(answer))
    if (answer.status === 200) refunds.push(answer.body.result.id)
    return
  }
  const id = refunds[command.pick % refunds.length]
  if (id === undefined) return
  const answer = await act(id, command.kind, command.kind === 'cancel' ? merchant : approver)
  assert.ok(refusals.has(reasonOf(answer)), reasonOf(answer))
}

/** Waits until all refunds have ended: cancels those without approval, and lets the rail report the rest. */
async function settle({ get, act, merchant, refunds }: World): Promise<Shown[]> {
  for (const id of refunds) if ((await get(id)).pendingReason === 'approval') await act(id, 'cancel')
  await until(async () => {
    await rail.advance(6_000)
    await one.advance(merchant.scope, 3_600_000)
    const all = await Promise.all(refunds.map(get))
    const late = all.filter(({ status, payerMessage }) => status === 'failed' && payerMessage === '012')
    return all.every(hasEnded) && (await caseCount(merchant)) === late.length
  })
  return Promise.all(refunds.map(get))
}

const hasEnded = ({ status }: Shown) => ['completed', 'failed', 'cancelled'].includes(status)

const caseCount = async ({ scope: { spaceId } }: Merchant) =>
  (await db.query(sql`select id from ledger_cases where space_id = ${spaceId} and environment = 'test'`))
    .length

/** Returns the amounts that the rail refunded and those in our books, in minor units. */
const readAmounts = async ({ merchant: { scope } }: World, paymentId: string) =>
  (await db.one<RefundAmounts>(sql`
    select p.refund_count, p.refund_reserved, p.refunded,
      coalesce((select sum(amount_minor) from simulator_disbursements d
        where d.refund_of = p.rail_reference and d.moved_at is not null), 0)::bigint as moved,
      (select count(*) from refunds r where r.space_id = p.space_id and r.environment = p.environment
        and r.payment_id = p.id and r.status not in ('failed', 'cancelled')) as counted,
      coalesce((select sum(reserved) from refunds r where r.space_id = p.space_id and r.environment = p.environment
        and r.payment_id = p.id), 0)::bigint as reserved,
      coalesce((select sum(amount) from refunds r where r.space_id = p.space_id and r.environment = p.environment
        and r.payment_id = p.id and r.status = 'completed'), 0)::bigint as completed,
      coalesce((select sum(c.amount) from ledger_cases c join refunds r
          on r.space_id = c.space_id and r.environment = c.environment and r.id = c.object_id
        where r.space_id = p.space_id and r.environment = p.environment and r.payment_id = p.id), 0)::bigint as late
    from payments p
    where space_id = ${scope.spaceId} and environment = 'test' and id = ${readId(paymentIds, paymentId)}`))!
type RefundAmounts = {
  refundCount: number
  refundReserved: bigint
  refunded: bigint
  moved: bigint
  counted: bigint
  reserved: bigint
  completed: bigint
  late: bigint
}

/** Asserts that, at any moment, the refunds in a payment's books do not exceed what was paid. */
async function judge(world: World): Promise<void> {
  for (const { id } of world.payments) {
    const found = await readAmounts(world, id)
    assert.ok(found.refunded <= found.refundReserved && found.refundReserved <= BigInt(amount))
    assert.ok(found.refundCount <= 20)
  }
  const [available, held] = await world.balance(world.payments[0].financialAccountId)
  assert.ok(available >= 0 && held >= 0)
}

async function judgeEnd(world: World): Promise<void> {
  const ended = await settle(world)
  const { payments, balance, payment } = world
  for (const { id } of payments) {
    const { refundCount, refundReserved, refunded, ...found } = await readAmounts(world, id)
    const { counted, reserved, completed, late, moved } = found
    assert.deepEqual([BigInt(refundCount), refundReserved, refunded], [counted, reserved, completed])
    // The rail may have moved more than the completed refunds only by refunds that it first reported as failed.
    assert.equal(moved, completed + late)
    assert.ok(completed <= BigInt(amount))
    const left = BigInt((await payment(id)).refund.refundable.value)
    assert.equal(left, moved < BigInt(amount) ? BigInt(amount) - moved : 0n)
  }
  const gone = ended.filter(({ status }) => status === 'completed')
  const sum = gone.reduce((total, refund) => total + refund.amount.value, 0)
  const paid = payments.length * (amount - fee)
  assert.deepEqual(await balance(payments[0].financialAccountId), [paid - sum, 0])
}

describe('any mix of refunds through two nodes: concurrent, failing, unknown, late, cancelled or not approved', () => {
  test('never refunds more than was paid, never leaves less than is held, and payments match their refunds', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (happening) => {
        const shops = await openShops()
        await db.transaction((tx) => setLimit(tx, shops.merchant.scope, 'refund', 'SLE', approvalAbove))
        const world: World = { ...shops, payments: [], refunds: [] }
        world.payments.push(...(await Promise.all([shops.pay(amount), shops.pay(amount)])))
        for (const commands of happening) {
          await Promise.all(commands.map((command) => carryOut(world, command)))
          await judge(world)
        }
        await judgeEnd(world)
      }),
      { numRuns: 10, endOnFailure: true },
    )
    await one.verify()
  })
})
