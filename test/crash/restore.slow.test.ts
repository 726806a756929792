import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setLimit } from '../../packages/server/src/money/approvals/limits.ts'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import { type Database, homeOf, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { encryptedColumn } from '../../packages/server/src/platform/db/unnest.ts'
import { masterKeysOf } from '../../packages/server/src/platform/encryption/master-key.ts'
import { openKeyring } from '../../packages/server/src/platform/encryption/open-keyring.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { addUser, createToken, setMember } from '../../packages/server/src/tenants/spaces/spaces.ts'
import { freePort } from '../support/free-port.ts'
import { fund } from '../support/money.ts'
import {
  ask,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { realTime } from '../support/simulator.ts'
import { type Errand, openErrands } from './errands.ts'
import { draw, rounds } from './rounds.ts'
import { openRailsElsewhere } from './stand.ts'

type Place = Awaited<ReturnType<typeof makeDatabase>>

const scopeOf = ({ spaceId }: Shop) => ({ spaceId: readId(spaceIds, spaceId)!, environment: 'test' as const })

async function inDatabase<T>(
  { connection }: Place,
  work: (db: Database) => Promise<T>,
  secretKey = '',
): Promise<T> {
  const encryption = openKeyring(
    connection,
    masterKeysOf({}, () => secretKey),
  )
  const db = openDatabase(connection, { maxConnections: 1, encryption, onIdleError: () => {} })
  return work(db).finally(() => db.close())
}

/**
 * Starts two nodes on one database, which can be replaced with an earlier copy. The rails are separate and lose
 * nothing.
 */
async function openTwoNodes() {
  const { simulator, settings } = await openRailsElsewhere()
  const baseUrl = `http://localhost:${settings.PORT}`
  const ofNodes: Environment[] = [
    settings,
    // The rails report to the first node.
    { ...settings, PORT: String(await freePort()), BASE_URL: baseUrl, DATA_DIR: makeFolder() },
  ]
  let place = await makeDatabase()
  let nodes: Program[] = []
  const start = async (other: Place) => {
    place = other
    nodes = await Promise.all(
      ofNodes.map((node) => startProgram(['serve', '--work'], { ...node, DATABASE_URL: place.url })),
    )
  }
  const stop = (signal?: NodeJS.Signals) => Promise.all(nodes.map((node) => node.stop(signal)))
  await start(place)
  const [shop, cautious] = [
    await makeShop({ DATABASE_URL: place.url }, baseUrl),
    await makeShop({ DATABASE_URL: place.url }, baseUrl, 'Cautious shop'),
  ]
  const approver = await inDatabase(place, async (db) => {
    for (const one of [shop, cautious]) await fund({ db, clock: realTime }, scopeOf(one), 100_000)
    await db.transaction((tx) => setLimit(tx, scopeOf(cautious), 'payout', 'SLE', 1n))
    return homeOf(db).transaction(async (tx) => {
      const { spaceId } = scopeOf(cautious)
      const { id: userId } = await addUser(tx, `${randomUUID()}@shop.example`)
      await setMember(tx, { spaceId, userId, role: 'finance' })
      const token = { userId, environment: 'test', name: 'test', scopes: ['*'] } as const
      const bounds = { lifeMs: null, spaceIds: null, networks: null }
      return { ...cautious, testToken: (await createToken(tx, { ...token, scopes: ['*'], ...bounds })).text }
    })
  })

  /** Moves the clocks of the rails and Spaces. The database may be unavailable. */
  async function passTime(ofRailsMs: number, ofSpacesMs: number): Promise<void> {
    await simulator.clock.advance(ofRailsMs)
    const advance = (db: Database) =>
      db.transaction(async (tx) => {
        for (const one of [shop, cautious]) await advanceTestClock(tx, scopeOf(one).spaceId, ofSpacesMs)
      })
    await inDatabase(place, advance).catch(() => {})
  }

  return {
    ...{ simulator, shop, cautious: { ...cautious, approver } },
    place: () => place,
    nodeUrl: () => nodes[draw(0, nodes.length)]?.baseUrl ?? baseUrl,
    start,
    stop,
    passTime,
    /** Copies everything committed so far. The nodes keep running, but are briefly without a database. */
    async backUp(): Promise<Place> {
      const server = JSON.parse(process.env.TEST_DATABASE!)
      const name = String(place.connection.database)
      await ask(server, `alter database ${name} allow_connections false`)
      try {
        await ask(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
        return await makeDatabase({ like: name })
      } finally {
        await ask(server, `alter database ${name} allow_connections true`)
      }
    },
    /** Repeats all errands until they are done. */
    async finish(errands: Errand[]): Promise<void> {
      let [checks, left] = [0, errands]
      const look = async () => {
        checks += 1
        // Rails and payers need little time, but the query that follows a failure a day later must run, too.
        await (checks % looksAnHour === 0 ? passTime(10_000, 3_600_000) : passTime(300, 5_000))
        const ended = await Promise.all(left.map((errand) => errand.step()))
        left = left.filter((_, i) => !ended[i])
        return left.length === 0
      }
      await waitUntil(nodes[0]!, look, conclusiveMs).catch((error) => {
        const names = left.map(({ name }) => name)
        throw new Error(`after ${checks} looks: ${names.join(', ')}`, { cause: error })
      })
    },
    async verify() {
      const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: place.url })
      assert.equal(code, 0, stdout)
    },
    /** Returns the completed payments, payouts and refunds, by direction and account. */
    completed: () =>
      inDatabase(
        place,
        async (db) => {
          const rows = await db.query<{ direction: string; account: string }>(sql`
          -- every space: both Spaces of this test
          select 'in ' as direction, ${encryptedColumn('payments.payer_account', { as: 'account' })} from payments
          where status = 'completed' or late_received > 0
          union all
          select 'out ', ${encryptedColumn('payouts.payee_account')} from payouts where status = 'completed'
          union all
          select 'out ', ${encryptedColumn('refunds.payer_account')} from refunds where status = 'completed'`)
          return rows.map(({ direction, account }) => direction + account.replace('+', ''))
        },
        settings.SECRET_KEY,
      ),
    async close() {
      await stop('SIGKILL')
      await simulator.close()
    },
  }
}

const looksAnHour = 3
/**
 * A call that was cut off is resolved only when no request can still be on its way, which takes up to half a
 * minute of wall-clock time.
 */
const conclusiveMs = 100_000

async function withTwoNodes(work: (stand: Awaited<ReturnType<typeof openTwoNodes>>) => Promise<void>) {
  const stand = await openTwoNodes()
  await work(stand).finally(() => stand.close())
}

test('after a restore, repeated requests find what happened at the rails, and nobody pays or is paid twice', () =>
  withTwoNodes(async (stand) => {
    const errands = openErrands(stand)
    const [known, forgotten] = [errands.all(), errands.all()]
    // Late money has not arrived yet.
    for (let checks = 0; checks < 5; checks++) {
      for (const errand of known) await errand.step()
      await stand.passTime(300, 5_000)
    }
    await stand.stop()
    const backup = await stand.backUp()
    const backedUpAt = performance.now()
    await stand.start(stand.place())
    const all = [...known, ...forgotten]
    await stand.finish(all)
    const before = await errands.assertOnce(await stand.completed())
    await stand.stop()

    await stand.start(backup)
    assert.ok((await errands.assertKept(backedUpAt)) > known.length / 2)
    await stand.finish(all)
    assert.deepEqual(await errands.assertOnce(await stand.completed()), before)
    await stand.verify()
  }))

const longestLifeMs = 5_000

describe('a backup made at any moment and restored at any other', () => {
  for (let round = 0; round < rounds; round++)
    test(`keeps everything acknowledged before it was made, and nobody pays or is paid twice (${round + 1})`, (t) =>
      withTwoNodes(async (stand) => {
        const errands = openErrands(stand)
        const all = errands.all()
        const waiting = [...all]
        const begun: Errand[] = []
        let isOver = false
        // Every failed request is repeated with the same keys.
        const work = async () => {
          while (!isOver) {
            for (let count = draw(0, 4); count > 0 && waiting.length > 0; count--)
              begun.push(...waiting.splice(draw(0, waiting.length), 1))
            await Promise.all(begun.map((errand) => errand.step().catch(() => false)))
            await stand.passTime(draw(50, 2_000), draw(100, 1_200_000))
          }
        }
        const working = work()
        await sleep(draw(0, longestLifeMs))
        const backedUpAt = performance.now()
        const backup = await stand.backUp()
        await sleep(draw(0, longestLifeMs))
        await stand.stop('SIGKILL')
        isOver = true
        await working
        const acknowledged = errands.count()

        await stand.start(backup)
        const kept = await errands.assertKept(backedUpAt)
        await stand.finish(all)
        const moved = await errands.assertOnce(await stand.completed())
        await stand.verify()
        t.diagnostic(
          `acknowledged: ${kept} before the backup, ${acknowledged} by the end; ${moved.length} moved`,
        )
      }))
})
