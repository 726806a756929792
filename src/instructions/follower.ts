import type { LedgerWork } from '../ledger/holds.ts'
import type { Tx } from '../platform/db/database.ts'
import type { PaidCard } from '../providers/connector.ts'
import type { Failure } from '../providers/failures.ts'
import type { Guidance } from '../providers/guidance.ts'
import type { RailQueue } from '../providers/queues.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import type { OwnerType } from './owner-types.ts'
import type { Instruction, InstructionKind } from './store.ts'

/** An instruction and the time on its Space's clock. */
export type FollowedInstruction = { instruction: Instruction; at: Date }
export type Completed = FollowedInstruction & {
  railTransaction: string | undefined
  card: PaidCard | undefined
}
export type Failed = FollowedInstruction & { failure: Failure }
export type PayerNextStep = FollowedInstruction & { redirectUrl: string | null; guidance: Guidance | null }

/**
 * What a resource does when its instructions change state. Runs in the same transaction, once for all
 * instructions that changed together, across Spaces; each is locked and occurs once.
 */
export type Follower = {
  /** The instruction is about to be submitted. */
  submitting(tx: Tx, moved: FollowedInstruction[]): Promise<void>
  /** Returns the remaining ledger work: accounts are locked once, after everything else in the transaction. */
  completed(tx: Tx, completed: Completed[]): Promise<LedgerWork>
  failed(tx: Tx, failed: Failed[]): Promise<LedgerWork>
  /** The rail shows the payer a page or guidance. */
  nextStepShown?(tx: Tx, nextStepShown: PayerNextStep[]): Promise<void>
  /** The outcome has been unknown for `delayedAfterMs`. Called once. */
  delayed?(tx: Tx, delayed: FollowedInstruction[]): Promise<void>
  delayedAfterMs?: number
  /** The circuit breaker of their rail is open, so this queue keeps waiting. */
  breakerOpened?(tx: Tx, queue: RailQueue): Promise<void>
  /** The rail contradicts the recorded outcomes, and a case was opened for each. */
  contradicted?(tx: Tx, contradicted: FollowedInstruction[]): Promise<void>
  /** Returns the owner of each instruction that a case was opened for, in order. */
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

/** Direction of an instruction's clearing account. */
export const clearingDirection = {
  collect: 'collection',
  disburse: 'disbursement',
  refund: 'disbursement',
} as const satisfies Record<InstructionKind, string>
