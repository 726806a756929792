import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../platform/db/database.ts'
import type { SubmitOutcome } from '../providers/connector.ts'
import { type Fence, openFence } from '../providers/fence.ts'
import type { RailLane } from '../providers/lane.ts'
import { createInFlight } from './in-flight.ts'
import { type Admit, moved } from './instructions.ts'
import { longestWaitMs, maxTaken, type RailLaneParts } from './lane-parts.ts'
import { createPump } from './pump.ts'
import { firstQueryAt } from './query-times.ts'
import { isTooLate, revisionOf, submit } from './rail-calls.ts'
import { type Recording, recordOne } from './recording.ts'
import { type Instruction, takeWaiting, writeInstructions } from './store.ts'

export type Submitting = {
  /** Something of this Space waits to be submitted. */
  offer(spaceId: string): void
  admit: Admit
  /** The rail's response to the call that is under way for an instruction, where one is. */
  responseFor(id: string): Promise<SubmitOutcome | undefined> | undefined
  settled(): Promise<void>
}

/** Spaces whose turn it is, and how many instructions are taken of each. */
type Turns = { spaceIds: string[]; ofEach: number }

/** Ends a call that there was room for. */
type EndCall = (outcome?: SubmitOutcome) => void

/** Submits what waits for one rail, Spaces in turns. */
export function openSubmitting(
  parts: RailLaneParts,
  recording: Recording,
  lane: RailLane,
  stopping: AbortSignal,
): Submitting {
  const { log, traffic, clockWatch } = parts
  const spaces = new Set<string>()
  const sending = new Map<string, Promise<SubmitOutcome | undefined>>()
  const inFlight = createInFlight(log, lane, stopping)
  const pump = createPump(submitNext, (err) => log.error({ err, ...lane }, 'a lane was interrupted'))
  // What somebody's request has brought here is done in nobody's name: it takes none of its Space's connections.
  const inNobodysName = AsyncLocalStorage.snapshot()
  /** While this is so, what waits may need all the room there is. */
  let isTaking = false

  /** Submits some of what waits; returns whether there may be more. */
  async function submitNext(): Promise<boolean> {
    if (spaces.size === 0 || stopping.aborted || !clockWatch.isSound()) return false
    const { calls, waitMs, isResting } = traffic.roomOf(lane)
    if (calls === 0) {
      if (isResting && lane.kind === 'collect') await refuse(takeTurns(maxTaken))
      else await inFlight.pause(Math.min(waitMs, longestWaitMs))
      return true
    }
    await submitTurns(takeTurns(Math.min(calls, maxTaken)))
    return true
  }

  /** What cannot be prepared holds up no other Space: a later round finds it again. */
  async function submitTurns(turns: Turns): Promise<void> {
    isTaking = true
    try {
      await parts.db.transaction((tx) => prepare(tx, turns))
    } catch (error) {
      if (turns.spaceIds.length === 1) throw error
      for (const spaceId of turns.spaceIds)
        await submitTurns({ ...turns, spaceIds: [spaceId] }).catch((err) =>
          log.error({ err, ...lane, spaceId }, 'what waits in a lane could not be submitted'),
        )
    } finally {
      isTaking = false
    }
  }

  /** The Spaces whose turn it is. One that may have more comes again after the others. */
  function takeTurns(atMost: number): Turns {
    const spaceIds = [...spaces].slice(0, atMost)
    for (const spaceId of spaceIds) spaces.delete(spaceId)
    return { spaceIds, ofEach: Math.max(1, (atMost - (atMost % spaceIds.length)) / spaceIds.length) }
  }

  async function take(tx: Tx, { spaceIds, ofEach }: Turns): Promise<Instruction[]> {
    const taken = await takeWaiting(tx, lane, spaceIds, ofEach)
    for (const [spaceId, ofSpace] of Map.groupBy(taken, ({ scope }) => scope.spaceId))
      if (ofSpace.length === ofEach) spaces.add(spaceId)
    return taken
  }

  async function prepare(tx: Tx, turns: Turns): Promise<void> {
    isTaking = true
    const moving = (await take(tx, turns)).map((instruction) => {
      const at = parts.clock.now(instruction.scope)
      return { instruction: leave(tx, instruction, at), at }
    })
    isTaking = false
    if (moving.length === 0) return
    await writeInstructions(
      tx,
      moving.map(({ instruction }) => instruction),
    )
    await parts.followers[lane.kind].submitting(tx, moving)
  }

  /**
   * The instruction as it is to be written in this transaction: once that has committed it will be queried, whatever
   * happens, and is sent. Begins its call: the room is taken.
   */
  function leave(tx: Tx, instruction: Instruction, at: Date): Instruction {
    const end = traffic.begin(lane)
    const mayLeave = openFence()
    const submitting = {
      ...moved(instruction, 'submitting'),
      revision: revisionOf(parts, instruction),
      submittedAt: at,
      dueAt: firstQueryAt(at),
    }
    tx.onEnd((hasCommitted) =>
      inNobodysName(() => {
        if (hasCommitted) inFlight.add(send(submitting, mayLeave, end))
        else end()
      }),
    )
    return submitting
  }

  async function send(instruction: Instruction, mayLeave: Fence, end: EndCall): Promise<void> {
    const call = callRail(instruction, mayLeave, end)
    sending.set(instruction.id, call)
    try {
      const result = await call
      // What did not leave stays as it is: its query finds the outcome, once nothing can be on its way.
      if (result) await recordOne(parts, recording, { instruction, result, source: 'submit' })
    } finally {
      sending.delete(instruction.id)
    }
  }

  async function callRail(instruction: Instruction, mayLeave: Fence, end: EndCall) {
    let result: SubmitOutcome | undefined
    try {
      const outcome = await submit(parts, instruction, mayLeave)
      if (!isTooLate(outcome)) result = outcome
    } finally {
      end(result)
      pump.run()
    }
    return result
  }

  /** A payer waits: while the rail rests their payment fails at once, and they can choose another way. */
  function refuse(turns: Turns): Promise<void> {
    return parts.db.transaction(async (tx) => {
      const failed = (await take(tx, turns)).map((instruction) => ({
        instruction: moved(instruction, 'failed'),
        at: parts.clock.now(instruction.scope),
        failure: restingRail,
      }))
      if (failed.length === 0) return
      await writeInstructions(
        tx,
        failed.map(({ instruction }) => instruction),
      )
      await parts.followers[lane.kind].failed(tx, failed)
    })
  }

  return {
    offer(spaceId) {
      spaces.add(spaceId)
      pump.run()
    },
    admit(tx, instruction) {
      const mayGo = spaces.size === 0 && !isTaking && !stopping.aborted && clockWatch.isSound()
      if (!mayGo || traffic.roomOf(lane).calls === 0) return instruction
      return leave(tx, instruction, instruction.createdAt)
    },
    responseFor: (id) => sending.get(id),
    async settled() {
      await pump.idle()
      await inFlight.settled()
    },
  }
}

const restingRail = {
  code: 'provider_unavailable',
  message: 'The provider is not responding right now; nothing was sent to it.',
} as const
