import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { selectServerSettings } from './operations/installation/health-store.ts'
import { connectionsOf, openDatabase } from './platform/db/database.ts'
import type { Connection } from './platform/db/servers.ts'
import type { Log } from './platform/log.ts'
import { maxProcesses } from './platform/setting-values.ts'
import type { FromSupervisor, SiblingAnswer, ToSupervisor } from './platform/siblings.ts'
import type { Settings } from './slices.ts'

/**
 * Returns the number of processes to run. On one or two cores, `auto` is 1. Otherwise it is one per core, or one
 * per two cores if PostgreSQL runs on this machine, too.
 */
export function wantedProcesses(
  { processes = 1, databaseUrl }: Pick<Settings, 'processes' | 'databaseUrl'>,
  cores = availableParallelism(),
): number {
  if (processes !== 'auto') return processes
  if (cores <= 2) return 1
  return Math.min(maxProcesses, databaseUrl === undefined ? Math.floor(cores / 2) : cores)
}

/**
 * Returns the number of processes to run on this database: with `auto`, no more than an external one has connections
 * for.
 */
export async function countProcesses(
  settings: Settings,
  connection: Connection,
  cores?: number,
): Promise<number> {
  const wanted = wantedProcesses(settings, cores)
  if (settings.processes !== 'auto' || settings.databaseUrl === undefined || wanted === 1) return wanted
  const db = openDatabase(connection, { maxConnections: 1, onIdleError: () => {} })
  try {
    const { maxConnections, reservedConnections } = await selectServerSettings(db)
    const affordable = Math.floor((maxConnections - reservedConnections) / connectionsOf(settings))
    return Math.max(1, Math.min(wanted, affordable))
  } finally {
    await db.close()
  }
}

/** What a process needs to begin. The first one answers operators and prepares the demo. */
export type Assignment = { settings: Settings; connection: Connection; isFirst: boolean }
/** What a process reports when it is ready. */
export type Started = { node: number; text: string }

const steadyMs = 10_000 // limit: a process that ends sooner after its start counts as failed
const maxFailedStarts = 5 // failed starts of a process in a row after which the program gives up
const firstDelayMs = 250 // delay before a failed process is started again; doubles each time

/** Thrown if a process cannot be kept running. The message is one line. */
class ProcessError extends Error {
  override name = 'ProcessError'
}

export type Processes = {
  /** Starts the first process and, when it is ready, the others. Resolves when all of them are ready. */
  start(): Promise<Started[]>
  /**
   * Resolves when the processes cannot be kept running: to an error or, if a process has already printed one, to
   * `undefined`.
   */
  failed: Promise<Error | undefined>
  /** Shuts all processes down and resolves when they have ended. */
  stop(): Promise<void>
}

/**
 * Runs the program in several processes of this machine, which share its ports. A process that ends unexpectedly is
 * replaced.
 *
 * See docs/decisions/0248-processes.md.
 */
export function openProcesses(count: number, shared: Omit<Assignment, 'isFirst'>, log: Log): Processes {
  cluster.setupPrimary({ serialization: 'advanced' })
  const running = new Map<number, Worker>()
  const ready = new Set<Worker>()
  const failed = Promise.withResolvers<Error | undefined>()
  let hasStarted = false
  let isStopping = false
  // If this process exits at once, the others must not remain, even if they hang.
  process.once('exit', () => {
    for (const worker of running.values()) worker.process.kill('SIGKILL')
  })

  function begin(place: number, failedStarts = 0): Promise<Started> {
    const startedAt = performance.now()
    const worker = cluster.fork()
    const started = Promise.withResolvers<Started>()
    // Each question that is being answered has its own listener.
    worker.setMaxListeners(0)
    running.set(place, worker)
    worker.send({ ...shared, isFirst: place === 1 } satisfies Assignment, ignoreClosed)
    worker.on('message', (message: { started: Started } | ToSupervisor) => {
      if ('ask' in message) void passOn(worker, message)
      if (!('started' in message)) return
      ready.add(worker)
      started.resolve(message.started)
    })
    worker.once('exit', (code, signal) => {
      running.delete(place)
      ready.delete(worker)
      if (isStopping) process.exitCode = code === 0 ? process.exitCode : 1
      else if (!hasStarted) endStart(code, signal)
      else {
        const isFailed = performance.now() - startedAt < steadyMs
        replace(place, isFailed ? failedStarts + 1 : 0, { pid: worker.process.pid, code, signal })
      }
    })
    return started.promise
  }

  /** Ends the program, because a process has ended before the program was ready. */
  function endStart(code: number, signal: string | null): void {
    process.exitCode = 1
    // A process that exits with an error code has printed the error.
    const isPrinted = !signal && code !== 0
    const how = signal ?? `exit code ${code}`
    failed.resolve(isPrinted ? undefined : new ProcessError(`A process ended while it started (${how}).`))
  }

  function replace(place: number, failedStarts: number, end: object): void {
    log.error({ process: place, ...end }, 'a process ended unexpectedly')
    if (failedStarts === maxFailedStarts) {
      const message = `A process ended ${maxFailedStarts} times in a row right after its start. See the log.`
      failed.resolve(new ProcessError(message))
      return
    }
    const delayMs = failedStarts === 0 ? 0 : firstDelayMs * 2 ** (failedStarts - 1)
    setTimeout(() => {
      if (!isStopping) void begin(place, failedStarts)
    }, delayMs)
  }

  /** Asks all other processes that are ready on behalf of one, and sends it their answers. */
  async function passOn(asker: Worker, { ask, id }: Extract<ToSupervisor, { ask: string }>): Promise<void> {
    const others = [...ready].filter((worker) => worker !== asker)
    const answers = await Promise.all(others.map((worker) => answerOf(worker, ask)))
    asker.send({ answers: answers.flat(), id } satisfies FromSupervisor, ignoreClosed)
  }

  return {
    async start() {
      const first = await begin(1)
      // A process that is shut down while it starts still becomes ready first.
      if (isStopping) return [first]
      const others = Array.from({ length: count - 1 }, (_, i) => begin(i + 2))
      const all = [first, ...(await Promise.all(others))]
      hasStarted = true
      return all
    },
    failed: failed.promise,
    async stop() {
      isStopping = true
      await Promise.all(
        [...running.values()].map((worker) => {
          const ended = new Promise((resolve) => worker.once('exit', resolve))
          worker.send(stop, ignoreClosed)
          return ended
        }),
      )
    },
  }
}

/** Message that shuts a process down. */
const stop = { stop: true } as const

/** A message to a process that is ending is lost; its `exit` event follows. */
const ignoreClosed = () => {}

let questions = 0

/** Returns the answer of a process in an array, which is empty if the process ends first. */
function answerOf(worker: Worker, asked: string): Promise<SiblingAnswer[]> {
  const id = ++questions
  return new Promise((resolve) => {
    const settle = (answers: SiblingAnswer[]) => {
      worker.off('message', hear).off('exit', giveUp)
      resolve(answers)
    }
    const hear = (message: ToSupervisor) => {
      if ('answer' in message && message.id === id) settle([message.answer])
    }
    const giveUp = () => settle([])
    worker.on('message', hear).on('exit', giveUp)
    worker.send({ asked, id } satisfies FromSupervisor, ignoreClosed)
  })
}

/**
 * Returns what the supervisor has sent to this process, and `stopRequest`, which resolves when the supervisor shuts
 * it down. Signals to this process alone are ignored: a terminal sends Ctrl-C to all processes of the program, and
 * only the supervisor acts on it.
 */
export function readAssignment(): { assignment: Promise<Assignment>; stopRequest: Promise<undefined> } {
  const assignment = Promise.withResolvers<Assignment>()
  const stopRequest = Promise.withResolvers<undefined>()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  process.on('message', (message: Assignment | typeof stop | FromSupervisor) => {
    if ('stop' in message) stopRequest.resolve(undefined)
    else if ('isFirst' in message) assignment.resolve(message)
  })
  return { assignment: assignment.promise, stopRequest: stopRequest.promise }
}
