import type { App } from './app.ts'
import { type OwnedDatabase, startDatabase } from './database.ts'
import { showProgress } from './demo/progress.ts'
import { allowBackgroundCompilers } from './platform/background-compilers.ts'
import { ConfigError } from './platform/config.ts'
import { migrate } from './platform/db/migrate.ts'
import { programVersion } from './platform/version.ts'
import { readSettings, type Settings } from './slices.ts'

const shutdownLimitMs = 25_000 // limit: time for a node to shut down

// Loaded only after the settings have been checked and the database has started, so that operator commands start
// three times faster and errors appear immediately. Only a first start loads it earlier.
const server = () => import('./app.ts')
const demo = () => import('./demo.ts')

/** Starts to answer the operator's commands on this machine. Returns a function that stops it. */
export type OpenControl = (parts: App['parts']) => Promise<() => Promise<void>>

/** `pesewa start`: runs everything in one process, with an embedded database and a demo. */
export function start(openControl: OpenControl): Promise<void> {
  return run(openControl, {
    onCreate({ dataDir }) {
      showProgress(`Creating the database in ${dataDir} …`)
      // Another process creates the database. Meanwhile, this one loads the program. If loading fails, the import
      // that is awaited below throws the error.
      Promise.all([server(), demo()]).catch(() => {})
    },
    async prepare(settings, { connection }) {
      await migrate(connection)
      return { ...settings, simulator: settings.simulator ?? 'on' }
    },
    async begin(app) {
      const { greet, prepareDemo } = await demo()
      await app.serve()
      await app.work()
      await logReady(app, { serve: true, work: true })
      greet(app, await prepareDemo(app))
    },
  })
}

type NodeRoles = { serve: boolean; work: boolean }

/** `pesewa serve` and `pesewa work`: runs one of several nodes, on a schema that `pesewa migrate` has prepared. */
export function node(openControl: OpenControl, roles: NodeRoles): Promise<void> {
  return run(openControl, {
    async prepare(settings) {
      // With a generated secret, other nodes would reject this node's links and cursors.
      if (settings.databaseUrl && !settings.secretKey)
        throw new ConfigError('SECRET_KEY is not set. All nodes that share a DATABASE_URL need the same key.')
      return settings
    },
    async begin(app) {
      if (roles.serve) await app.serve()
      if (roles.work) await app.work()
      process.stdout.write(`${readyLine(app, roles)}\n`)
      await logReady(app, roles)
    },
  })
}

/**
 * Logs one JSON line, for log collectors, that says that the node is ready. Logs it at any LOG_LEVEL, because
 * start-up always matters. On a terminal, `readyLine` is enough.
 */
async function logReady(
  { parts: { baseUrl, settings, db } }: App,
  { serve, work }: NodeRoles,
): Promise<void> {
  if (process.stderr.isTTY) return
  const { createLog } = await import('./platform/log.ts')
  createLog('info').info(
    {
      roles: [...(serve ? ['serve'] : []), ...(work ? ['work'] : [])],
      address: serve ? `${settings.host}:${settings.port}` : null,
      baseUrl,
      version: programVersion(),
      node: db.node,
      pid: process.pid,
      startMs: Math.round(performance.now()),
    },
    'ready',
  )
}

/** Returns the sentence that is printed to a terminal or a supervisor's log when the node is ready. */
function readyLine({ parts: { baseUrl, settings } }: App, roles: NodeRoles): string {
  if (!roles.serve) return 'Pesewa is ready: running background jobs. Press Ctrl-C to stop.'
  const jobs = roles.work ? ', with background jobs' : '; other nodes run background jobs'
  return `Pesewa is ready at ${baseUrl} (listening on ${settings.host}, port ${settings.port})${jobs}. Press Ctrl-C to stop.`
}

type Phases = {
  /** Called while an embedded database is being created, which takes seconds. */
  onCreate?(settings: Settings): void
  prepare(settings: Settings, database: OwnedDatabase): Promise<Settings>
  begin(app: App): Promise<void>
}

/** Runs until a signal arrives or the database stops. Then shuts down the app first and the database last. */
async function run(openControl: OpenControl, { onCreate, prepare, begin }: Phases): Promise<void> {
  const settings = readSettings(process.env)
  const stopRequest = signalled()
  const database = await startDatabase(settings, () => onCreate?.(settings))
  try {
    const prepared = await prepare(settings, database)
    const { openApp } = await server()
    const app = await openApp(prepared, database.connection)
    let failure: Error | undefined
    let closeControl: (() => Promise<void>) | undefined
    try {
      closeControl = await openControl(app.parts)
      await begin(app)
      // Background compilation starts only now, so that the node is ready sooner. It finishes long before the
      // shutdown limit.
      allowBackgroundCompilers(true)
      failure = await Promise.race([stopRequest, database.exited])
      allowBackgroundCompilers(false)
      // Ends the process even if something hangs. Unfinished work is in the database and resumes on the next
      // start.
      setTimeout(() => process.exit(1), shutdownLimitMs).unref()
    } finally {
      await closeControl?.()
      await app.close()
    }
    if (failure) throw failure
  } finally {
    await database.stop()
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
