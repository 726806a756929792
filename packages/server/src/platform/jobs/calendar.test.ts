import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { type Clock, openClock } from '../clock.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type Calendar, nextMoment } from './calendar.ts'
import type { Jobs } from './runner.ts'
import { startWorker } from './worker.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let clock: Clock
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 8, onIdleError: () => {} })
  clock = await openClock(db)
})
after(async () => {
  await clock.close()
  await db.close()
  await place.drop()
})

test('a schedule gives the next time after any other, hourly or daily, in UTC', () => {
  const minute = fc.integer({ min: 0, max: 59 })
  const hour = fc.option(fc.integer({ min: 0, max: 23 }))
  const years = { min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }
  fc.assert(
    fc.property(minute, hour, fc.date(years), (minute, hour, after) => {
      const next = nextMoment(`${minute} ${hour ?? '*'} * * *`, after)
      const waitMs = next.getTime() - after.getTime()
      assert.ok(waitMs > 0 && waitMs <= (hour === null ? 3_600_000 : 86_400_000))
      assert.deepEqual(
        [next.getUTCMinutes(), next.getUTCSeconds(), next.getUTCMilliseconds()],
        [minute, 0, 0],
      )
      if (hour !== null) assert.equal(next.getUTCHours(), hour)
    }),
  )
  for (const line of ['* 5 * * *', '0 0 1 * *', '*/5 * * * *', 'never', ''])
    assert.throws(() => nextMoment(line, new Date()), /unsupported schedule/)
  const [at, next] = ['2026-11-22T10:00:30.000Z', '2026-11-22T10:01:00.000Z']
  assert.equal(nextMoment('* * * * *', new Date(at)).toISOString(), next)
})

const planned = () =>
  db.query<{ job: string; dueAt: Date; attempts: number }>(sql`
    select job, due_at, attempts from jobs where key like 'calendar %' order by job`)
const work = (jobs: Jobs, calendar: Calendar) =>
  startWorker(db, jobs, calendar, {
    concurrency: 2,
    clock,
    clockWatch: { isWrong: () => false },
    log: createLog('silent'),
    metrics: createMetrics(),
  })

test('a scheduled job waits once however many nodes start, runs once even if late, and then waits for its next time', async () => {
  let runs = 0
  const jobs: Jobs = {
    daily: async () => {
      if (++runs === 1) throw new Error('on purpose')
    },
    hourly: async () => {},
  }
  const calendar = { '0 3 * * *': 'daily', '10 * * * *': 'hourly' }
  const workers = await Promise.all([work(jobs, calendar), work(jobs, calendar), work(jobs, calendar)])
  const [daily, hourly, ...others] = await planned()
  assert.deepEqual([daily!.job, hourly!.job, others], ['daily', 'hourly', []])
  assert.deepEqual(daily!.dueAt, nextMoment('0 3 * * *', new Date()))
  // As if all nodes had been down at that time. The job fails, is retried, and then waits for tomorrow.
  await db.query(sql`update jobs set due_at = due_at - interval '30 hours' where job = 'daily'`)
  await until(async () => (await planned())[0]!.dueAt.getTime() === daily!.dueAt.getTime())
  assert.equal(runs, 2)
  assert.equal((await planned()).length, 2)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal(runs, 2)
})
