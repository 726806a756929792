// Written by `npm run write` from the routes: edit those instead.

type AccessToken = { id: string; name: string; environment: "test" | "live"; status: "active" | "expired" | "revoked"; user: { id: string; email: string }; scopes: (string)[]; isOfThisSpaceOnly: boolean; networks: (string)[] | null; lastCharacters: string | null; token?: string; createTime: string; lastUseTime: string | null; expireTime: string | null; revokeTime: string | null; replacedById: string | null }

type AccountStatement = { financialAccount: { id: string; uvan: string }; from: string; to: string; final: boolean; openingBalance: ShownMoney; totals?: { credits: ShownMoney; debits: ShownMoney; count: number }; closingBalance: ShownMoney; lines: ({ type: "credit" | "debit"; timestamp: string; id: string; reference: string; kind: string | null; feeCode: string | null; providerId: string | null; direction: string | null; owner: { type?: string; id?: string; url?: string | null } | null; amount: ShownMoney; balance: ShownMoney })[]; next: string | null }

type ApprovalAbove = { currency: string; value: number }

type AuditEntry = { id: string; createTime: string; actor: string; action: string; object: { id: string; type: string }; reason: string; details: Record<string, unknown> }

type BalanceReportRow = { date: string; from: string; to: string; final: boolean; financialAccountId: string; balance: ShownMoney }

type Case = { id: string; kind: "success_after_failure" | "failure_after_success"; status: "open" | "closed"; objectId: string; amount: ShownMoney; returned: ShownMoney; remaining: ShownMoney; financialTransactionReference: string | null; createTime: string; closeTime: string | null }

type CaseFile = { objectId: string; status: string; next: { step: "approve" | "find_money" | "send" | "ask_rail" | "nothing"; time: string | null }; rail: { state: string | null; connection: string | null; reference: string | null }; entries: (CaseFileEntry)[]; isWhole: boolean }

type CaseFileEntry = { time: string; kind: "event" | "delivery" | "sent" | "delayed" | "approved" | "rejected" | "decision" | "line" | "refund"; eventId?: string; eventType?: string; deliveryId?: string; webhookName?: string; tries?: number; statusCode?: number | null; userId?: string; actor?: string; action?: string; reason?: string; transactionId?: string; refundId?: string; status?: string; amount?: ShownMoney }

type CheckedPayoutBatch = { ok: boolean; approvalRequired: boolean; totals: ({ rows: number; amount: ShownMoney; fees: ShownMoney; availableAfter?: { currency: string; value: number | bigint } })[]; rows: ({ number: number; ok: boolean; faults: ({ param: string; errors: (string)[] })[]; warnings: ({ code: "duplicate_in_file" | "duplicate_recent" | "first_time_payee" | "network_mismatch"; message: string })[] })[] }

type CheckoutSession = { id: string; name: string; reference: string | null; description: string | null; status: "pending" | "completed" | "cancelled" | "expired"; redirectUrl: string; cancelUrl: string | null; successUrl: string | null; amount: ShownMoney; orderNumber: string; lineItems: { data: ({ id: string; type: "custom"; name: string; price: Money; quantity: number; reference: string | null; description: string | null; images: (string)[] })[] }; financialAccountId: string; brandingOptions: { primaryColor: string | null }; paymentLinkId: string | null; expireTime: string; expireReason: "time" | "payment_link" | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type ClosedDays = { days: ({ providerId: string; environment: "test" | "live"; day: string; currency: string; stated: { lines: number; in: ShownMoney; out: ShownMoney }; booked: { lines: number; in: ShownMoney; out: ShownMoney }; differences: ({ side: "stated" | "booked"; cause: string; direction: "collection" | "disbursement"; lines: number; amount: ShownMoney })[]; by: string; reason: string; closeTime: string; reopening: { by: string; reason: string; createTime: string } | null })[] }

type ClosedItem = { id: string; state: "amount_differs" | "missing_here" | "missing_there" | "awaited"; closeTime: string }

type ConnectionState = { connection: string; environment: "test" | "live"; providerId: string; name: string; protocol: string; isOpen: boolean; share: number | null; pauses: ({ direction: "collect" | "pay_out"; providerId: string | null; words: string; by: string; createTime: string; endTime: string | null })[]; restsUntil: string | null; collect: DirectionState; payOut: DirectionState; float: ({ side: "rail" | "books"; account: string; amount: ShownMoney; readTime: string })[]; credentialsTime: string | null }

type ConnectionStates = { connections: (ConnectionState)[] }

type ConnectionTest = { isOk: boolean; steps: ({ step: string; outcome: "ok" | "failed" | "unknown"; detail: string })[] }

type CountedSpace = { id: string; name: string; country: string; status: "active" | "suspended"; suspension: { by: string; reason: string; createTime: string } | null; createTime: string; memberCount: number; openCaseCount: number }

type Country = { code: string; name: string; currency: { code: string; unit: string; unitLength: number }; supportedCurrencies: (string)[] }

type DaysOfProvider = { days: ({ providerId: string; environment: "test" | "live"; day: string; currency: string; stated: { lines: number; in: ShownMoney; out: ShownMoney }; booked: { lines: number; in: ShownMoney; out: ShownMoney }; differences: ({ side: "stated" | "booked"; cause: string; direction: "collection" | "disbursement"; lines: number; amount: ShownMoney })[]; by: string; reason: string; closeTime: string; reopening: { by: string; reason: string; createTime: string } | null })[]; toClose: ({ day: string; gap: { from: string; until: string } | null })[] }

type Delivery = { id: string; webhookId: string; eventId: string; eventType: string; status: "pending" | "delivered" | "failed"; nextAttemptTime: string | null; attempts: ({ time: string; statusCode: number | null; durationMs: number; error: string | null; responseBody: string | null })[]; createTime: string }

type DirectionState = { lastHour: Successes; lastDay: Successes; p50Ms: number | null; p95Ms: number | null; lastReportTime: string | null }

type Event = { id: string; type: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping"; apiVersion: string; environment: "test" | "live"; spaceId: string; timestamp: string; sequence: number; object: { id: string; type: string }; callbackState?: string; data: Record<string, unknown> }

type FeePreview = { since: string; payments: number; isWhole: boolean; sums: ({ payments: number; collected: ShownMoney; charged: ShownMoney; wouldBe: ShownMoney })[] }

type FeeReportRow = { code: string; provider: string | null; direction: string | null; from: string; to: string; final: boolean; count: number; charged: ShownMoney; returned: ShownMoney; amount: ShownMoney }

type Fees = { fees: ({ code: "payment" | "payout" | "refund"; rule: string; isStandard: boolean })[] }

type FinancialAccount = { id: string; uvan: string; name: string; currency: string; reference: string | null; description: string | null; balance?: { available: ShownMoney; held: ShownMoney }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type FinancialTransaction = { id: string; type: "credit" | "debit"; amount: ShownMoney; timestamp: string; reference: string; financialAccount: { id: string; balance: { after: ShownMoney } }; originatingReversal: { originTxnId?: string; originTxnRef?: string } | null; originatingFee: { code?: string } | null; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type Hold = { id: string; amount: ShownMoney; expireTime: string | null; createTime: string; ownershipGraph: OwnershipGraph }

type InstallationHealth = { nodes: ({ id: number; isThis: boolean; version: string; serves: boolean; works: boolean; status: "alive" | "stopped" | "lost"; startTime: string; stopTime: string | null })[]; queues: { jobs: { count: number; estimated: boolean; oldestDueTime: string | null }; events: { count: number; estimated: boolean }; deliveries: { count: number; estimated: boolean }; lanes: ({ environment: "test" | "live"; kind: "collect" | "disburse" | "refund"; providerId: string; count: number; estimated: boolean })[] }; unknownOutcomes: ({ environment: "test" | "live"; type: "payment" | "payout" | "refund"; providerId: string; count: number; estimated: boolean; oldestSubmitTime: string })[]; webhooks: { failing: number; disabled: number; estimated: boolean }; database: { version: string; schemaVersion: number; sizeBytes: number; connections: number; maxConnections: number; isStandby: boolean; replicas: ({ name: string; state: string | null; lagSeconds: number | null })[] }; clock: { differenceMs: number; uncertaintyMs: number }; lastProof: ({ isOk: boolean; startTime: string; endTime: string; checks: ({ name: string; examined: string; differences: number })[] } | null) }

type InternalTransfer = { id: string; status: "pending" | "processing" | "completed" | "failed"; amount: ShownMoney; sourceFinancialAccount: { id: string }; destinationFinancialAccount: { id: string }; financialTransactionReference: string | null; description: string | null; failureDetail: { code: "fund_insufficient" | "cancelled" | "unknown"; message: string } | null; executeTime: string | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type Invitation = { id: string; email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer"; status: "pending" | "accepted" | "expired" | "withdrawn"; createTime: string; expireTime: string }

type LinkPreview = { email: string; spaceName: string | null; isEmailNeeded: boolean; signedInEmail: string | null }

type ListedRequest = { id: string; timestamp: string; method: string; route: string; path: string; status: number; reason: string | null; caller: { type: "token" | "session"; id: string }; durationMs: number }

type LoggedRequest = { id: string; timestamp: string; method: string; route: string; path: string; status: number; reason: string | null; caller: { type: "token" | "session"; id: string }; durationMs: number; body: string | null; isBodyCut: boolean }

type MatchedStatement = { id: string; providerId: string; environment: "test" | "live"; fileName: string; from: string; until: string; lines: number; newLines: number; importedBy: string | null; createTime: string; matchedLines: number; openLines: number; estimated: boolean }

type Me = { user: { id: string; email: string }; caller: { type: "token" | "session"; id: string }; environment: "test" | "live"; installationPermissions: (string)[]; freshUntil: string | null; spaces: ({ id: string; name: string; country: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer"; permissions: (string)[] })[] }

type Member = { id: string; email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer"; createTime: string }

type Money = { currency: string; value: number }

type NewAccessToken = { name: string; scopes: ("access-tokens:read" | "access-tokens:write" | "members:read" | "members:write" | "audit:read" | "requests:read" | "webhooks:read" | "webhooks:write" | "webhooks:resend" | "events:read" | "events:write" | "financial-accounts:read" | "financial-accounts:write" | "financial-transactions:read" | "financial-transactions:write" | "balances:read" | "internal-transfers:read" | "internal-transfers:write" | "provider-kyc:read" | "provider-kyc:write" | "settlements:read" | "settlements:write" | "payments:read" | "payments:write" | "receipts:read" | "receipts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "refunds:read" | "refunds:write" | "refunds:propose" | "refunds:approve" | "checkout-sessions:read" | "checkout-sessions:write" | "receipts:send" | "payment-links:read" | "payment-links:write" | "payment-codes:read" | "payment-codes:write" | "ussd-otps:read" | "ussd-otps:write" | "settings:read" | "settings:write" | "*")[]; networks?: (string)[] | null; duration?: string | null }

type NewCheckoutSession = { name: string; description?: string | null; successUrl?: string | null; cancelUrl?: string | null; callbackState?: string | null; reference?: string | null; financialAccountId?: string | null; lineItems: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[]; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; duration?: string | null; metadata?: Record<string, unknown> | null }

type NewPaymentCode = { name: string; mode?: "one_time" | "recurrent" | null; enable?: boolean | null; amount?: { currency: string; value: number } | null; duration?: string | null; customer?: { name?: string | null } | null; reference?: string | null; authorizedProviders?: (string)[] | null; authorizedPhoneNumber?: string | null; recurrentPaymentTarget?: { expectedPaymentCount?: number | null; expectedPaymentTotal?: (Money | null) } | null; financialAccountId?: string | null; metadata?: Record<string, unknown> | null }

type NewPaymentLink = { name: string; description?: string | null; lineItems?: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[] | null; openAmount?: { currency: string; minimum?: number | null; maximum?: number | null } | null; quantity?: { minimum?: number | null; maximum: number } | null; payerReference?: { label: string; isRequired?: boolean | null } | null; financialAccountId?: string | null; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; successText?: string | null; successUrl?: string | null; active?: boolean | null; expireTime?: string | null; maxPayments?: number | null; metadata?: Record<string, unknown> | null }

type NewUssdOtp = { authorizedPhoneNumber: string; verificationMessage?: string | null; duration?: string | null; metadata?: Record<string, unknown> | null }

type NewWebhook = { name: string; apiRelease?: "baobab" | null; url: string; events: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]; enabled?: boolean | null; headers?: Record<string, string> | null; alertEmails?: (string)[] | null; verificationMethod?: { type?: "HS256" | "ED25519" | null; secret?: string | null } | null; metadata?: Record<string, unknown> | null }

type OpenItems = { isWhole: boolean; items: ({ id: string; state: "amount_differs" | "missing_here" | "missing_there" | "awaited"; direction: "collection" | "disbursement"; time: string; theirs: (ShownMoney | null); ours: (ShownMoney | null); fileName: string | null; line: number | null; reference: string | null; objectId: string | null })[] }

type OperatorsSpace = { id: string; name: string; country: string; status: "active" | "suspended"; suspension: { by: string; reason: string; createTime: string } | null; createTime: string }

type Overview = { date: string; isWhole: boolean; today: (OverviewDay)[]; providers: ({ provider: string; completed: number; failed: number; underWay: number })[]; unknown: ({ of: "payments" | "payouts" | "refunds"; over10Minutes: number; overHour: number; overDay: number })[] }

type OverviewDay = { date: string; currency: string; collected: { amount: ShownMoney; count: number }; paidOut: { amount: ShownMoney; count: number }; refunded: { amount: ShownMoney; count: number } }

type OverviewDays = { isWhole: boolean; days: (OverviewDay)[] }

type Owner = ({ id: string; type: string; metadata: Record<string, unknown>; owner: Owner } | Record<string, unknown>)

type OwnershipGraph = { owner: Owner }

type Passkey = { id: string; name: string; isSynced: boolean; createTime: string; lastUseTime: string | null }

type PasskeyOptions = { options: Record<string, unknown> }

type Passkeys = { passkeys: (Passkey)[] }

type PausedPlace = { connection: string; environment: "test" | "live"; providerId: string | null; directions: ("collect" | "pay_out")[] }

type Payment = { id: string; status: "pending" | "processing" | "completed" | "failed"; amount: ShownMoney; channel: { type: "momo" | "bank" | "wallet" | "card"; provider: string; reference: string | null; phoneNumber?: string; accountNumber?: string; walletId?: string; scheme?: "visa" | "mastercard" | "verve" | null; last4?: string | null; fingerprint: string | null; metadata: Record<string, unknown> }; name: string; reference: string | null; orderNumber: string; financialAccountId: string; financialTransactionReference: string | null; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; refund: { status: "none" | "partial" | "full"; refunded: ShownMoney; refundable: ShownMoney }; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected"; message: string } | null; instructions: { texts: Record<string, string>; dialString: string | null; asksForCode?: true } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type PaymentCode = { id: string; mode: "one_time" | "recurrent"; status: "pending" | "processing" | "completed" | "expired" | "cancelled"; name: string; amount: { currency: string; value: number | bigint } | null; enable: boolean; expireTime: string; customer: { name: string } | null; ussdCode: string; reference: string | null; authorizedProviders: (string)[] | null; authorizedPhoneNumber: string | null; recurrentPaymentTarget: { expectedPaymentCount: number | null; expectedPaymentTotal: { currency: string; value: number | bigint } | null } | null; financialAccountId: string; processedPaymentData: { amount: ShownMoney; orderId: string; paymentId: string; orderNumber: string; channelData: { providerId: string; accountId: string; reference: string | null }; financialTransactionReference: string; metadata: Record<string, unknown> } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type PaymentLink = { id: string; status: "active" | "inactive" | "completed" | "expired" | "cancelled"; url: string; qrUrl: string; name: string; description: string | null; amount: { currency: string; value: number | bigint } | null; lineItems: ({ type?: "custom"; name: string; price: Money; quantity?: number; reference?: string; description?: string; images?: (string)[] })[] | null; openAmount: { currency: string; minimum: number | null; maximum: number | null } | null; quantity: { minimum: number; maximum: number } | null; payerReference: { label: string; isRequired: boolean } | null; financialAccountId: string; brandingOptions: { primaryColor: string | null }; successText: string | null; successUrl: string | null; active: boolean; expireTime: string | null; maxPayments: number | null; paymentCount: number; paymentTotal: ShownMoney; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type Payout = { id: string; status: "pending" | "processing" | "completed" | "failed"; amount: ShownMoney; source: { financialAccountId: string; transactionReference: string | null }; destination: { type: "bank" | "momo" | "wallet"; providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string; transactionReference: string | null }; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected"; message: string } | null; approval: { status?: "required" | "approved" | "rejected"; userId?: string | null; time?: string | null } | null; batchId: string | null; createUserId: string; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type PayoutBatch = { id: string; status: "pending" | "processing" | "completed" | "rejected" | "cancelled"; name: string; source: { financialAccountId: string | null }; counts: { rows: number; pending: number; processing: number; completed: number; failed: number }; totals: ({ amount: ShownMoney; completed: ShownMoney; failed: ShownMoney })[]; approval: { status?: "required" | "approved" | "rejected"; userId?: string | null; time?: string | null } | null; createUserId: string; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph }

type PayoutBatchRow = { number: number; amount: ShownMoney; destination: { type: "bank" | "momo" | "wallet"; providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string }; name: string | null; reference: string | null; payout: { id?: string; status?: string } | null; metadata: Record<string, unknown> }

type PhoneNumber = { phoneNumber: string; country: string | null; network: string | null; certain: boolean; providers: ({ providerId: string; name: string })[] }

type Provider = { providerId: string; name: string; country: string; status: { active: boolean }; featureSet: { payout: { canPayTo: boolean; schemes: (string)[]; metadata: Record<string, unknown> }; payment: { canPayFrom: boolean; schemes: (string)[]; metadata: Record<string, unknown> }; kycVerification: { canVerifyAccount: boolean; metadata: Record<string, unknown> } }; createTime: string; updateTime: string }

type ProviderKyc = { account: { id: string; name: string; holderName: string; metadata: Record<string, unknown> }; provider: { id: string; type: "momo" | "bank" | "wallet" | "card"; name: string } }

type ProviderStatement = { id: string; providerId: string; environment: "test" | "live"; fileName: string; from: string; until: string; lines: number; newLines: number; importedBy: string | null; createTime: string }

type Recall = { id: string; status: "open" | "returned" | "refused" | "cancelled"; payoutId: string; amount: ShownMoney; returned: ShownMoney; reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other"; note: string | null; source: { providerId: string; transactionReference: string | null }; destination: { financialAccountId: string; transactionReference: string | null }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type Receipt = { status: "not_redeemed" | "partially_redeemed" | "fully_redeemed"; orderName: string; orderNumber: string; orderAmount: ShownMoney; entitlements: ({ key: string; name: string; limit: number; current: number; remaining: number; exhausted: boolean })[]; createTime: string; updateTime: string; metadata: Record<string, unknown> }

type ReceiptMail = { isQueued: boolean }

type ReconciledDays = { isWhole: boolean; days: ({ date: string; provider: string; direction: "collection" | "disbursement"; count: number; amount: ShownMoney; open: { count: number; amount: ShownMoney; estimated: boolean }; state: "closed" | "awaited" | "differs" | "matched" })[] }

type ReconciliationItem = { state: "awaited" | "differs"; date: string; provider: string; direction: "collection" | "disbursement"; amount: ShownMoney; time: string; objectId: string | null }

type RecoveryCodes = { recoveryCodes: (string)[] }

type Refund = { id: string; status: "pending" | "processing" | "completed" | "failed" | "cancelled"; pendingReason: "approval" | "insufficient_balance" | "provider_unavailable" | null; paymentId: string; orderNumber: string; amount: ShownMoney; fees: ({ code: string; amount: ShownMoney; metadata: Record<string, unknown> })[]; bearer: "merchant" | "payer"; source: { financialAccountId: string; transactionReference: string | null }; destination: { type: "momo" | "bank" | "wallet" | "card"; providerId: string; phoneNumber?: string; accountNumber?: string; walletId?: string; scheme?: "visa" | "mastercard" | "verve" | null; last4?: string | null; transactionReference: string | null }; method: "provider_refund" | "payout"; reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other"; note: string | null; payerMessage: string | null; failureDetail: { code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected"; message: string } | null; approval: { status?: "required" | "approved" | "rejected"; userId?: string | null; time?: string | null } | null; createUserId: string | null; createTime: string; updateTime: string; completeTime: string | null; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

type ReopenedDay = { providerId: string; environment: "test" | "live"; day: string; reopenTime: string | null }

type Sessions = { sessions: ({ id: string; isCurrent: boolean; method: "link" | "passkey" | "oidc"; address: string; agent: string; createTime: string; lastUseTime: string; expireTime: string })[] }

type Settings = { spaceId: string; name: string; country: string; timeZone: string; createTime: string; brand: { name: string | null; color: string | null; supportEmail: string | null; supportPhone: string | null; termsUrl: string | null }; logoUrl: string | null; payoutApprovalAbove: (ApprovalAbove)[]; refundApprovalAbove: (ApprovalAbove)[]; proposedApprovalsAbove: ({ kind: "payout" | "refund"; currency: string; value: number | null; proposedBy: string; time: string })[]; refundsWhenShort: "refuse" | "queue"; returnsPaymentFee: boolean; receiptsBySms: boolean; fees: ({ code: "payment" | "payout" | "refund"; rule: string; isStandard: boolean })[] }

type SettingsChange = { brand?: { name?: string | null; color?: string | null; logo?: string | null; supportEmail?: string | null; supportPhone?: string | null; termsUrl?: string | null }; payoutApprovalAbove?: (ApprovalAbove)[]; refundApprovalAbove?: (ApprovalAbove)[]; refundsWhenShort?: "refuse" | "queue"; returnsPaymentFee?: boolean; receiptsBySms?: boolean; reason?: string }

type Settlement = { id: string; status: "booked" | "reversed"; kind: "payout_to_bank" | "float_top_up"; providerId: string; direction: "collection" | "disbursement"; amount: ShownMoney; bankReference: string; valueDate: string; note: string | null; isAdvance: boolean; createdBy: string; financialTransactionReference: string; reversal: { by?: string; reason?: string; financialTransactionReference?: string; createTime?: string } | null; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph }

type SettlementReportRow = { date: string; from: string; to: string; final: boolean; provider: string; direction: "collection" | "disbursement"; count: number; expectedBefore: ShownMoney; collected: ShownMoney; refunded: ShownMoney; paidOut: ShownMoney; settled: ShownMoney; other: ShownMoney; expected: ShownMoney; fees: ShownMoney }

type ShownMoney = { currency: string; value: number | bigint }

type SignIn = { id: string; method: "link" | "passkey" | "totp" | "recovery_code" | "oidc"; isStepUp: boolean; result: "succeeded" | "failed" | "locked"; address: string; agent: string; createTime: string }

type SignIns = { signIns: (SignIn)[] }

type SignedIn = { userId: string; isCodeNeeded: boolean }

type Status = { platform: string; tagline: string; status: { environment: "test" | "live" | null; isAuthenticated: boolean }; apiVersion: { id: string; release: { name: string; date: string }; deprecated: boolean; apiSchemas: { openApi: string } } | null; requestOrigin: { country: string; ipAddress: string } }

type Successes = { succeeded: number; failed: number; percent: number | null }

type TestClock = { now: string; offsetMs: number }

type Totp = { isEnabled: boolean; enableTime: string | null; recoveryCodeCount: number; lockedUntilTime: string | null; lockedElsewhereUntilTime: string | null }

type TotpSecret = { secret: string; uri: string }

type UssdOtp = { id: string; status: "pending" | "verified" | "expired"; dialCode: string; authorizedPhoneNumber: string; verificationMessage: string | null; createTime: string; expireTime: string; metadata: Record<string, unknown> }

type Webhook = { id: string; name: string; apiRelease: string; url: string; events: (string)[]; enabled: boolean; failingSinceTime: string | null; headers: Record<string, string>; alertEmails: (string)[]; verificationMethod: { type: "HS256" | "ED25519"; secret?: string; publicKey?: string }; createTime: string; updateTime: string; ownershipGraph: OwnershipGraph; metadata: Record<string, unknown> }

/** By method and address: what goes with each call, and the `result` that it returns. */
export type Calls = {
  'GET /': { result: Status }
  'POST /v1/sign-in/link': { body: { email: string }; result: { isSent: boolean } }
  'POST /v1/sign-in/link/preview': { body: { secret: string }; result: LinkPreview }
  'POST /v1/sign-in/link/redeem': { body: { secret: string; email?: string | null }; result: SignedIn }
  'POST /v1/sign-in/invitation/preview': { body: { secret: string }; result: LinkPreview }
  'POST /v1/sign-in/invitation': { body: { secret: string; email?: string | null }; result: SignedIn }
  'POST /v1/sign-in/passkey/begin': { body: Record<string, never>; result: PasskeyOptions }
  'POST /v1/sign-in/passkey': { body: { credential: { id: string; clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } }; result: SignedIn }
  'POST /v1/step-up/passkey/begin': { body: Record<string, never>; result: PasskeyOptions }
  'POST /v1/step-up/passkey': { body: { credential: { id: string; clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } }; result: { isFresh: boolean } }
  'POST /v1/sign-in/code': { body: { code: string }; result: SignedIn }
  'POST /v1/step-up/code': { body: { code: string }; result: { isFresh: boolean } }
  'POST /v1/sign-in/ways': { body: Record<string, never>; result: { identityProvider: (string | null) } }
  'POST /v1/sign-in/oidc/begin': { body: Record<string, never>; result: { url: string } }
  'POST /v1/sign-in/oidc': { body: { query: string }; result: SignedIn }
  'POST /v1/step-up/oidc/begin': { body: Record<string, never>; result: { url: string } }
  'POST /v1/step-up/oidc': { body: { query: string }; result: { isFresh: boolean } }
  'POST /v1/passkeys/begin': { body: Record<string, never>; result: PasskeyOptions }
  'POST /v1/passkeys': { body: { name: string; credential: { id: string; clientDataJSON: string; attestationObject: string; transports: (string)[] } }; result: Passkey }
  'GET /v1/passkeys': { result: Passkeys }
  'POST /v1/passkeys/rename': { body: { id: string; name: string }; result: { isRenamed: boolean } }
  'POST /v1/passkeys/remove': { body: { id: string }; result: { isRemoved: boolean } }
  'POST /v1/totp/begin': { body: Record<string, never>; result: TotpSecret }
  'POST /v1/totp': { body: { code: string }; result: RecoveryCodes }
  'GET /v1/totp': { result: Totp }
  'POST /v1/totp/remove': { body: Record<string, never>; result: { isRemoved: boolean } }
  'POST /v1/recovery-codes': { body: Record<string, never>; result: RecoveryCodes }
  'POST /v1/sign-out': { body: Record<string, never>; result: { isSignedOut: boolean } }
  'POST /v1/sessions/end-others': { body: Record<string, never>; result: { endedCount: number } }
  'GET /v1/countries': { query: { limit?: number; after?: string }; result: (Country)[]; isList: true }
  'GET /v1/countries/{code}': { path: { code: string }; result: Country }
  'GET /v1/me': { result: Me }
  'GET /v1/sessions': { result: Sessions }
  'DELETE /v1/sessions/{session}': { path: { session: string }; result: null }
  'POST /v1/access-tokens': { body: NewAccessToken; result: AccessToken; needsSpace: true }
  'GET /v1/access-tokens': { query: { status?: "active" | "expired" | "revoked"; from?: string; to?: string; limit?: number; after?: string }; result: (AccessToken)[]; isList: true; needsSpace: true }
  'GET /v1/access-tokens/{id}': { path: { id: string }; result: AccessToken; needsSpace: true }
  'DELETE /v1/access-tokens/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/access-tokens/{id}/roll': { path: { id: string }; body: { overlap?: string | null }; result: AccessToken; needsSpace: true }
  'GET /v1/members': { query: { from?: string; to?: string; limit?: number; after?: string }; result: (Member)[]; isList: true; needsSpace: true }
  'GET /v1/members/{id}': { path: { id: string }; result: Member; needsSpace: true }
  'PATCH /v1/members/{id}': { path: { id: string }; body: { role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" }; result: Member; needsSpace: true }
  'DELETE /v1/members/{id}': { path: { id: string }; result: null; needsSpace: true }
  'GET /v1/invitations': { query: { status?: "pending" | "accepted" | "expired" | "withdrawn"; from?: string; to?: string; limit?: number; after?: string }; result: (Invitation)[]; isList: true; needsSpace: true }
  'POST /v1/invitations': { body: { email: string; role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" }; result: Invitation; needsSpace: true }
  'POST /v1/invitations/{id}/resend': { path: { id: string }; body: Record<string, never>; result: Invitation; needsSpace: true }
  'DELETE /v1/invitations/{id}': { path: { id: string }; result: null; needsSpace: true }
  'GET /v1/audit-entries': { query: { actor?: string; action?: string; objectId?: string; from?: string; to?: string; limit?: number; after?: string }; result: (AuditEntry)[]; isList: true; needsSpace: true }
  'GET /v1/requests': { query: { statusClass?: "2xx" | "4xx" | "5xx"; method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE"; pathPrefix?: string; requestId?: string; tokenId?: string; from?: string; to?: string; limit?: number; after?: string }; result: (ListedRequest)[]; isList: true; needsSpace: true }
  'GET /v1/requests/{id}': { path: { id: string }; result: LoggedRequest; needsSpace: true }
  'GET /v1/events': { query: { type?: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping"; objectId?: string; since?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Event)[]; isList: true; needsSpace: true }
  'GET /v1/events/stream': { result: string; needsSpace: true }
  'GET /v1/events/{id}': { path: { id: string }; result: Event; needsSpace: true }
  'POST /v1/webhooks': { body: NewWebhook; result: Webhook; needsSpace: true }
  'GET /v1/webhooks': { query: { from?: string; to?: string; limit?: number; after?: string }; result: (Webhook)[]; isList: true; needsSpace: true }
  'GET /v1/webhooks/{id}': { path: { id: string }; result: Webhook; needsSpace: true }
  'PATCH /v1/webhooks/{id}': { path: { id: string }; body: { name?: string; apiRelease?: "baobab"; url?: string; events?: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]; enabled?: boolean; headers?: Record<string, string> | null; alertEmails?: (string)[] | null; metadata?: Record<string, unknown> | null }; result: Webhook; needsSpace: true }
  'DELETE /v1/webhooks/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/webhooks/{id}/rotate-secret': { path: { id: string }; body: { secret?: string | null }; result: Webhook; needsSpace: true }
  'POST /v1/webhooks/{id}/ping': { path: { id: string }; body: Record<string, never>; result: Webhook; needsSpace: true }
  'GET /v1/webhooks/{id}/deliveries': { path: { id: string }; query: { status?: "pending" | "delivered" | "failed"; from?: string; to?: string; limit?: number; after?: string }; result: (Delivery)[]; isList: true; needsSpace: true }
  'POST /v1/webhooks/{id}/redeliver': { path: { id: string }; body: { since: string; until?: string | null; status?: "failed" | "all" | null }; result: Webhook; needsSpace: true }
  'GET /v1/deliveries/{id}': { path: { id: string }; result: Delivery; needsSpace: true }
  'POST /v1/deliveries/{id}/redeliver': { path: { id: string }; body: Record<string, never>; result: Delivery; needsSpace: true }
  'POST /v1/financial-accounts': { body: { name: string; currency: string; reference?: string | null; description?: string | null; metadata?: Record<string, unknown> | null }; result: FinancialAccount; needsSpace: true }
  'GET /v1/financial-accounts': { query: { uvan?: string; reference?: string; withBalance?: boolean; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (FinancialAccount)[]; isList: true; needsSpace: true }
  'GET /v1/financial-accounts/{id}': { path: { id: string }; query: { withBalance?: boolean }; result: FinancialAccount; needsSpace: true }
  'PATCH /v1/financial-accounts/{id}': { path: { id: string }; body: { name?: string; reference?: string | null; description?: string | null; metadata?: Record<string, unknown> | null }; result: FinancialAccount; needsSpace: true }
  'GET /v1/financial-transactions': { query: { financialAccountId?: string; reference?: string; type?: "credit" | "debit"; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (FinancialTransaction)[]; isList: true; needsSpace: true }
  'GET /v1/financial-transactions/{id}': { path: { id: string }; result: FinancialTransaction; needsSpace: true }
  'GET /v1/cases': { query: { status?: "open" | "closed"; from?: string; to?: string; limit?: number; after?: string }; result: (Case)[]; isList: true; needsSpace: true }
  'GET /v1/cases/{id}': { path: { id: string }; result: Case; needsSpace: true }
  'GET /v1/financial-accounts/{id}/statement': { path: { id: string }; query: { from?: string; to?: string; limit?: number; after?: string; withTotals?: boolean }; result: AccountStatement; needsSpace: true }
  'GET /v1/financial-accounts/{id}/holds': { path: { id: string }; query: { from?: string; to?: string; limit?: number; after?: string }; result: (Hold)[]; isList: true; needsSpace: true }
  'POST /v1/internal-transfers': { body: { amount: Money; sourceFinancialAccount: { id: string }; destinationFinancialAccount: { id: string }; description?: string | null; executeTime?: string | null; metadata?: Record<string, unknown> | null }; result: InternalTransfer; needsSpace: true }
  'GET /v1/internal-transfers': { query: { status?: "pending" | "processing" | "completed" | "failed"; sourceFinancialAccountId?: string; destinationFinancialAccountId?: string; financialTransactionReference?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (InternalTransfer)[]; isList: true; needsSpace: true }
  'GET /v1/internal-transfers/{id}': { path: { id: string }; result: InternalTransfer; needsSpace: true }
  'PATCH /v1/internal-transfers/{id}': { path: { id: string }; body: { description?: string | null; metadata?: Record<string, unknown> | null }; result: InternalTransfer; needsSpace: true }
  'DELETE /v1/internal-transfers/{id}': { path: { id: string }; result: null; needsSpace: true }
  'GET /v1/momos': { query: { country?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Provider)[]; isList: true }
  'GET /v1/momos/{providerId}': { path: { providerId: string }; result: Provider }
  'GET /v1/banks': { query: { country?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Provider)[]; isList: true }
  'GET /v1/banks/{providerId}': { path: { providerId: string }; result: Provider }
  'GET /v1/wallets': { query: { country?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Provider)[]; isList: true }
  'GET /v1/wallets/{providerId}': { path: { providerId: string }; result: Provider }
  'GET /v1/provider-kyc/{providerId}': { path: { providerId: string }; query: { accountId: string }; result: ProviderKyc; needsSpace: true }
  'GET /v1/phone-numbers/{phoneNumber}': { path: { phoneNumber: string }; result: PhoneNumber }
  'POST /v1/settlements': { body: { kind: "payout_to_bank" | "float_top_up"; providerId: string; direction?: "collection" | "disbursement" | null; amount: Money; bankReference: string; valueDate: string; note?: string | null; isAdvance?: boolean | null }; result: Settlement; needsSpace: true }
  'GET /v1/settlements': { query: { status?: "booked" | "reversed"; bankReference?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Settlement)[]; isList: true; needsSpace: true }
  'GET /v1/settlements/{id}': { path: { id: string }; result: Settlement; needsSpace: true }
  'POST /v1/settlements/{id}/reverse': { path: { id: string }; body: { reason: string }; result: Settlement; needsSpace: true }
  'GET /v1/payments': { query: { orderNumber?: string; financialAccountId?: string; financialTransactionReference?: string; text?: string; status?: "pending" | "processing" | "completed" | "failed"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Payment)[]; isList: true; needsSpace: true }
  'GET /v1/payments/{id}': { path: { id: string }; result: Payment; needsSpace: true }
  'PATCH /v1/payments/{id}': { path: { id: string }; body: { name?: string | null; metadata?: Record<string, unknown> | null }; result: Payment; needsSpace: true }
  'POST /v1/payments/{id}/submit-code': { path: { id: string }; body: { code: string }; result: Payment; needsSpace: true }
  'GET /v1/receipts/{orderNumber}': { path: { orderNumber: string }; result: Receipt; needsSpace: true }
  'POST /v1/receipts/{orderNumber}/redeem': { path: { orderNumber: string }; body: { redeemAll?: boolean | null; entitlements?: ({ key: string; units?: number | null })[] | null; metadata?: Record<string, unknown> | null }; result: { redeem: boolean; receipt: Receipt }; needsSpace: true }
  'POST /v1/payouts': { body: { amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); source?: { financialAccountId?: string | null } | null; metadata?: Record<string, unknown> | null }; result: Payout; needsSpace: true }
  'GET /v1/payouts': { query: { sourceFinancialAccountId?: string; sourceTransactionReference?: string; destinationTransactionReference?: string; batchId?: string; status?: "pending" | "processing" | "completed" | "failed"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Payout)[]; isList: true; needsSpace: true }
  'GET /v1/payouts/{id}': { path: { id: string }; result: Payout; needsSpace: true }
  'PATCH /v1/payouts/{id}': { path: { id: string }; body: { metadata?: Record<string, unknown> | null }; result: Payout; needsSpace: true }
  'DELETE /v1/payouts/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/payouts/{id}/approve': { path: { id: string }; body: Record<string, never>; result: Payout; needsSpace: true }
  'POST /v1/payouts/{id}/reject': { path: { id: string }; body: Record<string, never>; result: Payout; needsSpace: true }
  'POST /v1/payout-batches/check': { body: { source?: { financialAccountId?: string | null } | null; rows?: ({ amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); reference?: string | null; name?: string | null; metadata?: Record<string, unknown> | null })[] | null; csv?: string | null }; result: CheckedPayoutBatch; needsSpace: true }
  'POST /v1/payout-batches': { body: { name: string; source?: { financialAccountId?: string | null } | null; rows?: ({ amount: Money; destination: ({ type: "momo"; providerId: string; phoneNumber: string; accountNumber?: null; walletId?: null } | { type: "bank"; providerId: string; accountNumber: string; phoneNumber?: null; walletId?: null } | { type: "wallet"; providerId: string; walletId: string; phoneNumber?: null; accountNumber?: null }); reference?: string | null; name?: string | null; metadata?: Record<string, unknown> | null })[] | null; csv?: string | null }; result: PayoutBatch; needsSpace: true }
  'GET /v1/payout-batches': { query: { status?: "pending" | "processing" | "completed" | "rejected" | "cancelled"; from?: string; to?: string; limit?: number; after?: string }; result: (PayoutBatch)[]; isList: true; needsSpace: true }
  'GET /v1/payout-batches/{id}': { path: { id: string }; result: PayoutBatch; needsSpace: true }
  'DELETE /v1/payout-batches/{id}': { path: { id: string }; result: null; needsSpace: true }
  'GET /v1/payout-batches/{id}/rows': { path: { id: string }; query: { limit?: number; after?: string }; result: (PayoutBatchRow)[]; isList: true; needsSpace: true }
  'POST /v1/payout-batches/{id}/approve': { path: { id: string }; body: Record<string, never>; result: PayoutBatch; needsSpace: true }
  'POST /v1/payout-batches/{id}/reject': { path: { id: string }; body: Record<string, never>; result: PayoutBatch; needsSpace: true }
  'POST /v1/recalls': { body: { payoutId: string; amount?: (Money | null); reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other"; note?: string | null; metadata?: Record<string, unknown> | null }; result: Recall; needsSpace: true }
  'GET /v1/recalls': { query: { payoutId?: string; status?: "open" | "returned" | "refused" | "cancelled"; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Recall)[]; isList: true; needsSpace: true }
  'GET /v1/recalls/{id}': { path: { id: string }; result: Recall; needsSpace: true }
  'POST /v1/recalls/{id}/cancel': { path: { id: string }; body: Record<string, never>; result: Recall; needsSpace: true }
  'POST /v1/refunds': { body: { paymentId: string; amount?: (Money | null); reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other"; note?: string | null; payerMessage?: string | null; bearer?: "merchant" | "payer" | null; metadata?: Record<string, unknown> | null }; result: Refund; needsSpace: true }
  'GET /v1/refunds': { query: { paymentId?: string; status?: "pending" | "processing" | "completed" | "failed" | "cancelled"; provider?: string; amount?: number; phoneNumber?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (Refund)[]; isList: true; needsSpace: true }
  'GET /v1/refunds/{id}': { path: { id: string }; result: Refund; needsSpace: true }
  'POST /v1/refunds/{id}/approve': { path: { id: string }; body: Record<string, never>; result: Refund; needsSpace: true }
  'POST /v1/refunds/{id}/reject': { path: { id: string }; body: Record<string, never>; result: Refund; needsSpace: true }
  'POST /v1/cases/{id}/return': { path: { id: string }; body: { note?: string | null }; result: Refund; needsSpace: true }
  'POST /v1/refunds/{id}/cancel': { path: { id: string }; body: Record<string, never>; result: Refund; needsSpace: true }
  'POST /v1/checkout-sessions': { body: NewCheckoutSession; result: CheckoutSession; needsSpace: true }
  'GET /v1/checkout-sessions': { query: { status?: "pending" | "completed" | "cancelled" | "expired"; paymentLinkId?: string; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (CheckoutSession)[]; isList: true; needsSpace: true }
  'GET /v1/checkout-sessions/{id}': { path: { id: string }; result: CheckoutSession; needsSpace: true }
  'DELETE /v1/checkout-sessions/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/receipts/{orderNumber}/send': { path: { orderNumber: string }; body: { email: string; language?: "en" | "fr" | null }; result: ReceiptMail; needsSpace: true }
  'POST /v1/payment-links': { body: NewPaymentLink; result: PaymentLink; needsSpace: true }
  'GET /v1/payment-links': { query: { status?: "active" | "inactive" | "completed" | "expired" | "cancelled"; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (PaymentLink)[]; isList: true; needsSpace: true }
  'GET /v1/payment-links/{id}': { path: { id: string }; result: PaymentLink; needsSpace: true }
  'PATCH /v1/payment-links/{id}': { path: { id: string }; body: { name?: string; description?: string | null; lineItems?: ({ type?: "custom" | null; name: string; price: Money; quantity?: number | null; reference?: string | null; description?: string | null; images?: (string)[] | null })[] | null; openAmount?: { currency: string; minimum?: number | null; maximum?: number | null } | null; quantity?: { minimum?: number | null; maximum: number } | null; payerReference?: { label: string; isRequired?: boolean | null } | null; financialAccountId?: string | null; paymentOptions?: { card?: { disable?: boolean | null } | null; bank?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; momo?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null; wallet?: { disable?: boolean | null; enabledProviders?: (string)[] | null; disabledProviders?: (string)[] | null } | null } | null; brandingOptions?: { primaryColor?: string | null } | null; successText?: string | null; successUrl?: string | null; active?: boolean | null; expireTime?: string | null; maxPayments?: number | null; metadata?: Record<string, unknown> | null }; result: PaymentLink; needsSpace: true }
  'DELETE /v1/payment-links/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/payment-codes': { body: NewPaymentCode; result: PaymentCode; needsSpace: true }
  'GET /v1/payment-codes': { query: { ussd_code?: string; mode?: "one_time" | "recurrent"; status?: "pending" | "processing" | "completed" | "expired" | "cancelled"; q?: string; from?: string; to?: string; limit?: number; after?: string }; result: (PaymentCode)[]; isList: true; needsSpace: true }
  'GET /v1/payment-codes/{id}': { path: { id: string }; result: PaymentCode; needsSpace: true }
  'PATCH /v1/payment-codes/{id}': { path: { id: string }; body: { name?: string; enable?: boolean | null; amount?: { currency: string; value: number } | null; duration?: string | null; customer?: { name?: string | null } | null; reference?: string | null; authorizedProviders?: (string)[] | null; authorizedPhoneNumber?: string | null; recurrentPaymentTarget?: { expectedPaymentCount?: number | null; expectedPaymentTotal?: (Money | null) } | null; financialAccountId?: string | null; metadata?: Record<string, unknown> | null }; result: PaymentCode; needsSpace: true }
  'DELETE /v1/payment-codes/{id}': { path: { id: string }; result: null; needsSpace: true }
  'POST /v1/ussd-otps': { body: NewUssdOtp; result: UssdOtp; needsSpace: true }
  'GET /v1/ussd-otps': { query: { status?: "pending" | "verified" | "expired"; from?: string; to?: string; limit?: number; after?: string }; result: (UssdOtp)[]; isList: true; needsSpace: true }
  'GET /v1/ussd-otps/{id}': { path: { id: string }; result: UssdOtp; needsSpace: true }
  'DELETE /v1/ussd-otps/{id}': { path: { id: string }; result: null; needsSpace: true }
  'GET /v1/test-clock': { result: TestClock; needsSpace: true }
  'POST /v1/test-clock': { body: { advance?: string | null; reset?: boolean | null }; result: TestClock; needsSpace: true }
  'GET /v1/reports/fees': { query: { from?: string; to?: string; limit?: number; after?: string }; result: (FeeReportRow)[]; isList: true; needsSpace: true }
  'GET /v1/reports/settlement': { query: { provider?: string; from?: string; to?: string; limit?: number; after?: string }; result: (SettlementReportRow)[]; isList: true; needsSpace: true }
  'GET /v1/reports/balances': { query: { financialAccountId?: string; interval?: "day" | "month"; from?: string; to?: string; limit?: number; after?: string }; result: (BalanceReportRow)[]; isList: true; needsSpace: true }
  'GET /v1/settings': { result: Settings; needsSpace: true }
  'PATCH /v1/settings': { body: SettingsChange; result: Settings; needsSpace: true }
  'GET /v1/overview': { result: Overview; needsSpace: true }
  'GET /v1/overview/days': { query: { days?: number }; result: OverviewDays; needsSpace: true }
  'GET /v1/reconciliation/days': { query: { from?: string; to?: string }; result: ReconciledDays; needsSpace: true }
  'GET /v1/reconciliation/items': { query: { date?: string; provider?: string; direction?: "collection" | "disbursement"; state?: "awaited" | "differs"; limit?: number; after?: string }; result: (ReconciliationItem)[]; isList: true; needsSpace: true }
  'GET /v1/payments/{id}/case-file': { path: { id: string }; result: CaseFile; needsSpace: true }
  'GET /v1/payouts/{id}/case-file': { path: { id: string }; result: CaseFile; needsSpace: true }
  'GET /v1/refunds/{id}/case-file': { path: { id: string }; result: CaseFile; needsSpace: true }
  'GET /v1/installation/spaces': { query: { status?: "active" | "suspended"; from?: string; to?: string; limit?: number; after?: string }; result: (CountedSpace)[]; isList: true }
  'POST /v1/installation/spaces': { body: { name: string; country: string; ownerEmail?: string | null }; result: OperatorsSpace }
  'GET /v1/installation/spaces/{id}': { path: { id: string }; result: CountedSpace }
  'POST /v1/installation/spaces/{id}/suspend': { path: { id: string }; body: { reason: string }; result: OperatorsSpace }
  'POST /v1/installation/spaces/{id}/resume': { path: { id: string }; body: { reason: string }; result: OperatorsSpace }
  'GET /v1/installation/spaces/{id}/fees': { path: { id: string }; result: Fees }
  'POST /v1/installation/spaces/{id}/fees': { path: { id: string }; body: { code: "payment" | "payout" | "refund"; rule: string; reason: string }; result: Fees }
  'GET /v1/installation/spaces/{id}/fee-preview': { path: { id: string }; query: { rule: string; environment?: "test" | "live" }; result: FeePreview }
  'GET /v1/installation/health': { result: InstallationHealth }
  'GET /v1/installation/providers': { result: ConnectionStates }
  'POST /v1/installation/providers/{connection}/pause': { path: { connection: string }; body: { environment: "test" | "live"; direction?: "collect" | "pay_out" | null; providerId?: string | null; words: string; until?: string | null }; result: PausedPlace }
  'POST /v1/installation/providers/{connection}/resume': { path: { connection: string }; body: { environment: "test" | "live"; direction?: "collect" | "pay_out" | null; providerId?: string | null }; result: PausedPlace }
  'GET /v1/installation/providers/{connection}/test': { path: { connection: string }; query: { environment: "test" | "live" }; result: ConnectionTest }
  'GET /v1/installation/statements': { query: { from?: string; to?: string; limit?: number; after?: string }; result: (ProviderStatement)[]; isList: true }
  'POST /v1/installation/statements': { body: { providerId: string; environment: "test" | "live"; fileName?: string | null; mapping: "simulator" | "mpesa-pull" | "mtn-collections" | "mtn-disbursements"; csv: string; from?: string | null; until?: string | null }; result: ProviderStatement }
  'GET /v1/installation/statements/{statementId}': { path: { statementId: string }; result: MatchedStatement }
  'GET /v1/installation/open-items': { query: { environment: "test" | "live"; providerId: string }; result: OpenItems }
  'POST /v1/installation/open-items/close': { body: { id: string; reason: string }; result: ClosedItem }
  'GET /v1/installation/closed-days': { query: { environment: "test" | "live"; providerId: string }; result: DaysOfProvider }
  'POST /v1/installation/closed-days': { body: { environment: "test" | "live"; providerId: string; day: string; reason: string }; result: ClosedDays }
  'POST /v1/installation/closed-days/reopen': { body: { environment: "test" | "live"; providerId: string; day: string; reason: string }; result: ReopenedDay }
  'GET /v1/sign-ins': { result: SignIns }
}
