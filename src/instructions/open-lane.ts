import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../platform/db/database.ts'
import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Submit } from '../providers/conclusive.ts'
import type { Submitted } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { openFence } from '../providers/fence.ts'
import type { Lane } from '../providers/lane.ts'
import type { Traffic } from '../providers/traffic.ts'
import type { Followers } from './follower.ts'
import { moved } from './instructions.ts'
import { createPump } from './pump.ts'
import { firstQueryAt, nextQueryAt } from './query-times.ts'
import { ask, isTooLate, revisionOf, submit } from './rail-calls.ts'
import { type Recording, recordOne } from './recording.ts'
import {
  type Instruction,
  type InstructionKey,
  lockSubmitted,
  takeWaiting,
  writeInstructions,
} from './store.ts'

export type LaneParts = Platform & {
  catalogue: Catalogue
  connectors: Connectors
  traffic: Traffic
  followers: Followers
}

/** Taken from a lane in one transaction. */
export const maxTaken = 200
/** Of one lane: to wait for an answer costs a socket and some memory. */
const maxAsking = 1_000
/** A rail that rests is looked at again after so long: what waits may have been withdrawn, and the node may stop. */
const longestWaitMs = 1_000

export type OpenLane = {
  /** Something of this Space waits to be submitted. */
  offer(spaceId: string): void
  /** It is time to ask what became of this. */
  offerDue(key: InstructionKey): void
  /**
   * Asks about this at once, beside its schedule; false where there is no room, or a question is under way that may have
   * come too early.
   */
  askEarly(instruction: Instruction & Submit): boolean
  settled(): Promise<void>
}

/** Spaces whose turn it is, and how many are taken of each. */
type Turns = { spaceIds: string[]; ofEach: number }

/** One rail of one kind: submits what waits there, Spaces in turns, and asks what became of it. */
export function openLane(
  parts: LaneParts,
  recording: Recording,
  lane: Lane,
  stopping: AbortSignal,
): OpenLane {
  const { log, traffic, clockWatch } = parts
  const spaces = new Set<string>()
  const due = new Map<string, InstructionKey>()
  const asking = new Set<string>()
  const sending = new Map<string, Promise<Submitted | undefined>>()
  const underWay = new Set<Promise<void>>()
  const submits = createPump(submitNext, (err) => log.error({ err, ...lane }, 'a lane was interrupted'))
  const queries = createPump(askNext, (err) =>
    log.error({ err, ...lane }, 'the questions of a lane were interrupted'),
  )

  /** Submits some of what waits; returns whether there may be more. */
  async function submitNext(): Promise<boolean> {
    if (spaces.size === 0 || stopping.aborted || !clockWatch.isSound()) return false
    const { calls, waitMs, isResting } = traffic.roomOf(lane)
    if (calls === 0) {
      if (isResting && lane.kind === 'collect') await refuse(takeTurns(maxTaken))
      else await pause(waitMs)
      return true
    }
    const turns = takeTurns(Math.min(calls, maxTaken))
    await submitTurns(turns)
    return true
  }

  /** What cannot be prepared holds up no other Space: it is found again by a look. */
  async function submitTurns(turns: Turns): Promise<void> {
    try {
      const { sent, mayLeave } = await parts.db.transaction((tx) => prepare(tx, turns))
      for (const instruction of sent) track(send(instruction, mayLeave))
    } catch (error) {
      if (turns.spaceIds.length === 1) throw error
      for (const spaceId of turns.spaceIds)
        await submitTurns({ ...turns, spaceIds: [spaceId] }).catch((err) =>
          log.error({ err, ...lane, spaceId }, 'what waits in a lane could not be submitted'),
        )
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

  /** When it returns, each is `submitting` and will be asked about: whatever happens from here on is found out. */
  async function prepare(tx: Tx, turns: Turns) {
    const mayLeave = openFence()
    const taken = await take(tx, turns)
    const moving = taken.map((instruction) => {
      const at = parts.clock.now(instruction.scope)
      const revision = revisionOf(parts, instruction)
      const submitting = {
        ...moved(instruction, 'submitting'),
        revision,
        submittedAt: at,
        dueAt: firstQueryAt(at),
      }
      return { instruction: submitting, at }
    })
    if (moving.length > 0) {
      await writeInstructions(
        tx,
        moving.map(({ instruction }) => instruction),
      )
      await parts.followers[lane.kind].submitting(tx, moving)
    }
    return { sent: moving.map(({ instruction }) => instruction), mayLeave }
  }

  async function send(instruction: Instruction, mayLeave: () => boolean): Promise<void> {
    const call = callRail(instruction, mayLeave)
    sending.set(instruction.id, call)
    try {
      const answer = await call
      // What did not leave stays as it is: its query finds the outcome, once nothing can be on its way.
      if (answer) await recordOne(parts, recording, { instruction, says: answer, by: 'submit' })
    } finally {
      sending.delete(instruction.id)
    }
  }

  async function callRail(instruction: Instruction, mayLeave: () => boolean): Promise<Submitted | undefined> {
    const end = traffic.begin(lane)
    let answer: Submitted | undefined
    try {
      const said = await submit(parts, instruction, mayLeave)
      if (!isTooLate(said)) answer = said
    } finally {
      end(answer)
      submits.run()
    }
    return answer
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

  /** Asks about some of what is due; returns whether there may be more. */
  async function askNext(): Promise<boolean> {
    if (due.size === 0 || stopping.aborted) return false
    const room = Math.min(maxAsking - asking.size, maxTaken)
    if (room === 0) {
      await pause(longestWaitMs)
      return true
    }
    const keys = [...due.values()].slice(0, room)
    for (const { id } of keys) due.delete(id)
    const asked = await parts.db.transaction((tx) => takeDue(tx, keys))
    for (const instruction of asked) track(askOne(instruction))
    return true
  }

  async function askOne(instruction: Instruction & Submit): Promise<void> {
    asking.add(instruction.id)
    try {
      const says = await ask(parts, instruction)
      await recordOne(parts, recording, { instruction, says, by: 'query' })
    } finally {
      asking.delete(instruction.id)
    }
  }

  /** What this node is just submitting has perhaps a reference of the rail's, by which it is asked about. */
  async function askSent(instruction: Instruction & Submit): Promise<void> {
    asking.add(instruction.id)
    const said = await sending.get(instruction.id)?.finally(() => asking.delete(instruction.id))
    const { providerReference = instruction.providerReference } = said?.outcome === 'accepted' ? said : {}
    await askOne({ ...instruction, providerReference })
  }

  /** The next question is written down before this one is asked. */
  async function takeDue(tx: Tx, keys: InstructionKey[]) {
    const locked = await lockSubmitted(tx, keys)
    const taken = locked.flatMap((instruction) => {
      const { dueAt, scope } = instruction
      const now = parts.clock.now(scope)
      if (dueAt === null || dueAt > now) return []
      // A clock that runs ahead is not to put the next question off: this one was due by the database's.
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

  /** Until so long has passed, or something under way has ended. */
  async function pause(ms: number): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([stopping, over.signal])
    await Promise.race([
      sleep(Math.min(ms, longestWaitMs), undefined, { signal, ref: false }).catch(() => {}),
      ...underWay,
    ])
    over.abort()
  }

  function track(work: Promise<void>): void {
    const tracked = work
      .catch((err) => log.error({ err, ...lane }, 'what a rail said was not recorded'))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  return {
    offer(spaceId) {
      spaces.add(spaceId)
      submits.run()
    },
    offerDue(key) {
      if (asking.has(key.id)) return
      due.set(key.id, key)
      queries.run()
    },
    askEarly(instruction) {
      const { id } = instruction
      if (stopping.aborted || asking.has(id) || asking.size >= maxAsking) return false
      track(sending.has(id) ? askSent(instruction) : askOne(instruction))
      return true
    },
    async settled() {
      await Promise.all([submits.idle(), queries.idle()])
      await Promise.all(underWay)
    },
  }
}

const restingRail = {
  code: 'provider_unavailable',
  message: 'The provider does not answer right now; it was not asked.',
} as const
