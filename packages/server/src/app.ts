import { setTimeout as sleep } from 'node:timers/promises'
import type { SimulatorClock } from '@pesewa/connector-kit/simulator'
import type { FastifyInstance } from 'fastify'
import { createDemoDoor, type DemoDoor } from './demo/door.ts'
import { eventData } from './events/events.ts'
import { startSequencer } from './events/sequencer.ts'
import { startDispatcher } from './events/webhooks/dispatcher.ts'
import { startChaining } from './finance/books/chain.ts'
import { startFloatWatch } from './finance/settlements/float.ts'
import { openFollowers, openOrigins } from './followers.ts'
import { findLines } from './ledger/accounts/postings.ts'
import { selectPostedLines } from './ledger/accounts/store.ts'
import { hasBatch } from './money/payout-batches/store.ts'
import { openFrontPage } from './operations/docs/front-page.ts'
import { openClock, realClock } from './platform/clock.ts'
import { openDatabase } from './platform/db/database.ts'
import { checkSchema } from './platform/db/migrate.ts'
import type { Connection } from './platform/db/servers.ts'
import { watchDisk } from './platform/disk-watch.ts'
import { masterKeysOf } from './platform/encryption/master-key.ts'
import { followKeys, openKeyring } from './platform/encryption/open-keyring.ts'
import type { ConnectionTimeouts } from './platform/http/admission/connections.ts'
import type { Gate } from './platform/http/admission/gate.ts'
import type { Route } from './platform/http/commands/route.ts'
import { freePort } from './platform/http/server/free-port.ts'
import { createHttpServer } from './platform/http/server/server.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { openRateLimiter } from './platform/limits/limits.ts'
import { createLog } from './platform/log.ts'
import { serveMetrics, showReadiness } from './platform/metrics.ts'
import { recordNode } from './platform/nodes.ts'
import type { Platform } from './platform/platform.ts'
import { readSecretKey } from './platform/secret-key.ts'
import { openSiblings } from './platform/siblings.ts'
import { openTracing } from './platform/trace-export/tracing.ts'
import { openPlatformOn } from './platform-parts.ts'
import { type RailQueues, startRailQueues } from './rails/instructions/rail-queues.ts'
import { openNumbers } from './rails/providers/numbers.ts'
import { openProviders } from './rails/providers/providers.ts'
import { openConnectionStats } from './rails/routing/connection-stats.ts'
import { startStoringOpenBreakers } from './rails/routing/open-breakers.ts'
import { noPauses, openPauses, type Pauses } from './rails/routing/pauses.ts'
import { openSuccessGuard } from './rails/routing/success-guard.ts'
import { openTraffic } from './rails/routing/traffic.ts'
import { addReference, documentOf } from './reference.ts'
import { describeReadiness, rootRoutes } from './root.ts'
import { openOwnSimulator } from './simulator/simulator.ts'
import {
  calendar,
  findChecks,
  findPersonalData,
  findReconciled,
  jobsOf,
  type Parts,
  readSettings,
  routesOf,
  type Settings,
  settlementColumns,
  showMetrics,
} from './slices.ts'
import { watchStalls } from './stalls.ts'
import { openRequestLog } from './tenants/requests/request-log.ts'
import { createGate } from './tenants/spaces/gate.ts'
import { timeZoneOfSpace } from './tenants/spaces/time-zone.ts'
import { startBillPulls } from './ways-to-pay/bill-payments/pulls.ts'
import { createSessionLinks } from './ways-to-pay/payment-links/slots.ts'
import { openDialling } from './ways-to-pay/ussd/networks.ts'

export type App = {
  parts: Parts
  routes: Route[]
  /** Closed, unless this is a demo. */
  demoDoor: DemoDoor
  server: FastifyInstance
  /** Serves requests until `close` is called. */
  serve(): Promise<void>
  /** Waits until the rail calls in progress have finished. */
  settled(): Promise<void>
  /** Runs background jobs until `close` is called. */
  work(): Promise<void>
  /**
   * Reports that the node is not ready, and serves requests for DRAIN_SECONDS more, each on a connection of its own,
   * so that load balancers send no further requests to it before it closes.
   */
  drain(): Promise<void>
  /** Finishes the work in progress and closes: requests first, then jobs, then the database. */
  close(): Promise<void>
}

/** Assembles the application on a database that has the expected schema. Does not start a server or jobs yet. */
export async function openApp(
  { port, ...others }: Settings,
  connection: Connection,
  options: AppOptions = {},
): Promise<App> {
  const settings = { ...others, port: port || (await freePort(others.host)) }
  const opened = new AsyncDisposableStack()
  try {
    const platform = await openPlatform(settings, connection, opened, options)
    return await assemble(platform, connection, opened, options)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Options that tests override. */
type AppOptions = {
  /**
   * Maximum allowed difference between this node's clock and the database's. Tests that stop the clock raise
   * it.
   */
  maxClockDifferenceMs?: number
  simulatorClock?: SimulatorClock
  lockTimeoutMs?: number
  stallLimitMs?: number
  timeouts?: ConnectionTimeouts
}

/**
 * Length of the accept queue, within the system's limit. Node's default of 511 is too small for busy moments,
 * and clients wait a second before they retry a connection that did not fit into the queue.
 */
const maxUnaccepted = 4_096 // connections waiting to be accepted, within the system's limit

async function assemble(
  platform: Platform & { settings: Settings },
  connection: Connection,
  opened: AsyncDisposableStack,
  { simulatorClock, stallLimitMs, timeouts }: AppOptions,
): Promise<App> {
  const { settings, db, log } = platform
  const requestLog = openRequestLog(platform)
  opened.defer(() => requestLog.stop())
  const pauses = await openPauses(platform)
  opened.defer(() => pauses.stop())
  const running: RunningQueues = {}
  const { parts, gate, routes, demoDoor } = await openRoutes(
    platform,
    { pauses, running, simulatorClock },
    opened,
  )
  const nodeRecord = recordNode(platform)
  opened.defer(() => nodeRecord.ends())
  const traffic = openTraffic(parts.catalogue, {
    isTestPaced: settings.rateLimits === 'on',
    shareOf: platform.nodes.shareOf,
  })
  const server = await createHttpServer({
    platform,
    gate,
    routes,
    eventData,
    timeZoneOf: (scope) => timeZoneOfSpace(platform.db, scope),
    ...(settings.requestLog === 'on' && { recordExchange: requestLog.record }),
    ...(timeouts && { timeouts }),
  })
  addReference(server, parts.openApi)

  await showMetrics(platform)
  showReadiness(platform.metrics.registry, () => describeReadiness(platform))
  const stopping = new AbortController()
  let isWatching = false
  const watch = async () => {
    if (isWatching) return
    isWatching = true
    await platform.clockWatch.start()
    await platform.nodes.start()
    opened.defer(watchDisk(platform))
  }
  let metricsServer: { close(): void } | undefined
  const listenForMetrics = async () => {
    const { metricsHost, metricsPort } = settings
    if (metricsPort === 0) return
    metricsServer ??= await serveMetrics(platform, metricsHost, metricsPort, () =>
      describeReadiness(platform),
    )
  }
  return {
    parts,
    routes,
    demoDoor,
    server,
    async serve() {
      await listenForMetrics()
      await watch()
      await server.listen({ host: settings.host, port: settings.port, backlog: maxUnaccepted })
      await nodeRecord.begins('serves')
      parts.simulator.start()
    },
    settled: async () => running.queues?.settled(),
    async work() {
      await listenForMetrics()
      await nodeRecord.begins('works')
      await watch()
      const dispatcher = await startDispatcher(parts, connection)
      opened.defer(() => dispatcher.stop())
      opened.defer(await startChaining(db, log))
      opened.defer(await startSequencer(db, selectPostedLines, log))
      opened.defer(startStoringOpenBreakers(platform, traffic))
      opened.defer(startFloatWatch(platform, parts))
      opened.defer(startBillPulls(parts, stopping.signal))
      const started = await startRailQueues({ ...parts, traffic })
      opened.defer(() => started.stop())
      running.queues = started
      const jobs = await jobsOf(parts, stopping.signal)
      const concurrency = settings.jobConcurrency
      const worker = await startWorker(db, jobs, calendar, { ...platform, concurrency })
      opened.defer(() => worker.stop())
      opened.defer(watchStalls(platform, Object.keys(jobs), stallLimitMs))
    },
    async drain() {
      platform.readiness.beginShutdown()
      await sleep(settings.drainSeconds * 1_000)
    },
    async close() {
      platform.readiness.beginShutdown()
      stopping.abort(new Error('the node is shutting down'))
      await server.close()
      metricsServer?.close()
      await opened.disposeAsync()
    },
  }
}

/**
 * The rail queues of a node that runs jobs. A node that only serves requests has none, because only the nodes
 * that run jobs send instructions to rails.
 */
type RunningQueues = { queues?: RailQueues }

type RouteOptions = {
  pauses: Pauses
  running: RunningQueues
  simulatorClock?: SimulatorClock | undefined
}

/** Opens the routes and everything that they depend on. */
async function openRoutes(
  platform: Platform & { settings: Settings },
  { pauses, running, simulatorClock }: RouteOptions,
  opened: AsyncDisposableStack,
): Promise<{ parts: Parts; gate: Gate; routes: Route[]; demoDoor: DemoDoor }> {
  const { settings } = platform
  const gate = createGate(platform)
  opened.defer(() => gate.stop())
  const providers = openProviders(platform, pauses)
  opened.defer(() => providers.connectors.close())
  const successGuard = openSuccessGuard(platform, providers.catalogue)
  opened.defer(() => successGuard.settled())
  const connectionStats = openConnectionStats(platform)
  opened.defer(() => connectionStats.stop())
  const simulator = await openOwnSimulator(platform, providers.catalogue, simulatorClock)
  opened.defer(() => simulator.stop())
  const slices = {
    ...platform,
    ...providers,
    numbers: openNumbers({ ...platform, ...providers }),
    simulator,
    gate,
    successGuard,
    connectionStats,
    findLines,
    eventData,
  }
  const parts: Parts = {
    ...slices,
    rails: async () => providers,
    openFollowers: async () => parts.followers,
    origins: openOrigins(slices),
    links: createSessionLinks(slices),
    dialling: openDialling(settings),
    followers: openFollowers(slices),
    hasBatch,
    findChecks,
    findReconciled,
    findPersonalData: () => findPersonalData(settings),
    settlementColumns,
    // Called only after all routes have been collected, including those of the documentation.
    openApi: () => documentOf(routes, platform.baseUrl),
    queues: {
      admit: (tx, instruction) => running.queues?.admit(tx, instruction) ?? instruction,
      queryEarly: (instruction) => running.queues?.queryEarly(instruction) ?? false,
    },
  }
  const demoDoor = createDemoDoor(parts)
  const hasSimulator = settings.simulator === 'on'
  const frontPage = openFrontPage({ baseUrl: platform.baseUrl, hasSimulator }, demoDoor)
  const routes: Route[] = [
    ...rootRoutes(parts, gate, frontPage),
    ...demoDoor.routes,
    ...(await routesOf(parts)),
  ]
  return { parts, gate, routes, demoDoor }
}

async function openPlatform(
  settings: Settings,
  connection: Connection,
  opened: AsyncDisposableStack,
  { lockTimeoutMs, maxClockDifferenceMs }: AppOptions,
): Promise<Platform & { settings: Settings }> {
  const log = createLog(settings.logLevel, { isTraced: settings.traceEndpoint !== undefined })
  const encryption = openKeyring(
    connection,
    masterKeysOf(settings, () => readSecretKey(settings)),
  )
  const db = openDatabase(connection, {
    maxConnections: settings.databasePoolSize,
    encryption,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
    onIdleError: (err) => log.error({ err }, 'lost an idle database connection'),
  })
  opened.defer(() => db.close())
  await checkSchema(db.pool)
  opened.defer(await followKeys(db, encryption, log))
  const clock = await openClock(db)
  opened.defer(() => clock.close())
  const siblings = openSiblings()
  const platform = openPlatformOn({ settings, log, db, clock }, opened, { maxClockDifferenceMs, siblings })
  const limiter = await openRateLimiter({ ...platform, redisUrl: settings.redisUrl }, opened)
  const {
    traceEndpoint: endpoint,
    traceHeaders: headers,
    traceRatio: ratio,
    incomingTraces: incoming,
  } = settings
  if (endpoint === undefined) return { ...platform, limiter }
  const tracing = await openTracing(platform, { endpoint, headers, ratio, incoming, node: db.node })
  opened.defer(() => tracing.stop())
  return { ...platform, limiter, tracing }
}

/** Builds the OpenAPI document without a database. The routes are opened but never called. */
export async function describeApi() {
  const settings = readSettings({ SECRET_KEY: 'only to describe the API: signs nothing', SIMULATOR: 'on' })
  await using opened = new AsyncDisposableStack()
  const db = openDatabase({}, { maxConnections: 1, onIdleError: () => {} })
  opened.defer(() => db.close())
  const platform = openPlatformOn({ settings, log: createLog('silent'), db, clock: realClock }, opened)
  const { routes } = await openRoutes(platform, { pauses: noPauses, running: {} }, opened)
  return documentOf(routes, platform.baseUrl)
}
