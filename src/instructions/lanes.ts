import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../platform/db/database.ts'
import type { Platform } from '../platform/platform.ts'
import { startRounds } from '../platform/repeat.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Submitted } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { openFence } from '../providers/fence.ts'
import { type Lane, nameOf } from '../providers/lane.ts'
import type { Traffic } from '../providers/traffic.ts'
import type { Followers } from './follower.ts'
import { moved } from './instructions.ts'
import { instructionsChannel, readWake } from './lane-names.ts'
import { firstQueryAt, nextQueryAt } from './query-times.ts'
import { ask, isTooLate, revisionOf, submit } from './rail-calls.ts'
import { createRecording, type Recording, recordOne } from './recording.ts'
import {
  type Instruction,
  type InstructionKey,
  type LaneWork,
  lockSubmitted,
  selectWork,
  takeWaiting,
  writeInstructions,
} from './store.ts'

export type LaneParts = Platform & {
  catalogue: Catalogue
  connectors: Connectors
  traffic: Traffic
  followers: Followers
}

export type Lanes = {
  /** Waits for what is under way now. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** What no wake has told of is found after so long. */
const lookEveryMs = 2_000
/** Where more is due than one look finds, the next comes so soon. */
const fullLookMs = 200
/** Taken from a lane in one transaction. */
const maxTaken = 200
/** Of one lane: to wait for an answer costs a socket and some memory. */
const maxAsking = 1_000
/** A rail that rests is looked at again after so long: what waits may have been withdrawn, and the node may stop. */
const longestWaitMs = 1_000
/** What is on its way when the node stops is waited for so long; after that its query finds out. */
const stopLimitMs = 5_000

/**
 * Tells rails what waits, and asks what became of it: a lane for each kind, environment and provider, on every node that
 * works, as fast as its traffic allows. A rail that is slow or away holds up nothing but its own lane, where Spaces take
 * turns, each in order of creation.
 */
export async function startLanes(parts: LaneParts): Promise<Lanes> {
  const { db, log, catalogue, clock } = parts
  const recording = createRecording(parts)
  const stopping = new AbortController()
  const lanes = new Map<string, OpenLane>()
  const laneOf = (lane: Lane) => {
    const known = lanes.get(nameOf(lane))
    if (known) return known
    const opened = openLane(parts, recording, lane, stopping.signal)
    lanes.set(nameOf(lane), opened)
    return opened
  }
  const offer = ({ spaceId, id, ...lane }: LaneWork) =>
    id === null
      ? laneOf(lane).offer(spaceId)
      : laneOf(lane).offerDue({ scope: { spaceId, environment: lane.environment }, id })

  const all = catalogue
    .all()
    .flatMap(({ providerId }) =>
      (['collect', 'disburse'] as const).flatMap((kind) =>
        (['test', 'live'] as const).map((environment) => ({ kind, environment, providerId })),
      ),
    )
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
    await Promise.all([...lanes.values()].map((lane) => lane.settled()))
  }
  return {
    settled,
    async stop() {
      stopping.abort()
      stopHearing()
      await rounds.stop()
      await Promise.race([settled(), sleep(stopLimitMs, undefined, { ref: false })])
    },
  }
}

type OpenLane = {
  /** Something of this Space waits to be submitted. */
  offer(spaceId: string): void
  /** It is time to ask what became of this. */
  offerDue(key: InstructionKey): void
  settled(): Promise<void>
}

/** Spaces whose turn it is, and how many are taken of each. */
type Turns = { spaceIds: string[]; ofEach: number }

function openLane(parts: LaneParts, recording: Recording, lane: Lane, stopping: AbortSignal): OpenLane {
  const { log, traffic, clockWatch } = parts
  const spaces = new Set<string>()
  const due = new Map<string, InstructionKey>()
  const asking = new Set<string>()
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
      for (const instruction of sent) track(sendOne(instruction, mayLeave))
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

  async function sendOne(instruction: Instruction, mayLeave: () => boolean): Promise<void> {
    const end = traffic.begin(lane)
    let answer: Submitted | undefined
    try {
      const said = await submit(parts, instruction, mayLeave)
      if (!isTooLate(said)) answer = said
    } finally {
      end(answer)
      submits.run()
    }
    // What did not leave stays as it is: its query tells, once nothing can be on its way.
    if (answer) await recordOne(parts, recording, { instruction, says: answer, by: 'submit' })
  }

  /** A payer waits: while the rail rests they are told at once, and can choose another way. */
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
    for (const instruction of asked) {
      asking.add(instruction.id)
      track(
        ask(parts, instruction)
          .then((says) => recordOne(parts, recording, { instruction, says, by: 'query' }))
          .finally(() => asking.delete(instruction.id)),
      )
    }
    return true
  }

  /** The next question is written down before this one is asked. */
  async function takeDue(tx: Tx, keys: InstructionKey[]) {
    const locked = await lockSubmitted(tx, keys)
    const taken = locked.filter((one) => one.dueAt !== null && one.dueAt <= parts.clock.now(one.scope))
    await writeInstructions(
      tx,
      taken.map((instruction) => ({
        ...instruction,
        dueAt: nextQueryAt(
          instruction,
          parts.clock.now(instruction.scope),
          parts.followers[lane.kind].delayedAfterMs,
        ),
      })),
    )
    return taken
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

/** Repeats `work` until it returns false; what comes meanwhile makes it go on. */
function createPump(work: () => Promise<boolean>, failed: (error: unknown) => void) {
  let running: Promise<void> | undefined
  let isMore = false
  const loop = async () => {
    try {
      while (isMore) {
        isMore = false
        // What was offered in the same turn goes together.
        await new Promise((resolve) => setImmediate(resolve))
        if (await work()) isMore = true
      }
    } catch (error) {
      failed(error)
    }
    running = undefined
  }
  return {
    run() {
      isMore = true
      running ??= loop()
    },
    idle: async () => void (await running),
  }
}
