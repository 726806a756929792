/**
 * What a connector promises: it tells what the rail said, and never guesses. `unknown` covers everything that is not
 * a clear answer (time-out, dropped connection, 5xx, garbage): the money may or may not have moved.
 */
export type Connector = {
  /** Asks the payer to pay. `accepted` means the rail has it; how it ends comes by callback or query. */
  collect(collection: Collection): Promise<Submitted>
  /** What became of a collection. */
  queryCollection(reference: string): Promise<Outcome>
  close(): Promise<void>
}

export type Collection = {
  /** Ours, made before the call, and the rail's idempotency key: UUID v4. */
  reference: string
  /** Whole minor units. */
  amount: bigint
  currency: string
  /** E.164, with `+`. */
  phoneNumber: string
  /** Shown to people: what is paid for. */
  description: string
  /** The order's number, so that a statement can be matched by eye. */
  orderNumber: string
  callbackUrl: string
}

export type Submitted =
  | { outcome: 'accepted' }
  | { outcome: 'refused'; code: FailureCode; message: string }
  | { outcome: 'unknown'; why: string }

export type Outcome =
  /** `amount` and `currency` as the rail tells them: the caller compares them with what was asked. */
  | { outcome: 'done'; amount: bigint; currency: string; railTransaction: string | undefined }
  | { outcome: 'refused'; code: FailureCode; message: string }
  | { outcome: 'pending' }
  /** The rail does not know the reference: conclusive only well after the submit. */
  | { outcome: 'missing' }
  | { outcome: 'unknown'; why: string }

/** Why money did not move, in our words. */
export const failureCodes = [
  'unknown',
  'fund_insufficient',
  'authorization_failed',
  'provider_unknown',
  'provider_account_blocked',
  'provider_account_missing',
  'provider_account_quota_exhausted',
  'cancelled',
  'rejected',
] as const
export type FailureCode = (typeof failureCodes)[number]
