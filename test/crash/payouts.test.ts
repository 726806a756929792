import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { advanceTestClock, type Scope } from '../../src/platform/clock.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readId } from '../../src/platform/ids.ts'
import { endings, payees } from '../endings.ts'
import { fund } from '../money.ts'
import {
  call,
  type Environment,
  freePort,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../program.ts'
import { passOn, type RailBefore, startRailBefore, type Transfer } from '../rail.ts'
import { startTestSimulator, type TestSimulator } from '../simulator.ts'

// The rails are elsewhere: they go on while the program is dead, and their time is the test's.
let simulator: TestSimulator
let rail: RailBefore
let given: Environment
let program: Program
let db: Database

before(async () => {
  const database = await makeDatabase()
  db = openDatabase(database.connection, { maxConnections: 4, onIdleError: () => {} })
  const port = String(await freePort())
  simulator = await startTestSimulator({ baseUrl: `http://127.0.0.1:${port}` })
  rail = await startRailBefore()
  rail.simulatorUrl = simulator.url
  given = {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
    PORT: port,
    SIMULATOR_URL: rail.url,
    SECRET_KEY: simulator.secretKey,
  }
  program = await start()
})
after(async () => {
  rail.close()
  await simulator.close()
  await db.close()
})

const start = () => startProgram(['serve', '--work'], given)

type Row = { id: string; status: string; railState: string; code: string | null; railReference: string }
type World = { shop: Shop; scope: Scope; main: string; digitsOf: Map<string, string> }

/** A Space of its own with a payout of every ending, on rails of both protocols. */
async function payOutEach(): Promise<World> {
  const shop = await makeShop(given, program.baseUrl)
  const scope: Scope = { spaceId: readId('space', shop.spaceId)!, environment: 'test' }
  const main = await fund({ db, clock: realTime }, scope, 100_000)
  const wanted = Object.keys(endings).flatMap((digits) =>
    payees(digits).map((destination) => ({ digits, destination })),
  )
  const made = await Promise.all(
    wanted.map(({ destination }) =>
      call(shop, 'POST', '/v1/payouts', { amount: { currency: 'SLE', value: 100 }, destination }),
    ),
  )
  const digitsOf = new Map(
    made.map(({ body }, i) => [readId('payout', body.result.id)!, wanted[i]!.digits] as const),
  )
  return { shop, scope, main, digitsOf }
}

const realTime = { now: () => new Date(), onMoved: () => {}, close: async () => {} }

const rowsOf = ({ scope }: World) =>
  db.query<Row>(sql`
    select id, status, rail_state, failure_code as code, rail_reference from payouts
    where space_id = ${scope.spaceId} and environment = 'test' order by id`)

const count = Object.keys(endings).length * payees('').length
const hasEnded = ({ status }: Row) => status === 'completed' || status === 'failed'

/** Lets the time of the Space and of the rails pass until everything has ended. */
async function settle(world: World): Promise<void> {
  const first = [...world.digitsOf].filter(([, digits]) => digits === '012').map(([id]) => id)
  const pass = async (ms: number) => {
    await simulator.clock.advance(ms)
    await db.transaction((tx) => advanceTestClock(tx, world.scope.spaceId, ms))
  }
  await simulator.clock.advance(300)
  // …012 is called failed before it changes its mind, if the rail has it at all.
  await waitUntil(program, async () => {
    await db.transaction((tx) => advanceTestClock(tx, world.scope.spaceId, 5_000))
    return (await rowsOf(world)).filter(({ id }) => first.includes(id)).every(hasEnded)
  })
  await waitUntil(program, async () => {
    await pass(10_000)
    return (await rowsOf(world)).every(hasEnded)
  })
  // An hour later failures are looked at once more.
  await pass(3_600_000)
  await waitUntil(program, async () => (await queriesOf(world)) === 0n)
}

const queriesOf = async ({ scope }: World) =>
  (await db.one<{ count: bigint }>(sql`
    select (select count(*) from scheduled_jobs where space_id = ${scope.spaceId} and job = 'payouts.query')
      + (select count(*) from graphile_worker.jobs where task_identifier = 'payouts.query') as count`))!.count

/** How often each reference moved money at the rails. */
async function movesOf(references: string[]): Promise<Map<string, number>> {
  // every space: the simulator is the outside world
  const rows = await simulator.db.query<{ reference: string; moved: boolean }>(sql`
    select reference, moved_at is not null as moved from simulator_disbursements
    where reference = any(${references}::uuid[])`)
  return new Map(rows.map(({ reference, moved }) => [reference, moved ? 1 : 0]))
}

/** Kills the program at a moment of its own choice; answers whether the rails had the payouts by then. */
type Crash = (world: () => Promise<World>) => Promise<{ world: World; hadThem: boolean }>

const crashes: Record<string, Crash> = {
  'before the call': async (payOut) => {
    const reached = everyTransfer(() => undefined)
    const world = await payOut()
    await reached
    await kill()
    return { world, hadThem: false }
  },
  'during the call: the rail has it, and its answer is on its way': async (payOut) => {
    const reached = everyTransfer(({ forward }) => forward())
    const world = await payOut()
    await reached
    await kill()
    return { world, hadThem: true }
  },
  'between answer and commit': async (payOut) => {
    const answers: (() => void)[] = []
    const reached = everyTransfer(async ({ forward, answer }) => {
      const given = await forward()
      answers.push(() => answer(given))
    })
    const world = await payOut()
    await reached
    await db.transaction(async (tx) => {
      await tx.query(sql`select id from payouts where space_id = ${world.scope.spaceId} for update`)
      for (const answer of answers) answer()
      await waitUntil(program, async () => (await blocked()) > 0n)
      await kill()
    })
    assert.ok((await rowsOf(world)).every(({ railState }) => railState === 'submitting'))
    return { world, hadThem: true }
  },
  'after the call: its answer is recorded, and nobody hears the callbacks': async (payOut) => {
    rail.onTransfer = passOn
    const world = await payOut()
    await waitUntil(program, async () =>
      (await rowsOf(world)).every(({ railState }) => ['submitted', 'unknown'].includes(railState)),
    )
    await kill()
    await simulator.clock.advance(300)
    return { world, hadThem: true }
  },
}

/** Does this with every transfer, and nothing more; answers when all payouts have come so far. */
function everyTransfer(work: (transfer: Transfer) => unknown): Promise<void> {
  const all = Promise.withResolvers<void>()
  let done = 0
  rail.onTransfer = async (transfer) => {
    await work(transfer)
    if (++done === count) all.resolve()
  }
  return all.promise
}

const kill = () => program.stop('SIGKILL')

const blocked = async () =>
  (await db.one<{ count: bigint }>(sql`
    select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))!
    .count

describe('a program killed with kill -9', () => {
  for (const [moment, crash] of Object.entries(crashes))
    test(`${moment}: of every ending the money moves once or never, and the payout ends right`, async () => {
      const { world, hadThem } = await crash(payOutEach)
      rail.onTransfer = passOn
      program = await start()
      await settle(world)

      const rows = await rowsOf(world)
      const moves = await movesOf(rows.map(({ railReference }) => railReference))
      assert.equal(rows.length, count)
      for (const { id, status, code, railReference } of rows) {
        const digits = world.digitsOf.get(id)!
        const never = { status: 'failed', moves: false, code: 'unknown' }
        const expected = hadThem ? endings[digits]! : never
        assert.deepEqual(
          { digits, status, code, moves: moves.get(railReference) ?? 0 },
          { digits, status: expected.status, code: expected.code ?? null, moves: expected.moves ? 1 : 0 },
        )
      }
      const cases = await db.query(
        sql`select object_id from ledger_cases where space_id = ${world.scope.spaceId}`,
      )
      assert.equal(cases.length, hadThem ? payees('').length : 0)
      const { balance } = (
        await call(world.shop, 'GET', `/v1/financial-accounts/${world.main}?withBalance=true`)
      ).body.result
      const completed = rows.filter(({ status }) => status === 'completed').length
      assert.deepEqual([balance.held.value, balance.available.value], [0, 100_000 - 100 * completed])
      const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: given.DATABASE_URL! })
      assert.equal(code, 0, stdout)
    })
})
