import type { Seals } from '../../platform/seals.ts'
import type { Instruction } from './store.ts'

/** The fields that are sent to a rail or that identify its reports, and that are stored nowhere else. */
type Named = Pick<
  Instruction,
  | 'scope'
  | 'id'
  | 'connection'
  | 'revision'
  | 'billReference'
  | 'providerReference'
  | 'description'
  | 'orderNumber'
  | 'returnUrl'
>

/**
 * Returns a seal that authenticates the identifiers of an instruction. Without the seal, anyone who can change
 * these identifiers in the database could make the outcome of another instruction count for this one. The seal
 * is computed with the program's secret and stored in the instruction's own row, so it does not require an
 * additional write.
 */
export const instructionSeal = (seals: Seals, instruction: Named): string => {
  const { scope, id, connection, revision, billReference, providerReference } = instruction
  const { description, orderNumber, returnUrl } = instruction
  return seals.tag(
    'instruction',
    JSON.stringify([
      ...[scope.spaceId, scope.environment, id, connection, revision, billReference, providerReference],
      ...[description, orderNumber, returnUrl],
    ]),
  )
}

/**
 * Returns the changed instruction with a new seal. If the instruction had already been tampered with, it keeps
 * the old seal, which reveals the tampering.
 */
export function resealed({ seals }: { seals: Seals }, before: Instruction, after: Instruction): Instruction {
  return before.seal === instructionSeal(seals, before)
    ? { ...after, seal: instructionSeal(seals, after) }
    : after
}
