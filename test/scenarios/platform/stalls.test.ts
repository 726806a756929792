import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publish } from '../../../packages/server/src/events/events.ts'
import type { Tx } from '../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestApp, until } from '../../support/harness.ts'
import { addJob } from '../../support/jobs.ts'

const t = await startTestApp({ app: { stallLimitMs: 600 }, settings: { LOG_LEVEL: 'fatal' } })
after(() => t.close())
const { db, clock, metrics } = t.app.parts

const ready = async () => {
  const answer = await fetch(`${t.baseUrl}/readyz`)
  const { reason } = (await answer.json()) as { reason?: string }
  assert.equal(answer.status, reason === undefined ? 200 : 503)
  return { reason }
}
const isReady = () => until(async () => (await ready()).reason === undefined)
/** Ignores other jobs, which may be late on a busy machine. */
const isStalled = (why: RegExp) => until(async () => why.test((await ready()).reason ?? ''))

const shown = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.registry.metrics())![1])

const happen = async (tx: Tx) => {
  const { scope } = await t.merchant()
  await publish(tx, scope, {
    types: ['checkout_session.created'],
    objectId: crypto.randomUUID(),
    data: {},
    at: clock.now(scope),
  })
}

test('a worker node is not ready while events wait and none is published; it reports why, and recovers', async () => {
  await isReady()
  await db.transaction(async (tx) => {
    await tx.query(sql`select from event_sequencer for update`)
    await db.transaction(happen)
    await isStalled(/events are waiting, but none has been published/)
    assert.ok((await shown('pesewa_events_pending')) >= 1)
    assert.equal(await shown('pesewa_ready'), 0)
  })
  await isReady()
  await until(async () => (await shown('pesewa_ready')) === 1)
  await until(async () => (await shown('pesewa_events_pending')) === 0)
})

test('a worker node is not ready while jobs wait and none is claimed; it reports why, and recovers', async () => {
  await isReady()
  const { scope } = await t.merchant()
  const payload = JSON.stringify({ ...scope, webhookId: crypto.randomUUID() })
  await db.query(sql`
    insert into jobs (space_id, environment, job, payload, timing, due_at)
    values (${scope.spaceId}, 'test', 'webhooks.redeliver', ${payload}, 'real_time', now() + interval '2 s')`)
  await db.transaction(async (tx) => {
    // Whoever tries to claim it waits for this transaction.
    await tx.query(sql`lock table jobs in exclusive mode`)
    await isStalled(/jobs are waiting, but none has been claimed/)
    assert.ok((await shown('pesewa_job_oldest_seconds')) > 0)
  })
  await isReady()
})

test('a job unknown to all nodes of this release is not a stall', async () => {
  await isReady()
  await db.pool.query(addJob('of-another-release'))
  const looksEnd = performance.now() + 1_200
  // Other jobs may be late on a busy machine, but not forever, unlike a job that nobody claims.
  await until(async () => performance.now() > looksEnd && (await ready()).reason === undefined)
})

test('pending deliveries are counted', async () => {
  const { scope } = await t.merchant()
  assert.equal(await shown('pesewa_deliveries_waiting'), 0)
  await db.transaction((tx) =>
    tx.run(sql`
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, next_attempt_at, created_at)
      select ${scope.spaceId}, 'test', gen_random_uuid(), gen_random_uuid(), nth, 'pending', now(), now()
      from generate_series(1, 3) nth`),
  )
  assert.equal(await shown('pesewa_deliveries_waiting'), 3)
})

test('a node with only a metrics port reports there that it is alive and ready', async () => {
  const port = await freePort()
  const node = await startTestApp({ anotherNodeOf: t, settings: { METRICS_PORT: String(port) } })
  try {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      assert.deepEqual([path, answer.status, await answer.json()], [path, 200, { status: 'ok' }])
    }
  } finally {
    await node.close()
  }
})
