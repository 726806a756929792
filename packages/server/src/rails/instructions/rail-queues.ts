import { setTimeout as sleep } from 'node:timers/promises'
import { queueName, type RailQueue, railKinds } from '@pesewa/connector-kit'
import { startRounds } from '../../platform/repeat.ts'
import type { SubmitAges } from '../connections/conclusive-missing.ts'
import type { Traffic } from '../routing/traffic.ts'
import type { Admit } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { instructionsChannel, maxClaimed, queueOf, readWake } from './rail-queue.ts'
import { createRecording } from './recording.ts'
import { openStatusQueries, type StatusQueries } from './status-queries.ts'
import { type Instruction, type QueueWork, selectWork } from './store.ts'
import { openSubmitting, type Submitting } from './submitting.ts'

export type RailQueues = Awaited<ReturnType<typeof startRailQueues>>

/** Queues also poll for work, in case a notification was missed. */
const pollEveryMs = 2_000 // maximum time until a queue finds work about which it received no message
/** The polling interval while more work is due than one poll returns. */
const fullPollMs = 200
/** How long a stopping node waits for calls in flight. The outcomes of calls that take longer are queried later. */
const stopLimitMs = 5_000

/**
 * Submits queued instructions and queries their outcomes. Every working node has a queue for each kind,
 * environment and provider, which runs as fast as its traffic limit allows. A slow or unreachable rail delays
 * only its own queue. In a queue, the Spaces take turns, and the instructions of each Space are sent in the
 * order in which they were created.
 */
export async function startRailQueues(parts: InstructionParts & { traffic: Traffic }) {
  const { db, log, catalogue, clock } = parts
  const recording = createRecording(parts)
  const stopping = new AbortController()
  const queues = new Map<string, { submitting: Submitting; queries: StatusQueries }>()
  const open = (queue: RailQueue) => {
    const existing = queues.get(queueName(queue))
    if (existing) return existing
    const submitting = openSubmitting(parts, recording, queue, stopping.signal)
    const queries = openStatusQueries(parts, recording, queue, stopping.signal, submitting)
    queues.set(queueName(queue), { submitting, queries })
    return { submitting, queries }
  }
  const offer = ({ spaceId, id, ...queue }: QueueWork) =>
    id === null
      ? open(queue).submitting.offer(spaceId)
      : open(queue).queries.offer({ scope: { spaceId, environment: queue.environment }, id })

  const all = catalogue
    .all()
    .flatMap(({ providerId }) =>
      railKinds.flatMap((kind) =>
        (['test', 'live'] as const).map((environment) => ({ kind, environment, providerId })),
      ),
    )
  // The queues are opened now, outside of any request, because a queue always runs in the asynchronous context
  // in which it was opened.
  for (const queue of all) open(queue)
  const rounds = startRounds({ everyMs: pollEveryMs, log }, async () => {
    const waiting = await selectWork(db, all, maxClaimed)
    for (const work of waiting) offer(work)
    // If a queue has this many due instructions, it may have further ones that this poll did not return.
    const due = Map.groupBy(
      waiting.filter(({ id }) => id !== null),
      queueName,
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
      [...queues.values()].flatMap(({ submitting, queries }) => [submitting.settled(), queries.settled()]),
    )
  }
  return {
    admit: ((tx, instruction) =>
      open(queueOf(instruction)).submitting.admit(tx, instruction)) satisfies Admit,
    /** Queries this instruction immediately, regardless of its schedule. Returns false if it has to wait. */
    queryEarly: (instruction: Instruction & SubmitAges) =>
      open(queueOf(instruction)).queries.queryEarly(instruction),
    /** Waits until all calls in flight have finished. */
    settled,
    async stop(): Promise<void> {
      stopping.abort()
      stopHearing()
      await rounds.stop()
      await Promise.race([settled(), sleep(stopLimitMs, undefined, { ref: false })])
    },
  }
}
