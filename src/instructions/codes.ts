import type { Tx } from '../platform/db/database.ts'
import { type Fence, openFence } from '../providers/fence.ts'
import { queryNow } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { firstQueryAt } from './query-times.ts'
import { isTooLate, passCode } from './rail-calls.ts'
import { createRecording, recordOne } from './recording.ts'
import { isOpen } from './states.ts'
import { type InstructionKey, restartSubmit, selectInstructions } from './store.ts'

/**
 * Begins the call that passes a code on, and returns until when it may leave. Some rails get everything only with the code: so
 * the submit counts from now, and what a query of before did not find proves nothing. To be called before its object is locked.
 */
export async function beginCode(tx: Tx, key: InstructionKey, at: Date): Promise<Fence> {
  const mayLeave = openFence()
  await restartSubmit(tx, key, { at, dueAt: firstQueryAt(at) })
  return mayLeave
}

/** Passes a payer's code on to the rail, once its call has begun. Nobody keeps it. */
export type PassCode = (key: InstructionKey, code: string, mayLeave: Fence) => Promise<void>

/**
 * What the rail says to a code is recorded like its response to the submit, and the rail is queried at once: a response that
 * was lost leaves nothing open.
 */
export function openCodes(parts: InstructionParts): PassCode {
  const recording = createRecording(parts)
  return async (key, code, mayLeave) => {
    const [instruction] = await selectInstructions(parts.db, [key])
    if (!instruction || instruction.submittedAt === null || !isOpen(instruction.state)) return
    const result = await passCode(parts, instruction, code, mayLeave)
    if (result && !isTooLate(result))
      await recordOne(parts, recording, { instruction, result, source: 'submit' })
    if (parts.lanes.queryEarly(instruction)) return
    await parts.db.transaction((tx) => queryNow(tx, [{ ...key, at: parts.clock.now(key.scope) }]))
  }
}
