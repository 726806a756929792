import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, migrateOnlyTo } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { newId } from '../ids.ts'
import { migrate } from './migrate.ts'
import { makeMonths, prepareDatabase } from './months.ts'

/** The newest migration before tables were divided. */
const undivided = 18
const dayMs = 86_400_000
const spaceId = '00000000-0000-7000-8000-000000000001'

type Place = Awaited<ReturnType<typeof createTestDatabase>> & { client: pg.Client }

async function open(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Inserts an audit entry with an id of this time. */
const insert = (client: pg.Client, at: Date, environment = 'live') =>
  client.query(
    `insert into audit_entries (space_id, environment, id, at, actor, action, object_type, object_id, reason, details)
     values ($1, $2, $3, $4, 'a', 'b', 'c', $1, 'd', '{}')`,
    [spaceId, environment, newId(at), at],
  )

/** Returns the number of rows in each partition that has any. */
async function rowsByPartition(client: pg.Client, table = 'audit_entries'): Promise<Record<string, number>> {
  const { rows } = await client.query(
    `select tableoid::regclass::text as part, count(*)::int as rows from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ part, rows }) => [part, rows]))
}

const monthOf = (at: Date) => at.toISOString().slice(0, 'yyyy-mm'.length).replace('-', '_')

describe('dividing tables in use', () => {
  const [now, ahead] = [new Date(), new Date(Date.now() + 400 * dayMs)]
  let place: Place
  beforeEach(async (t) => {
    const database = await createTestDatabase()
    const client = await open(database.connection)
    await migrateOnlyTo(client, undivided)
    for (let i = 0; i < 5; i++) await insert(client, new Date(now.getTime() - i * 40 * dayMs))
    await insert(client, ahead, 'test')
    await client.query('analyze audit_entries')
    place = { ...database, client }
    // `beforeEach` receives the context of the test.
    ;(t as unknown as { after(end: () => Promise<void>): void }).after(async () => {
      await client.end()
      await database.drop()
    })
  })

  test('leaves rows where they are, except those of clocks that are ahead, and reports its progress', async () => {
    const { client, connection } = place
    const { rows } = await client.query(
      `select oid, relfilenode from pg_class where oid = 'audit_entries'::regclass`,
    )
    const reports: string[] = []
    await prepareDatabase(connection, (progress) => reports.push(progress))
    assert.deepEqual(reports, [
      'audit_entries: dividing about 6 rows by month',
      'audit_entries: divided by month',
    ])
    assert.deepEqual(await rowsByPartition(client), { audit_entries_after: 1, audit_entries_before: 5 })
    const { rows: kept } = await client.query(
      `select oid, relfilenode from pg_class where oid = 'audit_entries_before'::regclass`,
    )
    assert.deepEqual(kept, rows)
  })

  test('lets transactions that use a table end first, and others go on meanwhile', async () => {
    const { client, connection } = place
    const [reader, watcher] = await Promise.all([open(connection), open(connection)])
    await reader.query('begin; select from audit_entries')
    const migrating = migrate(connection)
    await until(
      async () =>
        (
          await watcher.query(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          )
        ).rowCount === 1,
    )
    await client.query(`set lock_timeout = '5s'`)
    for (let i = 0; i < 20; i++) await insert(client, now)
    await reader.query('commit')
    await migrating
    assert.equal((await rowsByPartition(client)).audit_entries_before, 25)
    await Promise.all([reader.end(), watcher.end()])
  })

  test('continues after an interruption; until then, ids after the bound are refused as unavailable', async () => {
    const { client, connection } = place
    await client.query('create table audit_entries_before ()')
    await assert.rejects(migrate(connection), /audit_entries_before/)
    await assert.rejects(insert(client, ahead, 'test'), { code: '57P03' })
    await insert(client, now)
    assert.equal((await client.query('select from audit_entries')).rowCount, 7)
    await client.query('drop table audit_entries_before')
    await migrate(connection)
    await insert(client, ahead, 'test')
    assert.deepEqual(await rowsByPartition(client), { audit_entries_after: 2, audit_entries_before: 6 })
  })
})

describe('months', () => {
  let place: Place
  before(async () => {
    const database = await createTestDatabase({ template: 'pesewa_schema' })
    place = { ...database, client: await open(database.connection) }
  })
  after(async () => {
    await place.client.end()
    await place.drop()
  })
  const now = new Date('2030-05-31T23:59:59.999Z')

  test('are created for the current and the next two months, before and after which rows have a place, too', async () => {
    const { client } = place
    await makeMonths(client, now)
    const times = ['2029-12-31', '2030-04-30', '2030-05-01', '2030-07-31', '2030-08-01', '2031-01-01']
    for (const time of times) await insert(client, new Date(`${time}T12:00:00Z`), 'test')
    assert.deepEqual(await rowsByPartition(client), {
      audit_entries_2030_05: 1,
      audit_entries_2030_07: 1,
      audit_entries_after: 2,
      audit_entries_before: 2,
    })
  })

  test('take over the rows of clocks that were ahead, which stay append-only', async () => {
    const { client } = place
    const later = new Date('2030-06-01T00:00:00Z')
    await makeMonths(client, later)
    await makeMonths(client, later)
    const rows = await rowsByPartition(client)
    assert.equal(rows[`audit_entries_${monthOf(new Date('2030-08-01T00:00:00Z'))}`], 1)
    assert.equal(rows.audit_entries_after, 1)
    for (const name of ['audit_entries', ...Object.keys(rows)])
      await assert.rejects(client.query(`delete from ${name}`), /append only/)
  })

  test('are created later if a transaction uses the table, and it is not blocked meanwhile', async () => {
    const { client, connection } = place
    const reader = await open(connection)
    await reader.query('begin; select from ledger_lines')
    const other = await open(connection)
    const making = makeMonths(other, new Date('2030-07-01T00:00:00Z'))
    const end = `select months_end('ledger_lines')::text as "end"`
    await client.query(`set lock_timeout = '5s'`)
    // The months of tables earlier in the alphabet have been created.
    await until(
      async () =>
        (await client.query(`select months_end('internal_transfers') = '2030-10-01' as is_done`)).rows[0]
          .is_done,
    )
    for (let i = 0; i < 20; i++) await client.query('select from ledger_lines')
    assert.equal((await client.query(end)).rows[0].end, '2030-09-01')
    await reader.query('commit')
    await making
    assert.equal((await client.query(end)).rows[0].end, '2030-10-01')
    await Promise.all([reader.end(), other.end()])
  })

  test('have the indexes, keys and options of their table', async () => {
    const { rows } = await place.client.query(
      `select parent.relname as name, part.relname as part, string_agg(replace(pg_get_indexdef(indexrelid), part.relname, parent.relname), e'\\n' order by indexrelid::regclass::text) as indexes,
        (select string_agg(attname || attoptions::text, ' ' order by attname) from pg_attribute where attrelid = part.oid) as options
       from pg_inherits join pg_class parent on parent.oid = inhparent join pg_class part on part.oid = inhrelid
       join pg_index on indrelid = part.oid
       where to_regclass(parent.relname || '_after') is not null and part.relkind = 'r'
       group by parent.relname, part.relname, part.oid order by 1, 2`,
    )
    for (const [name, parts] of Map.groupBy(rows, ({ name }) => name)) {
      assert.equal(parts.length, 7, name)
      assert.equal(new Set(parts.map(({ indexes }) => indexes)).size, 1, name)
      assert.equal(new Set(parts.map(({ options }) => options)).size, 1, name)
    }
  })
})
