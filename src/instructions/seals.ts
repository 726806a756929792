import type { Seals } from '../platform/seals.ts'
import type { Instruction } from './store.ts'

/** What is asked of a rail and what its reports name: what nothing else repeats. */
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
 * Proves that what an instruction is called by is what the program wrote: whoever alters it in the database could have
 * the outcome of another taken for its own. Made with the program's secret, with the same write, so that it costs no row.
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
 * The instruction after something of that has changed, with a seal of what it is now. What was altered before keeps the seal
 * that shows it.
 */
export function resealed({ seals }: { seals: Seals }, before: Instruction, after: Instruction): Instruction {
  return before.seal === instructionSeal(seals, before)
    ? { ...after, seal: instructionSeal(seals, after) }
    : after
}
