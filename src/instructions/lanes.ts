import { setTimeout as sleep } from 'node:timers/promises'
import { startRounds } from '../platform/repeat.ts'
import type { SubmitAges } from '../providers/conclusive-missing.ts'
import { nameOf, type RailLane, railKinds } from '../providers/lane.ts'
import type { Traffic } from '../providers/traffic.ts'
import type { Admit } from './instructions.ts'
import { instructionsChannel, laneOf, maxClaimed, readWake } from './lane.ts'
import type { InstructionParts } from './parts.ts'
import { createRecording } from './recording.ts'
import { openStatusQueries, type StatusQueries } from './status-queries.ts'
import { type Instruction, type LaneWork, selectWork } from './store.ts'
import { openSubmitting, type Submitting } from './submitting.ts'

export type Lanes = Awaited<ReturnType<typeof startLanes>>

/** Polling finds what no wake-up announced. */
const pollEveryMs = 2_000 // limit: time until a queue finds what no wake-up announced
/** Used if more is due than one poll returns. */
const fullPollMs = 200
/** How long a stopping node waits for calls in flight; queries find the outcome of the others. */
const stopLimitMs = 5_000

/**
 * Submits queued instructions and queries their outcomes. Every working node has a queue for each kind,
 * environment and provider, which runs as fast as its traffic limit allows. A slow or unreachable rail holds up
 * only its own queue, in which Spaces take turns, each in order of creation.
 */
export async function startLanes(parts: InstructionParts & { traffic: Traffic }) {
  const { db, log, catalogue, clock } = parts
  const recording = createRecording(parts)
  const stopping = new AbortController()
  const lanes = new Map<string, { submitting: Submitting; queries: StatusQueries }>()
  const open = (lane: RailLane) => {
    const existing = lanes.get(nameOf(lane))
    if (existing) return existing
    const submitting = openSubmitting(parts, recording, lane, stopping.signal)
    const queries = openStatusQueries(parts, recording, lane, stopping.signal, submitting)
    lanes.set(nameOf(lane), { submitting, queries })
    return { submitting, queries }
  }
  const offer = ({ spaceId, id, ...lane }: LaneWork) =>
    id === null
      ? open(lane).submitting.offer(spaceId)
      : open(lane).queries.offer({ scope: { spaceId, environment: lane.environment }, id })

  const all = catalogue
    .all()
    .flatMap(({ providerId }) =>
      railKinds.flatMap((kind) =>
        (['test', 'live'] as const).map((environment) => ({ kind, environment, providerId })),
      ),
    )
  // Opened now, outside any request: later, a request of a Space might open it.
  for (const lane of all) open(lane)
  const rounds = startRounds({ everyMs: pollEveryMs, log }, async () => {
    const waiting = await selectWork(db, all, maxClaimed)
    for (const work of waiting) offer(work)
    // A queue with this many due has more than one poll returns.
    const due = Map.groupBy(
      waiting.filter(({ id }) => id !== null),
      nameOf,
    )
    return [...due.values()].some(({ length }) => length >= maxClaimed) ? fullPollMs : undefined
  })
  const stopHearing = await db.onWake(instructionsChannel, (about) => {
    const work = readWake(about)
    if (work) offer(work)
    else rounds.wake()
  })
  clock.onMoved(() => rounds.wake())
  const settled = async () => {
    await Promise.all(
      [...lanes.values()].flatMap(({ submitting, queries }) => [submitting.settled(), queries.settled()]),
    )
  }
  return {
    admit: ((tx, instruction) => open(laneOf(instruction)).submitting.admit(tx, instruction)) satisfies Admit,
    /** Queries this now, whatever its schedule; false if it has to wait. */
    queryEarly: (instruction: Instruction & SubmitAges) =>
      open(laneOf(instruction)).queries.queryEarly(instruction),
    /** Waits for the calls in flight. */
    settled,
    async stop(): Promise<void> {
      stopping.abort()
      stopHearing()
      await rounds.stop()
      await Promise.race([settled(), sleep(stopLimitMs, undefined, { ref: false })])
    },
  }
}
