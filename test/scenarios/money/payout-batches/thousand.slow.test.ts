import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { batchIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const path = '/v1/payout-batches'
const count = 1_000
const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1_000

/**
 * Returns the phone number of a payee who accepts the money: its last three digits have no special meaning in
 * the simulator.
 */
const phoneOf = (n: number) => `+23276${100_100 + Math.floor(n / 900) * 1_000 + (n % 900)}`

test('a file with a thousand rows is checked, approved and fully paid out, each row once', async (c) => {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, count * 100)
  await db.transaction((tx) => setLimit(tx, merchant.scope, 'payout', 'SLE', 1_000n))
  const other = await t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId } })
  const lines = Array.from({ length: count }, (_, n) => `1.00,SLE,momo,m17,${phoneOf(n)},Payee ${n},${n}`)
  const csv = ['amount,currency,type,provider,account,name,reference', ...lines].join('\n')
  const timed = async (name: string, call: () => ReturnType<typeof merchant.call>) => {
    const startedAt = performance.now()
    const { status, body } = await call()
    assert.equal(status, 200, JSON.stringify(body))
    c.diagnostic(`${name}: ${secondsSince(startedAt).toFixed(2)} s`)
    return body.result
  }

  const checked = await timed('check', () => merchant.call('POST', `${path}/check`, { csv }))
  assert.equal(checked.ok, true)
  assert.deepEqual(checked.totals[0].availableAfter, { currency: 'SLE', value: 0 })
  const { id } = await timed('create', () => merchant.call('POST', path, { name: 'Salaries', csv }))
  const startedAt = performance.now()
  await timed('approve', () => other.call('POST', `${path}/${id}/approve`, {}))
  const batch = await until(async () => {
    await rail.advance(300)
    const { result } = (await merchant.call('GET', `${path}/${id}`)).body
    return result.status === 'completed' && result
  })
  c.diagnostic(`approved to completed: ${(count / secondsSince(startedAt)).toFixed(0)} payouts/s`)

  assert.deepEqual(batch.counts, { rows: count, pending: 0, processing: 0, completed: count, failed: 0 })
  assert.equal(batch.totals[0].completed.value, count * 100)
  const moved = await db.only<Record<string, bigint>>(sql`
    select count(*) as payouts, count(distinct batch_row) as rows, count(d.reference) as moved
    from payouts p
    left join simulator_disbursements d on d.reference = p.rail_reference and d.moved_at is not null
    where p.space_id = ${merchant.scope.spaceId} and p.batch_id = ${readId(batchIds, id)!}`)
  assert.deepEqual(moved, { payouts: BigInt(count), rows: BigInt(count), moved: BigInt(count) })
  const account = (await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)).body.result
  assert.deepEqual([account.balance.available.value, account.balance.held.value], [0, 0])

  const numbers: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await merchant.call('GET', `${path}/${id}/rows?limit=50&after=${after}`)
    numbers.push(...body.result.map(({ number }: { number: number }) => number))
    after = body.pagination.next
  }
  assert.deepEqual(
    numbers,
    lines.map((_, n) => n + 1),
  )
  await t.verify()
})
