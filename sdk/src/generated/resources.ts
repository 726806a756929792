// Written by `npm run write` from the routes: edit those instead.

import type { Call, List } from '../call.ts'
import type { CallOptions } from '../options.ts'
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
} from './types.ts'

export interface CountriesResource {
  /** List countries. */
  list(query?: { limit?: number }, options?: CallOptions): List<Country>
  /** Retrieve a country. */
  retrieve(code: string, options?: CallOptions): Call<Country>
}

export interface MeResource {
  /** Who calls, and what they may do where. */
  retrieve(options?: CallOptions): Call<Me>
}

export interface AccessTokensResource {
  /** Create an access token of your own for this Space. Needs `access-tokens:write`. */
  create(body: NewAccessToken, options?: CallOptions): Call<AccessToken>
  /** List access tokens: your own, and those of all members where you are an owner or admin. Needs `access-tokens:read`. */
  list(query?: { status?: "active" | "expired" | "revoked"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<AccessToken>
  /** Retrieve an access token. Needs `access-tokens:read`. */
  retrieve(id: string, options?: CallOptions): Call<AccessToken>
  /** Revoke an access token, within a second. Needs `access-tokens:write`. */
  delete(id: string, options?: CallOptions): Call<null>
  /** Make a token in place of one of your own; that one works on for a while. Needs `access-tokens:write`. */
  roll(id: string, body?: { overlap?: string | null }, options?: CallOptions): Call<AccessToken>
}

export interface MembersResource {
  /** List the members of the Space. Needs `members:read`. */
  list(query?: { from?: string; to?: string; limit?: number }, options?: CallOptions): List<Member>
  /** Retrieve a member. Needs `members:read`. */
  retrieve(id: string, options?: CallOptions): Call<Member>
  /** Give a member another role, within a second. Needs `members:write`. */
  update(id: string, body: { role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" }, options?: CallOptions): Call<Member>
  /** Remove a member; their tokens for this Space alone are revoked. Needs `members:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface InvitationsResource {
  /** List invitations to the Space. Needs `members:read`. */
  list(query?: { status?: "pending" | "accepted" | "expired" | "withdrawn"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Invitation>
  /** Invite somebody to the Space, by mail. Needs `members:write`. */
  create(body: { email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" }, options?: CallOptions): Call<Invitation>
  /** Mail an invitation again; it can be accepted for 7 more days. Needs `members:write`. */
  resend(id: string, options?: CallOptions): Call<Invitation>
  /** Withdraw an invitation. Needs `members:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface AuditEntriesResource {
  /** List what people decided, the newest first. Needs `audit:read`. */
  list(query?: { actor?: string; action?: string; objectId?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<AuditEntry>
}

export interface RequestsResource {
  /** List requests of the API of the last seven days. Needs `requests:read`. */
  list(query?: { statusClass?: "2xx" | "4xx" | "5xx"; method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE"; pathPrefix?: string; requestId?: string; tokenId?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<ListedRequest>
  /** Retrieve a request of the API by its request id. Needs `requests:read`. */
  retrieve(id: string, options?: CallOptions): Call<LoggedRequest>
}

export interface EventsResource {
  /** List events. Needs `events:read`. */
  list(query?: { type?: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping"; objectId?: string; since?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Event>
  /** Retrieve an event. Needs `events:read`. */
  retrieve(id: string, options?: CallOptions): Call<Event>
}

export interface WebhooksResource {
  /** Register an endpoint for events. Needs `webhooks:write`. */
  create(body: NewWebhook, options?: CallOptions): Call<Webhook>
  /** List webhooks. Needs `webhooks:read`. */
  list(query?: { from?: string; to?: string; limit?: number }, options?: CallOptions): List<Webhook>
  /** Retrieve a webhook. Needs `webhooks:read`. */
  retrieve(id: string, options?: CallOptions): Call<Webhook>
  /** Change a webhook. Needs `webhooks:write`. */
  update(id: string, body?: { name?: string; apiRelease?: "baobab"; url?: string; events?: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]; enabled?: boolean; headers?: Record<string, string> | null; alertEmails?: (string)[] | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Webhook>
  /** Remove a webhook and its deliveries. Needs `webhooks:write`. */
  delete(id: string, options?: CallOptions): Call<null>
  /** Give a webhook another key; the old one signs too for 24 h. Needs `webhooks:write`. */
  rotateSecret(id: string, body?: { secret?: string | null }, options?: CallOptions): Call<Webhook>
  /** Send a webhook an event of its own. Needs `webhooks:write`. */
  ping(id: string, options?: CallOptions): Call<Webhook>
  /** List the deliveries of a webhook. Needs `webhooks:read`. */
  deliveries(id: string, query?: { status?: "pending" | "delivered" | "failed"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Delivery>
  /** Send a webhook again what failed since a time, or everything. Needs `webhooks:resend`. */
  redeliver(id: string, body: { since: string; until?: string | null; status?: "failed" | "all" | null }, options?: CallOptions): Call<Webhook>
  /** Checks the signature of an event that was received, and returns the event. */
  verify: typeof verifyWebhook
}

export interface DeliveriesResource {
  /** Retrieve a delivery with its attempts. Needs `webhooks:read`. */
  retrieve(id: string, options?: CallOptions): Call<Delivery>
  /** Send a delivery again. Needs `webhooks:resend`. */
  redeliver(id: string, options?: CallOptions): Call<Delivery>
}

export interface FinancialAccountsResource {
  /** Open a financial account. Needs `financial-accounts:write`. */
  create(body: { name: string; currency: string; reference?: string | null; description?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<FinancialAccount>
  /** List financial accounts. Needs `financial-accounts:read`. */
  list(query?: { uvan?: string; reference?: string; withBalance?: boolean; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<FinancialAccount>
  /** Retrieve a financial account. Needs `financial-accounts:read`. */
  retrieve(id: string, query?: { withBalance?: boolean }, options?: CallOptions): Call<FinancialAccount>
  /** Change a financial account. Needs `financial-accounts:write`. */
  update(id: string, body?: { name?: string; reference?: string | null; description?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<FinancialAccount>
  /** Retrieve the statement of a financial account. Needs `financial-transactions:read`. */
  statement(id: string, query?: { from?: string; to?: string; limit?: number; after?: string; withTotals?: boolean }, options?: CallOptions): Call<AccountStatement>
  /** List what is held of a financial account, and for what; needs balances:read. Needs `financial-accounts:read`. */
  holds(id: string, query?: { from?: string; to?: string; limit?: number }, options?: CallOptions): List<Hold>
}

export interface FinancialTransactionsResource {
  /** List financial transactions. Needs `financial-transactions:read`. */
  list(query?: { financialAccountId?: string; reference?: string; type?: "credit" | "debit"; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<FinancialTransaction>
  /** Retrieve a financial transaction. Needs `financial-transactions:read`. */
  retrieve(id: string, options?: CallOptions): Call<FinancialTransaction>
}

export interface CasesResource {
  /** List cases. Needs `financial-transactions:read`. */
  list(query?: { status?: "open" | "closed"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Case>
  /** Retrieve a case. Needs `financial-transactions:read`. */
  retrieve(id: string, options?: CallOptions): Call<Case>
  /** Give money that arrived after its payment had failed back to its payer. Needs `refunds:write`. */
  return(id: string, body?: { note?: string | null }, options?: CallOptions): Call<Refund>
}

export interface InternalTransfersResource {
  /** Move money between two of your accounts. Needs `internal-transfers:write`. */
  create(body: { amount: Money; sourceFinancialAccount: { id: string }; destinationFinancialAccount: { id: string }; description?: string | null; executeTime?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<InternalTransfer>
  /** List internal transfers. Needs `internal-transfers:read`. */
  list(query?: { status?: "pending" | "processing" | "completed" | "failed"; sourceFinancialAccountId?: string; destinationFinancialAccountId?: string; financialTransactionReference?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<InternalTransfer>
  /** Retrieve an internal transfer. Needs `internal-transfers:read`. */
  retrieve(id: string, options?: CallOptions): Call<InternalTransfer>
  /** Change an internal transfer. Needs `internal-transfers:write`. */
  update(id: string, body?: { description?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<InternalTransfer>
  /** Cancel an internal transfer that waits. Needs `internal-transfers:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface MomosResource {
  /** List mobile money providers. */
  list(query?: { country?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Provider>
  /** Retrieve one of the mobile money providers. */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export interface BanksResource {
  /** List banks. */
  list(query?: { country?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Provider>
  /** Retrieve one of the banks. */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export interface WalletsResource {
  /** List wallets. */
  list(query?: { country?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Provider>
  /** Retrieve one of the wallets. */
  retrieve(providerId: string, options?: CallOptions): Call<Provider>
}

export interface ProviderKycResource {
  /** Look up whose account it is. Needs `provider-kyc:read`; with `payouts:write` alone, names are masked. */
  retrieve(providerId: string, query: { accountId: string }, options?: CallOptions): Call<ProviderKyc>
}

export interface PhoneNumbersResource {
  /** Find the mobile-money provider of a phone number. */
  retrieve(phoneNumber: string, options?: CallOptions): Call<PhoneNumber>
}

export interface SettlementsResource {
  /** Book money between a provider and a bank. Needs `settlements:write`. */
  create(body: { kind: "payout_to_bank" | "float_top_up"; providerId: string; direction?: "collection" | "disbursement" | null; amount: Money; bankReference: string; valueDate: string; note?: string | null; isAdvance?: boolean | null }, options?: CallOptions): Call<Settlement>
  /** List settlements. Needs `settlements:read`. */
  list(query?: { status?: "booked" | "reversed"; bankReference?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Settlement>
  /** Retrieve a settlement. Needs `settlements:read`. */
  retrieve(id: string, options?: CallOptions): Call<Settlement>
  /** Take back a settlement that was booked by mistake. Needs `settlements:write`. */
  reverse(id: string, body: { reason: string }, options?: CallOptions): Call<Settlement>
}

export interface PaymentsResource {
  /** List payments. Needs `payments:read`. */
  list(query?: { orderNumber?: string; financialAccountId?: string; financialTransactionReference?: string; status?: "pending" | "processing" | "completed" | "failed"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Payment>
  /** Retrieve a payment. Needs `payments:read`. */
  retrieve(id: string, options?: CallOptions): Call<Payment>
  /** Change a payment. Needs `payments:write`. */
  update(id: string, body?: { name?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Payment>
  /** Pass a payer’s code on to the provider. Needs `payments:write`. */
  submitCode(id: string, body: { code: string }, options?: CallOptions): Call<Payment>
  /** Retrieve all that happened to a payment, and what happens next. Needs `payments:read`. */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export interface ReceiptsResource {
  /** Retrieve the receipt of a paid order. Needs `receipts:read`. */
  retrieve(orderNumber: string, options?: CallOptions): Call<Receipt>
  /** Redeem a receipt, in part or whole. Needs `receipts:write`. */
  redeem(orderNumber: string, body?: { redeemAll?: boolean | null; entitlements?: ({ key: string; units?: number | null })[] | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<{ redeem: boolean; receipt: Receipt }>
  /** Mail the receipt of a paid order to an address. Needs `receipts:send`. */
  send(orderNumber: string, body: { email: string; language?: "en" | "fr" | null }, options?: CallOptions): Call<ReceiptMail>
}

export interface PayoutsResource {
  /** Pay out to a bank account, a phone or a wallet. Needs `payouts:write`. */
  create(body: { amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); source?: { financialAccountId?: string | null } | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Payout>
  /** List payouts. Needs `payouts:read`. */
  list(query?: { sourceFinancialAccountId?: string; sourceTransactionReference?: string; destinationTransactionReference?: string; batchId?: string; status?: "pending" | "processing" | "completed" | "failed"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Payout>
  /** Retrieve a payout. Needs `payouts:read`. */
  retrieve(id: string, options?: CallOptions): Call<Payout>
  /** Change a payout. Needs `payouts:write`. */
  update(id: string, body?: { metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Payout>
  /** Cancel a payout that was not sent yet. Needs `payouts:write`. */
  delete(id: string, options?: CallOptions): Call<null>
  /** Approve a payout that another user created. Needs `payouts:approve`. */
  approve(id: string, options?: CallOptions): Call<Payout>
  /** Reject a payout that another user created. Needs `payouts:approve`. */
  reject(id: string, options?: CallOptions): Call<Payout>
  /** Retrieve all that happened to a payout, and what happens next. Needs `payouts:read`. */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export interface PayoutBatchesResource {
  /** Check a payout batch without creating it. Needs `payouts:write`. */
  check(body?: { source?: { financialAccountId?: string | null } | null; rows?: ({ amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); reference?: string | null; name?: string | null; metadata?: Record<string, unknown> | null })[] | null; csv?: string | null }, options?: CallOptions): Call<CheckedPayoutBatch>
  /** Create a payout batch: many payouts, approved as one. Needs `payouts:write`. */
  create(body: { name: string; source?: { financialAccountId?: string | null } | null; rows?: ({ amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); reference?: string | null; name?: string | null; metadata?: Record<string, unknown> | null })[] | null; csv?: string | null }, options?: CallOptions): Call<PayoutBatch>
  /** List payout batches. Needs `payouts:read`. */
  list(query?: { status?: "pending" | "processing" | "completed" | "rejected" | "cancelled"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<PayoutBatch>
  /** Retrieve a payout batch. Needs `payouts:read`. */
  retrieve(id: string, options?: CallOptions): Call<PayoutBatch>
  /** List the rows of a payout batch, in their order. Needs `payouts:read`. */
  rows(id: string, query?: { limit?: number }, options?: CallOptions): List<PayoutBatchRow>
  /** Cancel a payout batch that waits for approval. Needs `payouts:write`. */
  delete(id: string, options?: CallOptions): Call<null>
  /** Approve a payout batch that another user created, and create its payouts. Needs `payouts:approve`. */
  approve(id: string, options?: CallOptions): Call<PayoutBatch>
  /** Reject a payout batch that another user created. Needs `payouts:approve`. */
  reject(id: string, options?: CallOptions): Call<PayoutBatch>
}

export interface RecallsResource {
  /** Recall a payout that went to the wrong person, whole or in part. Needs `payouts:write`. */
  create(body: { payoutId: string; amount?: (Money | null); reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other"; note?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Recall>
  /** List recalls. Needs `payouts:read`. */
  list(query?: { payoutId?: string; status?: "open" | "returned" | "refused" | "cancelled"; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Recall>
  /** Retrieve a recall. Needs `payouts:read`. */
  retrieve(id: string, options?: CallOptions): Call<Recall>
  /** Cancel a recall that is open. Needs `payouts:write`. */
  cancel(id: string, options?: CallOptions): Call<Recall>
}

export interface RefundsResource {
  /** Give a payment back to its payer, whole or in part. Needs `refunds:propose`. */
  create(body: { paymentId: string; amount?: (Money | null); reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other"; note?: string | null; payerMessage?: string | null; bearer?: "merchant" | "payer" | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<Refund>
  /** List refunds. Needs `refunds:read`. */
  list(query?: { paymentId?: string; status?: "pending" | "processing" | "completed" | "failed" | "cancelled"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<Refund>
  /** Retrieve a refund. Needs `refunds:read`. */
  retrieve(id: string, options?: CallOptions): Call<Refund>
  /** Approve a refund that another user created. Needs `refunds:approve`. */
  approve(id: string, options?: CallOptions): Call<Refund>
  /** Reject a refund that another user created. Needs `refunds:approve`. */
  reject(id: string, options?: CallOptions): Call<Refund>
  /** Cancel a refund that was not sent yet. Needs `refunds:write`. */
  cancel(id: string, options?: CallOptions): Call<Refund>
  /** Retrieve all that happened to a refund, and what happens next. Needs `refunds:read`. */
  caseFile(id: string, options?: CallOptions): Call<CaseFile>
}

export interface CheckoutSessionsResource {
  /** Create a checkout session. Needs `checkout-sessions:write`. */
  create(body: NewCheckoutSession, options?: CallOptions): Call<CheckoutSession>
  /** List checkout sessions. Needs `checkout-sessions:read`. */
  list(query?: { status?: "pending" | "completed" | "cancelled" | "expired"; paymentLinkId?: string; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<CheckoutSession>
  /** Retrieve a checkout session. Needs `checkout-sessions:read`. */
  retrieve(id: string, options?: CallOptions): Call<CheckoutSession>
  /** Cancel a checkout session. Needs `checkout-sessions:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface PaymentLinksResource {
  /** Create a payment link. Needs `payment-links:write`. */
  create(body: NewPaymentLink, options?: CallOptions): Call<PaymentLink>
  /** List payment links. Needs `payment-links:read`. */
  list(query?: { status?: "active" | "inactive" | "completed" | "expired" | "cancelled"; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<PaymentLink>
  /** Retrieve a payment link. Needs `payment-links:read`. */
  retrieve(id: string, options?: CallOptions): Call<PaymentLink>
  /** Change a payment link. Needs `payment-links:write`. */
  update(id: string, body?: { name?: string; description?: string | null; lineItems?: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[] | null; openAmount?: { currency: string; minimum?: number | null; maximum?: number | null } | null; quantity?: { minimum?: number | null; maximum: number } | null; payerReference?: { label: string; isRequired?: boolean | null } | null; financialAccountId?: string | null; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; successText?: string | null; successUrl?: string | null; active?: boolean | null; expireTime?: string | null; maxPayments?: number | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<PaymentLink>
  /** Cancel a payment link. Needs `payment-links:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface PaymentCodesResource {
  /** Create a payment code. Needs `payment-codes:write`. */
  create(body: NewPaymentCode, options?: CallOptions): Call<PaymentCode>
  /** List payment codes. Needs `payment-codes:read`. */
  list(query?: { ussd_code?: string; mode?: "one_time" | "recurrent"; status?: "pending" | "processing" | "completed" | "expired" | "cancelled"; q?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<PaymentCode>
  /** Retrieve a payment code. Needs `payment-codes:read`. */
  retrieve(id: string, options?: CallOptions): Call<PaymentCode>
  /** Change a payment code. Needs `payment-codes:write`. */
  update(id: string, body?: { name?: string; enable?: boolean | null; amount?: { currency: string; value: number } | null; duration?: string | null; customer?: { name?: string | null } | null; reference?: string | null; authorizedProviders?: (string)[] | null; authorizedPhoneNumber?: string | null; recurrentPaymentTarget?: { expectedPaymentCount?: number | null; expectedPaymentTotal?: (Money | null) } | null; financialAccountId?: string | null; metadata?: Record<string, unknown> | null }, options?: CallOptions): Call<PaymentCode>
  /** Cancel a payment code. Needs `payment-codes:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface UssdOtpsResource {
  /** Create a one-time password that is dialled. Needs `ussd-otps:write`. */
  create(body: NewUssdOtp, options?: CallOptions): Call<UssdOtp>
  /** List one-time passwords. Needs `ussd-otps:read`. */
  list(query?: { status?: "pending" | "verified" | "expired"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<UssdOtp>
  /** Retrieve a one-time password. Needs `ussd-otps:read`. */
  retrieve(id: string, options?: CallOptions): Call<UssdOtp>
  /** End a one-time password early. Needs `ussd-otps:write`. */
  delete(id: string, options?: CallOptions): Call<null>
}

export interface TestClockResource {
  /** Retrieve the Space's test clock. Needs `checkout-sessions:read`. */
  retrieve(options?: CallOptions): Call<TestClock>
  /** Move the Space's test clock ahead, or back to real time. Needs `checkout-sessions:write`. */
  move(body?: { advance?: string | null; reset?: boolean | null }, options?: CallOptions): Call<TestClock>
}

export interface ReportsResource {
  /** Report fees by code, provider and currency. Needs `balances:read`. */
  fees(query?: { from?: string; to?: string; limit?: number }, options?: CallOptions): List<FeeReportRow>
  /** Report what providers have to account for, day by day. Needs `balances:read`. */
  settlement(query?: { provider?: string; from?: string; to?: string; limit?: number }, options?: CallOptions): List<SettlementReportRow>
  /** Report the balances of financial accounts over time. Needs `balances:read`. */
  balances(query?: { financialAccountId?: string; interval?: "day" | "month"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<BalanceReportRow>
}

export interface SettingsResource {
  /** Retrieve the settings of the Space. Needs `settings:read`. */
  retrieve(options?: CallOptions): Call<Settings>
  /** Change the settings of the Space in this environment. Needs `settings:write`. */
  update(body: SettingsChange, options?: CallOptions): Call<Settings>
}

export interface OverviewResource {
  /** Retrieve what moved today, how payments end, and what has no outcome. Needs `balances:read`. */
  retrieve(options?: CallOptions): Call<Overview>
  /** Retrieve what moved on each of the last days. Needs `balances:read`. */
  days(query?: { days?: number }, options?: CallOptions): Call<OverviewDays>
}

export interface ReconciliationResource {
  /** Retrieve what was booked on each day at each provider, and whether statements show it. Needs `balances:read`. */
  days(query?: { from?: string; to?: string }, options?: CallOptions): Call<ReconciledDays>
  /** List what no statement shows and nobody has explained, of the newest 2 000 such lines of each clearing account. Needs `balances:read`. */
  items(query?: { date?: string; provider?: string; direction?: "collection" | "disbursement"; state?: "awaited" | "differs"; limit?: number }, options?: CallOptions): List<ReconciliationItem>
}

export interface InstallationSpacesResource {
  /** List all Spaces of the installation. For operators of the installation: needs `installation:read`, and no Space. */
  list(query?: { status?: "active" | "suspended"; from?: string; to?: string; limit?: number }, options?: CallOptions): List<CountedSpace>
  /** Retrieve any Space of the installation. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(id: string, options?: CallOptions): Call<CountedSpace>
  /** Open a Space. For operators of the installation: needs `installation:write`, and no Space. */
  create(body: { name: string; country: string; ownerEmail?: string | null }, options?: CallOptions): Call<OperatorsSpace>
  /** Suspend a Space: its calls are refused, and it takes no payments. For operators of the installation: needs `installation:write`, and no Space. */
  suspend(id: string, body: { reason: string }, options?: CallOptions): Call<OperatorsSpace>
  /** End the suspension of a Space. For operators of the installation: needs `installation:write`, and no Space. */
  resume(id: string, body: { reason: string }, options?: CallOptions): Call<OperatorsSpace>
  /** Retrieve what a Space pays. For operators of the installation: needs `installation:read`, and no Space. */
  fees(id: string, options?: CallOptions): Call<Fees>
  /** Set what a Space pays for payments, payouts or refunds, in both environments. For operators of the installation: needs `installation:write`, and no Space. */
  setFees(id: string, body: { code: "payment" | "payout" | "refund"; rule: string; reason: string }, options?: CallOptions): Call<Fees>
  /** Compute what the payments of the last 30 days would have cost a Space under another rule. For operators of the installation: needs `installation:read`, and no Space. */
  feePreview(id: string, query: { rule: string; environment?: "test" | "live" }, options?: CallOptions): Call<FeePreview>
}

export interface InstallationHealthResource {
  /** Retrieve the state of the installation. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(options?: CallOptions): Call<InstallationHealth>
}

export interface InstallationProvidersResource {
  /** List the connections to providers, and how they do. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(options?: CallOptions): Call<ConnectionStates>
  /** Let a connection take nothing new for a while, in both directions where none is named. For operators of the installation: needs `installation:write`, and no Space. */
  pause(connection: string, body: { environment: "test" | "live"; direction?: "collect" | "pay_out" | null; providerId?: string | null; words: string; until?: string | null }, options?: CallOptions): Call<PausedPlace>
  /** End a pause of a connection, in both directions where none is named. For operators of the installation: needs `installation:write`, and no Space. */
  resume(connection: string, body: { environment: "test" | "live"; direction?: "collect" | "pay_out" | null; providerId?: string | null }, options?: CallOptions): Call<PausedPlace>
  /** Ask the rail of a connection something harmless, and report what it said, step by step. For operators of the installation: needs `installation:write`, and no Space. */
  test(connection: string, query: { environment: "test" | "live" }, options?: CallOptions): Call<ConnectionTest>
}

export interface InstallationStatementsResource {
  /** List statements of providers, the last imported first. For operators of the installation: needs `installation:read`, and no Space. */
  list(query?: { from?: string; to?: string; limit?: number }, options?: CallOptions): List<ProviderStatement>
  /** Retrieve a statement of a provider, and how much of it is matched. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(statementId: string, options?: CallOptions): Call<MatchedStatement>
  /** Import a statement of a provider: all of it or nothing; it is matched at once, in the background. For operators of the installation: needs `installation:write`, and no Space. */
  create(body: { providerId: string; environment: "test" | "live"; fileName?: string | null; mapping: "simulator" | "mpesa-pull" | "mtn-collections" | "mtn-disbursements"; csv: string; from?: string | null; until?: string | null }, options?: CallOptions): Call<ProviderStatement>
}

export interface InstallationOpenItemsResource {
  /** List what only a provider shows, only the books show, or they show differently, the oldest first. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(query: { environment: "test" | "live"; providerId: string }, options?: CallOptions): Call<OpenItems>
  /** Close an open item that will never be matched; no money moves. For operators of the installation: needs `installation:write`, and no Space. */
  close(body: { id: string; reason: string }, options?: CallOptions): Call<ClosedItem>
}

export interface InstallationClosedDaysResource {
  /** List the days of a provider that were closed, and those that are still to be closed. For operators of the installation: needs `installation:read`, and no Space. */
  retrieve(query: { environment: "test" | "live"; providerId: string }, options?: CallOptions): Call<DaysOfProvider>
  /** Close a day of a provider: each of its lines is matched or explained. For operators of the installation: needs `installation:write`, and no Space. */
  create(body: { environment: "test" | "live"; providerId: string; day: string; reason: string }, options?: CallOptions): Call<ClosedDays>
  /** Open a closed day again; what was signed stays to be read. For operators of the installation: needs `installation:write`, and no Space. */
  reopen(body: { environment: "test" | "live"; providerId: string; day: string; reason: string }, options?: CallOptions): Call<ReopenedDay>
}

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
  readonly installation: {
    readonly spaces: InstallationSpacesResource
    readonly health: InstallationHealthResource
    readonly providers: InstallationProvidersResource
    readonly statements: InstallationStatementsResource
    readonly openItems: InstallationOpenItemsResource
    readonly closedDays: InstallationClosedDaysResource
  }
}

/** Method, address, and what goes with it: `b` a body, `q` a query; `l`: what comes is a list. */
export const operations = {
  countries: {
    list: 'GET /v1/countries ql',
    retrieve: 'GET /v1/countries/{code}'
  },
  me: {
    retrieve: 'GET /v1/me'
  },
  accessTokens: {
    create: 'POST /v1/access-tokens b',
    list: 'GET /v1/access-tokens ql',
    retrieve: 'GET /v1/access-tokens/{id}',
    delete: 'DELETE /v1/access-tokens/{id}',
    roll: 'POST /v1/access-tokens/{id}/roll b'
  },
  members: {
    list: 'GET /v1/members ql',
    retrieve: 'GET /v1/members/{id}',
    update: 'PATCH /v1/members/{id} b',
    delete: 'DELETE /v1/members/{id}'
  },
  invitations: {
    list: 'GET /v1/invitations ql',
    create: 'POST /v1/invitations b',
    resend: 'POST /v1/invitations/{id}/resend',
    delete: 'DELETE /v1/invitations/{id}'
  },
  auditEntries: {
    list: 'GET /v1/audit-entries ql'
  },
  requests: {
    list: 'GET /v1/requests ql',
    retrieve: 'GET /v1/requests/{id}'
  },
  events: {
    list: 'GET /v1/events ql',
    retrieve: 'GET /v1/events/{id}'
  },
  webhooks: {
    create: 'POST /v1/webhooks b',
    list: 'GET /v1/webhooks ql',
    retrieve: 'GET /v1/webhooks/{id}',
    update: 'PATCH /v1/webhooks/{id} b',
    delete: 'DELETE /v1/webhooks/{id}',
    rotateSecret: 'POST /v1/webhooks/{id}/rotate-secret b',
    ping: 'POST /v1/webhooks/{id}/ping',
    deliveries: 'GET /v1/webhooks/{id}/deliveries ql',
    redeliver: 'POST /v1/webhooks/{id}/redeliver b'
  },
  deliveries: {
    retrieve: 'GET /v1/deliveries/{id}',
    redeliver: 'POST /v1/deliveries/{id}/redeliver'
  },
  financialAccounts: {
    create: 'POST /v1/financial-accounts b',
    list: 'GET /v1/financial-accounts ql',
    retrieve: 'GET /v1/financial-accounts/{id} q',
    update: 'PATCH /v1/financial-accounts/{id} b',
    statement: 'GET /v1/financial-accounts/{id}/statement q',
    holds: 'GET /v1/financial-accounts/{id}/holds ql'
  },
  financialTransactions: {
    list: 'GET /v1/financial-transactions ql',
    retrieve: 'GET /v1/financial-transactions/{id}'
  },
  cases: {
    list: 'GET /v1/cases ql',
    retrieve: 'GET /v1/cases/{id}',
    return: 'POST /v1/cases/{id}/return b'
  },
  internalTransfers: {
    create: 'POST /v1/internal-transfers b',
    list: 'GET /v1/internal-transfers ql',
    retrieve: 'GET /v1/internal-transfers/{id}',
    update: 'PATCH /v1/internal-transfers/{id} b',
    delete: 'DELETE /v1/internal-transfers/{id}'
  },
  momos: {
    list: 'GET /v1/momos ql',
    retrieve: 'GET /v1/momos/{providerId}'
  },
  banks: {
    list: 'GET /v1/banks ql',
    retrieve: 'GET /v1/banks/{providerId}'
  },
  wallets: {
    list: 'GET /v1/wallets ql',
    retrieve: 'GET /v1/wallets/{providerId}'
  },
  providerKyc: {
    retrieve: 'GET /v1/provider-kyc/{providerId} q'
  },
  phoneNumbers: {
    retrieve: 'GET /v1/phone-numbers/{phoneNumber}'
  },
  settlements: {
    create: 'POST /v1/settlements b',
    list: 'GET /v1/settlements ql',
    retrieve: 'GET /v1/settlements/{id}',
    reverse: 'POST /v1/settlements/{id}/reverse b'
  },
  payments: {
    list: 'GET /v1/payments ql',
    retrieve: 'GET /v1/payments/{id}',
    update: 'PATCH /v1/payments/{id} b',
    submitCode: 'POST /v1/payments/{id}/submit-code b',
    caseFile: 'GET /v1/payments/{id}/case-file'
  },
  receipts: {
    retrieve: 'GET /v1/receipts/{orderNumber}',
    redeem: 'POST /v1/receipts/{orderNumber}/redeem b',
    send: 'POST /v1/receipts/{orderNumber}/send b'
  },
  payouts: {
    create: 'POST /v1/payouts b',
    list: 'GET /v1/payouts ql',
    retrieve: 'GET /v1/payouts/{id}',
    update: 'PATCH /v1/payouts/{id} b',
    delete: 'DELETE /v1/payouts/{id}',
    approve: 'POST /v1/payouts/{id}/approve',
    reject: 'POST /v1/payouts/{id}/reject',
    caseFile: 'GET /v1/payouts/{id}/case-file'
  },
  payoutBatches: {
    check: 'POST /v1/payout-batches/check b',
    create: 'POST /v1/payout-batches b',
    list: 'GET /v1/payout-batches ql',
    retrieve: 'GET /v1/payout-batches/{id}',
    rows: 'GET /v1/payout-batches/{id}/rows ql',
    delete: 'DELETE /v1/payout-batches/{id}',
    approve: 'POST /v1/payout-batches/{id}/approve',
    reject: 'POST /v1/payout-batches/{id}/reject'
  },
  recalls: {
    create: 'POST /v1/recalls b',
    list: 'GET /v1/recalls ql',
    retrieve: 'GET /v1/recalls/{id}',
    cancel: 'POST /v1/recalls/{id}/cancel'
  },
  refunds: {
    create: 'POST /v1/refunds b',
    list: 'GET /v1/refunds ql',
    retrieve: 'GET /v1/refunds/{id}',
    approve: 'POST /v1/refunds/{id}/approve',
    reject: 'POST /v1/refunds/{id}/reject',
    cancel: 'POST /v1/refunds/{id}/cancel',
    caseFile: 'GET /v1/refunds/{id}/case-file'
  },
  checkoutSessions: {
    create: 'POST /v1/checkout-sessions b',
    list: 'GET /v1/checkout-sessions ql',
    retrieve: 'GET /v1/checkout-sessions/{id}',
    delete: 'DELETE /v1/checkout-sessions/{id}'
  },
  paymentLinks: {
    create: 'POST /v1/payment-links b',
    list: 'GET /v1/payment-links ql',
    retrieve: 'GET /v1/payment-links/{id}',
    update: 'PATCH /v1/payment-links/{id} b',
    delete: 'DELETE /v1/payment-links/{id}'
  },
  paymentCodes: {
    create: 'POST /v1/payment-codes b',
    list: 'GET /v1/payment-codes ql',
    retrieve: 'GET /v1/payment-codes/{id}',
    update: 'PATCH /v1/payment-codes/{id} b',
    delete: 'DELETE /v1/payment-codes/{id}'
  },
  ussdOtps: {
    create: 'POST /v1/ussd-otps b',
    list: 'GET /v1/ussd-otps ql',
    retrieve: 'GET /v1/ussd-otps/{id}',
    delete: 'DELETE /v1/ussd-otps/{id}'
  },
  testClock: {
    retrieve: 'GET /v1/test-clock',
    move: 'POST /v1/test-clock b'
  },
  reports: {
    fees: 'GET /v1/reports/fees ql',
    settlement: 'GET /v1/reports/settlement ql',
    balances: 'GET /v1/reports/balances ql'
  },
  settings: {
    retrieve: 'GET /v1/settings',
    update: 'PATCH /v1/settings b'
  },
  overview: {
    retrieve: 'GET /v1/overview',
    days: 'GET /v1/overview/days q'
  },
  reconciliation: {
    days: 'GET /v1/reconciliation/days q',
    items: 'GET /v1/reconciliation/items ql'
  },
  installation: {
    spaces: {
      list: 'GET /v1/installation/spaces ql',
      retrieve: 'GET /v1/installation/spaces/{id}',
      create: 'POST /v1/installation/spaces b',
      suspend: 'POST /v1/installation/spaces/{id}/suspend b',
      resume: 'POST /v1/installation/spaces/{id}/resume b',
      fees: 'GET /v1/installation/spaces/{id}/fees',
      setFees: 'POST /v1/installation/spaces/{id}/fees b',
      feePreview: 'GET /v1/installation/spaces/{id}/fee-preview q'
    },
    health: {
      retrieve: 'GET /v1/installation/health'
    },
    providers: {
      retrieve: 'GET /v1/installation/providers',
      pause: 'POST /v1/installation/providers/{connection}/pause b',
      resume: 'POST /v1/installation/providers/{connection}/resume b',
      test: 'GET /v1/installation/providers/{connection}/test q'
    },
    statements: {
      list: 'GET /v1/installation/statements ql',
      retrieve: 'GET /v1/installation/statements/{statementId}',
      create: 'POST /v1/installation/statements b'
    },
    openItems: {
      retrieve: 'GET /v1/installation/open-items q',
      close: 'POST /v1/installation/open-items/close b'
    },
    closedDays: {
      retrieve: 'GET /v1/installation/closed-days q',
      create: 'POST /v1/installation/closed-days b',
      reopen: 'POST /v1/installation/closed-days/reopen b'
    }
  }
}
