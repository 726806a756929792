import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '@pesewa/values'
import { until } from '../../../../../test/support/harness.ts'
import { listOf, openAddress, startCluster } from '../../../../../test/support/postgres-cluster.ts'
import { type Database, openDatabase } from './database.ts'
import { type Connection, urlsOf } from './servers.ts'
import { sql } from './sql.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
let address: Awaited<ReturnType<typeof openAddress>>
/** Two nodes that read from the standby, and one that does not. */
let [one, other, plain]: Database[] = []

before(async () => {
  cluster = await startCluster()
  address = await openAddress(cluster.second)
  await cluster.first.ask('create table notes (id integer primary key)')
  const open = (connection: Connection) =>
    openDatabase({ ...cluster.first.connection, ...connection }, { maxConnections: 6, onIdleError: () => {} })
  const replicas = urlsOf(listOf(address))
  ;[one, other, plain] = [open({ replicas }), open({ replicas }), open({})]
})
after(async () => {
  for (const db of [one, other, plain]) await db?.close()
  address.close()
  await cluster.close()
})

const note = (id: number) => sql`insert into notes (id) values (${id})`
const isStandby = sql<[]>`select pg_is_in_recovery() as is_standby`
const readsStandby = async (db: Database) =>
  (await db.fromReplicas(() => db.only<{ isStandby: boolean }>(isStandby))).isStandby
const countsOf = (db: Database) => must(db.replicas, 'replicas').counts
let nextId = 0

/** Commits on one node, then reads on the other, which must see it. */
async function writeAndRead(): Promise<void> {
  const id = ++nextId
  await one!.transaction((tx) => tx.run(note(id)))
  const [found, counted] = await other!.fromReplicas(() =>
    Promise.all([
      other!.one(sql`select id from notes where id = ${id}`),
      other!.snapshot((reader) => reader.only<{ count: bigint }>(sql`select count(*) from notes`)),
    ]),
  )
  assert.deepEqual([found, counted], [{ id }, { count: BigInt(id) }])
}

test('reads use the standby only within fromReplicas, and never if none is configured', async () => {
  await until(() => readsStandby(one!))
  assert.equal((await one!.only<{ isStandby: boolean }>(isStandby)).isStandby, false)
  assert.equal(
    (await one!.fromReplicas(() => one!.primary.only<{ isStandby: boolean }>(isStandby))).isStandby,
    false,
  )
  assert.equal(await readsStandby(plain!), false)
  assert.equal(plain!.replicas, undefined)
})

test('a read on one node sees what another node committed before, whatever the standby has replayed', async (t) => {
  for (let i = 0; i < 100; i++) await writeAndRead()
  t.diagnostic(`while replaying: ${JSON.stringify(countsOf(other!))}`)
  assert.ok(countsOf(other!).replica > 100)
  await cluster.second.ask('select pg_wal_replay_pause()')
  await until(
    async () =>
      (await cluster.second.ask<{ state: string }>('select pg_get_wal_replay_pause_state() as state'))[0]
        ?.state === 'paused',
  )
  const before = countsOf(other!).replica
  for (let i = 0; i < 20; i++) await writeAndRead()
  assert.equal(countsOf(other!).replica, before)
  const [state] = await must(other!.replicas, 'replicas').states()
  assert.ok(state!.lagBytes! > 0)
  assert.equal(state!.problem, 'is catching up')
  await cluster.second.ask('select pg_wal_replay_resume()')
  await until(() => readsStandby(other!))
  await writeAndRead()
})

test('a read that conflicts with recovery is answered by the primary', async () => {
  await cluster.second.ask('alter system set max_standby_streaming_delay = 0')
  await cluster.second.ask('select pg_reload_conf()')
  for (const read of [
    () => other!.query(sql`select count(*) + 0 as n, pg_sleep(2) from notes`),
    () => other!.snapshot((reader) => reader.query(sql`select count(*) + 1 as n, pg_sleep(2) from notes`)),
  ]) {
    await until(() => readsStandby(other!))
    const before = countsOf(other!).primary
    const reading = other!.fromReplicas(read)
    await until(
      async () =>
        (
          await cluster.second.ask(
            `select from pg_stat_activity where query like '%pg_sleep(2)%' and pid <> pg_backend_pid() and state = 'active'`,
          )
        ).length > 0,
    )
    await cluster.first.ask('alter table notes add column text text; alter table notes drop column text')
    assert.equal((await reading).length, 1)
    assert.equal(countsOf(other!).primary, before + 1)
  }
})

test('what a standby cannot run is run by the primary', async () => {
  const rows = await one!.fromReplicas(() => one!.query(sql`select id from notes where id = 1 for update`))
  assert.deepEqual(rows, [{ id: 1 }])
})

test('several connections share a snapshot of the standby, and begin again if it fails', async () => {
  let opened = 0
  const work = () => {
    opened++
    return async (reader: { query(statement: typeof isStandby): Promise<unknown> }) => {
      await reader.query(isStandby)
      if (opened === 1) throw Object.assign(new Error('canceled'), { code: '40001' })
    }
  }
  await until(() => readsStandby(one!))
  await one!.fromReplicas(() => one!.snapshots(2, work))
  assert.equal(opened, 2)
})

test('a standby that vanishes, is promoted or dies answers no reads, and no read fails', async () => {
  await until(() => readsStandby(other!))
  address.vanish()
  for (let i = 0; i < 5; i++) await writeAndRead()
  await cluster.second.promote()
  // A different address, because the vanished one stays away.
  const promoted = openDatabase(
    { ...cluster.first.connection, replicas: urlsOf(listOf(cluster.second)) },
    { maxConnections: 2, onIdleError: () => {} },
  )
  assert.equal((await must(promoted.replicas, 'replicas').states())[0]?.problem, 'is not a standby')
  const id = ++nextId
  await one!.transaction((tx) => tx.run(note(id)))
  const read = () => promoted.fromReplicas(() => promoted.one(sql`select id from notes where id = ${id}`))
  assert.deepEqual(await read(), { id })
  await cluster.second.kill()
  assert.deepEqual(await read(), { id })
  await promoted.close()
})
