import { joinDatabase } from '../../database.ts'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import type { Environment } from '../../platform/scope.ts'
import { programVersion } from '../../platform/version.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { selectOpenBreakers, selectPauses } from '../../rails/routing/store.ts'
import type { Settings } from '../../slices.ts'
import { withRails } from '../operator/connection-test.ts'
import {
  type CheckedHealth,
  type Checkup,
  type HealthCheck,
  type HealthFinding,
  need,
  ok,
  runChecks,
  warning,
} from './checkup.ts'
import { databaseChecks } from './database-checks.ts'
import { embeddedChecks } from './embedded-check.ts'
import { exposureChecks, transportCheck } from './exposure-checks.ts'
import { certificateChecks, mailCheck, railCheck } from './network-checks.ts'
import { environmentChecks, fileChecks } from './settings-checks.ts'
import { validSettings } from './valid-settings.ts'

/** Allows for one connection per check, because a check that hangs does not release its connection. */
const poolSize = 6
const closeLimitMs = 2_000

/** Runs all checks with the settings of this process, which is a node. */
export async function checkUpNode(settings: Settings, isOffline: boolean): Promise<CheckedHealth[]> {
  const { pid, version } = process
  const says = `process ${pid} checked itself, with its own settings (Pesewa ${programVersion()}, Node ${version})`
  const { checks } = await checkUp(process.env, settings, isOffline)
  return [{ check: 'node', ...ok(says), todo: null }, ...checks]
}

/** Runs all checks with the settings of this command, because no node could do so. */
export async function checkUpHere(isOffline: boolean): Promise<Checkup> {
  const { env } = process
  const { checks, hangs } = await checkUp(env, validSettings(), isOffline)
  const says = 'no node is running with this DATA_DIR and database; checked the settings of this command'
  return { checks: [{ check: 'node', ...ok(says), todo: null }, ...checks], hangs }
}

/** Runs all checks. `hangs` is true if a check or a connection has not finished. */
async function checkUp(
  env: NodeJS.ProcessEnv,
  settings: Settings | undefined,
  isOffline: boolean,
): Promise<Checkup> {
  if (!settings) return { checks: await runChecks(environmentChecks(env)), hangs: false }
  const database = openSharedDatabase(settings)
  const checks = await runChecks([
    ...environmentChecks(env),
    ...fileChecks(settings),
    ...exposureChecks(settings),
    ...databaseChecks(database.open, settings),
    ...embeddedChecks(database.open, settings),
    ...providerChecks(settings, database.open, isOffline),
    mailCheck(settings, isOffline),
    ...transportCheck(settings, isOffline),
  ])
  const ended = await Promise.race([
    database.close().then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, closeLimitMs, false).unref()),
  ])
  return { checks, hangs: !ended || checks.some(({ says }) => says.startsWith('no answer within')) }
}

function openSharedDatabase(settings: Settings) {
  const joined = joinDatabase(settings)
  const opened = joined.then(({ connection }) =>
    openDatabase(connection, { maxConnections: poolSize, onIdleError: () => {} }),
  )
  opened.catch(() => {})
  return {
    open: () => opened,
    async close() {
      await opened.then((db) => db.close()).catch(() => {})
      await joined.then((server) => server.stop()).catch(() => {})
    },
  }
}

/** Returns the checks of the providers file and of each rail in it, or only of the file if it cannot be read. */
function providerChecks(
  settings: Settings,
  open: () => Promise<Database>,
  isOffline: boolean,
): HealthCheck[] {
  const read = () => loadCatalogue(settings.providersFile)
  const overview: HealthCheck = {
    name: 'providers',
    run: async () => describeStops(read().connections().length, await readStops(open)),
  }
  try {
    const catalogue = read()
    const rails = catalogue
      .connections()
      .map((connection) => railCheck(connection, (work) => withRails(work, settings), isOffline))
    return [overview, ...rails, ...(isOffline ? [] : certificateChecks(settings, catalogue))]
  } catch {
    return [overview]
  }
}

async function readStops(open: () => Promise<Database>) {
  const db = await need(open(), 'the database')
  const [pauses, breakers] = await need(
    Promise.all([selectPauses(db), selectOpenBreakers(db)]),
    'this version’s schema',
  )
  const isLive = ({ environment }: { environment: Environment }) => environment === 'live'
  return { pauses: pauses.filter(isLive), breakers: breakers.filter(isLive) }
}

function describeStops(
  connections: number,
  { pauses, breakers }: Awaited<ReturnType<typeof readStops>>,
): HealthFinding {
  if (pauses.length + breakers.length > 0)
    return warning(
      [
        ...pauses.map(
          ({ connection, direction, pausedBy, words }) =>
            `${connection} is paused (${direction}) by ${pausedBy}: ${words}`,
        ),
        ...breakers.map(
          ({ connection, providerId, kind }) =>
            `the circuit breaker of ${connection} is open (${kind} for ${providerId})`,
        ),
      ].join('; '),
      'Resume with pesewa connections resume. Circuit breakers close automatically; see pesewa connections show.',
    )
  if (connections === 0)
    return warning('no live providers are connected', 'Set PROVIDERS_FILE; see docs/guides/providers.md.')
  return ok(`${connections} ${connections === 1 ? 'connection' : 'connections'}, none paused`)
}
