import { queryNow } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { passCode } from './rail-calls.ts'
import { createRecording, recordOne } from './recording.ts'
import { isOpen } from './states.ts'
import { type InstructionKey, selectInstructions } from './store.ts'

/** Passes a payer's code on to the rail. Nobody keeps it. */
export type PassCode = (key: InstructionKey, code: string) => Promise<void>

/**
 * What the rail says to a code is recorded like its response to the submit, and the rail is queried at once: a response that
 * was lost leaves nothing open.
 */
export function openCodes(parts: InstructionParts): PassCode {
  const recording = createRecording(parts)
  return async (key, code) => {
    const [instruction] = await selectInstructions(parts.db, [key])
    if (!instruction || instruction.submittedAt === null || !isOpen(instruction.state)) return
    const result = await passCode(parts, instruction, code)
    if (result) await recordOne(parts, recording, { instruction, result, source: 'submit' })
    if (parts.lanes.queryEarly(instruction)) return
    await parts.db.transaction((tx) => queryNow(tx, [{ ...key, at: parts.clock.now(key.scope) }]))
  }
}
