import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { until } from '../../../../test/support/harness.ts'
import { advanceTestClock, type Clock, openClock } from './clock.ts'
import { type Database, openDatabase } from './db/database.ts'
import { sql } from './db/sql.ts'
import type { Scope } from './scope.ts'

const hourMs = 3_600_000

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
/** The clocks of two nodes. */
let clocks: [Clock, Clock]

before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 4, onIdleError: () => {} })
  clocks = [await openClock(db), await openClock(db)]
})
after(async () => {
  for (const clock of clocks) await clock.close()
  await db.close()
  await place.drop()
})

const space = (): Scope => ({ spaceId: randomUUID(), environment: 'test' })
const aheadMs = (scope: Scope, clock = clocks[0]) => clock.now(scope).getTime() - Date.now()
const isAhead = (scope: Scope, ms: number, clock = clocks[0]) => Math.abs(aheadMs(scope, clock) - ms) < 1_000
const advance = (scope: Scope, ms: number) => db.transaction((tx) => advanceTestClock(tx, scope.spaceId, ms))

describe('a Space’s test clock', () => {
  test('shows the current time until it is moved, and is then ahead on every node; moves add up', async () => {
    const scope = space()
    assert.ok(isAhead(scope, 0))
    await advance(scope, hourMs)
    await until(() => clocks.every((clock) => isAhead(scope, hourMs, clock)))
    await advance(scope, 2 * hourMs)
    await until(() => clocks.every((clock) => isAhead(scope, 3 * hourMs, clock)))
  })

  test('does not move the live clock or another Space’s', async () => {
    const [moved, other] = [space(), space()]
    await advance(moved, hourMs)
    await until(() => isAhead(moved, hourMs))
    assert.ok(isAhead({ ...moved, environment: 'live' }, 0))
    assert.ok(isAhead(other, 0))
  })

  test('does not move if the transaction is rolled back', async () => {
    const [undone, marker] = [space(), space()]
    await assert.rejects(
      db.transaction(async (tx) => {
        await advanceTestClock(tx, undone.spaceId, hourMs)
        throw new Error('on purpose')
      }),
    )
    await advance(marker, hourMs)
    await until(() => isAhead(marker, hourMs))
    assert.ok(isAhead(undone, 0))
  })

  test('moves by the sum of concurrent moves', async () => {
    const scope = space()
    await Promise.all(Array.from({ length: 10 }, () => advance(scope, hourMs)))
    await until(() => isAhead(scope, 10 * hourMs))
  })

  test('is followed even if a notification is lost, because nodes also poll', async () => {
    const scope = space()
    await db.transaction((tx) =>
      tx.run(
        sql`insert into test_clocks (space_id, environment, offset_ms) values (${scope.spaceId}, 'test', ${hourMs})`,
      ),
    )
    await until(() => isAhead(scope, hourMs))
  })

  test('is not set back by an older read whose result arrives late', async () => {
    const scope = space()
    const held: (() => void)[] = []
    let isHolding = false
    // A database connection that can delay results, like a slow network.
    const query: Database['query'] = async (statement) => {
      const isHeld = isHolding
      const rows = await db.query(statement)
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      return rows as never
    }
    const clock = await openClock({ ...db, query })
    isHolding = true
    const late = clock.follow()
    await until(() => held.length > 0)
    isHolding = false
    await advance(scope, hourMs)
    await clock.follow()
    assert.ok(isAhead(scope, hourMs, clock))
    for (const release of held) release()
    await late
    assert.ok(isAhead(scope, hourMs, clock))
    await clock.close()
  })

  test('is known to a new node from the start', async () => {
    const scope = space()
    await advance(scope, hourMs)
    const fresh = await openClock(db)
    assert.ok(isAhead(scope, hourMs, fresh))
    await fresh.close()
  })
})
