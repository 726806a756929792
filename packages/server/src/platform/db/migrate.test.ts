import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { checkSchema, MigrationError, migrate, ownMigrations } from './migrate.ts'

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

  test('are numbered 1, 2, 3, … without gaps', () => {
    assert.deepEqual(
      ownMigrations().map(({ version }) => version),
      ownMigrations().map((_, i) => i + 1),
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
            select from pg_locks
            where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`)
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
        message: /is at migration 9999, but this release supports migrations only up to \d+/,
      })
    await place.client.query('delete from schema_migrations where version = 9999')
  })

  test('are refused if they changed after being applied', async () => {
    await place.client.query(`update schema_migrations set checksum = 'x' where version = 1`)
    for (const attempt of [() => migrate(place.connection), () => checkSchema(place.client)])
      await assert.rejects(attempt, { message: /^Migration 1 was applied with different content/ })
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
      const { client, connection, drop } = await emptyDatabase()
      await applyFirst(client, 4)
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

/** Applies the first migrations, as an earlier release did. */
async function applyFirst(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `create table schema_migrations (
       version integer primary key, name text not null, checksum text not null, applied_at timestamptz default now())`,
  )
  for (const { version, name, checksum, text } of ownMigrations().slice(0, count)) {
    await client.query(text)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      ...[version, name, checksum],
    ])
  }
}
