import type { Failure, Guidance, PaidCard, RailQueue } from '@pesewa/connector-kit'
import type { LedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import type { OwnerType } from './owner-types.ts'
import type { Instruction, InstructionKind } from './store.ts'

/** An instruction and the current time by its Space's clock. */
export type FollowedInstruction = { instruction: Instruction; at: Date }
export type Completed = FollowedInstruction & {
  railTransaction: string | undefined
  card: PaidCard | undefined
}
export type Failed = FollowedInstruction & { failure: Failure }
export type PayerNextStep = FollowedInstruction & { redirectUrl: string | null; guidance: Guidance | null }

/**
 * Defines how a resource changes when its instructions change state. The steps run in the same transaction,
 * once for all instructions that changed together, even in different Spaces. Each instruction is locked and
 * occurs only once.
 */
export type Follower = {
  /** Called when instructions are about to be submitted. */
  submitting(tx: Tx, moved: FollowedInstruction[]): Promise<void>
  /**
   * Called when instructions have completed. Returns the ledger work that remains to be done, because accounts
   * are locked only once, after everything else in the transaction.
   */
  completed(tx: Tx, completed: Completed[]): Promise<LedgerWork>
  failed(tx: Tx, failed: Failed[]): Promise<LedgerWork>
  /** Called when the rail has returned a page or guidance for the payer. */
  nextStepShown?(tx: Tx, nextStepShown: PayerNextStep[]): Promise<void>
  /** Called once for each instruction, when its outcome has been unknown for `delayedAfterMs`. */
  delayed?(tx: Tx, delayed: FollowedInstruction[]): Promise<void>
  delayedAfterMs?: number
  /** Called when the instructions in this queue have to wait because the circuit breaker of the rail is open. */
  breakerOpened?(tx: Tx, queue: RailQueue): Promise<void>
  /** Called when the rail has contradicted recorded outcomes and a case has been opened for each. */
  contradicted?(tx: Tx, contradicted: FollowedInstruction[]): Promise<void>
  /** Returns the owner of each instruction for which a case is opened, in the order of the instructions. */
  owners(tx: Tx, instructions: Instruction[]): Promise<OwnerRef[]>
}

export type Followers = Record<OwnerType, Follower>

/** Runs a step of each follower with the instructions of its type. */
export async function followEach<Move extends FollowedInstruction>(
  followers: Followers,
  moves: Move[],
  step: (follower: Follower, moves: Move[]) => Promise<void> | undefined,
): Promise<void> {
  for (const [ownerType, ofType] of Map.groupBy(moves, ({ instruction }) => instruction.ownerType))
    await step(followers[ownerType], ofType)
}

/** The direction of an instruction's clearing account, by kind of instruction. */
export const clearingDirection = {
  collect: 'collection',
  disburse: 'disbursement',
  refund: 'disbursement',
} as const satisfies Record<InstructionKind, string>
