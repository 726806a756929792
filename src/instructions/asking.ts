import type { Tx } from '../platform/db/database.ts'
import type { Submit } from '../providers/conclusive.ts'
import type { Lane } from '../providers/lane.ts'
import { type LaneParts, longestWaitMs, maxTaken } from './lane-parts.ts'
import { createPump } from './pump.ts'
import { nextQueryAt } from './query-times.ts'
import { ask } from './rail-calls.ts'
import { type Recording, recordOne } from './recording.ts'
import { type Instruction, type InstructionKey, lockSubmitted, writeInstructions } from './store.ts'
import type { Submitting } from './submitting.ts'
import { createUnderWay } from './under-way.ts'

/** Of one lane: to wait for an answer costs a socket and some memory. */
const maxAsking = 1_000 // limit: queries in flight of one lane

export type Asking = {
  /** It is time to ask what became of this. */
  offer(key: InstructionKey): void
  /**
   * Asks about this at once, beside its schedule; false where there is no room, or a question is under way that may have
   * come too early.
   */
  askEarly(instruction: Instruction & Submit): boolean
  settled(): Promise<void>
}

/** Asks one rail what became of what was submitted. */
export function openAsking(
  parts: LaneParts,
  recording: Recording,
  lane: Lane,
  stopping: AbortSignal,
  { responseFor }: Pick<Submitting, 'responseFor'>,
): Asking {
  const { log, clockWatch } = parts
  const due = new Map<string, InstructionKey>()
  const asking = new Set<string>()
  const underWay = createUnderWay(log, lane, stopping)
  const pump = createPump(askNext, (err) =>
    log.error({ err, ...lane }, 'the questions of a lane were interrupted'),
  )

  /** Asks about some of what is due; returns whether there may be more. */
  async function askNext(): Promise<boolean> {
    if (due.size === 0 || stopping.aborted) return false
    const room = Math.min(maxAsking - asking.size, maxTaken)
    if (room === 0) {
      await underWay.pause(longestWaitMs)
      return true
    }
    const keys = [...due.values()].slice(0, room)
    for (const { id } of keys) due.delete(id)
    const asked = await parts.db.transaction((tx) => takeDue(tx, keys))
    for (const instruction of asked) underWay.add(askOne(instruction))
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
  async function askSent(
    instruction: Instruction & Submit,
    response: NonNullable<ReturnType<typeof responseFor>>,
  ): Promise<void> {
    asking.add(instruction.id)
    const said = await response.finally(() => asking.delete(instruction.id))
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

  return {
    offer(key) {
      if (asking.has(key.id)) return
      due.set(key.id, key)
      pump.run()
    },
    askEarly(instruction) {
      const { id } = instruction
      if (stopping.aborted || asking.has(id) || asking.size >= maxAsking) return false
      const response = responseFor(id)
      underWay.add(response ? askSent(instruction, response) : askOne(instruction))
      return true
    },
    async settled() {
      await pump.idle()
      await underWay.settled()
    },
  }
}
