import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { livenessChecks } from '../../../../packages/server/src/finance/books/liveness-checks.ts'
import { sealChecks } from '../../../../packages/server/src/finance/books/seal-checks.ts'
import { type Database, openDatabase } from '../../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { walkPlannerSettings } from '../../../../packages/server/src/platform/db/walk.ts'
import { createTestDatabase } from '../../../support/database.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 2, statementTimeoutMs: 0, onIdleError: () => {} })
})
after(async () => {
  await db.close()
  await place.drop()
})

test('with 200,000 jobs, each check of them still reads them once and not for every open object', async () => {
  await db.transaction((tx) =>
    tx.run(sql`
      insert into jobs (space_id, environment, job, payload, timing, due_at)
      select gen_random_uuid(), 'test', 'checkout-session.expire', jsonb_build_object('sessionId', gen_random_uuid()),
        'in_order', now() from generate_series(1, 200000)`),
  )
  await db.transaction((tx) => tx.run(sql`analyze jobs`))
  const check = livenessChecks.find(({ name }) => name.includes('checkout session'))
  assert.ok(check)
  const plan = await db.transaction(async (tx) => {
    await tx.query(walkPlannerSettings)
    return tx.query(sql`explain ${check.differences(sql`(select * from checkout_sessions)`)}`)
  })
  assert.match(JSON.stringify(plan), /hashed SubPlan/)
})

test('objects that are not sealed yet are not looked up among the marks of their Space, however many there are', async () => {
  const check = sealChecks.find(({ name }) => name.startsWith('every order '))
  assert.ok(check)
  const plan = await db.transaction(async (tx) => {
    const spaceId = '01a21d54-8e67-71c8-b59e-eaad938d3c0f'
    await tx.run(sql`
      insert into orders (space_id, environment, id, number, name, amount, currency, entitlements, created_at)
      select ${spaceId}, 'test', gen_random_uuid(), n, 'Order', 100, 'SLE', '[]', now() from generate_series(1, 10) n`)
    await tx.run(sql`
      insert into unchained (space_id, environment, object_id)
      select ${spaceId}, 'test', gen_random_uuid() from generate_series(1, 1000)`)
    await tx.query(walkPlannerSettings)
    return tx.query(sql`explain (analyze, timing off) ${check.differences(sql`(select * from orders)`)}`)
  })
  const text = JSON.stringify(plan)
  assert.match(text, /Rows Removed by Filter: 10\b/)
  assert.match(text, /unchained mark [^>]*\(never executed\)/)
})
