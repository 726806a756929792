import { setTimeout as sleep } from 'node:timers/promises'
import { startRounds } from '../platform/repeat.ts'
import type { Submit } from '../providers/conclusive.ts'
import { type Lane, nameOf } from '../providers/lane.ts'
import { type Asking, openAsking } from './asking.ts'
import type { TakeUp } from './instructions.ts'
import { instructionsChannel, laneOf, readWake } from './lane-names.ts'
import { type LaneParts, maxTaken } from './lane-parts.ts'
import { createRecording } from './recording.ts'
import { type Instruction, type LaneWork, selectWork } from './store.ts'
import { openSubmitting, type Submitting } from './submitting.ts'

export type Lanes = {
  takeUp: TakeUp
  /** Asks about this at once, beside its schedule; false where that has to wait for its turn. */
  askEarly(instruction: Instruction & Submit): boolean
  /** Waits for what is under way now. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const lookEveryMs = 2_000 // limit: time until a lane finds what no wake announced
/** Where more is due than one look finds, the next comes so soon. */
const fullLookMs = 200
/** What is on its way when the node stops is waited for so long; after that its query finds out. */
const stopLimitMs = 5_000

/**
 * Submits what waits, and queries its outcome: a lane for each kind, environment and provider, on every node that
 * works, as fast as its traffic allows. A rail that is slow or away holds up nothing but its own lane, where Spaces take
 * turns, each in order of creation.
 */
export async function startLanes(parts: LaneParts): Promise<Lanes> {
  const { db, log, catalogue, clock } = parts
  const recording = createRecording(parts)
  const stopping = new AbortController()
  const lanes = new Map<string, { submitting: Submitting; asking: Asking }>()
  const open = (lane: Lane) => {
    const known = lanes.get(nameOf(lane))
    if (known) return known
    const submitting = openSubmitting(parts, recording, lane, stopping.signal)
    const asking = openAsking(parts, recording, lane, stopping.signal, submitting)
    lanes.set(nameOf(lane), { submitting, asking })
    return { submitting, asking }
  }
  const offer = ({ spaceId, id, ...lane }: LaneWork) =>
    id === null
      ? open(lane).submitting.offer(spaceId)
      : open(lane).asking.offer({ scope: { spaceId, environment: lane.environment }, id })

  const all = catalogue
    .all()
    .flatMap(({ providerId }) =>
      (['collect', 'disburse'] as const).flatMap((kind) =>
        (['test', 'live'] as const).map((environment) => ({ kind, environment, providerId })),
      ),
    )
  // Now, in nobody's name: later it may be somebody's request that comes first.
  for (const lane of all) open(lane)
  const rounds = startRounds({ everyMs: lookEveryMs, log }, async () => {
    const found = await selectWork(db, all, maxTaken)
    for (const work of found) offer(work)
    // What so many are due in has more of them than one look finds.
    const due = Map.groupBy(
      found.filter(({ id }) => id !== null),
      nameOf,
    )
    return [...due.values()].some(({ length }) => length >= maxTaken) ? fullLookMs : undefined
  })
  const stopHearing = await db.onWake(instructionsChannel, (about) => {
    const work = readWake(about)
    if (work) offer(work)
    else rounds.wake()
  })
  clock.onMoved(() => rounds.wake())
  const settled = async () => {
    await Promise.all(
      [...lanes.values()].flatMap(({ submitting, asking }) => [submitting.settled(), asking.settled()]),
    )
  }
  return {
    takeUp: (tx, instruction) => open(laneOf(instruction)).submitting.takeUp(tx, instruction),
    askEarly: (instruction) => open(laneOf(instruction)).asking.askEarly(instruction),
    settled,
    async stop() {
      stopping.abort()
      stopHearing()
      await rounds.stop()
      await Promise.race([settled(), sleep(stopLimitMs, undefined, { ref: false })])
    },
  }
}
