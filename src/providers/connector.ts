import type { IncomingHttpHeaders } from 'node:http'
import type { Fields } from '../platform/fields.ts'
import type { Fence } from './fence.ts'
import type { Guidance } from './guidance.ts'
import type { RailKind } from './queues.ts'

/**
 * A connector reports what the rail said and never guesses. Anything but a clear answer (time-out, dropped
 * connection, 5xx, garbage) is `unknown`: the money may or may not have moved.
 */
export type Connector = {
  /**
   * Longest time from the start of the first message to the end of the last one, for a collection or
   * disbursement.
   */
  longestCallMs: number
  /**
   * How much of `longestCallMs` may pass before the message that moves money is sent, for rails that need
   * tokens or keys first. The rest is enough for that message to finish.
   */
  preparationMs?: number
  /** How soon after a submit the rail can be queried, if later than 5 s. */
  firstQueryMs?: number
  /** How long after a submit the rail's `missing` can be trusted, if longer than a minute. */
  missingAfterMs?: number
  /**
   * Asks the payer to pay. `accepted` means that the rail has the request; the outcome arrives by callback or
   * query.
   */
  collect(collection: Collection): Promise<SubmitOutcome>
  /** Queries the outcome of a collection. */
  queryCollection(query: RailQuery): Promise<RailOutcome>
  /** Asks the rail to pay out, like `collect`. Absent if the rail cannot pay out. */
  disburse?(disbursement: Disbursement): Promise<SubmitOutcome>
  /** How many disbursements may be in flight now, if the number varies; nothing is sent for those that wait. */
  disbursementsAtOnce?(): number
  /** Queries the outcome of a disbursement; works even while the provider takes no new ones. */
  queryDisbursement?(query: RailQuery): Promise<RailOutcome>
  /**
   * Refunds a collection, in full or in part, to the account that paid, like `collect`. Absent if the rail
   * cannot refund, or if refunds cannot be queried by our reference.
   */
  refund?(refund: RailRefund): Promise<SubmitOutcome>
  /** Set if the rail can refund a collection only in full. */
  refundsWholeOnly?: true
  /** Queries the outcome of a refund; works even while the provider takes no new ones. */
  queryRefund?(query: RailQuery): Promise<RailOutcome>
  /**
   * Reads a report and checks whether the rail sent it. If it did not, the report is only compared with the
   * instruction.
   */
  readReport?(received: ReceivedReport): RailReport
  /**
   * Looks up the holder of a phone number (E.164, with `+`), account number or wallet id. Absent if the rail
   * has no look-up.
   */
  verifyAccount?(account: string): Promise<AccountHolder>
  /**
   * Predicts the provider of a phone number (E.164, with `+`), by the rail's name for the provider; `undefined`
   * if the rail has no prediction. Absent if the rail has no such look-up.
   */
  predictProvider?(phone: string): Promise<string | undefined>
  /**
   * Passes on a code that the guidance asked the payer for, or submits the collection with it if that is how
   * the rail receives codes. `refused` only if the payment has failed; otherwise the outcome is queried.
   */
  submitCode?(collection: Collection, code: string): Promise<SubmitOutcome>
  /** Statements of our account. Absent if the rail makes none on request. */
  statements?: RailStatements
  /**
   * Lists transactions on our account, if the rail can: a table with a header row, for a mapping in
   * `reconciliation/mappings/`.
   */
  listStatement?(
    period: StatementPeriod,
  ): Promise<{ outcome: 'listed'; rows: string[][] } | StatementRefused | UnknownOutcome>
  /** Balances of our accounts at the rail. Absent if the rail does not report them. */
  balances?(): Promise<RailBalance[] | UnknownOutcome>
  /** Manual payments to our number at the rail. Absent if the rail does not notify us of them. */
  bills?: Bills
  /**
   * Makes harmless requests step by step, for operators setting up a connection. Details never contain a
   * secret.
   */
  probe?(): Promise<ProbeStep[]>
  /** Origin of the rail's own pages, if it has any; payers are never redirected to another origin. */
  pageOrigin?: string
  close(): Promise<void>
}

/** Fields that every submit has. */
export type MoneyOrder = {
  /** Our reference, stored before the call; also the rail's idempotency key. UUID v4. */
  reference: string
  /** Amount in minor units. */
  amount: bigint
  currency: string
  /** Purpose, as shown to the payer or payee. */
  description: string
  callbackUrl: string
  mayLeave: Fence
}

export type Collection = MoneyOrder & {
  /** A phone number (E.164, with `+`), account number or wallet id; `null` for cards. */
  payerAccount: string | null
  /** The order number, for people who match statements. */
  orderNumber: string
  /** URL to which the rail's own page returns the payer; `null` if the payer has no browser. */
  returnUrl: string | null
}

/** `payeeAccount`: a phone number (E.164, with `+`), account number or wallet id. */
export type Disbursement = MoneyOrder & { payeeAccount: string }

/** The collection to refund: our reference and, if known, the rail's transaction id. */
export type OriginalCollection = {
  reference: string
  railTransaction: string | null
  /** The connection that collected the payment and has to refund it. */
  connection?: string | null
}

export type RailRefund = MoneyOrder & { original: OriginalCollection }

/** The instruction to query, as it was submitted. */
export type RailQuery = Pick<MoneyOrder, 'reference' | 'amount' | 'currency' | 'callbackUrl'> & {
  /** The rail's own reference, if it returned one. */
  providerReference?: string | undefined
  /** The payer's or payee's account; `null` for cards. */
  account: string | null
  /** The collection being refunded. */
  original: OriginalCollection | null
}

export type AccountHolder =
  /** An account that is not active cannot currently receive money. */
  { outcome: 'found'; holderName: string; isActive: boolean } | { outcome: 'missing' } | UnknownOutcome

/**
 * Balance of one of our accounts at the rail, under the rail's name for the account. In minor units, as the
 * rail reports it.
 */
export type RailBalance = { name: string; currency: string; amount: bigint }

/** Manual payments: payers choose our number and type a reference, and the rail notifies us. */
export type Bills = {
  /** Reads a notification and checks whether the rail sent it. */
  readNotice(received: ReceivedReport): BillNotice
  /** Registers our callback URLs with the rail, step by step. */
  register(addresses: BillAddresses): Promise<ProbeStep[]>
  /**
   * Lists payments to our number from `from` (inclusive) to `until` (exclusive); absent if the rail has no
   * list.
   */
  list?(from: Date, until: Date): Promise<BillPayment[] | UnknownOutcome>
  /** How far back the list goes. Payments are searched for again within this period. */
  listedForMs?: number
}

/** `validation`: the rail asks whether a payment is allowed. `confirmation`: the rail reports that it was made. */
export type BillAddresses = Record<BillStage, string>
export const billStages = ['validation', 'confirmation'] as const
export type BillStage = (typeof billStages)[number]

/** A manual payment as the rail reports it. Amounts in minor units. */
export type BillPayment = {
  /** The rail's unique transaction id. */
  transaction: string
  amount: bigint
  currency: string
  /** The reference as typed by the payer or shown in a prompt. */
  accountReference: string
  /** E.164; `null` if the rail masks it. */
  payerAccount: string | null
  /** The payer's number as masked by the rail. */
  payerMask: string | null
  paidAt: Date
}

export type BillNotice = {
  isAuthentic: boolean
  /** `undefined` if the payment cannot be read. */
  payment: BillPayment | undefined
  /** Builds the response that the rail expects; for a validation, with the reason to refuse the payment. */
  answer(refusal?: BillRefusal): NonNullable<RailReport['answer']>
}

/** Why a payment is not allowed: unknown reference, wrong amount or wrong payer. */
export type BillRefusal = 'reference' | 'amount' | 'payer'

/** Our account in one currency, for a period whose end is exclusive. */
export type StatementPeriod = { currency: string; from: Date; until: Date }

/** A refusal with a reason that the operator can act on. */
export type StatementRefused = { outcome: 'refused'; why: string }

/** How a rail makes statements on request. Each is ready some time after it was requested. */
export type RailStatements = {
  /** `callbackUrl`: for rails that require one. Anything sent to it is ignored. */
  request(
    period: StatementPeriod & { callbackUrl: string },
  ): Promise<{ outcome: 'accepted'; statementId: string } | StatementRefused | UnknownOutcome>
  /** `url`: where the file is, on an origin that the connection allows. */
  query(
    statementId: string,
  ): Promise<{ outcome: 'ready'; url: string } | { outcome: 'pending' } | StatementRefused | UnknownOutcome>
}

/** `unknown`: the rail gave no clear answer. */
export type ProbeStep = { step: string; outcome: 'ok' | 'failed' | 'unknown'; detail: string }

export type SubmitOutcome =
  /**
   * With a `redirectUrl`, the payer authorizes on the rail's own page; `guidance` says what else the payer has
   * to do. `providerReference`: the rail's own reference, for queries.
   */
  | { outcome: 'accepted'; redirectUrl?: string; guidance?: Guidance; providerReference?: string }
  /** `alert`: a problem for the operator to fix, for the log. */
  | { outcome: 'refused'; code: FailureCode; message: string; alert?: string }
  | UnknownOutcome

export type RailOutcome =
  | Verdict
  /** Repeats page and guidance, because the first response with them may have been lost. */
  | { outcome: 'pending'; redirectUrl?: string; guidance?: Guidance }
  /** The rail accepted the query and reports the outcome later. */
  | { outcome: 'asked' }
  /** The rail does not know the reference; conclusive only well after the submit. */
  | { outcome: 'missing' }
  | UnknownOutcome

/** A final outcome. */
export type Verdict =
  | ({ outcome: 'done'; railTransaction: string | undefined; card?: PaidCard } & (MovedMoney | UnstatedMoney))
  | { outcome: 'refused'; code: FailureCode; message: string }

/** The amount as the rail reports it. */
export type MovedMoney = { amount: bigint; currency: string }
/** For rails that never report the amount. Explicit, so that no connector omits an amount by mistake. */
export type UnstatedMoney = { amount: undefined; currency: undefined; isAmountUnstated: true }

/** A request to a callback URL. */
export type ReceivedReport = {
  method: string
  /** The path that was requested, without the query. */
  path: string
  headers: IncomingHttpHeaders
  /** The sender's IP address. */
  address: string
  /** The exact bytes that were signed. */
  rawBody: Buffer
  /** The body, if it is a JSON object. */
  fields: Fields | undefined
  /** When the request was received, in real time, as a Unix timestamp in milliseconds; defaults to now. */
  receivedAtMs?: number
  /**
   * The suffix that the connector added to an instruction's callback URL, after a slash, to tell the rail's
   * reports apart.
   */
  notice?: string | undefined
}

/** The parts of a report that can be read. */
export type RailReport = {
  /** Whether the connection's own check proved that the rail sent the report. */
  isAuthentic: boolean
  /**
   * For rails that sign nothing: the report proves nothing and only triggers a query about the payment it
   * names.
   */
  isHint?: boolean
  /** The report answers a query that returned `asked`. If it has no verdict, the next scheduled query follows. */
  isQueryResult?: true
  /** Our reference. */
  reference?: string | undefined
  /** The rail's own reference. */
  providerReference?: string | undefined
  /** Amount in minor units. */
  amount?: bigint | undefined
  currency?: string | undefined
  /** The outcome reported for an instruction of this kind, if any. */
  verdictOn?(kind: RailKind): Verdict | undefined
  /** The response that the rail expects, if not a plain 200. */
  answer?: { status: number; contentType: string; body: string }
}

/**
 * `isSecurity`: the rail did something that no honest rail does. `isTooLate`: the fence stopped the request.
 */
export type UnknownOutcome = { outcome: 'unknown'; why: string; isSecurity?: true; isTooLate?: true }

export const cardSchemes = ['visa', 'mastercard', 'verve'] as const

/** The card that paid. `token` is the acquirer's token for the card: always the same, but not the card number. */
export type PaidCard = { scheme: (typeof cardSchemes)[number]; last4: string; token: string }

/** Our own codes for why money did not move. */
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
