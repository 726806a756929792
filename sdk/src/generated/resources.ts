// Written by `npm run write` from the routes: edit those instead.

import type { Call, List } from '../call.ts'
import type { CallOptions } from '../options.ts'
import type { StreamOptions } from '../stream.ts'
import type { verifyWebhook } from '../webhooks.ts'
import type {
  AccessToken,
  AccountStatement,
  AuditEntry,
  BalanceReportRow,
  Case,
  CaseFile,
  CheckedPayoutBatch,
  CheckoutSession,
  ClosedDays,
  ClosedItem,
  ConnectionStates,
  ConnectionTest,
  CountedSpace,
  Country,
  DaysOfProvider,
  Delivery,
  Event,
  FeePreview,
  FeeReportRow,
  Fees,
  FinancialAccount,
  FinancialTransaction,
  Hold,
  InstallationHealth,
  InternalTransfer,
  Invitation,
  ListedRequest,
  LoggedRequest,
  MatchedStatement,
  Me,
  Member,
  Money,
  NewAccessToken,
  NewCheckoutSession,
  NewPaymentCode,
  NewPaymentLink,
  NewUssdOtp,
  NewWebhook,
  OpenItems,
  OperatorsSpace,
  Overview,
  OverviewDays,
  PausedPlace,
  Payment,
  PaymentCode,
  PaymentLink,
  Payout,
  PayoutBatch,
  PayoutBatchRow,
  PhoneNumber,
  Provider,
  ProviderKyc,
  ProviderStatement,
  Recall,
  Receipt,
  ReceiptMail,
  ReconciledDays,
  ReconciliationItem,
  Refund,
  ReopenedDay,
  Settings,
  SettingsChange,
  Settlement,
  SettlementReportRow,
  TestClock,
  UssdOtp,
  Webhook,
  WebhookEvent,
} from './types.ts'

export type CountriesListQuery = {
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface CountriesResource {
  /**
   * List countries.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: CountriesListQuery, options?: CallOptions): List<Country>
  /**
   * Retrieve a country.
   * @param code The country, by its two letters of ISO 3166-1.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(code: string, options?: CallOptions): Call<Country>
}

export interface MeResource {
  /**
   * Who calls, and what they may do where.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<Me>
}

export type AccessTokensListQuery = {
  status?: "active" | "expired" | "revoked"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type AccessTokensRollBody = {
  /** How long the token before works on. A duration such as 90s, 10m or 1h30m, from 0s to 7d. */
  overlap?: string | null
}

export interface AccessTokensResource {
  /**
   * Create an access token of your own for this Space. Needs `access-tokens:write`.
   * - No scope is more than the caller may do in this Space.
   * - `networks` are like 192.0.2.0/24, and inside those of the caller’s token.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewAccessToken, options?: CallOptions): Call<AccessToken>
  /**
   * List access tokens: your own, and those of all members where you are an owner or admin. Needs `access-tokens:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: AccessTokensListQuery, options?: CallOptions): List<AccessToken>
  /**
   * Retrieve an access token. Needs `access-tokens:read`.
   * @param id The id of the token.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<AccessToken>
  /**
   * Revoke an access token, within a second. Needs `access-tokens:write`.
   * @param id The id of the token.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
  /**
   * Make a token in place of one of your own; that one works on for a while. Needs `access-tokens:write`.
   * @param id The id of the token.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  roll(id: string, body?: AccessTokensRollBody, options?: CallOptions): Call<AccessToken>
}

export type MembersListQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type MembersUpdateBody = {
  /** What the member may do. `owner`, `admin`: everything; only an owner decides about owners. `developer`: integrations. `finance`: money. `support`: looking things up. `viewer`: reading. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer"
}

export interface MembersResource {
  /**
   * List the members of the Space. Needs `members:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: MembersListQuery, options?: CallOptions): List<Member>
  /**
   * Retrieve a member. Needs `members:read`.
   * @param id The id of the user.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Member>
  /**
   * Give a member another role, within a second. Needs `members:write`.
   * @param id The id of the user.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body: MembersUpdateBody, options?: CallOptions): Call<Member>
  /**
   * Remove a member; their tokens for this Space alone are revoked. Needs `members:write`.
   * @param id The id of the user.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type InvitationsListQuery = {
  status?: "pending" | "accepted" | "expired" | "withdrawn"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type InvitationsCreateBody = {
  /** Where the invitation is mailed. */
  email: string
  /** What the member may do. `owner`, `admin`: everything; only an owner decides about owners. `developer`: integrations. `finance`: money. `support`: looking things up. `viewer`: reading. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer"
}

export interface InvitationsResource {
  /**
   * List invitations to the Space. Needs `members:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: InvitationsListQuery, options?: CallOptions): List<Invitation>
  /**
   * Invite somebody to the Space, by mail. Needs `members:write`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: InvitationsCreateBody, options?: CallOptions): Call<Invitation>
  /**
   * Mail an invitation again; it can be accepted for 7 more days. Needs `members:write`.
   * @param id The id of the invitation.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  resend(id: string, options?: CallOptions): Call<Invitation>
  /**
   * Withdraw an invitation. Needs `members:write`.
   * @param id The id of the invitation.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type AuditEntriesListQuery = {
  actor?: string
  action?: string
  objectId?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface AuditEntriesResource {
  /**
   * List what people decided, the newest first. Needs `audit:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: AuditEntriesListQuery, options?: CallOptions): List<AuditEntry>
}

export type RequestsListQuery = {
  statusClass?: "2xx" | "4xx" | "5xx"
  method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE"
  pathPrefix?: string
  requestId?: string
  tokenId?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface RequestsResource {
  /**
   * List requests of the API of the last seven days. Needs `requests:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: RequestsListQuery, options?: CallOptions): List<ListedRequest>
  /**
   * Retrieve a request of the API by its request id. Needs `requests:read`.
   * @param id The id of the request.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<LoggedRequest>
}

export type EventsListQuery = {
  type?: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping"
  objectId?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  since?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface EventsResource {
  /**
   * List events. Needs `events:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: EventsListQuery, options?: CallOptions): List<Event>
  /**
   * Follow events as they happen, in their order, until `signal` ends it or the loop is left. Needs `events:read`.
   * A connection that was lost is made again, and nothing is left out.
   */
  stream(options?: StreamOptions): AsyncIterable<WebhookEvent>
  /**
   * Retrieve an event. Needs `events:read`.
   * @param id The id of the event.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Event>
}

export type WebhooksListQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type WebhooksUpdateBody = {
  /** What your team calls it. */
  name?: string
  /** The release that events are written in. */
  apiRelease?: "baobab"
  /** Where events are sent. An absolute http or https address without credentials. */
  url?: string
  /** Names of events, `payment.*` for all of a resource, or `*`. */
  events?: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]
  /** Whether events are sent. */
  enabled?: boolean
  /** Sent with every delivery. */
  headers?: Record<string, string> | null
  /** Who gets a mail when we disable it. */
  alertEmails?: (string)[] | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type WebhooksRotateSecretBody = {
  /** whsec_ and base64 of 24 to 64 bytes, or 32 to 256 plain characters. Left out: one is made. */
  secret?: string | null
}

export type WebhooksDeliveriesQuery = {
  status?: "pending" | "delivered" | "failed"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type WebhooksRedeliverBody = {
  /** Events of this time or later. */
  since: string
  /** Events before this time; left out: until now. */
  until?: string | null
  /** failed (default): deliveries that failed, and events that were never sent, as while the webhook was disabled. all: everything once more. */
  status?: "failed" | "all" | null
}

export interface WebhooksResource {
  /**
   * Register an endpoint for events. Needs `webhooks:write`.
   * - `url` leads to the public internet, on port 80, 443 or 1024 to 65535; in live by https.
   * - With ED25519 no `verificationMethod.secret` is given: the keys are made by us.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewWebhook, options?: CallOptions): Call<Webhook>
  /**
   * List webhooks. Needs `webhooks:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: WebhooksListQuery, options?: CallOptions): List<Webhook>
  /**
   * Retrieve a webhook. Needs `webhooks:read`.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Webhook>
  /**
   * Change a webhook. Needs `webhooks:write`.
   * - `url` leads to the public internet, on port 80, 443 or 1024 to 65535; in live by https.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: WebhooksUpdateBody, options?: CallOptions): Call<Webhook>
  /**
   * Remove a webhook and its deliveries. Needs `webhooks:write`.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
  /**
   * Give a webhook another key; the old one signs too for 24 h. Needs `webhooks:write`.
   * - With ED25519 no `secret` is given: the keys are made by us.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  rotateSecret(id: string, body?: WebhooksRotateSecretBody, options?: CallOptions): Call<Webhook>
  /**
   * Send a webhook an event of its own. Needs `webhooks:write`.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  ping(id: string, options?: CallOptions): Call<Webhook>
  /**
   * List the deliveries of a webhook. Needs `webhooks:read`.
   * @param id The id of the webhook.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  deliveries(id: string, query?: WebhooksDeliveriesQuery, options?: CallOptions): List<Delivery>
  /**
   * Send a webhook again what failed since a time, or everything. Needs `webhooks:resend`.
   * - `until` is later than `since`.
   * @param id The id of the webhook.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  redeliver(id: string, body: WebhooksRedeliverBody, options?: CallOptions): Call<Webhook>
  /** Checks the signature of an event that was received, and returns the event. */
  verify: typeof verifyWebhook
}

export interface DeliveriesResource {
  /**
   * Retrieve a delivery with its attempts. Needs `webhooks:read`.
   * @param id The id of the delivery.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Delivery>
  /**
   * Send a delivery again. Needs `webhooks:resend`.
   * @param id The id of the delivery.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  redeliver(id: string, options?: CallOptions): Call<Delivery>
}

export type FinancialAccountsCreateBody = {
  /** What your team calls it. */
  name: string
  /** It holds this currency for ever. The currency, by its three letters of ISO 4217. */
  currency: string
  /** Your own word for it, which no other account of the Space has. */
  reference?: string | null
  /** A remark for your team. */
  description?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type FinancialAccountsListQuery = {
  uvan?: string
  reference?: string
  withBalance?: boolean
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type FinancialAccountsRetrieveQuery = {
  withBalance?: boolean
}

export type FinancialAccountsUpdateBody = {
  /** What your team calls it. */
  name?: string
  /** Your own word for it, which no other account of the Space has. */
  reference?: string | null
  /** A remark for your team. */
  description?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type FinancialAccountsStatementQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
  after?: string
  withTotals?: boolean
}

export type FinancialAccountsHoldsQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface FinancialAccountsResource {
  /**
   * Open a financial account. Needs `financial-accounts:write`.
   * - `currency` is one of those of `GET /v1/countries`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: FinancialAccountsCreateBody, options?: CallOptions): Call<FinancialAccount>
  /**
   * List financial accounts. Needs `financial-accounts:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: FinancialAccountsListQuery, options?: CallOptions): List<FinancialAccount>
  /**
   * Retrieve a financial account. Needs `financial-accounts:read`.
   * @param id The id of the financial account.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, query?: FinancialAccountsRetrieveQuery, options?: CallOptions): Call<FinancialAccount>
  /**
   * Change a financial account. Needs `financial-accounts:write`.
   * @param id The id of the financial account.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: FinancialAccountsUpdateBody, options?: CallOptions): Call<FinancialAccount>
  /**
   * Retrieve the statement of a financial account. Needs `financial-transactions:read`.
   * @param id The id of the financial account.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  statement(id: string, query?: FinancialAccountsStatementQuery, options?: CallOptions): Call<AccountStatement>
  /**
   * List what is held of a financial account, and for what; needs balances:read. Needs `financial-accounts:read`.
   * @param id The id of the financial account.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  holds(id: string, query?: FinancialAccountsHoldsQuery, options?: CallOptions): List<Hold>
}

export type FinancialTransactionsListQuery = {
  financialAccountId?: string
  reference?: string
  type?: "credit" | "debit"
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface FinancialTransactionsResource {
  /**
   * List financial transactions. Needs `financial-transactions:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: FinancialTransactionsListQuery, options?: CallOptions): List<FinancialTransaction>
  /**
   * Retrieve a financial transaction. Needs `financial-transactions:read`.
   * @param id The id of the financial transaction.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<FinancialTransaction>
}

export type CasesListQuery = {
  status?: "open" | "closed"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type CasesReturnBody = {
  /** Why, for the record. */
  note?: string | null
}

export interface CasesResource {
  /**
   * List cases. Needs `financial-transactions:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: CasesListQuery, options?: CallOptions): List<Case>
  /**
   * Retrieve a case. Needs `financial-transactions:read`.
   * @param id The id of the case.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Case>
  /**
   * Give money that arrived after its payment had failed back to its payer. Needs `refunds:write`.
   * @param id The id of the case.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  return(id: string, body?: CasesReturnBody, options?: CallOptions): Call<Refund>
}

export type InternalTransfersCreateBody = {
  /** What is moved. */
  amount: Money
  /** The account that is debited. */
  sourceFinancialAccount: {
    /** The id of an account of this Space. */
    id: string
  }
  /** The account that is credited: another one, of the same currency. */
  destinationFinancialAccount: {
    /** The id of an account of this Space. */
    id: string
  }
  /** A remark for your team. */
  description?: string | null
  /** When it is due, in the future, at most 366 days ahead; left out: at once. */
  executeTime?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type InternalTransfersListQuery = {
  status?: "pending" | "processing" | "completed" | "failed"
  sourceFinancialAccountId?: string
  destinationFinancialAccountId?: string
  financialTransactionReference?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type InternalTransfersUpdateBody = {
  /** A remark for your team. */
  description?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export interface InternalTransfersResource {
  /**
   * Move money between two of your accounts. Needs `internal-transfers:write`.
   * - Source and destination are two different accounts of the Space, both in the currency of `amount`.
   * - `executeTime` is in the future, at most 366 days ahead.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: InternalTransfersCreateBody, options?: CallOptions): Call<InternalTransfer>
  /**
   * List internal transfers. Needs `internal-transfers:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: InternalTransfersListQuery, options?: CallOptions): List<InternalTransfer>
  /**
   * Retrieve an internal transfer. Needs `internal-transfers:read`.
   * @param id The id of the internal transfer.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<InternalTransfer>
  /**
   * Change an internal transfer. Needs `internal-transfers:write`.
   * @param id The id of the internal transfer.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: InternalTransfersUpdateBody, options?: CallOptions): Call<InternalTransfer>
  /**
   * Cancel an internal transfer that waits. Needs `internal-transfers:write`.
   * @param id The id of the internal transfer.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type MomosListQuery = {
  country?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface MomosResource {
  /**
   * List mobile money providers.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: MomosListQuery, options?: CallOptions): List<Provider>
  /**
   * Retrieve one of the mobile money providers.
   * @param providerId Which one, by its id in the list.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export type BanksListQuery = {
  country?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface BanksResource {
  /**
   * List banks.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: BanksListQuery, options?: CallOptions): List<Provider>
  /**
   * Retrieve one of the banks.
   * @param providerId Which one, by its id in the list.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export type WalletsListQuery = {
  country?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface WalletsResource {
  /**
   * List wallets.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: WalletsListQuery, options?: CallOptions): List<Provider>
  /**
   * Retrieve one of the wallets.
   * @param providerId Which one, by its id in the list.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export type ProviderKycRetrieveQuery = {
  accountId: string
}

export interface ProviderKycResource {
  /**
   * Look up whose account it is. Needs `provider-kyc:read`; with `payouts:write` alone, names are masked.
   * @param providerId The id of the provider that holds the account.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(providerId: string, query: ProviderKycRetrieveQuery, options?: CallOptions): Call<ProviderKyc>
}

export interface PhoneNumbersResource {
  /**
   * Find the mobile-money provider of a phone number.
   * @param phoneNumber The number in E.164; `+` may be left out.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(phoneNumber: string, options?: CallOptions): Call<PhoneNumber>
}

export type SettlementsCreateBody = {
  /** What is settled. `payout_to_bank`: the provider paid out what it had collected; `float_top_up`: the bank paid in what payouts are made from. */
  kind: "payout_to_bank" | "float_top_up"
  /** Who paid or was paid, by the id of the provider. */
  providerId: string
  /** Whose clearing account it is; left out: the one that the kind has. `collection`: of money that came in; `disbursement`: of money that goes out. */
  direction?: "collection" | "disbursement" | null
  /** What moved between provider and bank. */
  amount: Money
  /** As the bank’s statement has it, like `FT26325-0042`. */
  bankReference: string
  /** The day by the bank, at the latest tomorrow. */
  valueDate: string
  /** A remark, for whoever reads it later. */
  note?: string | null
  /** The provider may pay more than it owes. */
  isAdvance?: boolean | null
}

export type SettlementsListQuery = {
  status?: "booked" | "reversed"
  bankReference?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type SettlementsReverseBody = {
  /** Why it is taken back, for the record. */
  reason: string
}

export interface SettlementsResource {
  /**
   * Book money between a provider and a bank. Needs `settlements:write`.
   * - `providerId` names a provider of the catalogue.
   * - `amount.currency` is one that the provider takes.
   * - `direction` is that of the clearing account: without it `collection` for `payout_to_bank`, and always `disbursement` for `float_top_up`.
   * - `valueDate` is at the latest tomorrow.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: SettlementsCreateBody, options?: CallOptions): Call<Settlement>
  /**
   * List settlements. Needs `settlements:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: SettlementsListQuery, options?: CallOptions): List<Settlement>
  /**
   * Retrieve a settlement. Needs `settlements:read`.
   * @param id The id of the settlement.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Settlement>
  /**
   * Take back a settlement that was booked by mistake. Needs `settlements:write`.
   * @param id The id of the settlement.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  reverse(id: string, body: SettlementsReverseBody, options?: CallOptions): Call<Settlement>
}

export type PaymentsListQuery = {
  orderNumber?: string
  financialAccountId?: string
  financialTransactionReference?: string
  text?: string
  status?: "pending" | "processing" | "completed" | "failed"
  provider?: string
  amount?: number
  phoneNumber?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type PaymentsUpdateBody = {
  /** At most 100 characters, or the name that the payment has. */
  name?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type PaymentsSubmitCodeBody = {
  /** What the payer got from the provider, digits and letters. */
  code: string
}

export interface PaymentsResource {
  /**
   * List payments. Needs `payments:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: PaymentsListQuery, options?: CallOptions): List<Payment>
  /**
   * Retrieve a payment. Needs `payments:read`.
   * @param id The id of the payment.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Payment>
  /**
   * Change a payment. Needs `payments:write`.
   * - A `name` has at most 100 characters, or is the one that the payment has.
   * @param id The id of the payment.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: PaymentsUpdateBody, options?: CallOptions): Call<Payment>
  /**
   * Pass a payer’s code on to the provider. Needs `payments:write`.
   * @param id The id of the payment.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  submitCode(id: string, body: PaymentsSubmitCodeBody, options?: CallOptions): Call<Payment>
  /**
   * Retrieve all that happened to a payment, and what happens next. Needs `payments:read`.
   * @param id The id of the payment.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export type ReceiptsRedeemBody = {
  /** Redeem all that remains. */
  redeemAll?: boolean | null
  /** What is redeemed, each named once. */
  entitlements?: ({
    /** Which entitlement: the reference of its line, or the line’s id. */
    key: string
    /** How many units of it. */
    units?: number | null
  })[] | null
  /** Replaces what the receipt has; left out: that stays. Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type ReceiptsSendBody = {
  /** Where the receipt is mailed. */
  email: string
  /** The language of the mail. `en`: English; `fr`: French. */
  language?: "en" | "fr" | null
}

export interface ReceiptsResource {
  /**
   * Retrieve the receipt of a paid order. Needs `receipts:read`.
   * @param orderNumber The twelve digits of the order.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(orderNumber: string, options?: CallOptions): Call<Receipt>
  /**
   * Redeem a receipt, in part or whole. Needs `receipts:write`.
   * - Either `redeemAll` is true or `entitlements` are named.
   * - Each `key` is one of the receipt’s and named once.
   * @param orderNumber The twelve digits of the order.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  redeem(orderNumber: string, body?: ReceiptsRedeemBody, options?: CallOptions): Call<{
    /** Whether it was redeemed; false: not enough was left. */
    redeem: boolean
    /** The receipt as it is now. */
    receipt: Receipt
  }>
  /**
   * Mail the receipt of a paid order to an address. Needs `receipts:send`.
   * @param orderNumber The twelve digits of the order.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  send(orderNumber: string, body: ReceiptsSendBody, options?: CallOptions): Call<ReceiptMail>
}

export type PayoutsCreateBody = {
  /** What the payee gets; the fee comes on top. */
  amount: Money
  /** The payee: an account at a provider, in the field of its type. */
  destination: ({
    /** What kind of account the payee has. */
    type: "momo"
    /** Who holds the account. */
    providerId: string
    /** Of `momo`, and of no other. */
    phoneNumber: string
    /** Not of `momo`. */
    accountNumber?: null
    /** Not of `momo`. */
    walletId?: null
  } | {
    /** What kind of account the payee has. */
    type: "bank"
    /** Who holds the account. */
    providerId: string
    /** Of `bank`: 6 to 20 digits and letters. */
    accountNumber: string
    /** Not of `bank`. */
    phoneNumber?: null
    /** Not of `bank`. */
    walletId?: null
  } | {
    /** What kind of account the payee has. */
    type: "wallet"
    /** Who holds the account. */
    providerId: string
    /** Of `wallet`: 3 to 64 characters. */
    walletId: string
    /** Not of `wallet`. */
    phoneNumber?: null
    /** Not of `wallet`. */
    accountNumber?: null
  })
  /** Where the money comes from; left out: the Space’s main account of the currency. */
  source?: {
    /** The account that pays. */
    financialAccountId?: string | null
  } | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type PayoutsListQuery = {
  sourceFinancialAccountId?: string
  sourceTransactionReference?: string
  destinationTransactionReference?: string
  batchId?: string
  status?: "pending" | "processing" | "completed" | "failed"
  provider?: string
  amount?: number
  phoneNumber?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type PayoutsUpdateBody = {
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export interface PayoutsResource {
  /**
   * Pay out to a bank account, a phone or a wallet. Needs `payouts:write`.
   * - The provider is one of its type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`) that can be paid to here, in the currency of `amount`.
   * - The payee is one that the provider can have: a phone number of its country, 6 to 20 digits and letters of a bank, a wallet id of 3 to 64 characters; never the number of a card.
   * - `source.financialAccountId` names an account of the Space in the currency of `amount`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: PayoutsCreateBody, options?: CallOptions): Call<Payout>
  /**
   * List payouts. Needs `payouts:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: PayoutsListQuery, options?: CallOptions): List<Payout>
  /**
   * Retrieve a payout. Needs `payouts:read`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Payout>
  /**
   * Change a payout. Needs `payouts:write`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: PayoutsUpdateBody, options?: CallOptions): Call<Payout>
  /**
   * Cancel a payout that was not sent yet. Needs `payouts:write`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
  /**
   * Approve a payout that another user created. Needs `payouts:approve`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  approve(id: string, options?: CallOptions): Call<Payout>
  /**
   * Reject a payout that another user created. Needs `payouts:approve`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  reject(id: string, options?: CallOptions): Call<Payout>
  /**
   * Retrieve all that happened to a payout, and what happens next. Needs `payouts:read`.
   * @param id The id of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export type PayoutBatchesCheckBody = {
  /** Where the money comes from; left out: the Space’s main account of each currency. */
  source?: {
    /** The account that pays. */
    financialAccountId?: string | null
  } | null
  /** 1 to 1000 payouts. Either these or `csv`. */
  rows?: ({
    /** What the payee gets; the fee comes on top. */
    amount: Money
    /** The payee, as a single payout takes it. The payee: an account at a provider, in the field of its type. */
    destination: ({
      /** What kind of account the payee has. */
      type: "momo"
      /** Who holds the account. */
      providerId: string
      /** Of `momo`, and of no other. */
      phoneNumber: string
      /** Not of `momo`. */
      accountNumber?: null
      /** Not of `momo`. */
      walletId?: null
    } | {
      /** What kind of account the payee has. */
      type: "bank"
      /** Who holds the account. */
      providerId: string
      /** Of `bank`: 6 to 20 digits and letters. */
      accountNumber: string
      /** Not of `bank`. */
      phoneNumber?: null
      /** Not of `bank`. */
      walletId?: null
    } | {
      /** What kind of account the payee has. */
      type: "wallet"
      /** Who holds the account. */
      providerId: string
      /** Of `wallet`: 3 to 64 characters. */
      walletId: string
      /** Not of `wallet`. */
      phoneNumber?: null
      /** Not of `wallet`. */
      accountNumber?: null
    })
    /** The merchant’s own word for it: an invoice, a month. */
    reference?: string | null
    /** The payee’s name, as the merchant has it. */
    name?: string | null
    /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
    metadata?: Record<string, unknown> | null
  })[] | null
  /** The same as a file: a line of headings, `amount`, `currency`, `type`, `provider`, `account` and, where there are such columns, `name` and `reference`, in any order; then a line for each payout. Between cells stands `,` or `;`. An amount is decimal, `1500.00`, with no more decimals than its currency has. */
  csv?: string | null
}

export type PayoutBatchesCreateBody = {
  /** What the batch is for, such as a month’s salaries. */
  name: string
  /** Where the money comes from; left out: the Space’s main account of each currency. */
  source?: {
    /** The account that pays. */
    financialAccountId?: string | null
  } | null
  /** 1 to 1000 payouts. Either these or `csv`. */
  rows?: ({
    /** What the payee gets; the fee comes on top. */
    amount: Money
    /** The payee, as a single payout takes it. The payee: an account at a provider, in the field of its type. */
    destination: ({
      /** What kind of account the payee has. */
      type: "momo"
      /** Who holds the account. */
      providerId: string
      /** Of `momo`, and of no other. */
      phoneNumber: string
      /** Not of `momo`. */
      accountNumber?: null
      /** Not of `momo`. */
      walletId?: null
    } | {
      /** What kind of account the payee has. */
      type: "bank"
      /** Who holds the account. */
      providerId: string
      /** Of `bank`: 6 to 20 digits and letters. */
      accountNumber: string
      /** Not of `bank`. */
      phoneNumber?: null
      /** Not of `bank`. */
      walletId?: null
    } | {
      /** What kind of account the payee has. */
      type: "wallet"
      /** Who holds the account. */
      providerId: string
      /** Of `wallet`: 3 to 64 characters. */
      walletId: string
      /** Not of `wallet`. */
      phoneNumber?: null
      /** Not of `wallet`. */
      accountNumber?: null
    })
    /** The merchant’s own word for it: an invoice, a month. */
    reference?: string | null
    /** The payee’s name, as the merchant has it. */
    name?: string | null
    /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
    metadata?: Record<string, unknown> | null
  })[] | null
  /** The same as a file: a line of headings, `amount`, `currency`, `type`, `provider`, `account` and, where there are such columns, `name` and `reference`, in any order; then a line for each payout. Between cells stands `,` or `;`. An amount is decimal, `1500.00`, with no more decimals than its currency has. */
  csv?: string | null
}

export type PayoutBatchesListQuery = {
  status?: "pending" | "processing" | "completed" | "rejected" | "cancelled"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type PayoutBatchesRowsQuery = {
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface PayoutBatchesResource {
  /**
   * Check a payout batch without creating it. Needs `payouts:write`.
   * - There are either `rows` or a `csv`.
   * - `source.financialAccountId` names an account of the Space.
   * - Each row is a payout that could be created: what is wrong with one is named as `rows[3].amount.value`, or `csv[3].amount` by its column; the first is 0.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  check(body?: PayoutBatchesCheckBody, options?: CallOptions): Call<CheckedPayoutBatch>
  /**
   * Create a payout batch: many payouts, approved as one. Needs `payouts:write`.
   * - There are either `rows` or a `csv`.
   * - `source.financialAccountId` names an account of the Space.
   * - Each row is a payout that could be created: what is wrong with one is named as `rows[3].amount.value`, or `csv[3].amount` by its column; the first is 0.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: PayoutBatchesCreateBody, options?: CallOptions): Call<PayoutBatch>
  /**
   * List payout batches. Needs `payouts:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: PayoutBatchesListQuery, options?: CallOptions): List<PayoutBatch>
  /**
   * Retrieve a payout batch. Needs `payouts:read`.
   * @param id The id of the payout batch.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<PayoutBatch>
  /**
   * List the rows of a payout batch, in their order. Needs `payouts:read`.
   * @param id The id of the payout batch.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  rows(id: string, query?: PayoutBatchesRowsQuery, options?: CallOptions): List<PayoutBatchRow>
  /**
   * Cancel a payout batch that waits for approval. Needs `payouts:write`.
   * @param id The id of the payout batch.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
  /**
   * Approve a payout batch that another user created, and create its payouts. Needs `payouts:approve`.
   * @param id The id of the payout batch.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  approve(id: string, options?: CallOptions): Call<PayoutBatch>
  /**
   * Reject a payout batch that another user created. Needs `payouts:approve`.
   * @param id The id of the payout batch.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  reject(id: string, options?: CallOptions): Call<PayoutBatch>
}

export type RecallsCreateBody = {
  /** The payout that is asked back; it is completed. */
  payoutId: string
  /** What is asked back; left out: all of it. */
  amount?: (Money | null)
  /** Why it is asked back. `wrong_payee`: it went to the wrong account; `wrong_amount`: another amount was meant; `duplicate`: paid twice; `fraudulent`: somebody cheated; `other`: something else. */
  reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other"
  /** For whoever asks the provider or the payee. */
  note?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type RecallsListQuery = {
  payoutId?: string
  status?: "open" | "returned" | "refused" | "cancelled"
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface RecallsResource {
  /**
   * Recall a payout that went to the wrong person, whole or in part. Needs `payouts:write`.
   * - `payoutId` names a payout of the Space.
   * - The currency of `amount` is that of the payout.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: RecallsCreateBody, options?: CallOptions): Call<Recall>
  /**
   * List recalls. Needs `payouts:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: RecallsListQuery, options?: CallOptions): List<Recall>
  /**
   * Retrieve a recall. Needs `payouts:read`.
   * @param id The id of the recall.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Recall>
  /**
   * Cancel a recall that is open. Needs `payouts:write`.
   * @param id The id of the recall.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  cancel(id: string, options?: CallOptions): Call<Recall>
}

export type RefundsCreateBody = {
  /** The payment that goes back. */
  paymentId: string
  /** What is given back; left out: all that remains of the payment. */
  amount?: (Money | null)
  /** Why it is given back. `requested_by_customer`: the payer asked for it; `duplicate`: paid twice; `fraudulent`: somebody else paid with the account; `wrong_amount`: another amount was due; `order_cancelled`: the order was cancelled; `late_payment`: the money came after its payment had failed; `other`: something else. */
  reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other"
  /** For your team; never sent to a provider. */
  note?: string | null
  /** Shown to the payer where the provider can. */
  payerMessage?: string | null
  /** Who pays the refund’s fee. `merchant`: you, on top of the amount; `payer`: the payer, out of the amount. */
  bearer?: "merchant" | "payer" | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type RefundsListQuery = {
  paymentId?: string
  status?: "pending" | "processing" | "completed" | "failed" | "cancelled"
  provider?: string
  amount?: number
  phoneNumber?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface RefundsResource {
  /**
   * Give a payment back to its payer, whole or in part. Needs `refunds:write`; with `refunds:propose` alone, another member has to approve it.
   * - `paymentId` names a completed payment of the Space.
   * - The currency of `amount` is that of the payment.
   * - Where the payer bears the fee, `amount` is more than that.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: RefundsCreateBody, options?: CallOptions): Call<Refund>
  /**
   * List refunds. Needs `refunds:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: RefundsListQuery, options?: CallOptions): List<Refund>
  /**
   * Retrieve a refund. Needs `refunds:read`.
   * @param id The id of the refund.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<Refund>
  /**
   * Approve a refund that another user created. Needs `refunds:approve`.
   * @param id The id of the refund.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  approve(id: string, options?: CallOptions): Call<Refund>
  /**
   * Reject a refund that another user created. Needs `refunds:approve`.
   * @param id The id of the refund.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  reject(id: string, options?: CallOptions): Call<Refund>
  /**
   * Cancel a refund that was not sent yet. Needs `refunds:write`.
   * @param id The id of the refund.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  cancel(id: string, options?: CallOptions): Call<Refund>
  /**
   * Retrieve all that happened to a refund, and what happens next. Needs `refunds:read`.
   * @param id The id of the refund.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export type CheckoutSessionsListQuery = {
  status?: "pending" | "completed" | "cancelled" | "expired"
  paymentLinkId?: string
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface CheckoutSessionsResource {
  /**
   * Create a checkout session. Needs `checkout-sessions:write`.
   * - All line items are priced in one currency, one of those of `GET /v1/countries`, and sum to at most 9007199254740991.
   * - A `reference` is given to one line item only.
   * - `paymentOptions` names providers of each type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`), and leaves a way to pay.
   * - `financialAccountId` names an account of the Space in the currency of the line items.
   * - In live, the addresses begin with `https://`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewCheckoutSession, options?: CallOptions): Call<CheckoutSession>
  /**
   * List checkout sessions. Needs `checkout-sessions:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: CheckoutSessionsListQuery, options?: CallOptions): List<CheckoutSession>
  /**
   * Retrieve a checkout session. Needs `checkout-sessions:read`.
   * @param id The id of the checkout session.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<CheckoutSession>
  /**
   * Cancel a checkout session. Needs `checkout-sessions:write`.
   * @param id The id of the checkout session.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type PaymentLinksListQuery = {
  status?: "active" | "inactive" | "completed" | "expired" | "cancelled"
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type PaymentLinksUpdateBody = {
  /** What is paid for, as the payer reads it on the page. */
  name?: string
  /** More about it, shown below the name. */
  description?: string | null
  /** What is sold: the session’s amount is the sum of prices times quantities, all in one currency. */
  lineItems?: ({
    /** What kind of line it is: `custom`, the only one, is named and priced here. */
    type?: "custom" | null
    /** What the payer reads on this line. */
    name: string
    /** The price of one unit. */
    price: Money
    /** How many units. */
    quantity?: number | null
    /** Your own word for the line: the key of its entitlement on the receipt. */
    reference?: string | null
    /** More about it, shown below the line’s name. */
    description?: string | null
    /** Addresses of pictures of it. */
    images?: (string)[] | null
  })[] | null
  /** In place of `lineItems`: the payer types the amount. */
  openAmount?: {
    /** What the payer pays in. */
    currency: string
    /** The least, in minor units; left out: anything. */
    minimum?: number | null
    /** The most, in minor units; left out: anything. */
    maximum?: number | null
  } | null
  /** The payer chooses how often they take all items; left out: once. */
  quantity?: {
    /** The fewest that can be taken. */
    minimum?: number | null
    /** The most that can be taken. */
    maximum: number
  } | null
  /** Asks the payer for a text that becomes the `reference` of session and payment. */
  payerReference?: {
    /** What the payer is asked for. */
    label: string
    /** Whether nobody can pay without it. */
    isRequired?: boolean | null
  } | null
  /** The account that is credited; left out: the Space’s main account of the currency. */
  financialAccountId?: string | null
  /** Which ways to pay the page offers; left out: all that can take the amount. */
  paymentOptions?: {
    /** Cards. */
    card?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
    } | null
    /** Banks. */
    bank?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Mobile money. */
    momo?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Wallets. */
    wallet?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
  } | null
  /** How the page looks, where it is to differ from the Space’s own brand. */
  brandingOptions?: {
    /** The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits. */
    primaryColor?: string | null
  } | null
  /** Shown once it is paid. Not beside `successUrl`. */
  successText?: string | null
  /** An absolute http or https address without credentials. */
  successUrl?: string | null
  /** Whether it can be paid now. */
  active?: boolean | null
  /** From when on no payment begins; left out: never. */
  expireTime?: string | null
  /** How many payments it takes; left out: as many as come. */
  maxPayments?: number | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export interface PaymentLinksResource {
  /**
   * Create a payment link. Needs `payment-links:write`.
   * - A link has `lineItems`, and then perhaps a `quantity`, or an `openAmount`.
   * - A link is in one currency, one of those of `GET /v1/countries`: its prices or its amount, and its account. It never changes.
   * - A `reference` is given to one line item only.
   * - A `maximum` is not less than its `minimum`, and leaves each item at most 100000 times.
   * - `paymentOptions` names providers of each type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`), and leaves a way to pay.
   * - A link has a `successText` or a `successUrl`; in live that begins with `https://`.
   * - `expireTime` is in the future.
   * - `maxPayments` is not less than what is paid already, or under way.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewPaymentLink, options?: CallOptions): Call<PaymentLink>
  /**
   * List payment links. Needs `payment-links:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: PaymentLinksListQuery, options?: CallOptions): List<PaymentLink>
  /**
   * Retrieve a payment link. Needs `payment-links:read`.
   * @param id The id of the payment link.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<PaymentLink>
  /**
   * Change a payment link. Needs `payment-links:write`.
   * - A link has `lineItems`, and then perhaps a `quantity`, or an `openAmount`.
   * - A link is in one currency, one of those of `GET /v1/countries`: its prices or its amount, and its account. It never changes.
   * - A `reference` is given to one line item only.
   * - A `maximum` is not less than its `minimum`, and leaves each item at most 100000 times.
   * - `paymentOptions` names providers of each type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`), and leaves a way to pay.
   * - A link has a `successText` or a `successUrl`; in live that begins with `https://`.
   * - `expireTime` is in the future.
   * - `maxPayments` is not less than what is paid already, or under way.
   * @param id The id of the payment link.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: PaymentLinksUpdateBody, options?: CallOptions): Call<PaymentLink>
  /**
   * Cancel a payment link. Needs `payment-links:write`.
   * @param id The id of the payment link.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type PaymentCodesListQuery = {
  ussd_code?: string
  mode?: "one_time" | "recurrent"
  status?: "pending" | "processing" | "completed" | "expired" | "cancelled"
  q?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type PaymentCodesUpdateBody = {
  /** What is paid for, as the payer reads it on the handset. */
  name?: string
  /** Whether dials are taken. */
  enable?: boolean | null
  /** In whole minor units; left out: the payer types it. */
  amount?: {
    /** The currency, by its three letters of ISO 4217. */
    currency: string
    /** Whole units of the smallest that the currency has: cents, pesewas; francs where it has none smaller. */
    value: number
  } | null
  /** How long it can be paid, counted from its creation. A duration such as 90s, 10m or 1h30m, from 1s to 30d. */
  duration?: string | null
  /** Whom it is for. */
  customer?: {
    /** What the customer is called; for your own use. */
    name?: string | null
  } | null
  /** Your own word for it. */
  reference?: string | null
  /** Mobile money providers that may pay; left out: all. */
  authorizedProviders?: (string)[] | null
  /** The only phone that may pay. Without it every phone may. */
  authorizedPhoneNumber?: string | null
  /** Completes a recurrent code: whichever of count and total comes first. */
  recurrentPaymentTarget?: {
    /** How many payments complete it. */
    expectedPaymentCount?: number | null
    /** What sum of payments completes it. */
    expectedPaymentTotal?: (Money | null)
  } | null
  /** The account that is credited from now on. */
  financialAccountId?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export interface PaymentCodesResource {
  /**
   * Create a payment code. Needs `payment-codes:write`.
   * - A code is in one currency, one of those of `GET /v1/countries`: its amount, its target, its account, and what its providers take. It never changes.
   * - Who may pay is said by `authorizedProviders`, each of `GET /v1/momos` and once, or by `authorizedPhoneNumber`, a number that there can be; not by both.
   * - Only a recurrent code has a `recurrentPaymentTarget`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewPaymentCode, options?: CallOptions): Call<PaymentCode>
  /**
   * List payment codes. Needs `payment-codes:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: PaymentCodesListQuery, options?: CallOptions): List<PaymentCode>
  /**
   * Retrieve a payment code. Needs `payment-codes:read`.
   * @param id The id of the payment code.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<PaymentCode>
  /**
   * Change a payment code. Needs `payment-codes:write`.
   * - A code is in one currency, one of those of `GET /v1/countries`: its amount, its target, its account, and what its providers take. It never changes.
   * - Who may pay is said by `authorizedProviders`, each of `GET /v1/momos` and once, or by `authorizedPhoneNumber`, a number that there can be; not by both.
   * - Only a recurrent code has a `recurrentPaymentTarget`.
   * @param id The id of the payment code.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(id: string, body?: PaymentCodesUpdateBody, options?: CallOptions): Call<PaymentCode>
  /**
   * Cancel a payment code. Needs `payment-codes:write`.
   * @param id The id of the payment code.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type UssdOtpsListQuery = {
  status?: "pending" | "verified" | "expired"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface UssdOtpsResource {
  /**
   * Create a one-time password that is dialled. Needs `ussd-otps:write`.
   * - `authorizedPhoneNumber` is a number that there can be: E.164, or the national form of the Space’s country.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: NewUssdOtp, options?: CallOptions): Call<UssdOtp>
  /**
   * List one-time passwords. Needs `ussd-otps:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: UssdOtpsListQuery, options?: CallOptions): List<UssdOtp>
  /**
   * Retrieve a one-time password. Needs `ussd-otps:read`.
   * @param id The id of the ussd otp.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<UssdOtp>
  /**
   * End a one-time password early. Needs `ussd-otps:write`.
   * @param id The id of the ussd otp.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  delete(id: string, options?: CallOptions): Call<null>
}

export type TestClockMoveBody = {
  /** How far the clock is moved ahead; jobs that fall due meanwhile run. A duration such as 90s, 10m or 1h30m, from 1s to 30d. */
  advance?: string | null
  /** Back to real time. */
  reset?: boolean | null
}

export interface TestClockResource {
  /**
   * Retrieve the Space's test clock. Needs `checkout-sessions:read`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<TestClock>
  /**
   * Move the Space's test clock ahead, or back to real time. Needs `checkout-sessions:write`.
   * - Either `advance` is given or `reset` is true.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  move(body?: TestClockMoveBody, options?: CallOptions): Call<TestClock>
}

export type ReportsFeesQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type ReportsSettlementQuery = {
  provider?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type ReportsBalancesQuery = {
  financialAccountId?: string
  interval?: "day" | "month"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface ReportsResource {
  /**
   * Report fees by code, provider and currency. Needs `balances:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  fees(query?: ReportsFeesQuery, options?: CallOptions): List<FeeReportRow>
  /**
   * Report what providers have to account for, day by day. Needs `balances:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  settlement(query?: ReportsSettlementQuery, options?: CallOptions): List<SettlementReportRow>
  /**
   * Report the balances of financial accounts over time. Needs `balances:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  balances(query?: ReportsBalancesQuery, options?: CallOptions): List<BalanceReportRow>
}

export interface SettingsResource {
  /**
   * Retrieve the settings of the Space. Needs `settings:read`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<Settings>
  /**
   * Change the settings of the Space in this environment. Needs `settings:write`.
   * - Each currency is one that the service knows, and is named once.
   * - `brand.logo` is a PNG of at most 64 KiB and 1024 × 1024 pixels.
   * - `brand.name` does not read as the name of a provider.
   * - `brand.supportPhone` is a phone number.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  update(body: SettingsChange, options?: CallOptions): Call<Settings>
}

export type OverviewDaysQuery = {
  days?: number
}

export interface OverviewResource {
  /**
   * Retrieve what moved today, how payments end, and what has no outcome. Needs `balances:read`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<Overview>
  /**
   * Retrieve what moved on each of the last days. Needs `balances:read`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  days(query?: OverviewDaysQuery, options?: CallOptions): Call<OverviewDays>
}

export type ReconciliationDaysQuery = {
  from?: string
  to?: string
}

export type ReconciliationItemsQuery = {
  date?: string
  provider?: string
  direction?: "collection" | "disbursement"
  state?: "awaited" | "differs"
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export interface ReconciliationResource {
  /**
   * Retrieve what was booked on each day at each provider, and whether statements show it. Needs `balances:read`.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  days(query?: ReconciliationDaysQuery, options?: CallOptions): Call<ReconciledDays>
  /**
   * List what no statement shows and nobody has explained, of the newest 2 000 such lines of each clearing account. Needs `balances:read`.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  items(query?: ReconciliationItemsQuery, options?: CallOptions): List<ReconciliationItem>
}

export type InstallationSpacesListQuery = {
  status?: "active" | "suspended"
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type InstallationSpacesCreateBody = {
  /** As its payers read it. */
  name: string
  /** Two letters; decides its currency and its days. */
  country: string
  /** Who owns it: a user of this address, added where there is none. */
  ownerEmail?: string | null
}

export type InstallationSpacesSuspendBody = {
  /** Why, for the audit entry. */
  reason: string
}

export type InstallationSpacesResumeBody = {
  /** Why, for the audit entry. */
  reason: string
}

export type InstallationSpacesSetFeesBody = {
  /** What the fee is for. `payment`: each payment; `payout`: each payout; `refund`: each refund. */
  code: "payment" | "payout" | "refund"
  /** Percent with at most four decimals, and the least that is charged, in minor units. */
  rule: string
  /** Why, for the audit entry. */
  reason: string
}

export type InstallationSpacesFeePreviewQuery = {
  rule: string
  environment?: "test" | "live"
}

export interface InstallationSpacesResource {
  /**
   * List all Spaces of the installation. For operators of the installation: needs `installation:read`, and no Space.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: InstallationSpacesListQuery, options?: CallOptions): List<CountedSpace>
  /**
   * Retrieve any Space of the installation. For operators of the installation: needs `installation:read`, and no Space.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(id: string, options?: CallOptions): Call<CountedSpace>
  /**
   * Open a Space. For operators of the installation: needs `installation:write`, and no Space.
   * - `country` is one that the service knows.
   * - `name` does not read as the name of a provider; `pesewa spaces create` takes any.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: InstallationSpacesCreateBody, options?: CallOptions): Call<OperatorsSpace>
  /**
   * Suspend a Space: its calls are refused, and it takes no payments. For operators of the installation: needs `installation:write`, and no Space.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  suspend(id: string, body: InstallationSpacesSuspendBody, options?: CallOptions): Call<OperatorsSpace>
  /**
   * End the suspension of a Space. For operators of the installation: needs `installation:write`, and no Space.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  resume(id: string, body: InstallationSpacesResumeBody, options?: CallOptions): Call<OperatorsSpace>
  /**
   * Retrieve what a Space pays. For operators of the installation: needs `installation:read`, and no Space.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  fees(id: string, options?: CallOptions): Call<Fees>
  /**
   * Set what a Space pays for payments, payouts or refunds, in both environments. For operators of the installation: needs `installation:write`, and no Space.
   * - `rule` is at most 100 percent, and names currencies that the service knows.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  setFees(id: string, body: InstallationSpacesSetFeesBody, options?: CallOptions): Call<Fees>
  /**
   * Compute what the payments of the last 30 days would have cost a Space under another rule. For operators of the installation: needs `installation:read`, and no Space.
   * @param id The id of the space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  feePreview(id: string, query: InstallationSpacesFeePreviewQuery, options?: CallOptions): Call<FeePreview>
}

export interface InstallationHealthResource {
  /**
   * Retrieve the state of the installation. For operators of the installation: needs `installation:read`, and no Space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<InstallationHealth>
}

export type InstallationProvidersPauseBody = {
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live"
  /** `collect`: payments; `pay_out`: payouts and refunds. */
  direction?: "collect" | "pay_out" | null
  /** One of its providers; without it all that it reaches. */
  providerId?: string | null
  /** What payers, and whoever pays out, read meanwhile. One line. */
  words: string
  /** When it ends by itself, within a year; without it, when somebody resumes. */
  until?: string | null
}

export type InstallationProvidersResumeBody = {
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live"
  /** `collect`: payments; `pay_out`: payouts and refunds. */
  direction?: "collect" | "pay_out" | null
  /** One of its providers; without it all that it reaches. */
  providerId?: string | null
}

export type InstallationProvidersTestQuery = {
  environment: "test" | "live"
}

export interface InstallationProvidersResource {
  /**
   * List the connections to providers, and how they do. For operators of the installation: needs `installation:read`, and no Space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(options?: CallOptions): Call<ConnectionStates>
  /**
   * Let a connection take nothing new for a while, in both directions where none is named. For operators of the installation: needs `installation:write`, and no Space.
   * - `environment` is one that the connection is in.
   * - `providerId` names a provider that the connection reaches.
   * - `words` stand on one line, without control characters.
   * - `until` is yet to come, and within a year.
   * @param connection The name of the connection.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  pause(connection: string, body: InstallationProvidersPauseBody, options?: CallOptions): Call<PausedPlace>
  /**
   * End a pause of a connection, in both directions where none is named. For operators of the installation: needs `installation:write`, and no Space.
   * - `environment` is one that the connection is in.
   * - `providerId` names a provider that the connection reaches.
   * @param connection The name of the connection.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  resume(connection: string, body: InstallationProvidersResumeBody, options?: CallOptions): Call<PausedPlace>
  /**
   * Ask the rail of a connection something harmless, and report what it said, step by step. For operators of the installation: needs `installation:write`, and no Space.
   * @param connection The name of the connection.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  test(connection: string, query: InstallationProvidersTestQuery, options?: CallOptions): Call<ConnectionTest>
}

export type InstallationStatementsListQuery = {
  /** A time, like `2026-11-21T08:00:00Z`. */
  from?: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  to?: string
  /** How many a page has: 50 at most, and 10 where it is left out. */
  limit?: number
}

export type InstallationStatementsCreateBody = {
  /** Which provider, as payouts and payment options name it. */
  providerId: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live"
  /** What it is called in lists. */
  fileName?: string | null
  /** How its columns are read. `simulator`: as the simulator writes them; `mpesa-pull`: as M-Pesa’s Pull API does; `mtn-collections`, `mtn-disbursements`: as MTN’s exports do. */
  mapping: "simulator" | "mpesa-pull" | "mtn-collections" | "mtn-disbursements"
  /** All of the file, at most 4 MiB with the rest of the body. */
  csv: string
  /** With the other, the time that it covers, where that is more than its lines show. */
  from?: string | null
  /** With the other, the time that it covers, where that is more than its lines show. */
  until?: string | null
}

export interface InstallationStatementsResource {
  /**
   * List statements of providers, the last imported first. For operators of the installation: needs `installation:read`, and no Space.
   * @param query Filters, and how many a page has.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  list(query?: InstallationStatementsListQuery, options?: CallOptions): List<ProviderStatement>
  /**
   * Retrieve a statement of a provider, and how much of it is matched. For operators of the installation: needs `installation:read`, and no Space.
   * @param statementId The number of the statement.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(statementId: string, options?: CallOptions): Call<MatchedStatement>
  /**
   * Import a statement of a provider: all of it or nothing; it is matched at once, in the background. For operators of the installation: needs `installation:write`, and no Space.
   * - `providerId` names a provider of the catalogue.
   * - `csv` has the columns of its mapping, no line that cannot be read, and none that contradicts an earlier statement or adds to a closed day.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: InstallationStatementsCreateBody, options?: CallOptions): Call<ProviderStatement>
}

export type InstallationOpenItemsRetrieveQuery = {
  environment: "test" | "live"
  providerId: string
}

export type InstallationOpenItemsCloseBody = {
  /** As the list of open items has it. */
  id: string
  /** Why, as it is recorded. */
  reason: string
}

export interface InstallationOpenItemsResource {
  /**
   * List what only a provider shows, only the books show, or they show differently, the oldest first. For operators of the installation: needs `installation:read`, and no Space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(query: InstallationOpenItemsRetrieveQuery, options?: CallOptions): Call<OpenItems>
  /**
   * Close an open item that will never be matched; no money moves. For operators of the installation: needs `installation:write`, and no Space.
   * - `id` is one of an open item.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  close(body: InstallationOpenItemsCloseBody, options?: CallOptions): Call<ClosedItem>
}

export type InstallationClosedDaysRetrieveQuery = {
  environment: "test" | "live"
  providerId: string
}

export type InstallationClosedDaysCreateBody = {
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live"
  /** Which provider, as payouts and payment options name it. */
  providerId: string
  /** A day in the country of the provider. */
  day: string
  /** Why, as it is recorded. */
  reason: string
}

export type InstallationClosedDaysReopenBody = {
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live"
  /** Which provider, as payouts and payment options name it. */
  providerId: string
  /** A day in the country of the provider. */
  day: string
  /** Why, as it is recorded. */
  reason: string
}

export interface InstallationClosedDaysResource {
  /**
   * List the days of a provider that were closed, and those that are still to be closed. For operators of the installation: needs `installation:read`, and no Space.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  retrieve(query: InstallationClosedDaysRetrieveQuery, options?: CallOptions): Call<DaysOfProvider>
  /**
   * Close a day of a provider: each of its lines is matched or explained. For operators of the installation: needs `installation:write`, and no Space.
   * - `providerId` names a provider of the catalogue.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  create(body: InstallationClosedDaysCreateBody, options?: CallOptions): Call<ClosedDays>
  /**
   * Open a closed day again; what was signed stays to be read. For operators of the installation: needs `installation:write`, and no Space.
   * - `providerId` names a provider of the catalogue.
   * @param options Of this call alone: its key, its limits of time, a signal to give up.
   */
  reopen(body: InstallationClosedDaysReopenBody, options?: CallOptions): Call<ReopenedDay>
}

export interface InstallationResource {
  readonly spaces: InstallationSpacesResource
  readonly health: InstallationHealthResource
  readonly providers: InstallationProvidersResource
  readonly statements: InstallationStatementsResource
  readonly openItems: InstallationOpenItemsResource
  readonly closedDays: InstallationClosedDaysResource
}

/** The calls of a service, by their resources. */
export interface Resources {
  readonly countries: CountriesResource
  readonly me: MeResource
  readonly accessTokens: AccessTokensResource
  readonly members: MembersResource
  readonly invitations: InvitationsResource
  readonly auditEntries: AuditEntriesResource
  readonly requests: RequestsResource
  readonly events: EventsResource
  readonly webhooks: WebhooksResource
  readonly deliveries: DeliveriesResource
  readonly financialAccounts: FinancialAccountsResource
  readonly financialTransactions: FinancialTransactionsResource
  readonly cases: CasesResource
  readonly internalTransfers: InternalTransfersResource
  readonly momos: MomosResource
  readonly banks: BanksResource
  readonly wallets: WalletsResource
  readonly providerKyc: ProviderKycResource
  readonly phoneNumbers: PhoneNumbersResource
  readonly settlements: SettlementsResource
  readonly payments: PaymentsResource
  readonly receipts: ReceiptsResource
  readonly payouts: PayoutsResource
  readonly payoutBatches: PayoutBatchesResource
  readonly recalls: RecallsResource
  readonly refunds: RefundsResource
  readonly checkoutSessions: CheckoutSessionsResource
  readonly paymentLinks: PaymentLinksResource
  readonly paymentCodes: PaymentCodesResource
  readonly ussdOtps: UssdOtpsResource
  readonly testClock: TestClockResource
  readonly reports: ReportsResource
  readonly settings: SettingsResource
  readonly overview: OverviewResource
  readonly reconciliation: ReconciliationResource
  readonly installation: InstallationResource
}
