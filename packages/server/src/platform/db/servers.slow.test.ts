import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { until } from '../../../../../test/support/harness.ts'
import {
  type ClusterServer,
  listOf,
  openAddress,
  startCluster,
} from '../../../../../test/support/postgres-cluster.ts'
import { Refusal } from '../refusals.ts'
import { type Database, openDatabase } from './database.ts'
import { connectionOf, createClient, UnconnectedError } from './servers.ts'
import { sql } from './sql.ts'

let cluster: Awaited<ReturnType<typeof startCluster>> | undefined
let primary: ClusterServer
let standby: ClusterServer
const opened: { close(): unknown }[] = []

async function openCluster() {
  await cluster?.close()
  // Every commit waits for the standby, so none can be lost.
  cluster = await startCluster({ synchronous_standby_names: '*' })
  primary = cluster.first
  standby = cluster.second
  await primary.ask('create table notes (id integer primary key)')
}

before(openCluster)
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
after(() => cluster?.close())

function open(...servers: { host: string; port: number }[]): Database {
  const db = openDatabase(connectionOf(listOf(...servers)), { maxConnections: 8, onIdleError: () => {} })
  opened.push(db)
  return db
}

async function address(target: ClusterServer) {
  const proxy = await openAddress(target)
  opened.push(proxy)
  return proxy
}

const note = (id: number) => sql`insert into notes (id) values (${id})`

/** Writes until `ended` is called, and returns what was acknowledged. All failures must be refusals. */
function writeAllTheTime(db: Database) {
  const acknowledged: number[] = []
  const failures: unknown[] = []
  let isOver = false
  let nextId = 100
  const writer = async () => {
    while (!isOver) {
      const id = ++nextId
      try {
        await db.transaction((tx) => tx.run(note(id)))
        acknowledged.push(id)
      } catch (error) {
        failures.push(error)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
  const writers = Array.from({ length: 12 }, writer)
  return {
    acknowledged,
    failures,
    async end() {
      isOver = true
      await Promise.all(writers)
    },
  }
}

const isRefusal = (error: unknown) => error instanceof Refusal && error.reason === 'service_unavailable'

/** Waits until the writes reach a new primary, and checks that nothing acknowledged is missing there. */
async function assertFollowed(
  writes: ReturnType<typeof writeAllTheTime>,
  promoted: ClusterServer,
  t: { diagnostic(line: string): void },
) {
  const promotedAt = performance.now()
  const before = writes.acknowledged.length
  await until(() => writes.acknowledged.length > before)
  t.diagnostic(`writes again ${Math.round(performance.now() - promotedAt)} ms after the promotion`)
  await until(() => writes.acknowledged.length > before + 50)
  await writes.end()
  assert.deepEqual(
    writes.failures.filter((error) => !isRefusal(error)),
    [],
  )
  const kept = new Set((await promoted.ask<{ id: number }>('select id from notes')).map(({ id }) => id))
  assert.deepEqual(
    writes.acknowledged.filter((id) => !kept.has(id)),
    [],
  )
}

test('an address that leads to a standby now is left with all idle connections', async () => {
  const moving = await address(primary)
  const db = open(moving)
  await Promise.all([1, 2, 3].map((id) => db.transaction((tx) => tx.run(note(id)))))
  moving.moveTo(standby)
  // All connections of the pool lead to the standby.
  await until(async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => db.one(sql`select pg_sleep(0.02)`)),
    )
    return answers.every(({ status }) => status === 'fulfilled')
  })
  await assert.rejects(
    db.transaction((tx) => tx.run(note(4))),
    isRefusal,
  )
  await until(() => db.pool.idleCount === 0)
})

describe('a list of hosts', () => {
  test('leads to the primary, in whatever order and whatever else is in it', async () => {
    const gone = await address(primary)
    gone.vanish()
    const closed = { host: '127.0.0.1', port: 1 }
    for (const hosts of [
      [primary, standby],
      [standby, primary],
      [closed, gone, standby, primary],
    ]) {
      const db = open(...hosts)
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          db.one<{ isStandby: boolean }>(sql`
          select pg_is_in_recovery() as is_standby, pg_sleep(0.05)`),
        ),
      )
      assert.ok(answers.every((answer) => answer?.isStandby === false))
    }
  })

  test('names the state of each host if none is the primary, and never the password', async () => {
    const client = createClient(connectionOf(listOf(standby, { host: '127.0.0.1', port: 1 })))
    await assert.rejects(client.connect(), (error) => {
      assert.ok(error instanceof UnconnectedError)
      assert.equal(
        error.message,
        `none of the hosts is the primary (127.0.0.1:${standby.port}: is a standby, 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1)`,
      )
      return true
    })
  })

  test('is followed to a promoted standby when the primary dies, and no acknowledged write is lost', async (t) => {
    const db = open(primary, standby)
    const heard: (string | undefined)[] = []
    await db.onWake('a', (about) => heard.push(about))
    const writes = writeAllTheTime(db)
    await until(() => writes.acknowledged.length > 50)
    await primary.kill()
    await standby.promote()
    await assertFollowed(writes, standby, t)
    heard.length = 0
    // The listener is connected to the new primary.
    await until(async () => {
      await standby.ask(`select pg_notify('pesewa', '{"node":1,"wakes":[["a",["from there"]]]}')`)
      return heard.includes('from there')
    })
  })

  test('is followed when the primary vanishes without closing its connections', async (t) => {
    await openCluster()
    const [here, there] = [await address(primary), await address(standby)]
    const db = open(here, there)
    await db.onWake('a', () => {})
    const writes = writeAllTheTime(db)
    await until(() => writes.acknowledged.length > 50)
    here.vanish()
    await primary.kill()
    await standby.promote()
    await assertFollowed(writes, standby, t)
  })
})
