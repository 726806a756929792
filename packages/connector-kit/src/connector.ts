import type { IncomingHttpHeaders } from 'node:http'
import type { Fields } from '@pesewa/values'
import type { Fence } from './fence.ts'
import type { Guidance } from './guidance.ts'
import type { RailKind } from './queues.ts'

/**
 * Communicates with a rail. A connector reports what the rail said and never guesses: anything but a definite
 * answer (time-out, dropped connection, 5xx, garbage) is `unknown`, which means that the money may or may not
 * have been moved.
 */
export type Connector = {
  /**
   * Maximum time from the start of the first message to the end of the last message of a collection or
   * disbursement.
   */
  longestCallMs: number
  /**
   * For rails that need tokens or keys first: how much of `longestCallMs` may pass before the message that
   * moves money is sent. The rest is enough for that message and its response.
   */
  preparationMs?: number
  /** Time after a submit before the rail can be queried, if longer than 5 s. */
  firstQueryMs?: number
  /** Time after a submit before a `missing` from the rail can be trusted, if longer than a minute. */
  missingAfterMs?: number
  /**
   * Asks the payer to pay. `accepted` means that the rail has received the request; the outcome follows in a
   * report or the result of a query.
   */
  collect(collection: Collection): Promise<SubmitOutcome>
  /** Queries the outcome of a collection. */
  queryCollection(query: RailQuery): Promise<RailOutcome>
  /** Asks the rail to pay out. The results are the same as for `collect`. Absent if the rail cannot pay out. */
  disburse?(disbursement: Disbursement): Promise<SubmitOutcome>
  /**
   * Returns how many disbursements may currently be in flight. Present only if this number varies. Any further
   * disbursements wait and are not submitted yet.
   */
  disbursementsAtOnce?(): number
  /** Queries the outcome of a disbursement, even if the provider no longer takes new ones. */
  queryDisbursement?(query: RailQuery): Promise<RailOutcome>
  /**
   * Refunds all or part of a collection to the account that paid. The results are the same as for `collect`.
   * Absent if the rail cannot refund, or if its refunds cannot be queried by our reference.
   */
  refund?(refund: RailRefund): Promise<SubmitOutcome>
  /** Present if the rail can only refund collections in full. */
  refundsWholeOnly?: true
  /** Queries the outcome of a refund, even if the provider no longer takes new ones. */
  queryRefund?(query: RailQuery): Promise<RailOutcome>
  /**
   * Reads a report and checks whether the rail sent it. If this cannot be verified, the outcome in the report
   * is not used. Such a report is only compared with the instruction and may trigger a query.
   */
  readReport?(received: ReceivedReport): RailReport
  /**
   * Looks up the holder of an account: a phone number (E.164 with `+`), account number or wallet id. Absent if
   * the rail cannot look up account holders.
   */
  verifyAccount?(account: string): Promise<AccountHolder>
  /**
   * Returns the rail's name for the provider that probably serves a phone number (E.164 with `+`), or
   * `undefined` if the rail makes no prediction. Absent if the rail cannot predict providers.
   */
  predictProvider?(phone: string): Promise<string | undefined>
  /**
   * Sends the rail the code that the payer was asked to enter. Some rails receive the collection only now,
   * together with the code. The result is `refused` only if the payment has failed; otherwise, the outcome is
   * queried.
   */
  submitCode?(collection: Collection, code: string): Promise<SubmitOutcome>
  /** Statements of our account. Absent if the rail does not produce statements on request. */
  statements?: RailStatements
  /**
   * Lists the transactions on our account as a table with a header row. The table is read with a mapping from
   * the server’s `finance/reconciliation/mappings`. Absent if the rail cannot list the transactions.
   */
  listStatement?(
    period: StatementPeriod,
  ): Promise<{ outcome: 'listed'; rows: string[][] } | StatementRefused | UnknownOutcome>
  /** Returns the balances of our accounts with the rail. Absent if the rail does not report them. */
  balances?(): Promise<RailBalance[] | UnknownOutcome>
  /** Manual payments to our number with the rail. Absent if the rail does not notify us of them. */
  bills?: Bills
  /**
   * Makes a series of harmless requests, for operators who are setting up a connection. The details of each
   * step never contain a secret.
   */
  probe?(): Promise<ProbeStep[]>
  /** Origin of the rail's own pages, if it has any. Payers are never redirected to another origin. */
  pageOrigin?: string
  close(): Promise<void>
}

/** The fields that all submits have in common. */
export type MoneyOrder = {
  /** Our reference, a UUID v4, which is stored before the call. It is also the rail's idempotency key. */
  reference: string
  /** Amount in minor units. */
  amount: bigint
  currency: string
  /** Purpose of the payment or payout, as shown to the payer or payee. */
  description: string
  callbackUrl: string
  mayLeave: Fence
}

export type Collection = MoneyOrder & {
  /** A phone number (E.164 with `+`), account number or wallet id; `null` for cards. */
  payerAccount: string | null
  /** The order number, for people who reconcile statements by hand. */
  orderNumber: string
  /** The URL to which the rail's own page returns the payer, or `null` if the payer has no browser. */
  returnUrl: string | null
}

/** `payeeAccount`: a phone number (E.164 with `+`), account number or wallet id. */
export type Disbursement = MoneyOrder & { payeeAccount: string }

/** The collection to refund: our reference for it and, if known, the rail's transaction id. */
export type OriginalCollection = {
  reference: string
  railTransaction: string | null
  /** The connection that collected the payment and must therefore refund it. */
  connection?: string | null
}

export type RailRefund = MoneyOrder & { original: OriginalCollection }

/** The instruction to query, with the values that were submitted. */
export type RailQuery = Pick<MoneyOrder, 'reference' | 'amount' | 'currency' | 'callbackUrl'> & {
  /** The rail's own reference, if it returned one. */
  providerReference?: string | undefined
  /** The payer's or payee's account; `null` for cards. */
  account: string | null
  /** The collection being refunded. */
  original: OriginalCollection | null
}

export type AccountHolder =
  /** The result of looking up an account. If `isActive` is `false`, the account cannot currently receive money. */
  { outcome: 'found'; holderName: string; isActive: boolean } | { outcome: 'missing' } | UnknownOutcome

/**
 * The balance of one of our accounts with the rail, in minor units, as reported by the rail. `name` is the
 * rail's name for the account.
 */
export type RailBalance = { name: string; currency: string; amount: bigint }

/** Manual payments: payers enter our number and a reference on their phones, and the rail notifies us. */
export type Bills = {
  /** Reads a notification and checks whether the rail sent it. */
  readNotice(received: ReceivedReport): BillNotice
  /** Registers our callback URLs with the rail. Returns the result of each step. */
  register(addresses: BillAddresses): Promise<ProbeStep[]>
  /**
   * Lists the payments to our number from `from` (inclusive) to `until` (exclusive). Absent if the rail has no
   * such list.
   */
  list?(from: Date, until: Date): Promise<BillPayment[] | UnknownOutcome>
  /**
   * How far back the list reaches, in milliseconds. The service searches this period again for payments that it
   * missed.
   */
  listedForMs?: number
}

/**
 * Our callback URLs for manual payments, by stage. In the `validation` stage, the rail asks whether a payment
 * is allowed. In the `confirmation` stage, it reports that the payment was made.
 */
export type BillAddresses = Record<BillStage, string>
export const billStages = ['validation', 'confirmation'] as const
export type BillStage = (typeof billStages)[number]

/** A manual payment as reported by the rail. Amounts are in minor units. */
export type BillPayment = {
  /** The rail's unique id of the transaction. */
  transaction: string
  amount: bigint
  currency: string
  /** The reference that the payer entered or, if the payer was prompted, the reference that the prompt showed. */
  accountReference: string
  /** The payer's number in E.164 format, or `null` if the rail masks it. */
  payerAccount: string | null
  /** The payer's number as masked by the rail, or `null` if it is not masked. */
  payerMask: string | null
  paidAt: Date
}

export type BillNotice = {
  isAuthentic: boolean
  /** `undefined` if the notification does not contain a readable payment. */
  payment: BillPayment | undefined
  /**
   * Builds the response that the rail expects. In the response to a validation, `refusal` is the reason for
   * refusing the payment.
   */
  answer(refusal?: BillRefusal): NonNullable<RailReport['answer']>
}

/** The reason for refusing a manual payment: an unknown reference, a wrong amount or the wrong payer. */
export type BillRefusal = 'reference' | 'amount' | 'payer'

/** The currency and period of a statement of our account. The period ends just before `until`. */
export type StatementPeriod = { currency: string; from: Date; until: Date }

/** The rail refused to produce a statement. `why` is a reason that the operator can act on. */
export type StatementRefused = { outcome: 'refused'; why: string }

/** Requests statements from a rail and retrieves them. A statement is ready some time after it is requested. */
export type RailStatements = {
  /** Requests a statement. `callbackUrl` is for rails that require one; requests to it are ignored. */
  request(
    period: StatementPeriod & { callbackUrl: string },
  ): Promise<{ outcome: 'accepted'; statementId: string } | StatementRefused | UnknownOutcome>
  /**
   * Queries whether a statement is ready. `url` is the URL of the file; its origin is one that the connection
   * allows.
   */
  query(
    statementId: string,
  ): Promise<{ outcome: 'ready'; url: string } | { outcome: 'pending' } | StatementRefused | UnknownOutcome>
}

/** The result of one step of a probe. `unknown` means that the rail gave no definite answer. */
export type ProbeStep = { step: string; outcome: 'ok' | 'failed' | 'unknown'; detail: string }

export type SubmitOutcome =
  /**
   * The rail accepted the request. If there is a `redirectUrl`, the payer authorizes the payment on the rail's
   * own page. `guidance` describes what else the payer has to do. `providerReference` is the rail's own
   * reference, for queries.
   */
  | { outcome: 'accepted'; redirectUrl?: string; guidance?: Guidance; providerReference?: string }
  /** The rail refused the request. `alert` is a problem that the operator has to fix; it is logged. */
  | { outcome: 'refused'; code: FailureCode; message: string; alert?: string }
  | UnknownOutcome

export type RailOutcome =
  | Verdict
  /** Includes the page and the guidance, because the first response that contained them may have been lost. */
  | { outcome: 'pending'; redirectUrl?: string; guidance?: Guidance }
  /** The rail accepted the query and will report the outcome later. */
  | { outcome: 'asked' }
  /** The rail does not know the reference. This is conclusive only well after the submit. */
  | { outcome: 'missing' }
  | UnknownOutcome

/** A final outcome, as opposed to one that has to be queried again. */
export type Verdict =
  | ({ outcome: 'done'; railTransaction: string | undefined; card?: PaidCard } & (MovedMoney | UnstatedMoney))
  | { outcome: 'refused'; code: FailureCode; message: string }

/** The amount that was moved, as reported by the rail. */
export type MovedMoney = { amount: bigint; currency: string }
/**
 * Used for rails that never report amounts. `isAmountUnstated` must be set explicitly, so that no connector
 * omits an amount by mistake.
 */
export type UnstatedMoney = { amount: undefined; currency: undefined; isAmountUnstated: true }

/** A request that was received at a callback URL. */
export type ReceivedReport = {
  method: string
  /** The requested path, without the query string. */
  path: string
  headers: IncomingHttpHeaders
  /** The sender's IP address. */
  address: string
  /** The body exactly as received, for checking its signature. */
  rawBody: Buffer
  /** The body, if it is a JSON object. */
  fields: Fields | undefined
  /**
   * The wall-clock time at which the request was received, as a Unix timestamp in milliseconds; defaults to
   * now.
   */
  receivedAtMs?: number
  /**
   * The part that the connector appended to an instruction's callback URL, after a slash, to tell the rail's
   * kinds of reports apart.
   */
  notice?: string | undefined
}

/** The parts of a report that the connector could read. */
export type RailReport = {
  /** Whether the connection's own check has shown that the rail sent the report. */
  isAuthentic: boolean
  /**
   * Set for rails that do not sign their reports: the report proves nothing and only triggers a query about the
   * payment that it identifies.
   */
  isHint?: boolean
  /**
   * Set if the report contains the result of an earlier query to which the rail responded with `asked`. If the
   * report has no verdict, the service waits for the next scheduled query.
   */
  isQueryResult?: true
  /** Our reference. */
  reference?: string | undefined
  /** The rail's own reference. */
  providerReference?: string | undefined
  /** Amount in minor units. */
  amount?: bigint | undefined
  currency?: string | undefined
  /**
   * Returns the outcome that the report contains for an instruction of this kind, or `undefined` if it contains
   * none.
   */
  verdictOn?(kind: RailKind): Verdict | undefined
  /** The response that the rail expects, if it is not a plain 200. */
  answer?: { status: number; contentType: string; body: string }
}

/**
 * The outcome cannot be determined. `isSecurity`: the rail did something that no honest rail does. `isTooLate`:
 * the fence prevented the request from being sent.
 */
export type UnknownOutcome = { outcome: 'unknown'; why: string; isSecurity?: true; isTooLate?: true }

export const cardSchemes = ['visa', 'mastercard', 'verve'] as const

/**
 * The card that was used to pay. `token` is the acquirer's token for the card: it is always the same for the
 * same card, but is not the card number.
 */
export type PaidCard = { scheme: (typeof cardSchemes)[number]; last4: string; token: string }

/** Our own codes for the reasons that money was not moved. */
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
