import type { Tx } from '../platform/db/database.ts'
import type { PaidCard } from '../providers/connector.ts'
import type { Failure } from '../providers/failures.ts'
import type { Guidance } from '../providers/guidance.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
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
  /** What its instructions are for, as addresses, ids, logs and the owners of postings name it. */
  noun: string
  /** The instruction is about to be submitted. */
  submitting(tx: Tx, moved: Followed[]): Promise<void>
  completed(tx: Tx, completed: Completed[]): Promise<void>
  failed(tx: Tx, failed: Failed[]): Promise<void>
  /** The rail shows the payer a page, or what to do. */
  shown?(tx: Tx, shown: PayerNextStep[]): Promise<void>
  /** The outcome has not been known for `delayedAfterMs`; called once. */
  delayed?(tx: Tx, delayed: Followed[]): Promise<void>
  delayedAfterMs?: number
  /** Whom a case belongs to that is opened for each of these, in their order. */
  owners(tx: Tx, instructions: Instruction[]): Promise<OwnerRef[]>
}

export type Followers = Record<InstructionKind, Follower>

/** Of the clearing account of an instruction. */
export const directionOf = { collect: 'collection', disburse: 'disbursement' } as const satisfies Record<
  InstructionKind,
  string
>
