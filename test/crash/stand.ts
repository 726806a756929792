import assert from 'node:assert/strict'
import { type Database, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { freePort } from '../support/free-port.ts'
import { fund } from '../support/money.ts'
import {
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  runProgram,
  type Shop,
  startProgram,
} from '../support/program.ts'
import type { RailProxy } from '../support/rail-proxy.ts'
import { realTime, startTestSimulator, type TestSimulator } from '../support/simulator.ts'

export type Stand = {
  simulator: TestSimulator
  /** The settings of a node that serves and runs jobs. Another node needs its own port and folder. */
  settings: Environment & { DATABASE_URL: string }
  /** The last program that was started. */
  program: Program
  database: Awaited<ReturnType<typeof makeDatabase>>
  db: Database
  shop: Shop
  scope: Scope
  /** Starts the program again after it has exited. */
  start(more?: Environment): Promise<Program>
  kill(): Promise<unknown>
  /** Credits money to the Space's main account, and returns the account's id. */
  fund(value: number, currency?: string): Promise<string>
  /** Asserts that the books add up, with `pesewa verify`. */
  verify(): Promise<void>
  close(): Promise<void>
}

type RailProxyUrls = Pick<RailProxy, 'url' | 'simulatorUrl'>

export type StandOptions = {
  settings?: Environment
  /** A proxy to the simulated rails. */
  rail?: RailProxyUrls
  /** Opens a proxy to the database, which only the program uses, and returns its URL. */
  databaseUrl?: (database: Stand['database']) => Promise<string>
  /** Whether the test starts further nodes itself. */
  hasOwnNodes?: boolean
}

/**
 * Starts the program with rails in the test's own process: they keep running while the program is down, and the
 * test moves their clock.
 */
export async function openStand({
  settings: own,
  rail,
  databaseUrl,
  hasOwnNodes = false,
}: StandOptions = {}): Promise<Stand> {
  const database = await makeDatabase()
  const db = openDatabase(database.connection, { maxConnections: 4, onIdleError: () => {} })
  const { simulator, settings: common } = await openRailsElsewhere(rail)
  const settings = { ...common, DATABASE_URL: (await databaseUrl?.(database)) ?? database.url, ...own }
  const start = (more: Environment = {}) => startProgram(['serve', '--work'], { ...settings, ...more })
  const program = await start()
  const survivor = hasOwnNodes ? undefined : await startSurvivor(settings, program)
  const shop = await makeShop({ DATABASE_URL: database.url }, program.baseUrl)
  const scope: Scope = { spaceId: readId(spaceIds, shop.spaceId)!, environment: 'test' }
  const stand: Stand = {
    ...{ simulator, settings, program, database, db, shop, scope },
    start: async (more) => (stand.program = await start(more)),
    kill: () => stand.program.stop('SIGKILL'),
    fund: (value, currency = 'SLE') => fund({ db, clock: realTime }, scope, value, { currency }),
    async verify() {
      const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: database.url })
      assert.equal(code, 0, stdout)
    },
    async close() {
      await stand.kill()
      await survivor?.stop('SIGKILL')
      await simulator.close()
      await db.close()
    },
  }
  return stand
}

export const hasSurvivor = process.env.CRASH_NODES === '2'

/** Starts another node on the same database, which is never killed, if `npm run crash -- --nodes 2` requests it. */
export async function startSurvivor(
  settings: Environment,
  { baseUrl }: Program,
): Promise<Program | undefined> {
  if (!hasSurvivor) return undefined
  const own = { PORT: String(await freePort()), DATA_DIR: makeFolder(), BASE_URL: baseUrl }
  return startProgram(['serve', '--work'], { ...settings, ...own })
}

/** Starts the rails in this process. Also returns the settings with which the program reaches them. */
export async function openRailsElsewhere(rail?: RailProxyUrls) {
  const port = String(await freePort())
  const simulator = await startTestSimulator({ baseUrl: `http://localhost:${port}` })
  if (rail) rail.simulatorUrl = simulator.url
  const settings = {
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
    PORT: port,
    SIMULATOR_URL: rail?.url ?? simulator.url,
    SECRET_KEY: simulator.secretKey,
  }
  return { simulator, settings }
}
