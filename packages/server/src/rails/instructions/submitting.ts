import { AsyncLocalStorage } from 'node:async_hooks'
import type { Fence, RailQueue, SubmitOutcome } from '@pesewa/connector-kit'
import { applyLedgerWork, type LedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { inTrace } from '../../platform/tracing/spans.ts'
import { chooseRoutes, type RouteChoice } from '../routing/choice.ts'
import type { Traffic } from '../routing/traffic.ts'
import { followEach } from './follower.ts'
import { createInFlight } from './in-flight.ts'
import { type Admit, withState } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { createPump } from './pump.ts'
import {
  billReferenceOf,
  firstQueryOf,
  isTooLate,
  openSubmitFence,
  revisionOf,
  submit,
} from './rail-calls.ts'
import { longestWaitMs, maxClaimed } from './rail-queue.ts'
import { type Recording, recordOne } from './recording.ts'
import { instructionSeal } from './seals.ts'
import { claimWaiting, type Instruction, type SendableFilter, writeInstructions } from './store.ts'
import { traceOf } from './traces.ts'

export type Submitting = ReturnType<typeof openSubmitting>

/** The Spaces whose turn it is, and how many instructions to claim from each. */
type Turn = { spaceIds: string[]; ofEach: number }

/** Ends a call, which frees capacity for another. */
type EndCall = (outcome?: SubmitOutcome) => void

/** Submits queued instructions to one rail. The Spaces take turns. */
export function openSubmitting(
  parts: InstructionParts & { traffic: Traffic },
  recording: Recording,
  queue: RailQueue,
  stopping: AbortSignal,
) {
  const { log, traffic, clockWatch } = parts
  const spaces = new Set<string>()
  const sending = new Map<string, Promise<SubmitOutcome | undefined>>()
  const inFlight = createInFlight(log, queue, stopping)
  const pump = createPump(submitNext, (err) =>
    log.error({ err, ...queue }, 'failed to process the queue of a rail'),
  )
  // Work that a request starts runs outside of that request, so that it does not use the Space's share of
  // database connections.
  const outsideRequests = AsyncLocalStorage.snapshot()
  /** While this is true, the waiting instructions may need all of the capacity. */
  let isClaiming = false

  /** Submits some of the waiting instructions. Returns whether there may be more. */
  async function submitNext(): Promise<boolean> {
    if (spaces.size === 0 || stopping.aborted || !clockWatch.isCorrect()) return false
    const choice = chooseRoutes(parts, queue)
    const { calls, waitMs, acceptsNew } = choice
    if (calls > 0) await submitTurn(nextTurn(Math.min(calls, maxClaimed)), choice)
    else if (!acceptsNew && queue.kind === 'collect') await refuse(nextTurn(maxClaimed), choice.pauseMessage)
    else {
      if (!acceptsNew) await notifyBreakerOpen()
      await inFlight.pause(Math.min(waitMs, longestWaitMs))
    }
    return true
  }

  /**
   * Submits the instructions of the Spaces whose turn it is. A Space whose instructions cannot be submitted
   * does not delay the others; a later round tries it again.
   */
  async function submitTurn(turn: Turn, choice: RouteChoice): Promise<void> {
    isClaiming = true
    try {
      await parts.db.transaction((tx) => submitClaimed(tx, turn, choice))
    } catch (error) {
      if (turn.spaceIds.length === 1) throw error
      for (const spaceId of turn.spaceIds)
        await submitTurn({ ...turn, spaceIds: [spaceId] }, choice).catch((err) =>
          log.error({ err, ...queue, spaceId }, 'failed to submit queued instructions'),
        )
    } finally {
      isClaiming = false
    }
  }

  /**
   * Returns the Spaces whose turn is next. A Space that may have more instructions is put at the end of the
   * queue.
   */
  function nextTurn(atMost: number): Turn {
    const spaceIds = [...spaces].slice(0, atMost)
    for (const spaceId of spaceIds) spaces.delete(spaceId)
    return { spaceIds, ofEach: Math.max(1, (atMost - (atMost % spaceIds.length)) / spaceIds.length) }
  }

  async function claim(tx: Tx, { spaceIds, ofEach }: Turn, leaving: SendableFilter): Promise<Instruction[]> {
    const claimed = await claimWaiting(tx, queue, leaving, spaceIds, ofEach)
    for (const [spaceId, ofSpace] of Map.groupBy(claimed, ({ scope }) => scope.spaceId))
      if (ofSpace.length === ofEach) spaces.add(spaceId)
    return claimed
  }

  async function submitClaimed(tx: Tx, turn: Turn, choice: RouteChoice): Promise<void> {
    isClaiming = true
    const submitting = (await claim(tx, turn, choice)).flatMap((instruction) => {
      const connection = choice.connectionFor(instruction)
      const at = parts.clock.now(instruction.scope)
      return connection === undefined
        ? []
        : { instruction: begin(tx, { ...instruction, connection }, at), at }
    })
    isClaiming = false
    if (submitting.length === 0) return
    writeInstructions(
      tx,
      submitting.map(({ instruction }) => instruction),
    )
    await followEach(parts.followers, submitting, (follower, moves) => follower.submitting(tx, moves))
  }

  /**
   * Begins a call and returns the instruction to be written in this transaction. The instruction is sent after
   * the commit. Its outcome is queried even if sending it fails.
   */
  function begin(tx: Tx, instruction: Instruction, at: Date): Instruction {
    const end = traffic.begin({ ...queue, connection: instruction.connection ?? '' })
    const mayLeave = openSubmitFence(parts, instruction)
    const leaving = {
      ...withState(instruction, 'submitting'),
      billReference: billReferenceOf(parts, instruction),
      revision: revisionOf(parts, instruction),
      submittedAt: at,
      dueAt: firstQueryOf(parts, instruction, at),
    }
    const submitting = { ...leaving, seal: instructionSeal(parts.seals, leaving) }
    tx.onEnd((hasCommitted) =>
      outsideRequests(() => {
        if (hasCommitted) inFlight.add(send(submitting, mayLeave, end))
        else end()
      }),
    )
    return submitting
  }

  const send = (instruction: Instruction, mayLeave: Fence, end: EndCall): Promise<void> =>
    inTrace(
      parts.tracing,
      () => traceOf('submit', instruction),
      () => sendTraced(instruction, mayLeave, end),
    )

  async function sendTraced(instruction: Instruction, mayLeave: Fence, end: EndCall): Promise<void> {
    const call = callRail(instruction, mayLeave, end)
    sending.set(instruction.id, call)
    try {
      const result = await call
      // If the request could not be sent, nothing is recorded. The outcome is found by a query, once no request
      // can be in flight any more.
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

  const notifyBreakerOpen = () =>
    parts.db.transaction(async (tx) => {
      for (const follower of Object.values(parts.followers)) await follower.breakerOpened?.(tx, queue)
    })

  /**
   * Fails payments immediately while no connection can be used, so that the payers, who are waiting, can choose
   * another way to pay.
   */
  function refuse(turn: Turn, words: string | undefined): Promise<void> {
    return parts.db.transaction(async (tx) => {
      const failed = (await claim(tx, turn, anyConnection)).map((instruction) => ({
        instruction: withState(instruction, 'failed'),
        at: parts.clock.now(instruction.scope),
        failure: words === undefined ? breakerOpenFailure : { ...breakerOpenFailure, message: words },
      }))
      if (failed.length === 0) return
      writeInstructions(
        tx,
        failed.map(({ instruction }) => instruction),
      )
      const works: LedgerWork[] = []
      await followEach(parts.followers, failed, async (follower, moves) => {
        works.push(await follower.failed(tx, moves))
      })
      await applyLedgerWork(tx, ...works)
    })
  }

  return {
    /** Adds a Space that has instructions to submit. */
    offer(spaceId: string): void {
      spaces.add(spaceId)
      pump.run()
    },
    admit: ((tx, instruction) => {
      const mayGo = spaces.size === 0 && !isClaiming && !stopping.aborted && clockWatch.isCorrect()
      if (!mayGo) return instruction
      const choice = chooseRoutes(parts, queue)
      const connection = choice.calls > 0 ? choice.connectionFor(instruction) : undefined
      return connection === undefined
        ? instruction
        : begin(tx, { ...instruction, connection }, instruction.createdAt)
    }) satisfies Admit,
    /** Returns the rail's response to an instruction's call in flight, or `undefined` if there is no such call. */
    responseFor: (id: string) => sending.get(id),
    async settled(): Promise<void> {
      await pump.idle()
      await inFlight.settled()
    },
  }
}

const anyConnection: SendableFilter = { acceptsNew: true, unusable: [] }

const breakerOpenFailure = {
  code: 'provider_unavailable',
  message: 'The provider is not responding right now; nothing was sent to it.',
} as const
