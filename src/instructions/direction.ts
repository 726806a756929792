import type { InstructionKind } from './store.ts'

/** Of the clearing account of an instruction. */
export const directionOf = { collect: 'collection', disburse: 'disbursement' } as const satisfies Record<
  InstructionKind,
  string
>
