import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sequenceNext } from '../../../packages/server/src/events/sequencer.ts'
import { maxRowsOfRound } from '../../../packages/server/src/events/sequencer-pace.ts'
import { isAwaitingChaining } from '../../../packages/server/src/finance/books/chain-checks.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import type { Database, Reader } from '../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { startTestApp } from '../../support/harness.ts'

// The attack, scaled down: one Space has a large backlog, and many other Spaces publish a little.
const backlog = 20_000
const otherSpaces = 200
const factsOfEach = 20

const t = await startTestApp({ work: false })
after(() => t.close())
const { db } = t.app.parts
const busy = await t.merchant()

/** Adds this number of session-created facts to each Space. */
const makeFacts = (spaceIds: string[], ofEach: number) =>
  db.query(sql`
    insert into event_facts (space_id, environment, id, object_type, object_id, data, at, types)
    select space_id, 'test', gen_random_uuid(), 'checkout_session', gen_random_uuid(), '{}', now(),
      '{checkout_session.created}'
    from unnest(${spaceIds}::uuid[]) spaces (space_id), generate_series(1, ${ofEach}::int)`)

/** Counts the rows that `work` reads in this transaction, by default of the backlog and of the chain's marks. */
async function countRead(
  tx: Reader,
  work: () => Promise<unknown>,
  tables = ['event_backlog', 'unchained'],
): Promise<number> {
  // The counts start at the connection's last report to the server, which happens only between transactions.
  const read = async () =>
    (
      await tx.only<{ rows: number }>(sql`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
        where relname = any(${tables})`)
    ).rows
  const before = await read()
  await work()
  return (await read()) - before
}

/** Wraps the database so that `watch` runs around the work of each transaction. */
const watched = (watch: (tx: Reader, work: () => Promise<void>) => Promise<void>): Database => ({
  ...db,
  transaction: (work, bounds) =>
    db.transaction(async (tx) => {
      let result: Awaited<ReturnType<typeof work>> | undefined
      await watch(tx, async () => {
        result = await work(tx)
      })
      return result as Awaited<ReturnType<typeof work>>
    }, bounds),
})

const fresh = { maxRows: maxRowsOfRound, isBacklogPaused: true }

await makeFacts([busy.scope.spaceId], backlog + maxRowsOfRound)
await sequenceNext(db, selectPostedLines, fresh)
await db.query(sql`
  insert into unchained (space_id, environment) select ${busy.scope.spaceId}, 'test' from generate_series(1, ${backlog}::int)`)
await db.query(sql`analyze event_backlog, unchained`)

test('publishing the events of a thousand Spaces reads no row of another Space’s backlog', async () => {
  const others = Array.from({ length: otherSpaces }, () => crypto.randomUUID())
  const { waiting } = await db.only<{ waiting: number }>(
    sql`select count(*)::int as waiting from event_backlog`,
  )
  assert.equal(waiting, backlog)
  await makeFacts(others, factsOfEach)
  let read = 0
  const watching = watched(async (tx, work) => {
    read += await countRead(tx, work)
  })
  await sequenceNext(watching, selectPostedLines, fresh)
  const { spaces, events } = await db.only<{ spaces: number; events: number }>(sql`
    select count(*)::int as spaces, sum(sequence)::int as events from event_counters
    where space_id = any(${others}::uuid[])`)
  assert.deepEqual([spaces, events], [otherSpaces, otherSpaces * factsOfEach])
  assert.ok(read <= otherSpaces, `${read} rows of the backlog were read`)
})

test('verifying the books finds a Space’s waiting rows without reading another Space’s', async () => {
  const others = Array.from({ length: otherSpaces }, () => crypto.randomUUID())
  await db.snapshot(async (tx) => {
    const read = await countRead(tx, async () => {
      const waits = await tx.query<{ waits: boolean }>(sql`
        select ${isAwaitingChaining(sql`account`)} as waits
        from (select space_id, 'test'::environment as environment from unnest(${others}::uuid[]) one (space_id)) account`)
      assert.ok(waits.every((one) => !one.waits))
    })
    assert.ok(read <= otherSpaces, `${read} rows of the backlog were read`)
  })
})

test('a round has a shorter timeout than other statements, so that a round that is too large is soon retried with fewer rows', async () => {
  const limitIn = async (tx: Reader) =>
    (
      await tx.only<{ ms: number }>(sql`
      select extract(epoch from current_setting('statement_timeout')::interval)::float8 * 1000 as ms`)
    ).ms
  await makeFacts([crypto.randomUUID()], 1)
  let ofRound = Number.POSITIVE_INFINITY
  const watching = watched(async (tx, work) => {
    await work()
    ofRound = await limitIn(tx)
  })
  await sequenceNext(watching, selectPostedLines, fresh)
  assert.equal(ofRound, 2_000)
  assert.ok(ofRound < (await limitIn(db)))
})

test('a round looks at a limited number of facts, even if none of them is new', async () => {
  const numbers = { maxRows: 100, isBacklogPaused: true }
  // As right after an outage: all facts have been read, but none counts as settled.
  await db.query(sql`update event_sequencer set settled = 0`)
  const tables = await db.query<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event_facts'::regclass`,
  )
  const { facts } = await db.only<{ facts: number }>(sql`select count(*)::int as facts from event_facts`)
  await makeFacts([crypto.randomUUID()], 1)
  const reads: number[] = []
  const watching = watched(async (tx, work) => {
    const names = tables.map(({ name }) => name)
    reads.push(await countRead(tx, work, names))
  })
  while ((await sequenceNext(watching, selectPostedLines, numbers)).isMore);
  const all = reads.reduce((sum, read) => sum + read, 0)
  assert.ok(all >= facts, `${all} of ${facts} facts were read`)
  assert.ok(Math.max(...reads) <= facts / 4, `rounds read ${reads} of ${facts} facts`)
  const { unsettled } = await db.only<{ unsettled: number }>(
    sql`select count(*)::int as unsettled from event_facts, event_sequencer where number > settled`,
  )
  assert.ok(unsettled <= 1, `${unsettled} facts are not settled`)
})

test('after a restore, backlog facts are looked up by number', async () => {
  // As after a dump, all rows have transaction ids far in the future, and none counts as settled.
  await db.query(sql`update event_facts set xid = (xid::text::bigint + 1000000000)::text::xid8`)
  await db.query(sql`
    update event_sequencer set told = '1000001000:1000001000:', mark_xid = '1000001000', settled = 0, mark = 0,
      telling = null, telling_after = 0`)
  const { facts } = await db.only<{ facts: number }>(sql`select count(*)::int as facts from event_facts`)
  let read = 0
  const watching = watched(async (tx, work) => {
    read += await countRead(tx, work)
  })
  await makeFacts([crypto.randomUUID()], 1)
  await sequenceNext(watching, selectPostedLines, fresh)
  assert.ok(read <= 2 * facts, `${read} rows of the backlog were read for ${facts} facts`)
  const { waiting } = await db.only<{ waiting: number }>(
    sql`select count(*)::int as waiting from event_backlog`,
  )
  assert.equal(waiting, backlog)
})
