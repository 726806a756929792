import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { setLimit } from '../../packages/server/src/money/approvals/limits.ts'
import { batchIds } from '../../packages/server/src/money/payouts/resources.ts'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import { homeOf } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { addUser, createToken, setMember } from '../../packages/server/src/tenants/spaces/spaces.ts'
import { call, type Shop, waitUntil } from '../support/program.ts'
import { draw, rounds } from './rounds.ts'
import { openStand, type Stand } from './stand.ts'

let stand: Stand
let approver: Shop

before(async () => {
  stand = await openStand()
  await stand.fund(10_000_000)
  const { spaceId } = stand.scope
  const bounds = { lifeMs: null, spaceIds: null, networks: null }
  await stand.db.transaction((tx) => setLimit(tx, stand.scope, 'payout', 'SLE', 100n))
  const testToken = await homeOf(stand.db).transaction(async (tx) => {
    const { id: userId } = await addUser(tx, `${randomUUID()}@shop.example`)
    await setMember(tx, { spaceId, userId, role: 'finance' })
    const wanted = { userId, environment: 'test', name: 'test', scopes: ['*'] } as const
    return (await createToken(tx, { ...wanted, scopes: ['*'], ...bounds })).text
  })
  approver = { ...stand.shop, testToken }
})
after(() => stand?.close())

const path = '/v1/payout-batches'
const count = 300
/**
 * A call without a response is resolved only when no request can still be on its way, which takes up to 27 s of
 * wall-clock time.
 */
const fencedMs = 90_000

async function createBatch(): Promise<string> {
  const rows = Array.from({ length: count }, (_, n) => ({
    amount: { currency: 'SLE', value: 100 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: `+23276${100_100 + n}` },
  }))
  const { status, body } = await call(stand.shop, 'POST', path, { name: 'Salaries', rows })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result.id
}

/** Returns the status of a batch, the number of its payouts, and the number of their rows. */
const stateOf = (id: string) =>
  stand.db.only<{ status: string; payouts: bigint; rows: bigint }>(sql`
    select batch.status, count(payout.id) as payouts, count(distinct payout.batch_row) as rows
    from payout_batches batch
    left join payouts payout on payout.space_id = batch.space_id and payout.environment = batch.environment
      and payout.batch_id = batch.id
    where batch.space_id = ${stand.scope.spaceId} and batch.environment = 'test' and batch.id = ${readId(batchIds, id)!}
    group by batch.status`)

/** Returns the references of payouts that the rail has carried out, once for each time. */
const movedByRail = async () =>
  (
    await stand.simulator.db.query<{ reference: string }>(sql`
      select reference from simulator_disbursements where moved_at is not null order by 1`)
  ).map(({ reference }) => reference)

/** Returns the references of payouts that completed according to our books. */
const completedHere = async () =>
  (
    await stand.db.query<{ reference: string }>(sql`
      select instruction.reference from instructions instruction
      join payouts payout using (space_id, environment, id)
      where space_id = ${stand.scope.spaceId} and environment = 'test' and payout.status = 'completed'
      order by 1`)
  ).map(({ reference }) => reference)

describe('a program killed with kill -9 while a batch is approved', () => {
  for (let round = 0; round < rounds * 2; round++)
    test(`creates each of its payouts once or not at all, and the rest after the next approval (${round + 1})`, async (c) => {
      const id = await createBatch()
      const key = { 'idempotency-key': randomUUID() }
      const approve = () => call(approver, 'POST', `${path}/${id}/approve`, {}, key)
      const cut = approve().catch(() => undefined)
      // The approval takes about 80 ms, so kills happen before, during and after it.
      await setTimeout(draw(0, 160))
      await stand.kill()
      await cut
      const left = await stateOf(id)
      c.diagnostic(`${left.status} with ${left.payouts} payouts`)
      const isApproved = left.status !== 'pending'
      assert.deepEqual([left.payouts, left.rows], isApproved ? [300n, 300n] : [0n, 0n])

      await stand.start()
      assert.equal((await approve()).status, 200)
      await waitUntil(
        stand.program,
        async () => {
          await stand.simulator.clock.advance(300)
          await stand.db.transaction((tx) => advanceTestClock(tx, stand.scope.spaceId, 1_000))
          return (await stateOf(id)).status === 'completed'
        },
        fencedMs,
      )
      assert.deepEqual(await stateOf(id), { status: 'completed', payouts: 300n, rows: 300n })
      // Calls cut off by the crash never reached the rail: these payouts have failed, and none of their money
      // has moved.
      assert.deepEqual(await movedByRail(), await completedHere())
      await stand.verify()
    })
})
