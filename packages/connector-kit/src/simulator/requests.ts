import type { PlannedOutcome } from './behaviour.ts'

/** Identifies a request: the provider, and our reference, which is unique for each provider. */
export type RequestKey = { providerId: string; reference: string }

/** Parts of a request that some rails do not have; texts are then empty. */
type OptionalParts = {
  externalId: string
  payerMessage: string
  payeeNote: string
  callbackUrl: string | null
}

/** A request to collect a payment. */
export type CollectionRequest = Partial<OptionalParts> & {
  providerId: string
  protocol: string
  reference: string
  /** Phone number without `+`, account number or wallet id. Empty for a card. */
  payer: string
  /** The amount as it was sent. `amountMinor` is the same amount in minor units. */
  amount: string
  amountMinor: bigint
  currency: string
  /** URL to which the page redirects the payer; null if the payer approves elsewhere. */
  returnUrl: string | null
  /** URL to which payments to our business number are reported, in addition to `callbackUrl`. */
  noticeUrl?: string | null
}

/** A request to disburse money, or to refund a collection. */
export type DisbursementRequest = Omit<CollectionRequest, 'payer' | 'returnUrl'> & {
  /** Phone number without `+`, account number or wallet id. */
  payee: string
  /** Reference of the collection to be refunded, if the request is not a payout. */
  refundOf?: string
}

/** The state of a request at the rail. */
type RequestState = {
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  financialTransactionId: bigint | null
}

/** A collection as stored by the rail. */
export type StoredCollection = CollectionRequest &
  OptionalParts &
  RequestState & {
    cardScheme: string | null
    cardLast4: string | null
    cardToken: string | null
    /** Time until which a prompt or a page waits for the payer. */
    asksUntil: Date | null
    movedAt: Date | null
  }

/** A disbursement as stored by the rail. */
export type StoredDisbursement = Omit<DisbursementRequest, 'refundOf'> &
  OptionalParts &
  RequestState & { refundOf: string | null }

/** Data that the rail reports about the card that the payer chose. */
export type ChosenCard = { scheme: string; last4: string; token: string }

/** A request to a rail with its planned outcomes. */
export type NewRequest = {
  request: RequestKey & { [field: string]: unknown }
  at: Date
  outcomes: PlannedOutcome[]
}
export type RequestKind = 'collection' | 'disbursement'

/** A callback to be sent. */
export type Callback = { protocol: string; method: 'PUT' | 'POST'; url: string; body: string }
