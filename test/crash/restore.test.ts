import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { advanceTestClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readId } from '../../src/platform/ids.ts'
import { spaceIds } from '../../src/spaces/resources.ts'
import { fund } from '../money.ts'
import { createPayer } from '../payer.ts'
import {
  call,
  type Environment,
  makeDatabase,
  makeShop,
  order,
  type Program,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../program.ts'
import { realTime, type TestSimulator } from '../simulator.ts'
import { openRailsElsewhere } from './stand.ts'

// The rails are elsewhere: they know what a restored database has forgotten.
let simulator: TestSimulator
let settings: Environment

before(async () => {
  ;({ simulator, settings } = await openRailsElsewhere())
})
after(() => simulator.close())

const start = (url: string) => startProgram(['serve', '--work'], { ...settings, DATABASE_URL: url })
const destinations = [
  { type: 'momo', providerId: 'm17', phoneNumber: '+23276123456' },
  { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' },
  // The rail said no.
  { type: 'momo', providerId: 'm17', phoneNumber: '+23276123001' },
  { type: 'wallet', providerId: 'dw001', walletId: 'fatu001' },
]

/** What a client asks for and a payer does, the same each time; and how it ended. */
async function doAll(program: Program, shop: Shop, session: { id: string; redirectUrl: string }) {
  const ids = await Promise.all(
    destinations.map(async (destination, i) => {
      const body = { amount: { currency: 'SLE', value: 100 }, destination }
      const made = await call(shop, 'POST', '/v1/payouts', body, { 'idempotency-key': `invoice-${i}` })
      return made.body.result.id as string
    }),
  )
  await createPayer(session.redirectUrl).pay('m17', '076 123 456')
  const payouts = () =>
    Promise.all(ids.map(async (id) => (await call(shop, 'GET', `/v1/payouts/${id}`)).body.result.status))
  return waitUntil(program, async () => {
    await simulator.clock.advance(300)
    const ends = await payouts()
    const { status } = (await call(shop, 'GET', `/v1/checkout-sessions/${session.id}`)).body.result
    return !ends.some((end) => end === 'pending' || end === 'processing') && status === 'completed' && ends
  })
}

test('after a restore, what is asked for again is what happened at the rails, and nobody pays or is paid twice', async () => {
  const original = await makeDatabase()
  let program = await start(original.url)
  const shop = await makeShop({ ...settings, DATABASE_URL: original.url }, program.baseUrl)
  const scope = { spaceId: readId(spaceIds, shop.spaceId)!, environment: 'test' as const }
  const inDatabase = async <T>(url: string, work: (db: ReturnType<typeof openDatabase>) => Promise<T>) => {
    const db = openDatabase({ connectionString: url }, { maxConnections: 2, onIdleError: () => {} })
    return work(db).finally(() => db.close())
  }
  await inDatabase(original.url, (db) => fund({ db, clock: realTime }, scope, 1_000))
  const session = (await call(shop, 'POST', '/v1/checkout-sessions', order(500))).body.result
  await program.stop()
  const backup = await makeDatabase({ like: String(original.connection.database) })

  program = await start(original.url)
  const before = await doAll(program, shop, session)
  assert.deepEqual(before, ['completed', 'completed', 'failed', 'failed'])
  await program.stop()

  program = await start(backup.url)
  // The rails call nobody back for what they did long ago; they are asked.
  const moving = setInterval(
    () =>
      void inDatabase(backup.url, (db) =>
        db.transaction((tx) => advanceTestClock(tx, scope.spaceId, 5_000)),
      ).catch(() => {}),
    1_000,
  )
  const again = await doAll(program, shop, session).finally(() => clearInterval(moving))
  assert.deepEqual(again, before)
  // every space: the simulator is the outside world
  const moved = await simulator.db.query<{ count: bigint }>(sql`
    select payee as account, count(*) from simulator_disbursements where moved_at is not null group by 1
    union all select payer, count(*) from simulator_collections where moved_at is not null group by 1 order by 1`)
  assert.deepEqual(
    moved.map(({ count }) => count),
    [1n, 1n, 1n],
  )
  const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: backup.url })
  assert.equal(code, 0, stdout)
  await program.stop()
})
