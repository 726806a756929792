import { type Fence, openFence } from '@pesewa/connector-kit'
import type { Tx } from '../../platform/db/database.ts'
import { queryNow } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { firstQueryAt } from './query-times.ts'
import { isTooLate, passCode } from './rail-calls.ts'
import { createRecording, recordOne } from './recording.ts'
import { isOpen } from './states.ts'
import { type InstructionKey, restartSubmit, selectInstructions } from './store.ts'

/**
 * Begins the call that sends a payer's code to the rail, and returns the fence that limits when it may be sent.
 * Some rails do not receive any part of the request before the code. The submit therefore counts as made now,
 * and an earlier query that found nothing is inconclusive. Call this function before the owner is locked.
 */
export async function beginCode(tx: Tx, key: InstructionKey, at: Date): Promise<Fence> {
  const mayLeave = openFence()
  await restartSubmit(tx, key, { at, dueAt: firstQueryAt(at) })
  return mayLeave
}

/** Sends a payer's code to the rail after the call has begun. The code is not stored. */
export type PassCode = (key: InstructionKey, code: string, mayLeave: Fence) => Promise<void>

/**
 * Records the rail's response to a code as if it were the response to the submit, and then queries the rail
 * immediately in case the response was lost.
 */
export function openCodes(parts: InstructionParts): PassCode {
  const recording = createRecording(parts)
  return async (key, code, mayLeave) => {
    const [instruction] = await selectInstructions(parts.db, [key])
    if (!instruction || instruction.submittedAt === null || !isOpen(instruction.state)) return
    const result = await passCode(parts, instruction, code, mayLeave)
    if (result && !isTooLate(result))
      await recordOne(parts, recording, { instruction, result, source: 'submit' })
    if (parts.queues.queryEarly(instruction)) return
    await parts.db.transaction((tx) => queryNow(tx, [{ ...key, at: parts.clock.now(key.scope) }]))
  }
}
