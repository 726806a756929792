import type { Tx } from '../platform/db/database.ts'
import type { SubmitAges } from '../providers/conclusive-missing.ts'
import type { RailLane } from '../providers/lane.ts'
import { createInFlight } from './in-flight.ts'
import { longestWaitMs, maxTaken, type RailLaneParts } from './lane-parts.ts'
import { createPump } from './pump.ts'
import { nextQueryAt } from './query-times.ts'
import { query } from './rail-calls.ts'
import { type Recording, recordOne } from './recording.ts'
import { type Instruction, type InstructionKey, lockSubmitted, writeInstructions } from './store.ts'
import type { Submitting } from './submitting.ts'

/** Of one lane at once: to wait for a rail costs a socket and some memory. */
const maxQueries = 1_000 // limit: queries in flight of one lane

export type StatusQueries = {
  /** This is due. */
  offer(key: InstructionKey): void
  /**
   * Queries this at once, beside its schedule; false where there is no room, or a query is in flight that may have come
   * too early.
   */
  queryEarly(instruction: Instruction & SubmitAges): boolean
  settled(): Promise<void>
}

/** Queries one rail for the outcome of what was submitted. */
export function openStatusQueries(
  parts: RailLaneParts,
  recording: Recording,
  lane: RailLane,
  stopping: AbortSignal,
  { responseFor }: Pick<Submitting, 'responseFor'>,
): StatusQueries {
  const { log, clockWatch } = parts
  const due = new Map<string, InstructionKey>()
  const queried = new Set<string>()
  const inFlight = createInFlight(log, lane, stopping)
  const pump = createPump(queryNext, (err) =>
    log.error({ err, ...lane }, 'the queries of a lane were interrupted'),
  )

  /** Queries some of what is due; returns whether there may be more. */
  async function queryNext(): Promise<boolean> {
    if (due.size === 0 || stopping.aborted) return false
    const room = Math.min(maxQueries - queried.size, maxTaken)
    if (room === 0) {
      await inFlight.pause(longestWaitMs)
      return true
    }
    const keys = [...due.values()].slice(0, room)
    for (const { id } of keys) due.delete(id)
    const taken = await parts.db.transaction((tx) => takeDue(tx, keys))
    for (const instruction of taken) inFlight.add(queryOne(instruction))
    return true
  }

  async function queryOne(instruction: Instruction & SubmitAges): Promise<void> {
    queried.add(instruction.id)
    try {
      const result = await query(parts, instruction)
      await recordOne(parts, recording, { instruction, result, source: 'query' })
    } finally {
      queried.delete(instruction.id)
    }
  }

  /** What this node is just submitting may get a reference of the rail's, by which to query it. */
  async function queryInFlight(
    instruction: Instruction & SubmitAges,
    response: NonNullable<ReturnType<typeof responseFor>>,
  ): Promise<void> {
    queried.add(instruction.id)
    const result = await response.finally(() => queried.delete(instruction.id))
    const { providerReference = instruction.providerReference } = result?.outcome === 'accepted' ? result : {}
    await queryOne({ ...instruction, providerReference })
  }

  /** The next query is written down before this one is sent. */
  async function takeDue(tx: Tx, keys: InstructionKey[]) {
    const locked = await lockSubmitted(tx, keys)
    const taken = locked.flatMap((instruction) => {
      const { dueAt, scope } = instruction
      const now = parts.clock.now(scope)
      if (dueAt === null || dueAt > now) return []
      // A clock that runs ahead is not to put the next query off: this one was due by the database's.
      const at = clockWatch.isSound() ? now : dueAt
      const next = nextQueryAt(instruction, at, parts.followers[lane.kind].delayedAfterMs)
      return [{ instruction, changed: { ...instruction, dueAt: next } }]
    })
    await writeInstructions(
      tx,
      taken.map(({ changed }) => changed),
    )
    return taken.map(({ instruction }) => instruction)
  }

  return {
    offer(key) {
      if (queried.has(key.id)) return
      due.set(key.id, key)
      pump.run()
    },
    queryEarly(instruction) {
      const { id } = instruction
      if (stopping.aborted || queried.has(id) || queried.size >= maxQueries) return false
      const response = responseFor(id)
      inFlight.add(response ? queryInFlight(instruction, response) : queryOne(instruction))
      return true
    },
    async settled() {
      await pump.idle()
      await inFlight.settled()
    },
  }
}
