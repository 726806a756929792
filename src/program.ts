import type { App } from './app.ts'
import { type OwnedDatabase, startDatabase } from './database.ts'
import { allowBackgroundCompilers } from './platform/background-compilers.ts'
import { ConfigError } from './platform/config.ts'
import { migrate } from './platform/db/migrate.ts'
import { programVersion } from './platform/nodes.ts'
import { readSettings, type Settings } from './slices.ts'

const shutdownLimitMs = 25_000 // limit: time for a node to shut down

// Loaded by what serves, once settings and database are good: an operator's command starts in a third of the time, and
// what cannot start says so at once.
const server = () => import('./app.ts')

/** `pesewa start`: everything in one process, with a database of its own and something to try. */
export function start(): Promise<void> {
  return run({
    async prepare(settings, { connection }) {
      await migrate(connection)
      return { ...settings, simulator: settings.simulator ?? 'on' }
    },
    async begin(app) {
      const { greet, prepareDemo } = await import('./demo.ts')
      await app.serve()
      await app.work()
      await logReady(app, { serve: true, work: true })
      greet(app, await prepareDemo(app))
    },
  })
}

type NodeRoles = { serve: boolean; work: boolean }

/** `pesewa serve` and `pesewa work`: one node of many, on a schema that `pesewa migrate` has prepared. */
export function node(roles: NodeRoles): Promise<void> {
  return run({
    async prepare(settings) {
      // A secret of this node's own would make links and cursors that the other nodes refuse.
      if (settings.databaseUrl && !settings.secretKey)
        throw new ConfigError('SECRET_KEY is not set; all nodes on one DATABASE_URL need the same one.')
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
 * For whoever collects the log: one line, whatever LOG_LEVEL is, for a node that is up is no detail. Whoever looks at a
 * terminal has the sentence.
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

/** For whoever looks at the terminal, or at the supervisor's log. */
function readyLine({ parts: { baseUrl, settings } }: App, roles: NodeRoles): string {
  if (!roles.serve) return 'Pesewa is ready: running background jobs. Press Ctrl-C to stop.'
  const jobs = roles.work ? ', with background jobs' : '; other nodes run background jobs'
  return `Pesewa is ready at ${baseUrl} (listening on ${settings.host}, port ${settings.port})${jobs}. Press Ctrl-C to stop.`
}

type Phases = {
  prepare(settings: Settings, database: OwnedDatabase): Promise<Settings>
  begin(app: App): Promise<void>
}

/** Runs until a signal or the end of the database, then ends in order: app first, database last. */
async function run({ prepare, begin }: Phases): Promise<void> {
  const settings = readSettings(process.env)
  const stopRequest = signalled()
  const database = await startDatabase(settings)
  try {
    const prepared = await prepare(settings, database)
    const { openApp } = await server()
    const app = await openApp(prepared, database.connection)
    let failure: Error | undefined
    try {
      await begin(app)
      // A node serves faster with them. What they have begun when it is to stop is done long before its end.
      allowBackgroundCompilers(true)
      failure = await Promise.race([stopRequest, database.exited])
      allowBackgroundCompilers(false)
      // Whatever hangs must not keep the process: what was not finished is in the database and goes on next time.
      setTimeout(() => process.exit(1), shutdownLimitMs).unref()
    } finally {
      await app.close()
    }
    if (failure) throw failure
  } finally {
    await database.stop()
  }
}

/** Settles at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
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
