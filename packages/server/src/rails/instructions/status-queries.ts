import type { RailQueue } from '@pesewa/connector-kit'
import type { Tx } from '../../platform/db/database.ts'
import { inTrace } from '../../platform/tracing/spans.ts'
import type { SubmitAges } from '../connections/conclusive-missing.ts'
import { createInFlight } from './in-flight.ts'
import type { InstructionParts } from './parts.ts'
import { createPump } from './pump.ts'
import { nextQueryAt } from './query-times.ts'
import { answerOf } from './questions.ts'
import { query } from './rail-calls.ts'
import { longestWaitMs, maxClaimed } from './rail-queue.ts'
import { type Recording, recordOne } from './recording.ts'
import {
  type Instruction,
  type InstructionKey,
  lockSubmitted,
  recordAnswer,
  type Submitted,
  writeInstructions,
} from './store.ts'
import type { Submitting } from './submitting.ts'
import { keepIfUnclear, traceOf } from './traces.ts'

/** The number is limited because each waiting query takes up a socket and some memory. */
const maxQueries = 1_000 // maximum number of queries in flight from one queue

export type StatusQueries = ReturnType<typeof openStatusQueries>

/** Queries one rail for the outcomes of instructions that were submitted. */
export function openStatusQueries(
  parts: InstructionParts,
  recording: Recording,
  queue: RailQueue,
  stopping: AbortSignal,
  { responseFor }: Pick<Submitting, 'responseFor'>,
) {
  const { log, clockWatch } = parts
  const due = new Map<string, InstructionKey>()
  const queried = new Set<string>()
  const inFlight = createInFlight(log, queue, stopping)
  const pump = createPump(queryNext, (err) =>
    log.error({ err, ...queue }, 'failed to start status queries that are due'),
  )

  /** Sends some of the due queries. Returns whether there may be more. */
  async function queryNext(): Promise<boolean> {
    if (due.size === 0 || stopping.aborted) return false
    const room = Math.min(maxQueries - queried.size, maxClaimed)
    if (room === 0) {
      await inFlight.pause(longestWaitMs)
      return true
    }
    const keys = [...due.values()].slice(0, room)
    for (const { id } of keys) due.delete(id)
    const claimed = await parts.db.transaction((tx) => claimDue(tx, keys))
    for (const instruction of claimed) inFlight.add(queryOne(instruction))
    return true
  }

  const queryOne = (instruction: Submitted): Promise<void> =>
    inTrace(
      parts.tracing,
      () => traceOf('query', instruction),
      (span) => {
        keepIfUnclear(span, instruction)
        return queryTraced(instruction)
      },
    )

  async function queryTraced(instruction: Submitted): Promise<void> {
    queried.add(instruction.id)
    try {
      const result = await query(parts, instruction)
      await recordOne(parts, recording, { instruction, result, source: 'query' })
      const { openQuestionAt: askedAt } = instruction
      if (askedAt) {
        const answer = answerOf(result)
        await recordAnswer(parts.db, instruction, { askedAt, answer }, parts.clock.now(instruction.scope))
      }
    } finally {
      queried.delete(instruction.id)
    }
  }

  /**
   * Waits until the submit, which is still in flight, has finished, and then sends the query. The response to
   * the submit may contain the rail's own reference, which the query needs.
   */
  async function queryInFlight(
    instruction: Instruction & SubmitAges,
    response: NonNullable<ReturnType<typeof responseFor>>,
  ): Promise<void> {
    queried.add(instruction.id)
    const result = await response.finally(() => queried.delete(instruction.id))
    const { providerReference = instruction.providerReference } = result?.outcome === 'accepted' ? result : {}
    await queryOne({ ...instruction, providerReference })
  }

  /** Stores the time of each instruction's next query before the current one is sent. */
  async function claimDue(tx: Tx, keys: InstructionKey[]) {
    const locked = await lockSubmitted(tx, keys)
    const claimed = locked.flatMap((instruction) => {
      const { dueAt, scope } = instruction
      const now = parts.clock.now(scope)
      if (dueAt === null || dueAt > now) return []
      // If this node's clock is ahead, it must not delay the next query, so `dueAt` is used instead of the
      // current time.
      const at = clockWatch.isCorrect() ? now : dueAt
      const next = nextQueryAt(instruction, at, parts.followers[instruction.ownerType].delayedAfterMs)
      return [{ instruction, changed: { ...instruction, dueAt: next } }]
    })
    writeInstructions(
      tx,
      claimed.map(({ changed }) => changed),
    )
    return claimed.map(({ instruction }) => instruction)
  }

  return {
    /** Adds an instruction whose query is due. */
    offer(key: InstructionKey): void {
      if (queried.has(key.id)) return
      due.set(key.id, key)
      pump.run()
    },
    /**
     * Queries this instruction immediately, regardless of its schedule. Returns false if there is no capacity,
     * or if a query that is already in flight may have been sent too early.
     */
    queryEarly(instruction: Instruction & SubmitAges): boolean {
      const { id } = instruction
      if (stopping.aborted || queried.has(id) || queried.size >= maxQueries) return false
      const response = responseFor(id)
      inFlight.add(response ? queryInFlight(instruction, response) : queryOne(instruction))
      return true
    },
    async settled(): Promise<void> {
      await pump.idle()
      await inFlight.settled()
    },
  }
}
