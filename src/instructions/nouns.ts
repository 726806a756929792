import type { InstructionKind } from './store.ts'

/** What an instruction of a kind is for, as addresses, ids and logs name it. */
export const nounOf = { collect: 'payment', disburse: 'payout' } as const satisfies Record<
  InstructionKind,
  string
>

/** Of its clearing account. */
export const directionOf = { collect: 'collection', disburse: 'disbursement' } as const satisfies Record<
  InstructionKind,
  string
>
