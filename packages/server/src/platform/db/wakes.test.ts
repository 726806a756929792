import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { type Database, openDatabase } from './database.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let [one, other]: Database[] = []
/** Listens like a third node. */
let witness: pg.Client
const sent: { pid: number; payload: string }[] = []

const open = () => openDatabase(place.connection, { maxConnections: 4, onIdleError: () => {} })

before(async () => {
  place = await createTestDatabase()
  witness = new pg.Client(place.connection)
  witness.on('notification', ({ processId, payload }) => sent.push({ pid: processId, payload: payload! }))
  await witness.connect()
  await witness.query('listen pesewa')
})
after(async () => {
  await witness.end()
  await place.drop()
})

/** Records what each listener of a channel receives. */
async function follow(db: Database, channel: string) {
  const received: (string | undefined)[] = []
  await db.onWake(channel, (about) => received.push(about))
  received.length = 0
  return received
}

test('a single node wakes itself immediately, and sends only its greeting', async () => {
  const db = open()
  const received = await follow(db, 'a')
  for (let i = 0; i < 100; i++) db.wake('a', `${i}`)
  assert.equal(received.length, 100)
  await witness.query('select pg_sleep(0.05)')
  assert.deepEqual(
    sent.map(({ payload }) => JSON.parse(payload)),
    [{ node: db.node, wakes: [], isGreeting: true }],
  )
  await db.close()
})

test('two nodes wake each other once per change, with at most one notification in ten milliseconds', async (t) => {
  ;[one, other] = [open(), open()]
  const [here, there] = [await follow(one!, 'a'), await follow(other!, 'a')]
  // The greeting, and the reply to it.
  await until(() => {
    one!.wake('a', 'are you there')
    return there.includes('are you there')
  })
  sent.length = 0
  const startedAt = performance.now()
  const count = 1_000
  for (let i = 0; i < count; i++) {
    await one!.transaction(async (tx) => tx.wake('a', `${i}`))
    if (i % 3 === 0) one!.wake('b')
  }
  await until(() => there.includes(`${count - 1}`))
  const tookMs = performance.now() - startedAt
  const numbers = (received: typeof here) => received.map(Number).filter((number) => !Number.isNaN(number))
  assert.deepEqual(numbers(here), [...Array(count).keys()])
  assert.deepEqual(numbers(there), [...Array(count).keys()])
  t.diagnostic(`${count} commits in ${Math.round(tookMs)} ms: ${sent.length} notifications`)
  assert.ok(sent.length <= tookMs / 10 + 2, `${sent.length} notifications in ${tookMs} ms`)
})

test('other nodes receive a new node’s wakes from the start', async () => {
  const received = await follow(one!, 'new')
  const third = open()
  await third.onWake('new', () => {})
  await until(() => {
    third.wake('new', 'third')
    return received.includes('third')
  })
  await third.close()
})

test('another node receives every wake, by name or as a general one, and nothing else', async () => {
  const channels = ['p', 'q', 'r']
  const received = new Map<string, (string | undefined)[]>()
  for (const channel of channels) received.set(channel, await follow(other!, channel))
  const end = await follow(other!, 'end')
  let round = 0
  const about = fc.option(fc.string({ unit: 'grapheme', maxLength: 600 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...channels), about, fc.boolean()), { maxLength: 40 }),
      async (wakes) => {
        for (const all of received.values()) all.length = 0
        for (const [channel, what, isOwnTurn] of wakes) {
          one!.wake(channel, what)
          if (isOwnTurn) await new Promise((resolve) => setImmediate(resolve))
        }
        const name = `${++round}`
        one!.wake('end', name)
        // If not everything could be named, this channel's changes were not named either.
        await until(() => end.includes(name) || end.includes(undefined))
        end.length = 0
        for (const [channel, all] of received) {
          const woken = wakes.filter(([one]) => one === channel).map(([, what]) => what)
          for (const what of woken) assert.ok(all.includes(what) || all.includes(undefined))
          for (const what of all) assert.ok(woken.length > 0 && (what === undefined || woken.includes(what)))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a transaction wakes listeners only after it commits', async () => {
  const received = await follow(other!, 'c')
  const undone = one!.transaction(async (tx) => {
    tx.wake('c', 'undone')
    throw new Error('on purpose')
  })
  await assert.rejects(undone, /on purpose/)
  let isCommitted = false
  await one!.transaction(async (tx) => {
    tx.wake('c', 'done')
    await tx.query({ text: 'select pg_sleep(0.03)', values: [], name: 'sleep' })
    assert.deepEqual(received, [])
    isCommitted = true
  })
  await until(() => received.length > 0)
  assert.deepEqual([isCommitted, received], [true, ['done']])
})

test('a woken listener does not use the waking Space’s connection share', async () => {
  const small = openDatabase(place.connection, { maxConnections: 4, onIdleError: () => {} })
  const read = () => small.query({ text: 'select pg_sleep(0.05)', values: [], name: 'sleep a little' })
  const reads: Promise<unknown>[] = []
  await small.onWake('e', () => void reads.push(read()))
  reads.length = 0
  // The Space may use two connections at a time, and uses both.
  let isBusy = true
  const busy = small
    .within('a Space', () =>
      Promise.all([1, 2].map(() => small.transaction(async (tx) => void (await tx.query(slow))))),
    )
    .then(() => (isBusy = false))
  small.within('a Space', () => small.wake('e'))
  await Promise.all(reads)
  assert.deepEqual([reads.length, isBusy], [1, true])
  await busy
  await small.close()
})

const slow = { text: 'select pg_sleep(1)', values: [], name: 'sleep long' }

test('notifications from other programs are ignored', async () => {
  const received = await follow(other!, 'd')
  for (const payload of ['', 'x', '7', 'null', '{}', '{"node":1}', '{"wakes":7}', '{"node":1,"wakes":[7]}'])
    await witness.query(`select pg_notify('pesewa', $1)`, [payload])
  one!.wake('d', 'still here')
  await until(() => received.includes('still here'))
  await Promise.all([one!.close(), other!.close()])
})
