import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { after, afterEach, before, describe, mock, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { advanceTestClock, type Clock, openClock } from '../clock.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { createLog, type Log } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import type { Scope } from '../scope.ts'
import { enqueue, enqueueEach, type JobPayload, schedule } from './queue.ts'
import type { Jobs } from './runner.ts'
import { startWorker, type Worker } from './worker.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let clock: Clock
let workers: Worker[] = []

before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 12, onIdleError: () => {} })
  clock = await openClock(db)
})
afterEach(async () => {
  for (const worker of workers) await worker.stop()
  workers = []
  await until(() => db.query(sql`delete from jobs`).catch(() => undefined))
})
after(async () => {
  await clock.close()
  await db.close()
  await place.drop()
})

const rightClock = { isWrong: () => false }

async function work(jobs: Jobs, log: Log = createLog('fatal'), concurrency = 4): Promise<Worker> {
  const options = { concurrency, clock, clockWatch: rightClock, log, metrics: createMetrics() }
  const worker = await startWorker(db, jobs, {}, options)
  workers.push(worker)
  return worker
}

const space = (): Scope => ({ spaceId: randomUUID(), environment: 'test' })
const put = (scope: Scope, job: string, more: object = {}, key?: string) =>
  db.transaction((tx) => enqueue(tx, job, { ...scope, ...more }, key))
const plan = (scope: Scope, dueInMs: number, more: object = {}) =>
  db.transaction((tx) => schedule(tx, new Date(Date.now() + dueInMs), 'note', { ...scope, ...more }))
const jobs = () =>
  db.query<{ attempts: number; takenBy: number | null; lastError: string | null }>(sql`
  select attempts, taken_by, last_error from jobs`)

/** Creates a job that only records its payload. */
function noting() {
  const noted: JobPayload[] = []
  const names = () => noted.map(({ name }) => name)
  return { noted, names, note: async (payload: JobPayload) => void noted.push(payload) }
}

describe('a job', () => {
  test('runs with its payload after its transaction commits', async () => {
    const { noted, note } = noting()
    await work({ note })
    const scope = space()
    await db.transaction(async (tx) => {
      enqueue(tx, 'note', { ...scope, name: 'committed', nested: { amount: 1 } })
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(noted.length, 0)
    })
    await until(() => noted.length === 1)
    assert.deepEqual(noted, [{ ...scope, name: 'committed', nested: { amount: 1 } }])
    await until(async () => (await jobs()).length === 0)
  })

  test('never runs if its transaction is rolled back', async () => {
    const { names, note } = noting()
    await work({ note })
    const undone = db.transaction(async (tx) => {
      enqueue(tx, 'note', { ...space(), name: 'undone' })
      throw new Error('on purpose')
    })
    await assert.rejects(undone, /on purpose/)
    await put(space(), 'note', { name: 'later' })
    await until(() => names().includes('later'))
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(names(), ['later'])
  })

  test('is retried until it succeeds, and does not hold up the worker', async () => {
    const { names, note } = noting()
    let tries = 0
    const flaky = async (payload: JobPayload) => {
      if (++tries < 2) throw new Error('not this time')
      await note(payload)
    }
    await work({ flaky, note })
    await put(space(), 'flaky', { name: 'flaky' })
    await put(space(), 'note', { name: 'beside' })
    await until(
      async () => (await jobs()).some(({ lastError }) => lastError?.includes('not this time')) || tries > 1,
    )
    await until(() => names().length === 2)
    assert.deepEqual([...names()].sort(), ['beside', 'flaky'])
    assert.equal(tries, 2)
  })

  test('replaces a waiting job with the same key', async () => {
    const { names, note } = noting()
    const scope = space()
    for (let i = 1; i <= 5; i++) await put(scope, 'note', { name: i }, 'the same')
    await put(scope, 'note', { name: 'other' }, 'another')
    await work({ note })
    await until(() => names().length >= 2)
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(new Set(names()), new Set([5, 'other']))
  })

  test('is not lost if it is enqueued while a job with its key is running', async () => {
    const { names, note } = noting()
    const isRunning = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const slow = async (payload: JobPayload) => {
      await note(payload)
      isRunning.resolve()
      await mayEnd.promise
    }
    await work({ slow })
    await put(space(), 'slow', { name: 'first' }, 'key')
    await isRunning.promise
    await put(space(), 'slow', { name: 'second' }, 'key')
    mayEnd.resolve()
    await until(() => names().length === 2)
    assert.deepEqual(names(), ['first', 'second'])
  })

  test('gives way to a newer job with its key when it fails', async () => {
    const { names, note } = noting()
    const isRunning = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const failing = async (payload: JobPayload) => {
      await note(payload)
      if (payload.name !== 'first') return
      isRunning.resolve()
      await mayEnd.promise
      throw new Error('on purpose')
    }
    const [scope, line] = [space(), 'one at a time']
    await work({ failing })
    const enqueueOne = (name: string) =>
      db.transaction((tx) => enqueue(tx, 'failing', { ...scope, name }, 'key', line))
    await enqueueOne('first')
    await isRunning.promise
    await enqueueOne('second')
    mayEnd.resolve()
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(names(), ['first', 'second'])
  })

  test('waits for the others of its queue, on any node and for any Space', async () => {
    const other = openDatabase(place.connection, { maxConnections: 4, onIdleError: () => {} })
    const otherClock = await openClock(other)
    const { names, note } = noting()
    let atOnce = 0
    const alone = async (payload: JobPayload) => {
      assert.equal(++atOnce, 1)
      await note(payload)
      await db.query(sql`select pg_sleep(0.01)`)
      atOnce--
    }
    const options = {
      concurrency: 4,
      clockWatch: rightClock,
      log: createLog('fatal'),
      metrics: createMetrics(),
    }
    const count = 20
    await db.transaction(async (tx) => {
      for (let name = 0; name < count; name++) enqueue(tx, 'alone', { ...space(), name }, null, 'line')
    })
    workers.push(await startWorker(db, { alone }, {}, { ...options, clock }))
    workers.push(await startWorker(other, { alone }, {}, { ...options, clock: otherClock }))
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(names().toSorted(), [...Array(count).keys()].toSorted())
    for (const worker of workers) await worker.stop()
    await otherClock.close()
    await other.close()
  })

  test('is left to other nodes while this node’s clock is wrong', async () => {
    const other = openDatabase(place.connection, { maxConnections: 4, onIdleError: () => {} })
    const takenBy = { right: 0, wrong: 0 }
    const by = (node: keyof typeof takenBy) => ({ note: async () => void takenBy[node]++ })
    const options = { concurrency: 4, clock, log: createLog('fatal'), metrics: createMetrics() }
    let isWrong = true
    const clockWatch = { isWrong: () => isWrong }
    const wrong = await startWorker(other, by('wrong'), {}, { ...options, clockWatch })
    const right = await startWorker(db, by('right'), {}, { ...options, clockWatch: rightClock })
    const put = () =>
      db.transaction(async (tx) => {
        for (let i = 0; i < 100; i++) enqueue(tx, 'note', space())
      })
    await put()
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(takenBy, { right: 100, wrong: 0 })
    await right.stop()
    isWrong = false
    await put()
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(takenBy, { right: 100, wrong: 100 })
    await wrong.stop()
    await other.close()
  })

  test('is claimed and deleted with many others in one statement', async () => {
    const { names, note } = noting()
    const count = 400
    const statements = mock.method(db, 'query')
    await db.transaction((tx) =>
      enqueueEach(
        tx,
        Array.from({ length: count }, (_, name) => ({ job: 'note', payload: { ...space(), name } })),
      ),
    )
    await work({ note }, createLog('fatal'), 50)
    await until(() => names().length === count)
    await until(async () => (await jobs()).length === 0)
    const texts = statements.mock.calls.map(({ arguments: [statement] }) => statement.text)
    statements.mock.restore()
    for (const kind of [/^\s*update jobs set taken_by/, /^\s*delete from jobs/]) {
      const ofKind = texts.filter((text) => kind.test(text)).length
      assert.ok(ofKind > 0 && ofKind <= count / 4, `${ofKind} statements like ${kind}`)
    }
  })

  test('runs even if its claim reported a failure', async () => {
    const { names, note } = noting()
    const query = db.query.bind(db)
    let failures = 1
    const failing = mock.method(db, 'query', async (statement: Sql) => {
      const rows = await query(statement)
      if (/^\s*update jobs set taken_by/.test(statement.text) && failures-- > 0) throw new Error('on purpose')
      return rows
    })
    await put(space(), 'note', { name: 'taken' })
    await work({ note })
    await until(() => names().length > 0)
    await until(async () => (await jobs()).length === 0)
    failing.mock.restore()
    assert.deepEqual(names(), ['taken'])
  })

  test('is claimed by only one of two workers', async () => {
    const { names, note } = noting()
    await work({ note })
    await work({ note })
    await Promise.all(Array.from({ length: 40 }, (_, name) => put(space(), 'note', { name })))
    await until(() => names().length >= 40)
    await until(async () => (await jobs()).length === 0)
    assert.equal(new Set(names()).size, names().length)
  })
})

describe('a scheduled job', () => {
  test('runs when its Space’s test clock reaches its time, not before; other Spaces and live are unaffected', async () => {
    const { names, note } = noting()
    const [scope, other] = [space(), space()]
    const live: Scope = { ...scope, environment: 'live' }
    for (const hours of [3, 1, 2]) await plan(scope, hours * 3_600_000, { name: `in ${hours} h` })
    await plan(other, 3_600_000, { name: 'other' })
    await plan(live, 3_600_000, { name: 'live' })
    await plan(scope, -1, { name: 'due' })
    await work({ note })
    await until(() => names().length > 0)
    assert.deepEqual(names(), ['due'])
    await db.transaction((tx) => advanceTestClock(tx, scope.spaceId, 2.5 * 3_600_000))
    await until(() => names().length === 3)
    assert.deepEqual(names().slice(1), ['in 1 h', 'in 2 h'])
    await db.transaction((tx) => advanceTestClock(tx, scope.spaceId, 3_600_000))
    await until(() => names().length === 3)
    const left = () =>
      db.query<{ name: string }>(sql`
        select payload ->> 'name' as name from jobs
        where space_id in (${scope.spaceId}, ${other.spaceId}) order by 1`)
    await until(async () => (await left()).length === 2)
    assert.deepEqual(
      (await left()).map(({ name }) => name),
      ['live', 'other'],
    )
  })

  test('that fails in a Space with a moved clock is retried, and does not delay later ones', async () => {
    const { names, note } = noting()
    const scope = space()
    let failures = 1
    const fail = async (payload: JobPayload) => {
      if (failures-- > 0) throw new Error('not yet')
      await note(payload)
    }
    await db.transaction(async (tx) => {
      schedule(tx, new Date(Date.now() + 60_000), 'fail', { ...scope, name: 'first' })
      schedule(tx, new Date(Date.now() + 61_000), 'note', { ...scope, name: 'second' })
      await advanceTestClock(tx, scope.spaceId, 120_000)
    })
    await work({ note, fail })
    await until(() => names().length === 2)
    assert.deepEqual(names(), ['second', 'first'])
  })

  test('runs once however many nodes poll, and on time even if no clock is moved', async () => {
    const { names, note } = noting()
    const count = 700
    await db.transaction(async (tx) => {
      for (let name = 0; name < count; name++)
        schedule(tx, new Date(Date.now() + 300), 'note', { ...space(), name })
    })
    await Promise.all([work({ note }), work({ note })])
    await until(() => names().length >= count)
    await until(async () => (await jobs()).length === 0)
    assert.equal(names().length, count)
  })

  test('never runs if its transaction is rolled back', async () => {
    const scope = space()
    const undone = db.transaction(async (tx) => {
      schedule(tx, new Date(), 'note', { ...scope })
      throw new Error('on purpose')
    })
    await assert.rejects(undone)
    assert.deepEqual(await db.query(sql`select 1 from jobs where space_id = ${scope.spaceId}`), [])
  })
})

describe('a worker', () => {
  test('that is killed loses its jobs to the others; one that is alive keeps a long job', async (t) => {
    const doomed = await startDoomedWorker()
    await put(space(), 'hang', { name: 'hang' })
    await doomed.isBusy
    const [dead] = await jobs()
    const { names, note } = noting()
    const mayEnd = Promise.withResolvers<void>()
    let longRuns = 0
    const long = async () => {
      longRuns++
      await mayEnd.promise
    }
    await work({ hang: note, long })
    await put(space(), 'long', { name: 'long' })
    await until(() => longRuns === 1)
    assert.deepEqual(names(), [], 'the live worker’s job was taken away')
    const killedAt = Date.now()
    await doomed.kill()
    await until(() => names().length === 1)
    t.diagnostic(`the killed worker's job ran again after ${Date.now() - killedAt} ms`)
    assert.ok(dead!.takenBy)
    // By now the long job has run for longer than it takes to release a dead node's job.
    await until(() => Date.now() - killedAt > 4_500)
    assert.equal(longRuns, 1)
    mayEnd.resolve()
    await until(async () => (await jobs()).length === 0)
  })

  test('recovers from losing all its connections, and runs nothing twice', async () => {
    const { names, note } = noting()
    await work({ note })
    for (let round = 0; round < 3; round++) {
      await setAway(true)
      await setAway(false)
      await until(() =>
        put(space(), 'note', { name: round }).then(
          () => true,
          () => false,
        ),
      )
      await until(() => names().includes(round))
    }
    await until(async () => (await signsOfLife()) === 1)
  })

  test('records an outcome as soon as the database is back, and continues', async () => {
    const { names, note } = noting()
    const isRunning = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const slow = async (payload: JobPayload) => {
      await note(payload)
      isRunning.resolve()
      await mayEnd.promise
    }
    const failing = async (payload: JobPayload) => {
      await slow(payload)
      if (names().filter((name) => name === 'failing').length === 1) throw new Error('while it is away')
    }
    // By then it has tried and failed to record an outcome.
    let isLost = false
    await work({ slow, failing, note }, { ...createLog('fatal'), warn: () => void (isLost = true) })
    await put(space(), 'failing', { name: 'failing' })
    await put(space(), 'slow', { name: 'slow' })
    await until(() => names().length === 2)
    await setAway(true)
    mayEnd.resolve()
    await until(() => isLost)
    await setAway(false)
    await until(() => names().length === 3)
    await until(() =>
      put(space(), 'note', { name: 'later' }).then(
        () => true,
        () => false,
      ),
    )
    await until(() => names().includes('later'))
    await until(async () => (await jobs()).length === 0)
    assert.deepEqual(names().toSorted(), ['failing', 'failing', 'later', 'slow'])
    await until(async () => (await signsOfLife()) === 1)
  })

  test('that is stopped finishes what it started, and releases the rest', async () => {
    const isRunning = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    let isFinished = false
    const worker = await work({
      slow: async () => {
        isRunning.resolve()
        await mayEnd.promise
        isFinished = true
      },
    })
    await put(space(), 'slow')
    await isRunning.promise
    await db.transaction((tx) => enqueueEach(tx, Array(6).fill({ job: 'slow', payload: space() })))
    await until(async () => (await jobs()).every(({ takenBy }) => takenBy !== null))
    const stopped = worker.stop()
    workers = []
    mayEnd.resolve()
    await stopped
    assert.equal(isFinished, true)
    assert.deepEqual(await jobs(), Array(3).fill({ attempts: 0, takenBy: null, lastError: null }))
  })
})

/** Refuses all connections to this database and ends existing ones, or allows them again. */
async function setAway(isAway: boolean): Promise<void> {
  const client = new pg.Client({ ...place.connection, database: 'postgres' })
  await client.connect()
  await client.query(`alter database ${place.connection.database} with allow_connections ${!isAway}`)
  if (isAway)
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      place.connection.database,
    ])
  await client.end()
}

/** Counts the workers that others see as alive. */
async function signsOfLife(): Promise<number> {
  const client = new pg.Client(place.connection)
  await client.connect()
  const { rowCount } = await client.query(`
    select from pg_locks where locktype = 'advisory' and classid = 715002
      and database = (select oid from pg_database where datname = current_database())`)
  await client.end()
  return rowCount!
}

/** Starts a worker in its own process whose only job never ends. */
async function startDoomedWorker() {
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const script = `
    import { openClock } from ${url('../clock.ts')}
    import { openDatabase } from ${url('../db/database.ts')}
    import { createLog } from ${url('../log.ts')}
    import { createMetrics } from ${url('../metrics.ts')}
    import { startWorker } from ${url('./worker.ts')}
    const connection = JSON.parse(process.env.CONNECTION)
    const db = openDatabase(connection, { maxConnections: 4, onIdleError: () => {} })
    const hang = () => { console.log('busy'); return new Promise(() => {}) }
    const clock = await openClock(db)
    const clockWatch = { isWrong: () => false }
    const log = createLog('fatal')
    await startWorker(db, { hang }, {}, { concurrency: 1, clock, clockWatch, log, metrics: createMetrics() })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH, CONNECTION: JSON.stringify(place.connection) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const isBusy = new Promise<void>((resolve) => createInterface(child.stdout).once('line', () => resolve()))
  return {
    isBusy,
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
