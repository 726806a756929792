import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { Registry } from 'prom-client'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { until } from '../../../../test/support/harness.ts'
import { type ClockWatch, createClockWatch } from './clock-watch.ts'
import { type Database, openDatabase } from './db/database.ts'
import { createLog } from './log.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
const registry = new Registry()
const log = createLog('silent')
let watch: ClockWatch

before(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.connection, { maxConnections: 1, onIdleError: () => {} })
  watch = createClockWatch(db, log, registry)
})
after(async () => {
  await watch.stop()
  await db.close()
  await database.drop()
})

test('a clock change is noticed immediately, logged once, and cleared when the clock is correct again', async () => {
  const [error, info] = [mock.method(log, 'error', () => {}), mock.method(log, 'info', () => {})]
  assert.deepEqual([watch.isCorrect(), watch.isWrong()], [false, false], 'it is not watching yet')
  await watch.start()
  assert.deepEqual([watch.isCorrect(), watch.isWrong()], [true, false])
  for (const shiftMs of [-60_000, 60_000]) {
    const now = Date.now
    const shifted = mock.method(Date, 'now', () => now() + shiftMs)
    assert.deepEqual([watch.isCorrect(), watch.isWrong()], [false, true])
    assert.match(
      await registry.metrics(),
      shiftMs > 0 ? /seconds (59|60)\.|seconds 60$/m : /seconds -(59|60)\.|seconds -60$/m,
    )
    await until(() => error.mock.callCount() === 1)
    shifted.mock.restore()
    assert.equal(watch.isCorrect(), true)
    await until(() => info.mock.callCount() === 1)
    error.mock.resetCalls()
    info.mock.resetCalls()
  }
})
