import type { ClientConfig } from 'pg'
import { createBatches, laneOf } from '../../platform/batches.ts'
import { createGuardedPeer } from '../../platform/outbound/guarded-peer.ts'
import type { Platform } from '../../platform/platform.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import type { EventParts } from '../event-envelope.ts'
import { eventsChannel } from '../sequencer.ts'
import { webhookNetworks } from '../settings.ts'
import { createAttemptBudget } from './attempt-budget.ts'
import { type AttemptResult, recordResults, selectDueWebhooks } from './delivery-store.ts'
import { createFailureRuns } from './failure-runs.ts'
import { Lane, type LaneParts } from './lane.ts'
import { openLaneLocks } from './lane-locks.ts'
import { deliveryAttempts } from './metrics.ts'
import { createPollSchedule } from './poll-schedule.ts'

export type Dispatcher = { stop(): Promise<void> }

/** Endpoints that one node sends to at once; failing ones can use at most half of this. */
const maxLanesOfNode = 200 // limit: endpoints that one node sends to at once
const maxConnectionsToOne = 32 // limit: connections from one node to one webhook receiver
const readsAtOnce = 4
/** Catches deliveries without a notification: retries of other nodes, also of dead ones. */
const sweepEveryMs = 5_000
/** Time that a stopping node waits for attempts in progress; another node repeats those not recorded by then. */
const stopLimitMs = 5_000

/**
 * Sends due deliveries, by real time and each Space's clock. Each endpoint has one worker, on one node at a
 * time.
 */
export async function startDispatcher(
  parts: EventParts,
  connection: ClientConfig,
  maxLanes = maxLanesOfNode,
): Promise<Dispatcher> {
  const { db, clock, clockWatch, log } = parts
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  const peers = { test: openPeer(parts, 'test'), live: openPeer(parts, 'live') }
  let isStopped = false
  const locks = await openLaneLocks(connection, log, () => {
    for (const lane of lanes.values()) lane.stop()
  })
  const polls = createPollSchedule((scope) => poll(scope), log)
  const laneParts: LaneParts = {
    ...parts,
    peers,
    record: createRecorder(parts),
    limitReads: createSemaphore(readsAtOnce),
    budget: createAttemptBudget(parts.settings),
    failureRuns: createFailureRuns(),
    pollAt: polls.at,
  }

  async function poll(scope: Scope | undefined): Promise<void> {
    // Deliveries are signed with a timestamp, and receivers reject one that is minutes off.
    if (clockWatch.isAmiss()) return
    const due = await selectDueWebhooks(db, new Date(), scope, 2 * maxLanes)
    const sharesBefore = countShares(lanes.values())
    const shareBefore = (one: Scope) => sharesBefore.get(laneOf(one)) ?? 0
    for (const { id, isFailing, ...owner } of due.sort((a, b) => shareBefore(a) - shareBefore(b))) {
      const lane = lanes.get(id)
      if (lane) lane.wake()
      else if (isStopped) return
      else if (!isFailing && lanes.size >= maxLanes) makeRoomFor(owner)
      else if (hasRoom(isFailing) && (await locks.acquire(id))) begin(owner, id, isFailing)
    }
  }

  const hasRoom = (isFailing: boolean) =>
    lanes.size < maxLanes &&
    (!isFailing || [...lanes.values()].filter((lane) => lane.isFailing).length < maxLanes / 2)

  /** Stops a worker of the Space with the most, if that has at least two more than this Space. */
  function makeRoomFor(scope: Scope): void {
    const staying = [...lanes.values()].filter((lane) => !lane.hasYielded)
    const shares = countShares(staying)
    const most = Math.max(...shares.values())
    if ((shares.get(laneOf(scope)) ?? 0) + 1 < most)
      staying.find((lane) => shares.get(laneOf(lane.scope)) === most)?.makeRoom()
  }

  function begin(scope: Scope, id: string, wasFailing: boolean): void {
    const lane = new Lane(laneParts, scope, id, wasFailing)
    lanes.set(id, lane)
    const end = lane
      .run()
      .catch((err) => log.error({ err, webhookId: id }, 'webhook worker failed'))
      .finally(async () => {
        const isCrowded = lanes.size >= maxLanes
        lanes.delete(id)
        await locks.release(id)
        running.delete(end)
        if (lane.hasYielded && !isStopped) polls.soon(isCrowded ? undefined : scope)
      })
    running.add(end)
  }

  const stopListening = await db.onWake(eventsChannel, (about) =>
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
      for (const lane of lanes.values()) lane.stop()
      await Promise.race([
        Promise.all(running),
        new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref()),
      ])
      await locks.close()
      await Promise.all([peers.test.destroy(), peers.live.destroy()])
    },
  }
}

/** Parses `<environment> <Space>`. */
function scopeOf(lane: string): Scope {
  const [environment, spaceId = ''] = lane.split(' ')
  return { spaceId, environment: environment === 'live' ? 'live' : 'test' }
}

/** Counts workers per Space and environment. */
function countShares(lanes: Iterable<Lane>): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { scope } of lanes) shares.set(laneOf(scope), (shares.get(laneOf(scope)) ?? 0) + 1)
  return shares
}

const openPeer = ({ settings }: EventParts, environment: Environment) =>
  createGuardedPeer({
    allowedNetworks: webhookNetworks(settings, environment),
    maxConnections: maxConnectionsToOne,
  })

/** Records attempts of all workers in batches. */
function createRecorder({ db, metrics }: Platform): LaneParts['record'] {
  const batches = createBatches<AttemptResult, void>({
    run: async (results) => {
      await db.transaction((tx) => recordResults(tx, results))
      return results.map(() => ({ answer: undefined }))
    },
    observe: (size) => metrics.batchSizes.observe({ command: 'deliveries.record' }, size),
  })
  return (result) => {
    deliveryAttempts(metrics).inc({ outcome: result.status })
    return batches.submit('', result)
  }
}
