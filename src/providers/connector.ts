import type { IncomingHttpHeaders } from 'node:http'
import type { Fields } from '../platform/fields.ts'
import type { Fence } from './fence.ts'
import type { Guidance } from './guidance.ts'
import type { RailKind } from './lane.ts'

/**
 * A connector returns what the rail said, and never guesses. `unknown` is everything that is not a clear answer (time-out,
 * dropped connection, 5xx, garbage): the money may or may not have moved.
 */
export type Connector = {
  /** From a collection's or disbursement's first message to the end of its last, at most. */
  longestCallMs: number
  /**
   * How much of that may pass until the message that moves money leaves, where tokens or keys come first. The rest is
   * enough for that message to end.
   */
  preparationMs?: number
  /** When the rail can first be queried after a submit, where that is later than after 5 s. */
  firstQueryMs?: number
  /** How long after a submit the rail itself believes its `missing`, where that is longer than a minute. */
  missingAfterMs?: number
  /** Asks the payer to pay. `accepted` means that the rail has it; the outcome comes by callback or query. */
  collect(collection: Collection): Promise<SubmitOutcome>
  /** The outcome of a collection. */
  queryCollection(query: RailQuery): Promise<RailOutcome>
  /** Asks the rail to pay out, as `collect`. Absent where the rail cannot. */
  disburse?(disbursement: Disbursement): Promise<SubmitOutcome>
  /** How many disbursements may be in flight now, where that changes; the others wait, and nothing is sent of them. */
  disbursementsAtOnce?(): number
  /** The outcome of a disbursement; also there while a provider takes no new ones. */
  queryDisbursement?(query: RailQuery): Promise<RailOutcome>
  /**
   * Gives back a collection, whole or in part, to the account that paid, as `collect`. Absent where the rail cannot, or
   * where its outcome could not be queried by our reference.
   */
  refund?(refund: RailRefund): Promise<SubmitOutcome>
  /** Whether it can give back only the whole of a collection. */
  refundsWholeOnly?: true
  /** The outcome of a refund; also there while a provider takes no new ones. */
  queryRefund?(query: RailQuery): Promise<RailOutcome>
  /** Reads a report, and checks whether it is the rail's. Any other is only compared with the instruction. */
  readReport?(received: ReceivedReport): RailReport
  /** The holder of a phone number (E.164, with `+`), account number or wallet id. Absent if the rail has no look-up. */
  verifyAccount?(account: string): Promise<AccountHolder>
  /**
   * The provider with which a phone number (E.164, with `+`) probably is, as the rail calls it; `undefined` where it does not
   * say. Absent where the rail has no such look-up.
   */
  predictProvider?(phone: string): Promise<string | undefined>
  /**
   * Passes on a code that the payer has to give, where guidance asks for one. `refused` only where the payment has failed;
   * what became of it is queried.
   */
  submitCode?(query: RailQuery, code: string): Promise<SubmitOutcome>
  /** What is on our accounts at the rail. Absent where it does not say. */
  balances?(): Promise<RailBalance[] | UnknownOutcome>
  /** Requests something harmless, step by step, for whoever sets a connection up. No detail holds a secret. */
  probe?(): Promise<ProbeStep[]>
  /** Where the rail's own pages stand, if it has any: a payer is sent to no other origin. */
  pageOrigin?: string
  close(): Promise<void>
}

/** Of every submit. */
export type MoneyOrder = {
  /** Ours, stored before the call, and the rail's idempotency key: UUID v4. */
  reference: string
  /** Whole minor units. */
  amount: bigint
  currency: string
  /** Shown to the payer or payee: what it is for. */
  description: string
  callbackUrl: string
  mayLeave: Fence
}

export type Collection = MoneyOrder & {
  /** A phone number (E.164, with `+`), an account number or a wallet id; none for a card. */
  payerAccount: string | null
  /** The order's number, so that a statement can be matched by eye. */
  orderNumber: string
  /** Where a rail with a page of its own sends the payer back to; none where the payer has no browser. */
  returnUrl: string | null
}

/** `payeeAccount`: a phone number (E.164, with `+`), an account number or a wallet id. */
export type Disbursement = MoneyOrder & { payeeAccount: string }

/** A collection that is to be given back: our reference of it, and the rail's transaction where it named one. */
export type OriginalCollection = {
  reference: string
  railTransaction: string | null
  /** By which it was collected, and goes back. */
  connection?: string | null
}

export type RailRefund = MoneyOrder & { original: OriginalCollection }

/** What a query is about, as it was submitted. */
export type RailQuery = Pick<MoneyOrder, 'reference' | 'amount' | 'currency' | 'callbackUrl'> & {
  /** The rail's own, where it gave one. */
  providerReference?: string | undefined
  /** The payer's or payee's; none for a card. */
  account: string | null
  /** What a refund gives back. */
  original: OriginalCollection | null
}

export type AccountHolder =
  /** An account that is not active takes no money now. */
  { outcome: 'found'; holderName: string; isActive: boolean } | { outcome: 'missing' } | UnknownOutcome

/** An account of ours at the rail, by the rail's name for it. In minor units, as the rail states it. */
export type RailBalance = { name: string; currency: string; amount: bigint }

/** `unknown`: the rail gave no answer that says how it is. */
export type ProbeStep = { step: string; outcome: 'ok' | 'failed' | 'unknown'; detail: string }

export type SubmitOutcome =
  /**
   * With a `redirectUrl` the payer authorises on the rail's own page; `guidance` says what else they have to do.
   * `providerReference`: the rail's own, to query by.
   */
  | { outcome: 'accepted'; redirectUrl?: string; guidance?: Guidance; providerReference?: string }
  /** `alert`: what the operator has to see to, for the log. */
  | { outcome: 'refused'; code: FailureCode; message: string; alert?: string }
  | UnknownOutcome

export type RailOutcome =
  | Verdict
  /** Page and guidance again: the first response that carried them may have been lost. */
  | { outcome: 'pending'; redirectUrl?: string; guidance?: Guidance }
  /** The rail accepted the query, and reports the outcome later. */
  | { outcome: 'asked' }
  /** The rail does not know the reference: conclusive only well after the submit. */
  | { outcome: 'missing' }
  | UnknownOutcome

/** A final outcome. */
export type Verdict =
  | ({ outcome: 'done'; railTransaction: string | undefined; card?: PaidCard } & (MovedMoney | UnstatedMoney))
  | { outcome: 'refused'; code: FailureCode; message: string }

/** As the rail states it. */
export type MovedMoney = { amount: bigint; currency: string }
/** Of a rail that never states what moved. Explicit, so that no connector drops an amount by mistake. */
export type UnstatedMoney = { amount: undefined; currency: undefined; isAmountUnstated: true }

/** A request at an address for callbacks. */
export type ReceivedReport = {
  method: string
  /** Of the address that it came to, without the query. */
  path: string
  headers: IncomingHttpHeaders
  /** Of the sender. */
  address: string
  /** As it was signed. */
  rawBody: Buffer
  /** The body, where it is a JSON object. */
  fields: Fields | undefined
  /** Milliseconds since 1970 of when it came, by real time; now, unless it says so. */
  receivedAtMs?: number
  /** What the connector put behind the address of an instruction, after a slash, to tell its reports apart. */
  notice?: string | undefined
}

/** A report, as far as it can be read. */
export type RailReport = {
  /** Whether it proved to be the rail's, by the connection's own check. */
  isAuthentic: boolean
  /** Of a rail that signs nothing: it proves nothing, and only makes us query what it names. */
  isHint?: boolean
  /** The response to a query that was `asked`: where it has no verdict, the next query is the scheduled one. */
  isQueryResult?: true
  /** Ours. */
  reference?: string | undefined
  /** The rail's own. */
  providerReference?: string | undefined
  /** Whole minor units. */
  amount?: bigint | undefined
  currency?: string | undefined
  /** The outcome that it reports of an instruction of this kind, if any. */
  verdictOn?(kind: RailKind): Verdict | undefined
  /** The response that the rail expects, other than a plain 200. */
  answer?: { status: number; contentType: string; body: string }
}

/**
 * `isSecurity`: the rail did something that no honest rail does. `isTooLate`: the fence stopped the request.
 */
export type UnknownOutcome = { outcome: 'unknown'; why: string; isSecurity?: true; isTooLate?: true }

export const cardSchemes = ['visa', 'mastercard', 'verve'] as const

/** The card that paid. `token` is the acquirer's word for it: the same for the same card, and not its number. */
export type PaidCard = { scheme: (typeof cardSchemes)[number]; last4: string; token: string }

/** Why money did not move, in our words. */
export const failureCodes = [
  'unknown',
  'fund_insufficient',
  'authorization_failed',
  'provider_unknown',
  'provider_unavailable',
  'provider_account_blocked',
  'provider_account_missing',
  'provider_account_quota_exhausted',
  'cancelled',
  'rejected',
] as const
export type FailureCode = (typeof failureCodes)[number]
