import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { publish, publishing } from '../../../packages/server/src/events/events.ts'
import { retainEvents } from '../../../packages/server/src/events/partitions.ts'
import { sequenceNext } from '../../../packages/server/src/events/sequencer.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import { type Database, openDatabase } from '../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, type TestApp, type TestOptions, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'

const dayMs = 86_400_000
const retentionMs = 2 * dayMs

type Days = {
  t: TestApp
  db: Database
  /**
   * Advances a day: a new partition begins once all older facts are sequenced, and expired partitions are
   * dropped. `current` is the previous partition.
   */
  nextDay(current?: number): Promise<void>
  /** Does this once, whether or not a partition can begin; optionally on another connection. */
  retain(db?: Database): Promise<void>
  current(): Promise<number>
  /** Lists a table's partitions. */
  partitionsOf(parent: string): Promise<number[]>
  write(merchant: Merchant, name: string): Promise<void>
  /** Lists all events, newest first, page by page. */
  listAll(merchant: Merchant, query?: string): Promise<{ sequence: number; data: { name: string } }[]>
}

/** Creates a database in which `nextDay` advances the day. */
async function withDays(work: (days: Days) => Promise<void>, options: TestOptions = {}): Promise<void> {
  const t = await startTestApp(options)
  const { db, clock } = t.app.parts
  let nowMs = Date.now()
  const read = async (statement: string, values: unknown[] = []) =>
    (await db.pool.query(statement, values)).rows.map(({ value }) => value)
  const days: Days = {
    t,
    db,
    retain: (other = db) => retainEvents(other, retentionMs, new Date(nowMs)),
    async nextDay(current) {
      nowMs += dayMs
      const before = current ?? (await days.current())
      await until(async () => {
        await days.retain()
        return (await days.current()) === before + 1
      })
    },
    current: async () =>
      (await read('select max(number) as value from event_partitions where began_at is not null'))[0],
    partitionsOf: async (parent) =>
      (
        await read(
          'select inhrelid::regclass::text as value from pg_inherits where inhparent = $1::regclass',
          [parent],
        )
      )
        .map((name: string) => Number(name.split('_').at(-1)))
        .sort((a, b) => a - b),
    write: ({ scope }, name) => db.transaction((tx) => publish(tx, scope, happening(name, clock.now(scope)))),
    async listAll(merchant, query = '') {
      const events = []
      for (let after: string | undefined; ; ) {
        const { body } = await merchant.call(
          'GET',
          `/v1/events?limit=50${query}${after ? `&after=${after}` : ''}`,
        )
        events.push(...body.result)
        after = body.pagination.next
        if (!after) return events
      }
    },
  }
  try {
    await work(days)
  } finally {
    await t.close()
  }
}

const happening = (name: string, at = new Date()) => ({
  types: ['checkout_session.created'] as const,
  objectId: randomUUID(),
  data: { name },
  at,
})
const namesOf = (events: { data: { name: string } }[]) => events.map(({ data }) => data.name)
const sequencesOf = (events: { sequence: number }[]) => events.map(({ sequence }) => sequence)
/** Returns the numbers from `from` down to `to`. */
const downTo = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)
const untilListed = (days: Days, merchant: Merchant, name: string) =>
  until(async () => namesOf(await days.listAll(merchant)).includes(name))

/** Writes, reads and counts slowly in endless loops; anything that waits half a second for a lock fails. */
function keepBusy({ t }: Days, merchant: Merchant) {
  const db = openDatabase(t.database.connection, {
    maxConnections: 8,
    lockTimeoutMs: 500,
    onIdleError: () => {},
  })
  let isBusy = true
  let written = 0
  const repeat = async (work: () => Promise<unknown>) => {
    while (isBusy) await work()
  }
  const write = () =>
    db.transaction(async (tx) => {
      for (let i = 0; i < 2; i++) {
        await publish(tx, merchant.scope, happening(`${written}`))
        await tx.query(sql`select pg_sleep(0.003)`)
      }
    })
  const count = async () => {
    await write()
    written += 2
  }
  const read = async () => {
    const { body } = await merchant.call('GET', '/v1/events?limit=50')
    const newest = body.result[0]?.sequence ?? 0
    assert.deepEqual(sequencesOf(body.result), downTo(newest, newest - body.result.length + 1))
  }
  // As the sequencer does if there are endpoints.
  const deliver = () =>
    db.pool.query(`
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, created_at)
      select space_id, environment, gen_random_uuid(), gen_random_uuid(), position, 'delivered', at
      from sequenced_facts order by position desc limit 1`)
  // A table that is still being read is not dropped, and dropping it must not block anything else.
  const readSlowly = () =>
    db.snapshot(async (reader) => {
      for (const table of [sql`sequenced_facts`, sql`event_facts`, sql`webhook_deliveries`])
        await reader.query(sql`select count(*) from ${table}`)
      await reader.query(sql`select pg_sleep(0.7)`)
    })
  const all = Promise.all([count, count, count, count, read, deliver, readSlowly].map(repeat))
  return {
    written: () => written,
    failed: all.then(() => {}),
    async stop() {
      isBusy = false
      await all
      await db.close()
    },
  }
}

test('partitions begin and are dropped during reads and writes, without blocking or losing anything', () =>
  withDays(async (days) => {
    const merchant = await days.t.merchant()
    const { written, failed, stop } = keepBusy(days, merchant)
    const pass = async () => {
      for (let day = 0; day < 5; day++) {
        const before = written()
        await days.nextDay()
        await until(() => written() > before)
      }
    }
    await Promise.race([pass(), failed]).finally(stop)

    assert.equal(await days.current(), 5)
    assert.deepEqual(await days.partitionsOf('sequenced_facts'), [3, 4, 5, 6])
    assert.deepEqual(await days.partitionsOf('webhook_deliveries'), [3, 4, 5, 6])
    assert.deepEqual(await days.partitionsOf('event_facts'), [2, 3, 4, 5, 6])
    const newest = async () => (await merchant.call('GET', '/v1/events?limit=1')).body.result[0].sequence
    await until(async () => (await newest()) === written())
    const events = await days.listAll(merchant)
    const oldest = events.at(-1)!.sequence
    assert.ok(oldest > 1 && oldest < written())
    assert.deepEqual(sequencesOf(events), downTo(written(), oldest))
    const { rows } = await days.db.pool.query('select sum(count)::int as count from sequenced_facts')
    assert.equal(rows[0].count, events.length)
  }))

test('lists continue across partitions, including lists by type, by object and since a time', () =>
  withDays(async (days) => {
    const merchant = await days.t.merchant()
    for (let day = 0; day < 3; day++) {
      for (let i = 0; i < 30; i++) await days.write(merchant, `${day}.${i}`)
      await untilListed(days, merchant, `${day}.29`)
      if (day < 2) await days.nextDay()
    }
    const all = await days.listAll(merchant)
    assert.deepEqual(sequencesOf(all), downTo(90, 1))
    assert.deepEqual(await days.listAll(merchant, '&type=checkout_session.created'), all)
    const middle = all[44] as unknown as { timestamp: string; object: { id: string } }
    const since = await days.listAll(merchant, `&since=${middle.timestamp}`)
    assert.deepEqual(since, all.slice(0, since.length))
    assert.ok(since.length >= 45 && since.length < 90)
    assert.deepEqual(await days.listAll(merchant, `&objectId=${middle.object.id}`), [middle])
  }))

test('a request repeated after days gets the same response', () =>
  withDays(async (days) => {
    const merchant = await days.t.merchant()
    const source = await fund(days.t.app.parts, merchant.scope, 1_000)
    const account = { name: 'Rent', currency: 'SLE' }
    const destination = (await merchant.call('POST', '/v1/financial-accounts', account)).body.result.id
    const move = () =>
      merchant.call(
        'POST',
        '/v1/internal-transfers',
        {
          amount: { currency: 'SLE', value: 300 },
          sourceFinancialAccount: { id: source },
          destinationFinancialAccount: { id: destination },
        },
        { 'idempotency-key': 'once' },
      )
    const first = await move()
    await days.nextDay()
    const second = await move()
    assert.equal(second.headers.get('service-idempotent-replay'), 'true')
    assert.deepEqual(second.body, first.body)
  }))

test('facts are kept as long as their events, even if the events are in the next partition', () =>
  withDays(async (days) => {
    const { db, t } = days
    const merchant = await t.merchant()
    await days.write(merchant, 'before')
    await untilListed(days, merchant, 'before')
    const mayEnd = Promise.withResolvers<void>()
    const slow = db.transaction(async (tx) => {
      const { data, ...event } = happening('slow')
      const fact = { ...event, scope: merchant.scope, id: newId(event.at), json: JSON.stringify(data) }
      await tx.run(publishing([fact]))
      await mayEnd.promise
    })
    await until(
      async () =>
        (await db.one<{ last: bigint }>(sql`select last_value as last from event_numbers`))!.last > 1n,
    )
    await days.nextDay()
    mayEnd.resolve()
    await slow
    for (let day = 1; day < 3; day++) {
      await untilListed(days, merchant, 'slow')
      await days.write(merchant, `on day ${day}`)
      await untilListed(days, merchant, `on day ${day}`)
      await days.nextDay()
    }
    // The events of day 0 are gone, but its facts are not.
    assert.deepEqual(await days.partitionsOf('sequenced_facts'), [1, 2, 3, 4])
    assert.deepEqual(await days.partitionsOf('event_facts'), [0, 1, 2, 3, 4])
    assert.deepEqual(namesOf(await days.listAll(merchant)), ['on day 2', 'on day 1', 'slow'])
    await days.write(merchant, 'on day 3')
    await untilListed(days, merchant, 'on day 3')
    await days.nextDay()
    assert.deepEqual(namesOf(await days.listAll(merchant)), ['on day 3', 'on day 2'])
    assert.deepEqual(await days.partitionsOf('event_facts'), [1, 2, 3, 4, 5])
  }))

test('a partition without events, or with unsequenced facts, stays current', () =>
  withDays(
    async (days) => {
      const { db } = days
      const merchant = await days.t.merchant()
      const sequenceAll = async () => {
        for (let i = 0; i < 4; i++) await sequenceNext(db, selectPostedLines)
      }
      await days.write(merchant, 'first')
      await sequenceAll()
      await days.nextDay()
      await days.write(merchant, 'second')
      const later = (days: number) => new Date(Date.now() + days * dayMs)
      // All activity on the server, even in other databases, affects when facts count as sequenced.
      const begins = (number: number, after: number) =>
        until(async () => {
          await sequenceAll()
          await retainEvents(db, retentionMs, later(after))
          return (await days.current()) === number
        })
      // Partition 1 has no events.
      await retainEvents(db, retentionMs, later(3))
      assert.equal(await days.current(), 1)
      await sequenceAll()
      // It is less than a day old.
      await retainEvents(db, retentionMs, later(1))
      assert.equal(await days.current(), 1)
      await begins(2, 3)
      // The facts of partition 1 do not count as sequenced yet.
      await db.transaction((tx) => tx.run(sql`update event_sequencer set position = position + 1`))
      await retainEvents(db, retentionMs, later(5))
      assert.equal(await days.current(), 2)
      await begins(3, 5)
      // Partition 2 still has a fact in the backlog.
      for (const name of ['third', 'fourth', 'fifth']) await days.write(merchant, name)
      await sequenceNext(db, selectPostedLines, { maxRows: 1, isBacklogPaused: true })
      await db.transaction((tx) =>
        tx.run(sql`update event_backlog set fact_number = event_partition_start(3) - 1`),
      )
      for (let i = 0; i < 4; i++)
        await sequenceNext(db, selectPostedLines, { maxRows: 1, isBacklogPaused: true })
      await retainEvents(db, retentionMs, later(7))
      assert.equal(await days.current(), 3)
    },
    { work: false },
  ))

test('concurrent nodes create and drop partitions once', () =>
  withDays(async (days) => {
    const other = await startTestApp({ anotherNodeOf: days.t })
    const merchant = await days.t.merchant()
    for (let day = 0; day < 5; day++) {
      await days.write(merchant, `${day}`)
      await untilListed(days, merchant, `${day}`)
      await Promise.all([days.nextDay(day), days.retain(other.app.parts.db), days.retain()])
      assert.equal(await days.current(), day + 1)
    }
    assert.deepEqual(await days.partitionsOf('sequenced_facts'), [3, 4, 5, 6])
    await other.close()
  }))

test('an interrupted run is finished by the next one, even after moved numbers or a half-detached table', () =>
  withDays(async (days) => {
    const { db, t } = days
    const merchant = await t.merchant()
    const pass = async (name: string) => {
      await days.write(merchant, name)
      await untilListed(days, merchant, name)
      await days.nextDay()
    }
    // As if the first attempt had been interrupted before its commit.
    await db.pool.query(`select setval('event_numbers', event_partition_start(1) - 1)`)
    await pass('first')
    await pass('second')
    await days.write(merchant, 'third')
    await untilListed(days, merchant, 'third')

    const reader = new pg.Client(t.database.connection)
    await reader.connect()
    await reader.query('begin')
    await reader.query('select count(*) from sequenced_facts')
    const detaching = assert.rejects(days.nextDay())
    const isWaiting = `query like 'alter table sequenced_facts detach%' and wait_event_type = 'Lock'`
    await until(async () => (await db.pool.query(`select from pg_stat_activity where ${isWaiting}`)).rowCount)
    await days.write(merchant, 'meanwhile')
    await untilListed(days, merchant, 'meanwhile')
    await db.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${isWaiting}`)
    await detaching
    const pending = 'select inhrelid::regclass::text as name from pg_inherits where inhdetachpending'
    assert.deepEqual((await db.pool.query(pending)).rows, [{ name: 'sequenced_facts_0' }])
    assert.deepEqual(namesOf(await days.listAll(merchant)), ['meanwhile', 'third', 'second'])
    await reader.query('commit')
    await reader.end()

    // The next partition may not have been due earlier, because other activity on the server affects which
    // facts are settled.
    await until(async () => {
      await days.retain()
      return (await days.partitionsOf('sequenced_facts')).join() === '1,2,3,4'
    })
    assert.equal((await db.pool.query(pending)).rowCount, 0)
    assert.deepEqual(await days.partitionsOf('webhook_deliveries'), [1, 2, 3, 4])
    assert.equal((await db.pool.query(`select to_regclass('events_0') as name`)).rows[0].name, null)
    await days.write(merchant, 'last')
    await untilListed(days, merchant, 'last')
    assert.deepEqual(sequencesOf(await days.listAll(merchant)), [5, 4, 3, 2])
  }))
