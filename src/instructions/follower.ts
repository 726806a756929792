import type { LedgerWork } from '../ledger/holds.ts'
import type { Tx } from '../platform/db/database.ts'
import type { PaidCard } from '../providers/connector.ts'
import type { Failure } from '../providers/failures.ts'
import type { Guidance } from '../providers/guidance.ts'
import type { RailLane } from '../providers/lane.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import type { OwnerType } from './owner-types.ts'
import type { Instruction, InstructionKind } from './store.ts'

/** Each with the moment of its Space's clock. */
export type Followed = { instruction: Instruction; at: Date }
export type Completed = Followed & { railTransaction: string | undefined; card: PaidCard | undefined }
export type Failed = Followed & { failure: Failure }
export type PayerNextStep = Followed & { redirectUrl: string | null; guidance: Guidance | null }

/**
 * What a resource does when its instructions move: in the same transaction, with all that moved at the time, of many
 * Spaces, each locked and each only once.
 */
export type Follower = {
  /** The instruction is about to be submitted. */
  submitting(tx: Tx, moved: Followed[]): Promise<void>
  /** Returns what is left to do in the ledger: accounts are locked once, after everything else of the transaction. */
  completed(tx: Tx, completed: Completed[]): Promise<LedgerWork>
  failed(tx: Tx, failed: Failed[]): Promise<LedgerWork>
  /** The rail shows the payer a page, or what to do. */
  shown?(tx: Tx, shown: PayerNextStep[]): Promise<void>
  /** The outcome has not been known for `delayedAfterMs`; called once. */
  delayed?(tx: Tx, delayed: Followed[]): Promise<void>
  delayedAfterMs?: number
  /** Their rail rests: what waits in this lane goes on waiting. */
  resting?(tx: Tx, lane: RailLane): Promise<void>
  /** The rail says the opposite of how they ended, and a case was opened for each. */
  contradicted?(tx: Tx, contradicted: Followed[]): Promise<void>
  /** Whom a case belongs to that is opened for each of these, in their order. */
  owners(tx: Tx, instructions: Instruction[]): Promise<OwnerRef[]>
}

export type Followers = Record<OwnerType, Follower>

/** Has each follower do a step with all that moved of its own. */
export async function followEach<Move extends Followed>(
  followers: Followers,
  moves: Move[],
  step: (follower: Follower, moves: Move[]) => Promise<void> | undefined,
): Promise<void> {
  for (const [ownerType, ofType] of Map.groupBy(moves, ({ instruction }) => instruction.ownerType))
    await step(followers[ownerType], ofType)
}

/** Of the clearing account of an instruction. */
export const directionOf = {
  collect: 'collection',
  disburse: 'disbursement',
  refund: 'disbursement',
} as const satisfies Record<InstructionKind, string>
