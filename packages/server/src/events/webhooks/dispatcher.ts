import { batchKeyOf, createBatches } from '../../platform/batches.ts'
import type { Connection } from '../../platform/db/servers.ts'
import { createGuardedPeer } from '../../platform/outbound/guarded-peer.ts'
import type { Platform } from '../../platform/platform.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import type { EventParts } from '../event-envelope.ts'
import { deliveriesChannel } from '../sequencer.ts'
import { webhookNetworks } from '../settings.ts'
import { countAttempts } from './activity.ts'
import { createAttemptBudget } from './attempt-budget.ts'
import { type AttemptResult, recordResults, selectDueWebhooks } from './delivery-store.ts'
import { createFailureRuns } from './failure-runs.ts'
import { deliveryAttempts } from './metrics.ts'
import { createPollSchedule } from './poll-schedule.ts'
import { DeliveryWorker, type WorkerParts } from './worker.ts'
import { openWorkerLocks } from './worker-locks.ts'

export type Dispatcher = { stop(): Promise<void> }

/** Maximum number of endpoints that one node sends to concurrently. At most half of them may be failing. */
const maxWorkersOfNode = 200 // endpoints that one node sends to concurrently
const maxConnectionsToOne = 32
const readsAtOnce = 4
/**
 * At this interval, the node looks for deliveries for which there was no notification, such as retries planned
 * by other nodes, which may have died.
 */
const sweepEveryMs = 5_000
/**
 * Time for which a stopping node waits for attempts in progress. Another node repeats those that have not been
 * recorded by then.
 */
const stopLimitMs = 5_000

/**
 * Sends deliveries that are due by the clock of their Space. Each endpoint has one worker, which runs on one
 * node at a time.
 */
export async function startDispatcher(
  parts: EventParts,
  connection: Connection,
  maxWorkers = maxWorkersOfNode,
): Promise<Dispatcher> {
  const { db, clock, clockWatch, log } = parts
  const workers = new Map<string, DeliveryWorker>()
  const running = new Set<Promise<void>>()
  const peers = { test: openPeer(parts, 'test'), live: openPeer(parts, 'live') }
  let isStopped = false
  const locks = await openWorkerLocks(connection, log, () => {
    for (const worker of workers.values()) worker.stop()
  })
  const polls = createPollSchedule((scope) => poll(scope), log)
  const laneParts: WorkerParts = {
    ...parts,
    peers,
    record: createRecorder(parts),
    limitReads: createSemaphore(readsAtOnce),
    budget: createAttemptBudget(parts.settings),
    failureRuns: createFailureRuns(),
    pollAt: polls.at,
  }

  async function poll(scope: Scope | undefined): Promise<void> {
    // Deliveries are signed with a timestamp, and receivers reject timestamps that are wrong by minutes.
    if (clockWatch.isWrong()) return
    const due = await selectDueWebhooks(db, new Date(), scope, 2 * maxWorkers)
    const sharesBefore = countShares(workers.values())
    const shareBefore = (one: Scope) => sharesBefore.get(batchKeyOf(one)) ?? 0
    for (const { id, isFailing, ...owner } of due.sort((a, b) => shareBefore(a) - shareBefore(b))) {
      const worker = workers.get(id)
      if (worker) worker.wake()
      else if (isStopped) return
      else if (!isFailing && workers.size >= maxWorkers) makeRoomFor(owner)
      else if (hasRoom(isFailing) && (await locks.acquire(id))) begin(owner, id, isFailing)
    }
  }

  const hasRoom = (isFailing: boolean) =>
    workers.size < maxWorkers &&
    (!isFailing || [...workers.values()].filter((worker) => worker.isFailing).length < maxWorkers / 2)

  /**
   * Stops a worker of the Space that has the most workers, if that Space has at least two more workers than the
   * given Space.
   */
  function makeRoomFor(scope: Scope): void {
    const staying = [...workers.values()].filter((worker) => !worker.hasYielded)
    const shares = countShares(staying)
    const most = Math.max(...shares.values())
    if ((shares.get(batchKeyOf(scope)) ?? 0) + 1 < most)
      staying.find((worker) => shares.get(batchKeyOf(worker.scope)) === most)?.makeRoom()
  }

  function begin(scope: Scope, id: string, wasFailing: boolean): void {
    const worker = new DeliveryWorker(laneParts, scope, id, wasFailing)
    workers.set(id, worker)
    const end = worker
      .run()
      .catch((err) => log.error({ err, webhookId: id }, 'webhook worker failed'))
      .finally(async () => {
        const isCrowded = workers.size >= maxWorkers
        workers.delete(id)
        await locks.release(id)
        running.delete(end)
        if (worker.hasYielded && !isStopped) polls.soon(isCrowded ? undefined : scope)
      })
    running.add(end)
  }

  const stopListening = await db.onWake(deliveriesChannel, (about) =>
    polls.soon(about === undefined ? undefined : scopeOf(about)),
  )
  clock.onMoved(() => polls.soon(undefined))
  const stopSweep = repeat(sweepEveryMs, log, async () => polls.soon(undefined))
  return {
    async stop() {
      isStopped = true
      stopListening()
      await stopSweep()
      await polls.stop()
      for (const worker of workers.values()) worker.stop()
      await Promise.race([
        Promise.all(running),
        new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref()),
      ])
      await locks.close()
      await Promise.all([peers.test.destroy(), peers.live.destroy()])
    },
  }
}

/** Parses text of the form `<environment> <Space>`. */
function scopeOf(worker: string): Scope {
  const [environment, spaceId = ''] = worker.split(' ')
  return { spaceId, environment: environment === 'live' ? 'live' : 'test' }
}

/** Counts the workers of each Space and environment. */
function countShares(workers: Iterable<DeliveryWorker>): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { scope } of workers) shares.set(batchKeyOf(scope), (shares.get(batchKeyOf(scope)) ?? 0) + 1)
  return shares
}

const openPeer = ({ settings }: EventParts, environment: Environment) =>
  createGuardedPeer({
    allowedNetworks: webhookNetworks(settings, environment),
    maxConnections: maxConnectionsToOne,
  })

/** Returns a function that records attempts. Attempts of all workers are recorded in shared batches. */
function createRecorder({ db, metrics }: Platform): WorkerParts['record'] {
  const batches = createBatches<AttemptResult, void>({
    run: async (results) => {
      await db.transaction(async (tx) => {
        await recordResults(tx, results)
        await countAttempts(
          tx,
          results.map((result) => ({ ...result, isDelivered: result.status === 'delivered' })),
        )
      })
      return results.map(() => ({ answer: undefined }))
    },
    observe: (size) => metrics.batchSizes.observe({ command: 'deliveries.record' }, size),
    name: 'deliveries.record',
  })
  return (result) => {
    deliveryAttempts(metrics).inc({ outcome: result.status })
    return batches.submit('', result)
  }
}
