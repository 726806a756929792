import type { Seals } from '../platform/seals.ts'
import type { Instruction } from './store.ts'

/** The fields that are sent to a rail or identify its reports, and are stored nowhere else. */
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
 * Authenticates the identifiers of an instruction. Otherwise, anyone who can alter them in the database could
 * make another instruction's outcome count for this one. Uses the program's secret and is stored in the
 * instruction's own row, so it costs no extra write.
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
 * Returns the changed instruction with a new seal. If it had already been altered, it keeps the old seal, which
 * reveals the alteration.
 */
export function resealed({ seals }: { seals: Seals }, before: Instruction, after: Instruction): Instruction {
  return before.seal === instructionSeal(seals, before)
    ? { ...after, seal: instructionSeal(seals, after) }
    : after
}
