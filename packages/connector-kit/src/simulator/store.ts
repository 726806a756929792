import type { HandsetMode, PlannedOutcome } from './behaviour.ts'
import type {
  Callback,
  ChosenCard,
  NewRequest,
  RequestKey,
  RequestKind,
  StoredCollection,
  StoredDisbursement,
} from './requests.ts'

/** The period from `from` (inclusive) to `to` (exclusive). */
export type Period = { from: Date; to: Date }

/** Our URLs for manual payments to a business number, as registered with the rail. */
export type BillUrls = { validationUrl: string; confirmationUrl: string }

/** The data of all simulated rails. Each method is a transaction of its own. */
export type SimulatorStore = {
  /** Stores a request, and returns whether its reference was new. */
  add(kind: RequestKind, request: NewRequest): Promise<boolean>
  findCollection(key: RequestKey): Promise<StoredCollection | undefined>
  /** Returns a collection by the rail's transaction id. */
  findCollectionByTransaction(providerId: string, transaction: bigint): Promise<StoredCollection | undefined>
  /** Returns the payout with the given reference. A refund is not a payout. */
  findDisbursement(key: RequestKey): Promise<StoredDisbursement | undefined>
  /** Returns the key of the payout or refund with the given transaction id of the rail. */
  findDisbursementByTransaction(providerId: string, transaction: bigint): Promise<RequestKey | undefined>
  /** Returns the refund with the given reference. */
  findRefund(key: RequestKey): Promise<StoredDisbursement | undefined>
  /** Returns the refunds of a collection, at most a hundred. */
  listRefundsOf(collection: RequestKey): Promise<StoredDisbursement[]>
  /**
   * Returns the amount of a collection that has been refunded, in minor units, and whether another refund is
   * pending.
   */
  findRefunded(collection: RequestKey): Promise<{ refundedMinor: bigint; isPending: boolean }>
  /** Returns successful collections by the time at which the money moved, oldest first. */
  listPaid(
    providerId: string,
    period: Period,
    page: { offset: number; limit: number },
  ): Promise<(StoredCollection & { movedAt: Date })[]>
  /**
   * Replaces the planned outcomes of a collection with the payer's answer. Returns `false` if the prompt or page
   * is no longer open.
   */
  answer(reference: string, at: Date, outcomes: PlannedOutcome[], card?: ChosenCard): Promise<boolean>
  /** Returns the mode of a handset. `msisdn` is its number without `+`. */
  modeOf(msisdn: string): Promise<HandsetMode>
  /** Returns the number of prompts that wait on a handset. */
  countPrompts(msisdn: string, now: Date): Promise<number>
  /** Adds callbacks to be sent once. */
  addCallbacks(callbacks: Callback[]): Promise<void>
  findBillUrls(providerId: string): Promise<BillUrls | undefined>
  registerBillUrls(providerId: string, urls: BillUrls): Promise<void>
  /**
   * Returns a provider's statement in the form in which a bank would export it: as CSV with a header row, oldest
   * transaction first.
   * @throws RailError if the period has too many transactions
   */
  statementOf(providerId: string, period: Period): Promise<string>
}
