import cluster from 'node:cluster'
import type { App } from './app.ts'
import { type OwnedDatabase, startDatabase } from './database.ts'
import { showProgress } from './demo/progress.ts'
import { allowBackgroundCompilers } from './platform/background-compilers.ts'
import { ConfigError } from './platform/config.ts'
import { prepareDatabase } from './platform/db/months.ts'
import { freePort } from './platform/http/server/free-port.ts'
import type { Log } from './platform/log.ts'
import { baseUrlOf } from './platform/platform.ts'
import type { ProcessCount } from './platform/setting-values.ts'
import { programVersion } from './platform/version.ts'
import {
  type Assignment,
  countProcesses,
  openProcesses,
  readAssignment,
  wantedProcesses,
} from './processes.ts'
import { readSettings, type Settings } from './slices.ts'

const shutdownLimitMs = 25_000 // limit: time for a node to shut down, in addition to DRAIN_SECONDS

// Loaded only after the settings have been checked and the database has started, so that operator commands start
// three times faster and errors appear immediately. Only a first start loads it earlier.
const server = () => import('./app.ts')
const demo = () => import('./demo.ts')

/** Starts to answer the operator's commands on this machine. Returns a function that stops it. */
export type OpenControl = (parts: App['parts']) => Promise<() => Promise<void>>

/** Given on the command line, it overrides the setting. */
type Options = { processes?: ProcessCount }

/** `pesewa start`: serves requests and runs background jobs, with an embedded database and a demo. */
export function start(openControl: OpenControl, options: Options): Promise<void> {
  return run(openControl, options, {
    roles: { serve: true, work: true },
    complete: (settings) => ({
      ...settings,
      simulator: settings.simulator ?? 'on',
      processes: settings.processes ?? 'auto',
    }),
    onCreate(settings) {
      showProgress(`Creating the database in ${settings.dataDir} …`)
      // Another process creates the database. Meanwhile, this one loads the program. If loading fails, the import
      // that is awaited below throws the error.
      if (wantedProcesses(settings) === 1) Promise.all([server(), demo()]).catch(() => {})
    },
    prepare: async ({ connection }) => void (await prepareDatabase(connection)),
    async greet(app) {
      const { greeting, prepareDemo } = await demo()
      return greeting(app, await prepareDemo(app))
    },
    join: async (app) => (await demo()).joinDemo(app),
  })
}

type NodeRoles = { serve: boolean; work: boolean }

/** `pesewa serve` and `pesewa work`: runs one of several nodes, on a schema that `pesewa migrate` has prepared. */
export function node(openControl: OpenControl, roles: NodeRoles, options: Options): Promise<void> {
  return run(openControl, options, {
    roles,
    complete(settings) {
      // With a generated secret, other nodes would reject this node's links and cursors.
      if (settings.databaseUrl && !settings.secretKey)
        throw new ConfigError('SECRET_KEY is not set. All nodes that share a DATABASE_URL need the same key.')
      return settings
    },
    greet: async ({ parts: { settings } }) => `${readyLine(settings, roles)}\n`,
  })
}

/**
 * Logs one JSON line, for log collectors, that says that the node is ready. Logs it at any LOG_LEVEL, because
 * start-up always matters. On a terminal, the printed text is enough.
 */
async function logReady(settings: Settings, { serve, work }: NodeRoles, nodes: object): Promise<void> {
  if (process.stderr.isTTY) return
  const { createLog } = await import('./platform/log.ts')
  createLog('info').info(
    {
      roles: [...(serve ? ['serve'] : []), ...(work ? ['work'] : [])],
      address: serve ? `${settings.host}:${settings.port}` : null,
      baseUrl: baseUrlOf(settings),
      version: programVersion(),
      ...nodes,
      pid: process.pid,
      startMs: Math.round(performance.now()),
    },
    'ready',
  )
}

/** Returns the sentence that is printed to a terminal or a supervisor's log when the node is ready. */
function readyLine(settings: Settings, roles: NodeRoles): string {
  if (!roles.serve) return 'Pesewa is ready: running background jobs. Press Ctrl-C to stop.'
  const jobs = roles.work ? ', with background jobs' : '; other nodes run background jobs'
  return `Pesewa is ready at ${baseUrlOf(settings)} (listening on ${settings.host}, port ${settings.port})${jobs}. Press Ctrl-C to stop.`
}

type Phases = {
  roles: NodeRoles
  /** Completes the settings, or refuses them. */
  complete(settings: Settings): Settings
  /** Called while an embedded database is being created, which takes seconds. */
  onCreate?(settings: Settings): void
  prepare?(database: OwnedDatabase): Promise<void>
  /** Called when the first process is ready. Returns the text that is printed when all of them are. */
  greet(app: App): Promise<string>
  /** Called in each further process, before it begins. */
  join?(app: App): Promise<void>
}

/** Runs until a signal arrives or the database stops. Then shuts down the app first and the database last. */
async function run(openControl: OpenControl, options: Options, phases: Phases): Promise<void> {
  if (cluster.isWorker) return runOneOfSeveral(openControl, phases)
  const settings = phases.complete({ ...readSettings(process.env), ...options })
  const stopRequest = signalled()
  const database = await startDatabase(settings, wantedProcesses(settings), () => phases.onCreate?.(settings))
  try {
    await phases.prepare?.(database)
    const { connection } = database
    const ended = Promise.race([stopRequest, database.exited])
    const { createLog } = await import('./platform/log.ts')
    const log = createLog(settings.logLevel)
    warnAbout(settings, phases.roles, log)
    const count = await countProcesses(settings, connection)
    if (count > 1)
      return await supervise(count, { settings, connection }, ended, { roles: phases.roles, log })
    await runApp(openControl, phases, { settings, connection, isFirst: true }, ended, async (app) => {
      await logReady(app.parts.settings, phases.roles, { node: app.parts.db.node })
      process.stdout.write(await phases.greet(app))
    })
  } finally {
    await database.stop()
  }
}

/** Logs once, whatever the number of processes, which settings are unusual. */
function warnAbout({ simulator, simulatorUrl, rateLimits }: Settings, { serve }: NodeRoles, log: Log): void {
  if (simulator !== 'on' && simulatorUrl === undefined)
    log.warn('SIMULATOR is off: no providers are connected in the test environment')
  if (serve && rateLimits === 'off') log.warn('RATE_LIMITS is off; use this only for benchmarks')
}

/** Runs the app in this process until `ended` resolves. `announce` is called when it is ready. */
async function runApp(
  openControl: OpenControl,
  { roles, join }: Phases,
  { settings, connection, isFirst }: Assignment,
  ended: Promise<Error | undefined>,
  announce: (app: App) => Promise<void>,
): Promise<void> {
  const { openApp } = await server()
  const app = await openApp(settings, connection)
  let failure: Error | undefined
  let closeControl: (() => Promise<void>) | undefined
  try {
    if (isFirst) closeControl = await openControl(app.parts)
    else await join?.(app)
    if (roles.serve) await app.serve()
    if (roles.work) await app.work()
    await announce(app)
    // Background compilation starts only now, so that the node is ready sooner. It finishes long before the
    // shutdown limit.
    allowBackgroundCompilers(true)
    failure = await ended
    allowBackgroundCompilers(false)
    exitInTime(settings)
    if (roles.serve && !failure) await app.drain()
  } finally {
    await closeControl?.()
    await app.close()
  }
  if (failure) throw failure
}

/** Ends the process even if something hangs. Unfinished work is in the database and resumes on the next start. */
const exitInTime = ({ drainSeconds }: Settings) =>
  setTimeout(() => process.exit(1), drainSeconds * 1_000 + shutdownLimitMs).unref()

/** Runs the app in several processes until `ended` resolves or a process cannot be kept running. */
async function supervise(
  count: number,
  given: Omit<Assignment, 'isFirst'>,
  ended: Promise<Error | undefined>,
  { roles, log }: { roles: NodeRoles; log: Log },
): Promise<void> {
  const port = given.settings.port || (await freePort(given.settings.host))
  const shared = { ...given, settings: { ...given.settings, port } }
  const processes = openProcesses(count, shared, log)
  const end = Promise.race([ended, processes.failed])
  let failure: Error | undefined
  try {
    const started = await Promise.race([processes.start(), end])
    if (Array.isArray(started)) {
      await logReady(shared.settings, roles, { nodes: started.map(({ node }) => node) })
      process.stdout.write(started[0]?.text ?? '')
    }
    failure = await end
    exitInTime(shared.settings)
  } finally {
    await processes.stop()
  }
  if (failure) throw failure
}

/** Runs the app in this process, which is one of several. */
async function runOneOfSeveral(openControl: OpenControl, phases: Phases): Promise<void> {
  const { assignment, stopRequest } = readAssignment()
  const assigned = await assignment
  try {
    await runApp(openControl, phases, assigned, stopRequest, async (app) => {
      const text = assigned.isFirst ? await phases.greet(app) : ''
      process.send?.({ started: { node: app.parts.db.node, text } })
    })
  } finally {
    // Otherwise, the channel to the supervisor would keep this process alive.
    process.channel?.unref()
  }
}

/** Resolves on the first SIGINT or SIGTERM. A second signal ends the process immediately. */
function signalled(): Promise<undefined> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
      resolve(undefined)
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}
