import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { advanceTestClock, type Scope } from '../../src/platform/clock.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readId } from '../../src/platform/ids.ts'
import { importStatement } from '../../src/reconciliation/imports.ts'
import { simulatorMapping } from '../../src/reconciliation/mapping.ts'
import { matchStatements } from '../../src/reconciliation/matching.ts'
import { reportOn } from '../../src/reconciliation/report.ts'
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
let shop: Shop
let scope: Scope
let startedAt: Date
let main: string

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
  startedAt = simulator.clock.now()
  program = await start()
  shop = await makeShop(given, program.baseUrl)
  scope = { spaceId: readId('space', shop.spaceId)!, environment: 'test' }
  main = await fund({ db, clock: realTime }, scope, funds)
})
after(async () => {
  rail.close()
  await simulator.close()
  await db.close()
})

const start = () => startProgram(['serve', '--work'], given)

type Row = { id: string; status: string; railState: string; code: string | null; railReference: string }
/** Payouts by their ids, each with the digits that decide its ending. */
type Wave = Map<string, string>

const funds = 1_000_000

/** A payout of every ending, on rails of both protocols. */
async function payOutEach(): Promise<Wave> {
  const wanted = Object.keys(endings).flatMap((digits) =>
    payees(digits).map((destination) => ({ digits, destination })),
  )
  const made = await Promise.all(
    wanted.map(({ destination }) =>
      call(shop, 'POST', '/v1/payouts', { amount: { currency: 'SLE', value: 100 }, destination }),
    ),
  )
  return new Map(made.map(({ body }, i) => [readId('payout', body.result.id)!, wanted[i]!.digits]))
}

const realTime = {
  now: () => new Date(),
  aheadMs: () => 0,
  moved: () => [],
  follow: async () => {},
  onMoved: () => {},
  close: async () => {},
}

const rowsOf = (wave: Wave) =>
  db.query<Row>(sql`
    select id, payout.status, instruction.state as rail_state, payout.failure_code as code, payout.rail_reference
    from payouts payout join instructions instruction using (space_id, environment, id)
    where space_id = ${scope.spaceId} and environment = 'test' and id = any(${[...wave.keys()]}::uuid[])`)

const count = Object.keys(endings).length * payees('').length
const hasEnded = ({ status }: Row) => status === 'completed' || status === 'failed'

/** What nobody recorded is called failed only when really nothing can be on its way any more: no clock is moved for that. */
const conclusiveMs = 60_000

/** Lets the time of the Space and of the rails pass until everything has ended. */
async function settle(wave: Wave): Promise<void> {
  const advance = (ms: number) => db.transaction((tx) => advanceTestClock(tx, scope.spaceId, ms))
  await simulator.clock.advance(300)
  // …012 is called failed before it changes its mind, if the rail has it at all.
  await waitUntil(
    program,
    async () => {
      await advance(5_000)
      return (await rowsOf(wave)).filter(({ id }) => wave.get(id) === '012').every(hasEnded)
    },
    conclusiveMs,
  )
  await waitUntil(
    program,
    async () => {
      await simulator.clock.advance(10_000)
      // Its questions are up to an hour apart.
      await advance(600_000)
      return (await rowsOf(wave)).every(hasEnded)
    },
    conclusiveMs,
  )
}

const casesOf = (wave: Wave) =>
  db.query(sql`
    select object_id from ledger_cases
    where space_id = ${scope.spaceId} and object_id = any(${[...wave.keys()]}::uuid[])`)

async function importStatementOf(providerId: string): Promise<void> {
  const period = { from: startedAt, to: new Date(simulator.clock.now().getTime() + 1) }
  const file = path.join(makeFolder(), 'statement.csv')
  writeFileSync(file, await simulator.simulator.statement(providerId, period))
  const at = realTime.now()
  await importStatement(db, { providerId, environment: 'test', file, mapping: simulatorMapping, at })
}

/** How often each reference moved money at the rails. */
async function movesOf(references: string[]): Promise<Map<string, number>> {
  // every space: the simulator is the outside world
  const rows = await simulator.db.query<{ reference: string; moved: boolean }>(sql`
    select reference, moved_at is not null as moved from simulator_disbursements
    where reference = any(${references}::uuid[])`)
  return new Map(rows.map(({ reference, moved }) => [reference, moved ? 1 : 0]))
}

/** Kills the program at a moment of its own choice; answers whether the rails had the payouts by then. */
type Crash = () => Promise<{ wave: Wave; hadThem: boolean }>

const crashes: Record<string, Crash> = {
  'before the call': async () => {
    const reached = everyTransfer(() => undefined)
    const wave = await payOutEach()
    await reached
    await kill()
    return { wave, hadThem: false }
  },
  'during the call: the rail has it, and its answer is on its way': async () => {
    const reached = everyTransfer(({ forward }) => forward())
    const wave = await payOutEach()
    await reached
    await kill()
    return { wave, hadThem: true }
  },
  'between answer and commit': async () => {
    const answers: (() => void)[] = []
    const reached = everyTransfer(async ({ forward, answer }) => {
      const given = await forward()
      answers.push(() => answer(given))
    })
    const wave = await payOutEach()
    await reached
    await db.transaction(async (tx) => {
      await tx.query(sql`select id from payouts where space_id = ${scope.spaceId} for update`)
      for (const answer of answers) answer()
      await waitUntil(program, async () => (await blocked()) > 0n)
      await kill()
    })
    assert.ok((await rowsOf(wave)).every(({ railState }) => railState === 'submitting'))
    return { wave, hadThem: true }
  },
  'after the call: its answer is recorded, and nobody hears the callbacks': async () => {
    rail.onTransfer = passOn
    const wave = await payOutEach()
    await waitUntil(program, async () =>
      (await rowsOf(wave)).every(({ railState }) => ['submitted', 'unknown'].includes(railState)),
    )
    await kill()
    await simulator.clock.advance(300)
    return { wave, hadThem: true }
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
  let [completed, cases] = [0, 0]
  for (const [moment, crash] of Object.entries(crashes))
    test(`${moment}: of every ending the money moves once or never, and the payout ends right`, async () => {
      const { wave, hadThem } = await crash()
      rail.onTransfer = passOn
      program = await start()
      await settle(wave)

      const rows = await rowsOf(wave)
      const moves = await movesOf(rows.map(({ railReference }) => railReference))
      assert.equal(rows.length, count)
      for (const { id, status, code, railReference } of rows) {
        const digits = wave.get(id)!
        const never = { status: 'failed', moves: false, code: 'unknown' }
        const expected = hadThem ? endings[digits]! : never
        assert.deepEqual(
          { digits, status, code, moves: moves.get(railReference) ?? 0 },
          { digits, status: expected.status, code: expected.code ?? null, moves: expected.moves ? 1 : 0 },
        )
      }
      const late = hadThem ? payees('').length : 0
      await waitUntil(program, async () => (await casesOf(wave)).length === late)
      cases += late
      completed += rows.filter(({ status }) => status === 'completed').length
      const { balance } = (await call(shop, 'GET', `/v1/financial-accounts/${main}?withBalance=true`)).body
        .result
      assert.deepEqual([balance.held.value, balance.available.value], [0, funds - 100 * completed])
    })

  test('has books that add up, and the rails say the same', async () => {
    const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: given.DATABASE_URL! })
    assert.equal(code, 0, stdout)
    for (const { providerId } of payees('')) await importStatementOf(providerId)
    await matchStatements(db, {})
    const { openItems, linesMatched, proof } = await reportOn(db, {}, realTime.now(), 1_000)
    assert.deepEqual([openItems.items, proof.differences], [[], []])
    // What completed, and the money of the cases.
    assert.equal(linesMatched, BigInt(completed + cases))
  })
})
