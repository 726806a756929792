// Written by `npm run write` from the routes: edit those instead.

export type AccessToken = { id: string; name: string; environment: "test" | "live" | (string & {}); status: "active" | "expired" | "revoked" | (string & {}); user: { id: string; email: string }; scopes: (string)[]; isOfThisSpaceOnly: boolean; networks: (string)[] | null; lastCharacters: string | null; token?: string; createTime: string; lastUseTime: string | null; expireTime: string | null; revokeTime: string | null; replacedById: string | null }

export type AccountStatement = { financialAccount: { id: string; uvan: string }; from: string; to: string; final: boolean; openingBalance: ShownMoney; totals?: { credits: ShownMoney; debits: ShownMoney; count: number }; closingBalance: ShownMoney; lines: ({ type: "credit" | "debit" | (string & {}); timestamp: string; id: string; reference: string; feeCode: string | null; owner: { type?: string; id?: string } | null; amount: ShownMoney; balance: ShownMoney })[]; next: string | null }

export type ApprovalAbove = { currency: string; value: number }

export type AuditEntry = { id: string; createTime: string; actor: string; action: string; object: { id: string; type: string }; reason: string; details: Record<string, unknown> }

export type BalanceReportRow = { date: string; from: string; to: string; final: boolean; financialAccountId: string; balance: ShownMoney }

export type Case = { id: string; kind: "success_after_failure" | "failure_after_success" | (string & {}); status: "open" | "closed" | (string & {}); objectId: string; amount: ShownMoney; financialTransactionReference: string | null; createTime: string; closeTime: string | null }

export type CaseFile = { objectId: string; status: string; next: { step: "approve" | "find_money" | "send" | "ask_rail" | "nothing" | (string & {}); time: string | null }; rail: { state: string | null; connection: string | null; reference: string | null }; entries: (CaseFileEntry)[]; isWhole: boolean }

export type CaseFileEntry = { time: string; kind: "event" | "delivery" | "sent" | "delayed" | "approved" | "rejected" | "decision" | "line" | "refund" | (string & {}); eventId?: string; eventType?: string; deliveryId?: string; webhookName?: string; tries?: number; statusCode?: number | null; userId?: string; actor?: string; action?: string; reason?: string; transactionId?: string; refundId?: string; status?: string; amount?: ShownMoney }

export type CheckedPayoutBatch = { ok: boolean; approvalRequired: boolean; totals: ({ rows: number; amount: ShownMoney; fees: ShownMoney; availableAfter?: { currency: string; value: number | bigint } })[]; rows: ({ number: number; ok: boolean; faults: ({ param: string; errors: (string)[] })[]; warnings: ({ code: "duplicate_in_file" | "duplicate_recent" | "first_time_payee" | "network_mismatch" | (string & {}); message: string })[] })[] }

export type CheckoutSession = { id: string; name: string; reference: string | null; description: string | null; status: "pending" | "completed" | "cancelled" | "expired" | (string & {}); redirectUrl: string; cancelUrl: string | null; successUrl: string | null; amount: ShownMoney; orderNumber: string; lineItems: { data: ({ id: string; type: "custom" | (string & {}); name: string; price: Money; quantity: number; reference: string | null; description: string | null; images: (string)[] })[] }; financialAccountId: string; brandingOptions: { primaryColor: string | null }; paymentLinkId: string | null; expireTime: string; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type ClosedDays = { days: ({ providerId: string; environment: "test" | "live" | (string & {}); day: string; currency: string; stated: { lines: number; in: ShownMoney; out: ShownMoney }; booked: { lines: number; in: ShownMoney; out: ShownMoney }; differences: ({ side: "stated" | "booked" | (string & {}); cause: string; direction: "collection" | "disbursement" | (string & {}); lines: number; amount: ShownMoney })[]; by: string; reason: string; closeTime: string; reopening: { by: string; reason: string; createTime: string } | null })[] }

export type ClosedItem = { id: string; state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {}); closeTime: string }

export type ConnectionState = { connection: string; environment: "test" | "live" | (string & {}); providerId: string; name: string; protocol: string; isOpen: boolean; share: number | null; pauses: ({ direction: "collect" | "pay_out" | (string & {}); providerId: string | null; words: string; by: string; createTime: string; endTime: string | null })[]; restsUntil: string | null; collect: DirectionState; payOut: DirectionState; float: ({ side: "rail" | "books" | (string & {}); account: string; amount: ShownMoney; readTime: string })[]; credentialsTime: string | null }

export type ConnectionStates = { connections: (ConnectionState)[] }

export type ConnectionTest = { isOk: boolean; steps: ({ step: string; outcome: "ok" | "failed" | "unknown" | (string & {}); detail: string })[] }

export type CountedSpace = { id: string; name: string; country: string; status: "active" | "suspended" | (string & {}); suspension: { by: string; reason: string; createTime: string } | null; createTime: string; memberCount: number; openCaseCount: number }

export type Country = { code: string; name: string; currency: { code: string; unit: string; unitLength: number }; supportedCurrencies: (string)[] }

export type DaysOfProvider = { days: ({ providerId: string; environment: "test" | "live" | (string & {}); day: string; currency: string; stated: { lines: number; in: ShownMoney; out: ShownMoney }; booked: { lines: number; in: ShownMoney; out: ShownMoney }; differences: ({ side: "stated" | "booked" | (string & {}); cause: string; direction: "collection" | "disbursement" | (string & {}); lines: number; amount: ShownMoney })[]; by: string; reason: string; closeTime: string; reopening: { by: string; reason: string; createTime: string } | null })[]; toClose: ({ day: string; gap: { from: string; until: string } | null })[] }

export type Delivery = { id: string; webhookId: string; eventId: string; eventType: string; status: "pending" | "delivered" | "failed" | (string & {}); nextAttemptTime: string | null; attempts: ({ time: string; statusCode: number | null; durationMs: number; error: string | null; responseBody: string | null })[]; createTime: string }

export type DirectionState = { lastHour: Successes; lastDay: Successes; p50Ms: number | null; p95Ms: number | null; lastReportTime: string | null }

export type Event = { id: string; type: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping" | (string & {}); apiVersion: string; environment: "test" | "live" | (string & {}); spaceId: string; timestamp: string; sequence: number; object: { id: string; type: string }; callbackState?: string; data: Record<string, unknown> }

export type FeePreview = { since: string; payments: number; isWhole: boolean; sums: ({ payments: number; collected: ShownMoney; charged: ShownMoney; wouldBe: ShownMoney })[] }

export type FeeReportRow = { code: string; provider: string | null; direction: string | null; from: string; to: string; final: boolean; count: number; charged: ShownMoney; returned: ShownMoney; amount: ShownMoney }

export type Fees = { fees: ({ code: "payment" | "payout" | "refund" | (string & {}); rule: string; isStandard: boolean })[] }

export type FinancialAccount = { id: string; uvan: string; name: string; currency: string; reference: string | null; description: string | null; balance?: { available: ShownMoney; held: ShownMoney }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type FinancialTransaction = { id: string; type: "credit" | "debit" | (string & {}); amount: ShownMoney; timestamp: string; reference: string; financialAccount: { id: string; balance: { after: ShownMoney } }; originatingReversal: { originTxnId?: string; originTxnRef?: string } | null; originatingFee: { code?: string } | null; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type Hold = { id: string; amount: ShownMoney; expireTime: string | null; createTime: string; ownershipGraph: OwnershipGraph }

export type InstallationHealth = { nodes: ({ id: number; isThis: boolean; version: string; serves: boolean; works: boolean; status: "alive" | "stopped" | "lost" | (string & {}); startTime: string; stopTime: string | null })[]; queues: { jobs: { count: number; estimated: boolean; oldestDueTime: string | null }; events: { count: number; estimated: boolean }; deliveries: { count: number; estimated: boolean }; lanes: ({ environment: "test" | "live" | (string & {}); kind: "collect" | "disburse" | "refund" | (string & {}); providerId: string; count: number; estimated: boolean })[] }; unknownOutcomes: ({ environment: "test" | "live" | (string & {}); type: "payment" | "payout" | "refund" | (string & {}); providerId: string; count: number; estimated: boolean; oldestSubmitTime: string })[]; webhooks: { failing: number; disabled: number; estimated: boolean }; database: { version: string; schemaVersion: number; sizeBytes: number; connections: number; maxConnections: number; isStandby: boolean; replicas: ({ name: string; state: string | null; lagSeconds: number | null })[] }; clock: { differenceMs: number; uncertaintyMs: number }; lastProof: ({ isOk: boolean; startTime: string; endTime: string; checks: ({ name: string; examined: string; differences: number })[] } | null) }

export type InternalTransfer = { id: string; status: "pending" | "processing" | "completed" | "failed" | (string & {}); amount: ShownMoney; sourceFinancialAccount: { id: string }; destinationFinancialAccount: { id: string }; financialTransactionReference: string | null; description: string | null; failureDetail: { code: "fund_insufficient" | "cancelled" | "unknown" | (string & {}); message: string } | null; executeTime: string | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type Invitation = { id: string; email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {}); status: "pending" | "accepted" | "expired" | "withdrawn" | (string & {}); createTime: string; expireTime: string }

export type ListedRequest = { id: string; timestamp: string; method: string; route: string; path: string; status: number; reason: string | null; caller: { type: "token" | "session" | (string & {}); id: string }; durationMs: number }

export type LoggedRequest = { id: string; timestamp: string; method: string; route: string; path: string; status: number; reason: string | null; caller: { type: "token" | "session" | (string & {}); id: string }; durationMs: number; body: string | null; isBodyCut: boolean }

export type MatchedStatement = { id: string; providerId: string; environment: "test" | "live" | (string & {}); fileName: string; from: string; until: string; lines: number; newLines: number; importedBy: string | null; createTime: string; matchedLines: number; openLines: number; estimated: boolean }

export type Me = { user: { id: string; email: string }; caller: { type: "token" | "session" | (string & {}); id: string }; environment: "test" | "live" | (string & {}); installationPermissions: (string)[]; freshUntil: string | null; spaces: ({ id: string; name: string; country: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {}); permissions: (string)[] })[] }

export type Member = { id: string; email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {}); createTime: string }

export type Money = { currency: string; value: number }

export type NewAccessToken = { name: string; scopes: ("access-tokens:read" | "access-tokens:write" | "members:read" | "members:write" | "audit:read" | "requests:read" | "webhooks:read" | "webhooks:write" | "webhooks:resend" | "events:read" | "events:write" | "financial-accounts:read" | "financial-accounts:write" | "financial-transactions:read" | "financial-transactions:write" | "balances:read" | "internal-transfers:read" | "internal-transfers:write" | "provider-kyc:read" | "provider-kyc:write" | "settlements:read" | "settlements:write" | "payments:read" | "payments:write" | "receipts:read" | "receipts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "refunds:read" | "refunds:write" | "refunds:propose" | "refunds:approve" | "checkout-sessions:read" | "checkout-sessions:write" | "receipts:send" | "payment-links:read" | "payment-links:write" | "payment-codes:read" | "payment-codes:write" | "ussd-otps:read" | "ussd-otps:write" | "settings:read" | "settings:write" | "*")[]; networks?: (string)[] | null; duration?: string | null }

export type NewCheckoutSession = { name: string; description?: string | null; successUrl?: string | null; cancelUrl?: string | null; callbackState?: string | null; reference?: string | null; financialAccountId?: string | null; lineItems: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[]; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; duration?: string | null; metadata?: Record<string, unknown> | null }

export type NewPaymentCode = { name: string; mode?: "one_time" | "recurrent" | null; enable?: boolean | null; amount?: { currency: string; value: number } | null; duration?: string | null; customer?: { name?: string | null } | null; reference?: string | null; authorizedProviders?: (string)[] | null; authorizedPhoneNumber?: string | null; recurrentPaymentTarget?: { expectedPaymentCount?: number | null; expectedPaymentTotal?: (Money | null) } | null; financialAccountId?: string | null; metadata?: Record<string, unknown> | null }

export type NewPaymentLink = { name: string; description?: string | null; lineItems?: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[] | null; openAmount?: { currency: string; minimum?: number | null; maximum?: number | null } | null; quantity?: { minimum?: number | null; maximum: number } | null; payerReference?: { label: string; isRequired?: boolean | null } | null; financialAccountId?: string | null; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; successText?: string | null; successUrl?: string | null; active?: boolean | null; expireTime?: string | null; maxPayments?: number | null; metadata?: Record<string, unknown> | null }

export type NewUssdOtp = { authorizedPhoneNumber: string; verificationMessage?: string | null; duration?: string | null; metadata?: Record<string, unknown> | null }

export type NewWebhook = { name: string; apiRelease?: "baobab" | null; url: string; events: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]; enabled?: boolean | null; headers?: Record<string, string> | null; alertEmails?: (string)[] | null; verificationMethod?: { type?: "HS256" | "ED25519" | null; secret?: string | null } | null; metadata?: Record<string, unknown> | null }

export type OpenItems = { isWhole: boolean; items: ({ id: string; state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {}); direction: "collection" | "disbursement" | (string & {}); time: string; theirs: (ShownMoney | null); ours: (ShownMoney | null); fileName: string | null; line: number | null; reference: string | null; objectId: string | null })[] }

export type OperatorsSpace = { id: string; name: string; country: string; status: "active" | "suspended" | (string & {}); suspension: { by: string; reason: string; createTime: string } | null; createTime: string }

export type Overview = { date: string; isWhole: boolean; today: (OverviewDay)[]; providers: ({ provider: string; completed: number; failed: number; underWay: number })[]; unknown: ({ of: "payments" | "payouts" | "refunds" | (string & {}); over10Minutes: number; overHour: number; overDay: number })[] }

export type OverviewDay = { date: string; currency: string; collected: { amount: ShownMoney; count: number }; paidOut: { amount: ShownMoney; count: number }; refunded: { amount: ShownMoney; count: number } }

export type OverviewDays = { isWhole: boolean; days: (OverviewDay)[] }

export type Owner = ({ id: string; type: string; metadata: Record<string, unknown>; owner: Owner } | Record<string, unknown>)

export type OwnershipGraph = { owner: Owner }

export type Passkey = { id: string; name: string; isSynced: boolean; createTime: string; lastUseTime: string | null }

export type PasskeyOptions = { options: Record<string, unknown> }

export type Passkeys = { passkeys: (Passkey)[] }

export type PausedPlace = { connection: string; environment: "test" | "live" | (string & {}); providerId: string | null; directions: ("collect" | "pay_out" | (string & {}))[] }

export type Payment = { id: string; status: "pending" | "processing" | "completed" | "failed" | (string & {}); amount: ShownMoney; channel: { type: "momo" | "bank" | "wallet" | "card" | (string & {}); provider: string; reference: string | null; phoneNumber?: string; accountNumber?: string; walletId?: string; scheme?: "visa" | "mastercard" | "verve" | null | (string & {}); last4?: string | null; fingerprint: string | null; metadata: Record<string, unknown> }; name: string; reference: string | null; orderNumber: string; financialAccountId: string; financialTransactionReference: string | null; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; refund: { status: "none" | "partial" | "full" | (string & {}); refunded: ShownMoney; refundable: ShownMoney }; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {}); message: string } | null; instructions: { texts: Record<string, string>; dialString: string | null; asksForCode?: true } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type PaymentCode = { id: string; mode: "one_time" | "recurrent" | (string & {}); status: "pending" | "processing" | "completed" | "expired" | "cancelled" | (string & {}); name: string; amount: { currency: string; value: number | bigint } | null; enable: boolean; expireTime: string; customer: { name: string } | null; ussdCode: string; reference: string | null; authorizedProviders: (string)[] | null; authorizedPhoneNumber: string | null; recurrentPaymentTarget: { expectedPaymentCount: number | null; expectedPaymentTotal: { currency: string; value: number | bigint } | null } | null; financialAccountId: string; processedPaymentData: { amount: ShownMoney; orderId: string; paymentId: string; orderNumber: string; channelData: { providerId: string; accountId: string; reference: string | null }; financialTransactionReference: string; metadata: Record<string, unknown> } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type PaymentLink = { id: string; status: "active" | "inactive" | "completed" | "expired" | "cancelled" | (string & {}); url: string; qrUrl: string; name: string; description: string | null; amount: { currency: string; value: number | bigint } | null; lineItems: ({ type?: "custom" | (string & {}); name: string; price: Money; quantity?: number; reference?: string; description?: string; images?: (string)[] })[] | null; openAmount: { currency: string; minimum: number | null; maximum: number | null } | null; quantity: { minimum: number; maximum: number } | null; payerReference: { label: string; isRequired: boolean } | null; financialAccountId: string; brandingOptions: { primaryColor: string | null }; successText: string | null; successUrl: string | null; active: boolean; expireTime: string | null; maxPayments: number | null; paymentCount: number; paymentTotal: ShownMoney; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type Payout = { id: string; status: "pending" | "processing" | "completed" | "failed" | (string & {}); amount: ShownMoney; source: { financialAccountId: string; transactionReference: string | null }; destination: { type: "bank" | "momo" | "wallet" | (string & {}); providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string; transactionReference: string | null }; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {}); message: string } | null; approval: { status?: "required" | "approved" | "rejected" | (string & {}); userId?: string | null; time?: string | null } | null; batchId: string | null; createUserId: string; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type PayoutBatch = { id: string; status: "pending" | "processing" | "completed" | "rejected" | "cancelled" | (string & {}); name: string; source: { financialAccountId: string | null }; counts: { rows: number; pending: number; processing: number; completed: number; failed: number }; totals: ({ amount: ShownMoney; completed: ShownMoney; failed: ShownMoney })[]; approval: { status?: "required" | "approved" | "rejected" | (string & {}); userId?: string | null; time?: string | null } | null; createUserId: string; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph }

export type PayoutBatchRow = { number: number; amount: ShownMoney; destination: { type: "bank" | "momo" | "wallet" | (string & {}); providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string }; name: string | null; reference: string | null; payout: { id?: string; status?: string } | null; metadata: Record<string, unknown> }

export type PhoneNumber = { phoneNumber: string; country: string | null; network: string | null; certain: boolean; providers: ({ providerId: string; name: string })[] }

export type Provider = { providerId: string; name: string; country: string; status: { active: boolean }; featureSet: { payout: { canPayTo: boolean; schemes: (string)[]; metadata: Record<string, unknown> }; payment: { canPayFrom: boolean; schemes: (string)[]; metadata: Record<string, unknown> }; kycVerification: { canVerifyAccount: boolean; metadata: Record<string, unknown> } }; createTime: string; updateTime: string }

export type ProviderKyc = { account: { id: string; name: string; holderName: string; metadata: Record<string, unknown> }; provider: { id: string; type: "momo" | "bank" | "wallet" | "card" | (string & {}); name: string } }

export type ProviderStatement = { id: string; providerId: string; environment: "test" | "live" | (string & {}); fileName: string; from: string; until: string; lines: number; newLines: number; importedBy: string | null; createTime: string }

export type Recall = { id: string; status: "open" | "returned" | "refused" | "cancelled" | (string & {}); payoutId: string; amount: ShownMoney; returned: ShownMoney; reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other" | (string & {}); note: string | null; source: { providerId: string; transactionReference: string | null }; destination: { financialAccountId: string; transactionReference: string | null }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type Receipt = { status: "not_redeemed" | "partially_redeemed" | "fully_redeemed" | (string & {}); orderName: string; orderNumber: string; orderAmount: ShownMoney; entitlements: ({ key: string; name: string; limit: number; current: number; remaining: number; exhausted: boolean })[]; createTime: string; updateTime: string; metadata: Record<string, unknown> }

export type ReceiptMail = { isQueued: boolean }

export type ReconciledDays = { isWhole: boolean; days: ({ date: string; provider: string; direction: "collection" | "disbursement" | (string & {}); count: number; amount: ShownMoney; open: { count: number; amount: ShownMoney; estimated: boolean }; state: "closed" | "awaited" | "differs" | "matched" | (string & {}) })[] }

export type ReconciliationItem = { state: "awaited" | "differs" | (string & {}); date: string; provider: string; direction: "collection" | "disbursement" | (string & {}); amount: ShownMoney; time: string; objectId: string | null }

export type RecoveryCodes = { recoveryCodes: (string)[] }

export type Refund = { id: string; status: "pending" | "processing" | "completed" | "failed" | "cancelled" | (string & {}); pendingReason: "approval" | "insufficient_balance" | "provider_unavailable" | null | (string & {}); paymentId: string; orderNumber: string; amount: ShownMoney; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; bearer: "merchant" | "payer" | (string & {}); source: { financialAccountId: string; transactionReference: string | null }; destination: { type: "momo" | "bank" | "wallet" | "card" | (string & {}); providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string; scheme?: "visa" | "mastercard" | "verve" | null | (string & {}); last4?: string | null; transactionReference: string | null }; method: "provider_refund" | "payout" | (string & {}); reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other" | (string & {}); note: string | null; payerMessage: string | null; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {}); message: string } | null; approval: { status?: "required" | "approved" | "rejected" | (string & {}); userId?: string | null; time?: string | null } | null; createUserId: string | null; createTime: string; updateTime: string; completeTime: string | null; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type ReopenedDay = { providerId: string; environment: "test" | "live" | (string & {}); day: string; reopenTime: string | null }

export type Sessions = { sessions: ({ id: string; isCurrent: boolean; method: "link" | "passkey" | "oidc" | (string & {}); address: string; agent: string; createTime: string; lastUseTime: string; expireTime: string })[] }

export type Settings = { spaceId: string; name: string; country: string; timeZone: string; createTime: string; brand: { name: string | null; color: string | null; supportEmail: string | null; supportPhone: string | null; termsUrl: string | null }; logoUrl: string | null; payoutApprovalAbove: (ApprovalAbove)[]; refundApprovalAbove: (ApprovalAbove)[]; refundsWhenShort: "refuse" | "queue" | (string & {}); returnsPaymentFee: boolean; receiptsBySms: boolean; fees: ({ code: "payment" | "payout" | "refund" | (string & {}); rule: string; isStandard: boolean })[] }

export type SettingsChange = { brand?: { name?: string | null; color?: string | null; logo?: string | null; supportEmail?: string | null; supportPhone?: string | null; termsUrl?: string | null }; payoutApprovalAbove?: (ApprovalAbove)[]; refundApprovalAbove?: (ApprovalAbove)[]; refundsWhenShort?: "refuse" | "queue"; returnsPaymentFee?: boolean; receiptsBySms?: boolean; reason?: string }

export type Settlement = { id: string; status: "booked" | "reversed" | (string & {}); kind: "payout_to_bank" | "float_top_up" | (string & {}); providerId: string; direction: "collection" | "disbursement" | (string & {}); amount: ShownMoney; bankReference: string; valueDate: string; note: string | null; isAdvance: boolean; createdBy: string; financialTransactionReference: string; reversal: { by?: string; reason?: string; financialTransactionReference?: string; createTime?: string } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph }

export type SettlementReportRow = { date: string; from: string; to: string; final: boolean; provider: string; direction: "collection" | "disbursement" | (string & {}); count: number; expectedBefore: ShownMoney; collected: ShownMoney; refunded: ShownMoney; paidOut: ShownMoney; settled: ShownMoney; other: ShownMoney; expected: ShownMoney; fees: ShownMoney }

export type ShownMoney = { currency: string; value: number | bigint }

export type SignIn = { id: string; method: "link" | "passkey" | "totp" | "recovery_code" | "oidc" | (string & {}); isStepUp: boolean; result: "succeeded" | "failed" | "locked" | (string & {}); address: string; agent: string; createTime: string }

export type SignIns = { signIns: (SignIn)[] }

export type SignedIn = { userId: string; isCodeNeeded: boolean }

export type Status = { platform: string; tagline: string; status: { environment: "test" | "live" | null | (string & {}); isAuthenticated: boolean }; apiVersion: { id: string; release: { name: string; date: string }; deprecated: boolean; apiSchemas: { openApi: string } } | null; requestOrigin: { country: string; ipAddress: string } }

export type Successes = { succeeded: number; failed: number; percent: number | null }

export type TestClock = { now: string; offsetMs: number }

export type Totp = { isEnabled: boolean; enableTime: string | null; recoveryCodeCount: number; lockedUntilTime: string | null }

export type TotpSecret = { secret: string; uri: string }

export type UssdOtp = { id: string; status: "pending" | "verified" | "expired" | (string & {}); dialCode: string; authorizedPhoneNumber: string; verificationMessage: string | null; createTime: string; expireTime: string; metadata: Record<string, unknown> }

export type Webhook = { id: string; name: string; apiRelease: string; url: string; events: (string)[]; enabled: boolean; headers: Record<string, string>; alertEmails: (string)[]; verificationMethod: { type: "HS256" | "ED25519" | (string & {}); secret?: string; publicKey?: string }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

export type ErrorReason =
  | 'request_invalid'
  | 'arguments_invalid'
  | 'json_invalid'
  | 'space_id_missing'
  | 'space_id_invalid'
  | 'idempotency_key_missing'
  | 'idempotency_key_invalid'
  | 'cursor_invalid'
  | 'version_unknown'
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'sign_in_failed'
  | 'access_denied'
  | 'step_up_required'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'idempotency_key_in_use'
  | 'idempotency_key_in_progress'
  | 'state_conflict'
  | 'fund_insufficient'
  | 'refund_exceeds_payment'
  | 'refund_limit_reached'
  | 'refund_window_closed'
  | 'refund_unsupported'
  | 'recall_exceeds_payout'
  | 'reference_in_use'
  | 'body_too_large'
  | 'media_type_unsupported'
  | 'headers_too_large'
  | 'too_many_requests'
  | 'internal_error'
  | 'service_unavailable'

type EventOf<Type extends string, Data> = {
  id: string
  type: Type
  apiVersion: string
  environment: 'test' | 'live'
  spaceId: string
  timestamp: string
  /** Rises by one in a Space and environment. */
  sequence: number
  object: { id: string; type: string }
  /** As it was then. */
  data: Data
  /** Of events of a checkout session that was created with one. */
  callbackState?: string | null
}

/** What a webhook receives: its `type` says of what its `data` is. Later versions may send more types. */
export type WebhookEvent =
  | EventOf<'webhook.disabled', Webhook>
  | EventOf<'financial_transaction.created', FinancialTransaction>
  | EventOf<'internal_transfer.created', InternalTransfer>
  | EventOf<'internal_transfer.completed', InternalTransfer>
  | EventOf<'internal_transfer.failed', InternalTransfer>
  | EventOf<'settlement.created', Settlement>
  | EventOf<'settlement.reversed', Settlement>
  | EventOf<'payment.created', Payment>
  | EventOf<'payment.processing', Payment>
  | EventOf<'payment.completed', Payment>
  | EventOf<'payment.failed', Payment>
  | EventOf<'payout.created', Payout>
  | EventOf<'payout.processing', Payout>
  | EventOf<'payout.delayed', Payout>
  | EventOf<'payout.completed', Payout>
  | EventOf<'payout.failed', Payout>
  | EventOf<'payout_batch.created', PayoutBatch>
  | EventOf<'payout_batch.approved', PayoutBatch>
  | EventOf<'payout_batch.rejected', PayoutBatch>
  | EventOf<'payout_batch.cancelled', PayoutBatch>
  | EventOf<'payout_batch.completed', PayoutBatch>
  | EventOf<'recall.created', Recall>
  | EventOf<'recall.returned', Recall>
  | EventOf<'recall.refused', Recall>
  | EventOf<'recall.cancelled', Recall>
  | EventOf<'refund.created', Refund>
  | EventOf<'refund.processing', Refund>
  | EventOf<'refund.delayed', Refund>
  | EventOf<'refund.completed', Refund>
  | EventOf<'refund.failed', Refund>
  | EventOf<'refund.cancelled', Refund>
  | EventOf<'refund.returned', Refund>
  | EventOf<'checkout_session.created', CheckoutSession>
  | EventOf<'checkout_session.completed', CheckoutSession>
  | EventOf<'checkout_session.cancelled', CheckoutSession>
  | EventOf<'checkout_session.expired', CheckoutSession>
  | EventOf<'payment_link.created', PaymentLink>
  | EventOf<'payment_link.completed', PaymentLink>
  | EventOf<'payment_link.expired', PaymentLink>
  | EventOf<'payment_link.cancelled', PaymentLink>
  | EventOf<'payment_code.created', PaymentCode>
  | EventOf<'payment_code.processed', PaymentCode>
  | EventOf<'payment_code.completed', PaymentCode>
  | EventOf<'payment_code.expired', PaymentCode>
  | EventOf<'payment_code.cancelled', PaymentCode>
  | EventOf<'ussd_otp.created', UssdOtp>
  | EventOf<'ussd_otp.verified', UssdOtp>
  | EventOf<'ussd_otp.expired', UssdOtp>
  | EventOf<'ledger.chained', Record<string, unknown>>
