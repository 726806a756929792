import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { checkSchema, MigrationError, migrate, ownMigrations, readMigration } from './migrate.ts'

type Place = Awaited<ReturnType<typeof createTestDatabase>>
const names = ownMigrations().map(({ name }) => name)

/** Creates an empty database and a connection to it. */
async function emptyDatabase(): Promise<Place & { client: pg.Client }> {
  const place = await createTestDatabase()
  const client = new pg.Client(place.connection)
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  return { ...place, client }
}

describe('migrations', () => {
  let place: Place & { client: pg.Client }
  before(async () => {
    place = await emptyDatabase()
  })
  after(async () => {
    await place.client.end()
    await place.drop()
  })

  test('each have a number of their own', () => {
    const versions = ownMigrations().map(({ version }) => version)
    assert.deepEqual(
      versions,
      [...new Set(versions)].toSorted((a, b) => a - b),
    )
  })

  test('are missing at first, as the schema check reports', async () => {
    await assert.rejects(checkSchema(place.client), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, new RegExp(`is missing ${names.length} migration.*pesewa migrate`))
      return true
    })
  })

  test('are applied once each, however many programs start at once', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(place.connection)))
    assert.deepEqual(
      applied.toSorted((a, b) => b.length - a.length),
      [names, [], [], []],
    )
    await checkSchema(place.client)
  })

  test('wait for another program that is migrating', async () => {
    await place.client.query('select pg_advisory_lock(715001)')
    let isDone = false
    const second = migrate(place.connection).finally(() => (isDone = true))
    await until(
      async () =>
        (
          await place.client.query(`
            select from pg_stat_activity
            where datname = current_database() and state = 'idle' and query like 'select pg_try_advisory_lock%'`)
        ).rowCount === 1,
    )
    assert.equal(isDone, false)
    await place.client.query('select pg_advisory_unlock(715001)')
    assert.deepEqual(await second, [])
  })

  test('of a newer program are refused by both migrate and the schema check', async () => {
    await place.client.query(
      `insert into schema_migrations (version, name, checksum) values (9999, 'later', 'x')`,
    )
    for (const attempt of [() => migrate(place.connection), () => checkSchema(place.client)])
      await assert.rejects(attempt, {
        message:
          /is at migration 9999, which does not work with this release, whose newest is \d+; use a newer release/,
      })
    await place.client.query('delete from schema_migrations where version = 9999')
  })

  test('are refused if they changed after being applied', async () => {
    await place.client.query(`update schema_migrations set checksum = 'x' where version = 1`)
    for (const attempt of [() => migrate(place.connection), () => checkSchema(place.client)])
      await assert.rejects(attempt, { message: /^Migration 1 was applied with different content/ })
  })
})

const newest = ownMigrations().at(-1)?.version ?? 0

/** Returns a migration of a later release. */
const later = (version: number, text: string) => ({
  ...readMigration(version, text),
  name: `later-${version}`,
})

describe('migrations of a later release', () => {
  const expand = later(newest + 1, 'create table later_table (id integer);')
  const contract = later(
    newest + 2,
    `-- oldest release: ${String(newest + 1).padStart(4, '0')}\ndrop table later_table;`,
  )
  let place: Place & { client: pg.Client }
  before(async () => {
    place = await emptyDatabase()
    // As the release before this one did, which recorded nothing about other releases.
    await applyFirst(place, ownMigrations().length)
  })
  after(async () => {
    await place.client.end()
    await place.drop()
  })

  test('are accepted by releases that they work with, which also find nothing to migrate', async () => {
    await migrate(place.connection, [...ownMigrations(), expand])
    await checkSchema(place.client)
    assert.deepEqual(await migrate(place.connection), [])
  })

  test('that remove something are accepted by the release before, but not by earlier ones', async () => {
    await migrate(place.connection, [...ownMigrations(), expand, contract])
    await checkSchema(place.client, [...ownMigrations(), expand])
    for (const attempt of [() => migrate(place.connection), () => checkSchema(place.client)])
      await assert.rejects(attempt, {
        message: new RegExp(`is at migration ${newest + 2}, which does not work`),
      })
  })

  test('must declare the number of a migration', () => {
    assert.throws(() => readMigration(newest + 1, '-- oldest release: the last one'), /oldest release/)
  })

  test('do not hide a missing migration', async () => {
    const missing = later(newest + 3, 'select 1')
    const all = [...ownMigrations(), expand, contract, missing]
    await assert.rejects(checkSchema(place.client, all), /missing 1 migration/)
  })
})

describe('a migration without a transaction', () => {
  const index = 'create unique index concurrently if not exists later_index on brands (address);'
  const migration = later(newest + 1, `-- no transaction\n-- Finds brands.\n${index}\n`)
  let place: Place & { client: pg.Client }
  before(async () => {
    place = await createTestDatabase().then(async (created) => {
      const client = new pg.Client(created.connection)
      await client.connect()
      return { ...created, client }
    })
  })
  after(async () => {
    await place.client.end()
    await place.drop()
  })
  const isValid = async () =>
    (
      await place.client.query(
        `select indisvalid from pg_index where indexrelid = to_regclass('later_index')`,
      )
    ).rows[0]?.indisvalid

  test('that failed halfway is completed by the next attempt', async () => {
    const brand = (spaceId: string) =>
      place.client.query(
        `insert into brands (space_id, environment, address) values ('${spaceId}', 'test', 'the same')`,
      )
    await brand('00000000-0000-7000-8000-000000000001')
    await brand('00000000-0000-7000-8000-000000000002')
    const all = [...ownMigrations(), migration]
    await assert.rejects(migrate(place.connection, all), { code: '23505' })
    assert.equal(await isValid(), false)
    await assert.rejects(checkSchema(place.client, all), /missing 1 migration/)
    await place.client.query(`update brands set address = space_id::text`)
    assert.deepEqual(await migrate(place.connection, all), [migration.name])
    assert.equal(await isValid(), true)
    await checkSchema(place.client, all)
  })

  test('waits for transactions in progress, and neither blocks writers nor other programs that migrate', async () => {
    const all = [
      ...ownMigrations(),
      migration,
      later(newest + 2, migration.text.replaceAll('later_index', 'later_index_2')),
    ]
    await place.client.query('begin; update brands set address = address')
    const migrating = migrate(place.connection, all)
    const other = new pg.Client(place.connection)
    await other.connect()
    const waiting = () =>
      other.query(`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'create unique index concurrently%'`)
    await until(async () => (await waiting()).rowCount === 1)
    const second = migrate(place.connection, all)
    await other.query(`set lock_timeout = '5s'`)
    await other.query(`insert into brands (space_id, environment) values (gen_random_uuid(), 'test')`)
    await other.end()
    await place.client.query('commit')
    assert.deepEqual(await migrating, [`later-${newest + 2}`])
    assert.deepEqual(await second, [])
  })
})

describe('a migration that fails', () => {
  test('leaves no trace, and can be repeated', async () => {
    const { client, connection, drop } = await emptyDatabase()
    await client.query('create table fee_rules (in_the_way integer)')
    await assert.rejects(migrate(connection), /already exists/)
    const { rows } = await client.query('select name from schema_migrations order by version')
    const done = rows.map(({ name }) => name)
    assert.deepEqual(done, names.slice(0, done.length))
    assert.ok(done.length < names.length)
    assert.equal((await client.query(`select to_regclass('orders') as orders`)).rows[0].orders, null)
    await client.query('drop table fee_rules')
    assert.deepEqual(await migrate(connection), names.slice(done.length))
    await client.end()
    await drop()
  })
})

describe('a migration of a database in use', () => {
  // The first table is locked by a transaction of a node, which needs the second one next.
  for (const [held, next] of [
    ['checkout_sessions', 'payments'],
    ['refunds', 'payments'],
    ['financial_accounts', 'orders'],
  ] as const)
    test(`does not keep ${next} locked while it waits for ${held}`, async () => {
      const place = await emptyDatabase()
      const { client, connection, drop } = place
      await applyFirst(place, 4)
      await client.query(`begin; lock table ${held} in row exclusive mode; set local lock_timeout = '5s'`)
      const migrating = migrate(connection)
      await until(
        async () =>
          (await client.query(`select from pg_locks where relation = '${held}'::regclass and not granted`))
            .rowCount === 1,
      )
      await client.query(`lock table ${next} in row exclusive mode`)
      await client.query('commit')
      assert.deepEqual(await migrating, names.slice(4))
      await client.end()
      await drop()
    })
})

/** Applies the first migrations, and forgets which releases they work with, as an earlier release did. */
async function applyFirst({ client, connection }: Awaited<ReturnType<typeof emptyDatabase>>, count: number) {
  await migrate(connection, ownMigrations().slice(0, count))
  await client.query('alter table schema_migrations drop column oldest_release')
}
