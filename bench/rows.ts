import { type BatchSizes, batchSizesBetween } from './batch-sizes.ts'
import { type Books, chainAll, type Shop } from './books.ts'
import type { BurstTask } from './burst.ts'
import type { CallsTask } from './calls.ts'
import { endChild, forkChild, forkListening } from './children.ts'
import { type Cost, costBetween, memoryOf, type Reading, readDatabase } from './costs.ts'
import type { BenchDatabase } from './database.ts'
import type { DeliveriesTask } from './deliveries.ts'
import type { DialsTask } from './dials.ts'
import type { EchoTask } from './echo.ts'
import type { LoadTask } from './load.ts'
import { type Node, startNode } from './node.ts'
import type { Options, Part } from './options.ts'
import type { OrdersTask } from './orders.ts'
import type { Figures, Pace } from './pace.ts'
import type { PaymentsTask } from './payments.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import type { RouteKind, RouteName, RoutesTask } from './routes.ts'
import { completedTransfer, type Target, transferPath } from './transfer.ts'
import { type Observed, readUsage, type Usage, usageBetween } from './usage.ts'

/** One measurement: a line of the table. */
export type Row = {
  part: Part
  target: Target | 'one hangs' | 'burst' | 'paid' | 'slow' | 'polled' | RouteKind | RouteName | null
  /** Connections, or concurrent calls. */
  lanes: number
  /** Requests offered per second; `null` for a closed loop. */
  offered: number | null
  /** Ledger lines before the measurement; `null` if the ledger was not grown. */
  historyLines: number | null
  figures: Figures
  batches: BatchSizes | null
  /** Cost of one completed operation; `null` if it was not counted. */
  cost: Cost | null
  usage: Usage
  /** Memory of the node at the end, in MiB; `null` if the row has none. */
  memory: number | null
}

export type Run = { options: Options; database: BenchDatabase; books: Books; told(row: Row): void }

export type Plan = Pick<Row, 'target' | 'lanes' | 'offered' | 'historyLines'>

const targets: Target[] = ['spread', 'hot']
const withTwin: Target[] = [...targets, 'Spaces']

/** Measures the limits of the database and the framework, which everything else is compared with. */
export async function measureLimits(run: Run): Promise<void> {
  const { only, connections } = run.options
  if (only.includes('database'))
    for (const plan of [...closedLoops(connections, null), ...single(connections, null)])
      await measureDatabase(run, plan)
  if (only.includes('framework'))
    for (const lanes of new Set([connections, 1]))
      await measureFramework(run, { target: null, lanes, offered: null, historyLines: null })
}

/** Measures the service. */
export async function measureService(run: Run, historyLines: number | null): Promise<void> {
  const { only, connections, inFlight, rate } = run.options
  if (only.includes('in-process'))
    for (const plan of closedLoops(inFlight, historyLines, withTwin)) await measureInProcess(run, plan)
  if (!only.includes('http')) return
  const node = await startNode(run.database, ['serve', '--work'])
  try {
    const loops = closedLoops(connections, historyLines, withTwin)
    // Open loops are not repeated with a long history, because their rate is fixed.
    const open =
      rate === undefined || historyLines !== null ? [] : loops.map((plan) => ({ ...plan, offered: rate }))
    for (const plan of [...loops, ...single(connections, historyLines), ...open]) {
      await measureHttp(run, node, plan)
      await node.published()
    }
  } finally {
    await node.stop()
  }
}

/**
 * Returns closed loops for these targets. By default, many Spaces are not among the targets, because they do
 * not affect the database's limit.
 */
const closedLoops = (lanes: number, historyLines: number | null, those = targets): Plan[] =>
  those.map((target) => ({ target, lanes, offered: null, historyLines }))

/** Returns a plan with a single connection, or none if the closed loops already have only one connection. */
const single = (connections: number, historyLines: number | null): Plan[] =>
  connections === 1 ? [] : [{ target: 'spread', lanes: 1, offered: null, historyLines }]

async function measureDatabase(run: Run, plan: Plan): Promise<void> {
  const { options, database, books } = run
  if (findPgbench() === undefined) return measureCalls(run, 'database', 'driver', plan)
  const pgbench = (seconds: number) =>
    runPgbench(database, books, {
      target: plan.target === 'hot' ? 'hot' : 'spread',
      connections: plan.lanes,
      seconds,
    })
  await settle(run)
  if (options.warmUpSeconds > 0) await pgbench(options.warmUpSeconds)
  const observed: Observed = { load: 'ended', postgres: database.postmaster }
  const before = readUsage(observed)
  const figures = await pgbench(options.seconds)
  const usage = usageBetween(observed, before, readUsage(observed))
  run.told({ part: 'database', ...plan, figures, batches: null, cost: null, usage, memory: null })
}

const measureInProcess = (run: Run, plan: Plan) => measureCalls(run, 'in-process', 'in-process', plan)

async function measureCalls(run: Run, part: Part, kind: CallsTask['kind'], plan: Plan): Promise<void> {
  const { database, books } = run
  const { connection, folder: dataDir } = database
  const task: CallsTask = {
    kind,
    connection,
    dataDir,
    ...payersOf(books, plan),
    pace: paceOf(run, plan),
  }
  await settle(run)
  const who = kind === 'driver' ? 'load' : 'server'
  const told = await measureChild('calls.ts', task, (pid) => ({ [who]: pid, postgres: database.postmaster }))
  run.told({ part, ...plan, ...told })
}

const measureFramework = (run: Run, plan: Plan) =>
  withFramework(run, plan, {}, (origin, observe) => {
    const task = { ...loadTask(run, origin, plan), expected: '"success":true' }
    return measureChild('load.ts', task, observe)
  })

/** Measures a process with plain Fastify under the load of `measure`. */
export async function withFramework(
  run: Run,
  plan: Plan,
  task: EchoTask,
  measure: (origin: string, observe: (load: number) => Observed) => ReturnType<typeof measureChild>,
): Promise<void> {
  const { child, port } = await forkListening('echo.ts', task)
  try {
    const told = await measure(`http://127.0.0.1:${port}`, (load) => ({ server: child.pid!, load }))
    run.told({ part: 'framework', ...plan, ...told })
  } finally {
    await endChild(child)
  }
}

async function measureHttp(run: Run, node: Node, plan: Plan): Promise<void> {
  await settle(run)
  const task = loadTask(run, node.origin, plan)
  const told = await measureChild(
    'load.ts',
    task,
    (load) => ({ server: node.pid, load, postgres: run.database.postmaster }),
    node.metrics,
    run.database,
  )
  run.told({ part: 'http', ...plan, ...told })
}

/** Returns the scopes that make transfers and the number of their accounts. */
function payersOf({ scope, accounts, shops, accountsOfEach }: Books, { target }: Plan) {
  if (target !== 'Spaces') return { target: (target ?? 'spread') as Target, scopes: [scope], accounts }
  return { target, scopes: shops.map((shop) => shop.scope), accounts: accountsOfEach } as const
}

/** Returns the shops that call over HTTP. */
export const callersOf = (books: Books, { target }: Plan): Shop[] =>
  target === 'Spaces' ? books.shops : [books]

const loadTask = (run: Run, origin: string, plan: Plan): LoadTask => ({
  origin,
  path: transferPath,
  shops: callersOf(run.books, plan).map(({ token, shownSpaceId }) => ({ token, shownSpaceId })),
  ...payersOf(run.books, plan),
  expected: completedTransfer,
  pace: paceOf(run, plan),
})

export const paceOf = ({ options }: Run, { lanes, offered }: Plan): Pace => ({
  lanes,
  rate: offered ?? undefined,
  warmUpMs: options.warmUpSeconds * 1000,
  measureMs: options.seconds * 1000,
})

/** Starts every row right after a checkpoint, so that it does not pay for earlier writes. */
export async function settle({ database }: Run): Promise<void> {
  if (database.isOwn) await database.client.query('checkpoint')
}

/**
 * Publishes and chains what the set-up of the Spaces has left. The node that is measured would otherwise spend a tenth
 * of a core on it during the first rows.
 */
export async function publishSetUp({ database }: Run): Promise<void> {
  const node = await startNode(database, ['serve', '--work'])
  await node.stop()
  await chainAll(database)
}

/** Runs a load in its own process, and reads processor time and batch sizes at the start and end of its window. */
export async function measureChild(
  module:
    | 'burst.ts'
    | 'load.ts'
    | 'calls.ts'
    | 'deliveries.ts'
    | 'dials.ts'
    | 'orders.ts'
    | 'payments.ts'
    | 'routes.ts',
  task:
    | BurstTask
    | LoadTask
    | CallsTask
    | DeliveriesTask
    | DialsTask
    | OrdersTask
    | PaymentsTask
    | RoutesTask,
  observe: (pid: number) => Observed,
  readMetrics: () => Promise<string | undefined> = async () => undefined,
  /** The database, if the cost of the operations is counted. */
  database?: BenchDatabase,
): Promise<Pick<Row, 'figures' | 'batches' | 'cost' | 'usage' | 'memory'>> {
  let figures: Figures | undefined
  const looks: { usage: ReturnType<typeof readUsage>; reading: Promise<Reading> }[] = []
  const look = async (metrics: string | undefined): Promise<Reading> => {
    const [text, reading] = await Promise.all([metrics ?? readMetrics(), database && readDatabase(database)])
    return { metrics: text, database: reading }
  }
  let memory: number | null = null
  const { child, ended } = forkChild(module, task, (message) => {
    if (message.kind === 'measured') figures = message.figures
    if (message.kind !== 'begins' && message.kind !== 'ends') return
    const observed = observe(child.pid!)
    looks.push({ usage: readUsage(observed), reading: look(message.metrics) })
    memory = observed.server === undefined ? null : memoryOf(observed.server)
  })
  await ended
  const [begun, finished] = looks
  if (!figures || !begun || !finished) throw new Error(`${module} reported no figures`)
  const [before, after] = [await begun.reading, await finished.reading]
  return {
    figures,
    batches: batchSizesBetween(before.metrics, after.metrics),
    cost: costBetween(before, after, figures.done),
    usage: usageBetween(observe(child.pid!), begun.usage, finished.usage),
    memory,
  }
}
