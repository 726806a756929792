import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../platform/platform.ts'
import { repeat } from '../platform/repeat.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Admission, Traffic } from '../providers/traffic.ts'
import { countQueued, firstSpace, type Lane, selectLanes } from './lane-store.ts'
import { createSubmission, type Submission, type Submitting } from './submission.ts'

export type DispatcherParts = Platform & { connectors: Connectors; traffic: Traffic }
export type Dispatcher = { stop(): Promise<void> }

const sweepEveryMs = 100
/** Taken from a lane in one transaction. */
const maxTaken = 32
/** A rail that rests is looked at again after so long: what waits may have been cancelled, and the node may stop. */
const longestWaitMs = 1_000
/** What is on its way when the node stops is waited for so long; after that its query finds out. */
const stopLimitMs = 5_000

/**
 * Sends what waits: a lane for each provider and environment, on every node that works, as fast as its traffic allows. A
 * rail that is slow or away holds up nothing but its own lane, where Spaces take turns, each in order of creation.
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, log, clockWatch } = parts
  const stopping = new AbortController()
  const submission = createSubmission(parts)
  const lanes = new Map<string, Promise<void>>()
  const sending = new Set<Promise<void>>()

  const stopSweep = repeat(sweepEveryMs, log, async () => {
    if (!clockWatch.isSound()) return
    for (const lane of await selectLanes(db)) {
      const name = `${lane.environment} ${lane.providerId}`
      if (!lanes.has(name))
        lanes.set(
          name,
          run(lane).finally(() => lanes.delete(name)),
        )
    }
  })
  const run = (lane: Lane) =>
    sendAll(parts, submission, lane, sending, stopping.signal).catch((err) =>
      log.error({ err, provider: lane.providerId }, 'the lane of a provider was interrupted'),
    )
  return {
    async stop() {
      stopping.abort()
      await stopSweep()
      await Promise.all(lanes.values())
      await Promise.race([Promise.all(sending), sleep(stopLimitMs, undefined, { ref: false })])
    },
  }
}

/** Sends what waits in a lane, until nothing does; what is under way then goes on. */
async function sendAll(
  { db, log, traffic, clockWatch }: DispatcherParts,
  submission: Submission,
  lane: Lane,
  sending: Set<Promise<void>>,
  stopping: AbortSignal,
): Promise<void> {
  const ofLane = new Set<Promise<void>>()
  let after = firstSpace
  while (!stopping.aborted && clockWatch.isSound()) {
    const waiting = await countQueued(db, lane, maxTaken)
    if (waiting === 0) return
    const { admissions, waitMs } = admit(traffic, lane, waiting)
    const taken = await prepare(admissions)
    after = taken.at(-1)?.scope.spaceId ?? after
    for (const [i, { end }] of admissions.entries()) {
      const payout = taken[i]
      if (!payout) {
        end()
        continue
      }
      const sent = submission
        .send(payout, end)
        .catch((err) =>
          log.error({ err, provider: lane.providerId }, 'the answer to a payout was not recorded'),
        )
      track(ofLane, sent)
      track(sending, sent)
    }
    // What is there and cannot be taken is locked: by another node, or somebody who changes it.
    const isLocked = taken.length === 0 && admissions.length > 0
    const restMs = isLocked ? Math.max(waitMs, sweepEveryMs) : waitMs
    if (restMs > 0) await pause(Math.min(restMs, longestWaitMs), ofLane, stopping)
  }

  async function prepare(admissions: Admitted[]): Promise<Submitting[]> {
    if (admissions.length === 0) return []
    try {
      return await submission.prepare(lane, after, admissions.length)
    } catch (error) {
      for (const { end } of admissions) end()
      throw error
    }
  }
}

type Admitted = Extract<Admission, { end: unknown }>

/** As many as may be sent now, at most `wanted`; where that is none, how long to wait. */
function admit(traffic: Traffic, { providerId, environment }: Lane, wanted: number) {
  const admissions: Admitted[] = []
  while (admissions.length < wanted) {
    const admission = traffic.admit(providerId, environment)
    if ('waitMs' in admission) return { admissions, waitMs: admission.waitMs }
    admissions.push(admission)
  }
  return { admissions, waitMs: 0 }
}

/** Until so long has passed, or a place has become free. */
async function pause(ms: number, ofLane: Set<Promise<void>>, stopping: AbortSignal): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([stopping, over.signal])
  await Promise.race([sleep(ms, undefined, { signal }).catch(() => {}), ...ofLane])
  over.abort()
}

function track(set: Set<Promise<void>>, work: Promise<void>): void {
  set.add(work)
  void work.finally(() => set.delete(work))
}
