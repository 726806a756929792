// Written by `npm run write` from the routes: edit those instead.

import type { Resource } from '../connect.ts'
import { streamMethod } from '../stream.ts'
import { verifyMethod } from '../webhooks.ts'
import type {
  AccessTokensResource,
  AuditEntriesResource,
  BanksResource,
  CasesResource,
  CheckoutSessionsResource,
  CountriesResource,
  DeliveriesResource,
  EventsResource,
  FinancialAccountsResource,
  FinancialTransactionsResource,
  InstallationResource,
  InternalTransfersResource,
  InvitationsResource,
  MeResource,
  MembersResource,
  MomosResource,
  OverviewResource,
  PaymentCodesResource,
  PaymentLinksResource,
  PaymentsResource,
  PayoutBatchesResource,
  PayoutsResource,
  PhoneNumbersResource,
  ProviderKycResource,
  RecallsResource,
  ReceiptsResource,
  ReconciliationResource,
  RefundsResource,
  ReportsResource,
  RequestsResource,
  SettingsResource,
  SettlementsResource,
  TestClockResource,
  UssdOtpsResource,
  WalletsResource,
  WebhooksResource,
} from './resources.ts'

// Method, address, and what goes with it: `b` a body, `q` a query; `l`: what comes is a list.

export const countries: Resource<CountriesResource> = {
  list: 'GET /v1/countries ql',
  retrieve: 'GET /v1/countries/{code}',
}

export const me: Resource<MeResource> = {
  retrieve: 'GET /v1/me',
}

export const accessTokens: Resource<AccessTokensResource> = {
  create: 'POST /v1/access-tokens b',
  list: 'GET /v1/access-tokens ql',
  retrieve: 'GET /v1/access-tokens/{id}',
  delete: 'DELETE /v1/access-tokens/{id}',
  roll: 'POST /v1/access-tokens/{id}/roll b',
}

export const members: Resource<MembersResource> = {
  list: 'GET /v1/members ql',
  retrieve: 'GET /v1/members/{id}',
  update: 'PATCH /v1/members/{id} b',
  delete: 'DELETE /v1/members/{id}',
}

export const invitations: Resource<InvitationsResource> = {
  list: 'GET /v1/invitations ql',
  create: 'POST /v1/invitations b',
  resend: 'POST /v1/invitations/{id}/resend',
  delete: 'DELETE /v1/invitations/{id}',
}

export const auditEntries: Resource<AuditEntriesResource> = {
  list: 'GET /v1/audit-entries ql',
}

export const requests: Resource<RequestsResource> = {
  list: 'GET /v1/requests ql',
  retrieve: 'GET /v1/requests/{id}',
}

export const events: Resource<EventsResource> = {
  list: 'GET /v1/events ql',
  stream: streamMethod,
  retrieve: 'GET /v1/events/{id}',
}

export const webhooks: Resource<WebhooksResource> = {
  create: 'POST /v1/webhooks b',
  list: 'GET /v1/webhooks ql',
  retrieve: 'GET /v1/webhooks/{id}',
  update: 'PATCH /v1/webhooks/{id} b',
  delete: 'DELETE /v1/webhooks/{id}',
  rotateSecret: 'POST /v1/webhooks/{id}/rotate-secret b',
  ping: 'POST /v1/webhooks/{id}/ping',
  deliveries: 'GET /v1/webhooks/{id}/deliveries ql',
  redeliver: 'POST /v1/webhooks/{id}/redeliver b',
  verify: verifyMethod,
}

export const deliveries: Resource<DeliveriesResource> = {
  retrieve: 'GET /v1/deliveries/{id}',
  redeliver: 'POST /v1/deliveries/{id}/redeliver',
}

export const financialAccounts: Resource<FinancialAccountsResource> = {
  create: 'POST /v1/financial-accounts b',
  list: 'GET /v1/financial-accounts ql',
  retrieve: 'GET /v1/financial-accounts/{id} q',
  update: 'PATCH /v1/financial-accounts/{id} b',
  statement: 'GET /v1/financial-accounts/{id}/statement q',
  holds: 'GET /v1/financial-accounts/{id}/holds ql',
}

export const financialTransactions: Resource<FinancialTransactionsResource> = {
  list: 'GET /v1/financial-transactions ql',
  retrieve: 'GET /v1/financial-transactions/{id}',
}

export const cases: Resource<CasesResource> = {
  list: 'GET /v1/cases ql',
  retrieve: 'GET /v1/cases/{id}',
  return: 'POST /v1/cases/{id}/return b',
}

export const internalTransfers: Resource<InternalTransfersResource> = {
  create: 'POST /v1/internal-transfers b',
  list: 'GET /v1/internal-transfers ql',
  retrieve: 'GET /v1/internal-transfers/{id}',
  update: 'PATCH /v1/internal-transfers/{id} b',
  delete: 'DELETE /v1/internal-transfers/{id}',
}

export const momos: Resource<MomosResource> = {
  list: 'GET /v1/momos ql',
  retrieve: 'GET /v1/momos/{providerId}',
}

export const banks: Resource<BanksResource> = {
  list: 'GET /v1/banks ql',
  retrieve: 'GET /v1/banks/{providerId}',
}

export const wallets: Resource<WalletsResource> = {
  list: 'GET /v1/wallets ql',
  retrieve: 'GET /v1/wallets/{providerId}',
}

export const providerKyc: Resource<ProviderKycResource> = {
  retrieve: 'GET /v1/provider-kyc/{providerId} q',
}

export const phoneNumbers: Resource<PhoneNumbersResource> = {
  retrieve: 'GET /v1/phone-numbers/{phoneNumber}',
}

export const settlements: Resource<SettlementsResource> = {
  create: 'POST /v1/settlements b',
  list: 'GET /v1/settlements ql',
  retrieve: 'GET /v1/settlements/{id}',
  reverse: 'POST /v1/settlements/{id}/reverse b',
}

export const payments: Resource<PaymentsResource> = {
  list: 'GET /v1/payments ql',
  retrieve: 'GET /v1/payments/{id}',
  update: 'PATCH /v1/payments/{id} b',
  submitCode: 'POST /v1/payments/{id}/submit-code b',
  caseFile: 'GET /v1/payments/{id}/case-file',
}

export const receipts: Resource<ReceiptsResource> = {
  retrieve: 'GET /v1/receipts/{orderNumber}',
  redeem: 'POST /v1/receipts/{orderNumber}/redeem b',
  send: 'POST /v1/receipts/{orderNumber}/send b',
}

export const payouts: Resource<PayoutsResource> = {
  create: 'POST /v1/payouts b',
  list: 'GET /v1/payouts ql',
  retrieve: 'GET /v1/payouts/{id}',
  update: 'PATCH /v1/payouts/{id} b',
  delete: 'DELETE /v1/payouts/{id}',
  approve: 'POST /v1/payouts/{id}/approve',
  reject: 'POST /v1/payouts/{id}/reject',
  caseFile: 'GET /v1/payouts/{id}/case-file',
}

export const payoutBatches: Resource<PayoutBatchesResource> = {
  check: 'POST /v1/payout-batches/check b',
  create: 'POST /v1/payout-batches b',
  list: 'GET /v1/payout-batches ql',
  retrieve: 'GET /v1/payout-batches/{id}',
  rows: 'GET /v1/payout-batches/{id}/rows ql',
  delete: 'DELETE /v1/payout-batches/{id}',
  approve: 'POST /v1/payout-batches/{id}/approve',
  reject: 'POST /v1/payout-batches/{id}/reject',
}

export const recalls: Resource<RecallsResource> = {
  create: 'POST /v1/recalls b',
  list: 'GET /v1/recalls ql',
  retrieve: 'GET /v1/recalls/{id}',
  cancel: 'POST /v1/recalls/{id}/cancel',
}

export const refunds: Resource<RefundsResource> = {
  create: 'POST /v1/refunds b',
  list: 'GET /v1/refunds ql',
  retrieve: 'GET /v1/refunds/{id}',
  approve: 'POST /v1/refunds/{id}/approve',
  reject: 'POST /v1/refunds/{id}/reject',
  cancel: 'POST /v1/refunds/{id}/cancel',
  caseFile: 'GET /v1/refunds/{id}/case-file',
}

export const checkoutSessions: Resource<CheckoutSessionsResource> = {
  create: 'POST /v1/checkout-sessions b',
  list: 'GET /v1/checkout-sessions ql',
  retrieve: 'GET /v1/checkout-sessions/{id}',
  delete: 'DELETE /v1/checkout-sessions/{id}',
}

export const paymentLinks: Resource<PaymentLinksResource> = {
  create: 'POST /v1/payment-links b',
  list: 'GET /v1/payment-links ql',
  retrieve: 'GET /v1/payment-links/{id}',
  update: 'PATCH /v1/payment-links/{id} b',
  delete: 'DELETE /v1/payment-links/{id}',
}

export const paymentCodes: Resource<PaymentCodesResource> = {
  create: 'POST /v1/payment-codes b',
  list: 'GET /v1/payment-codes ql',
  retrieve: 'GET /v1/payment-codes/{id}',
  update: 'PATCH /v1/payment-codes/{id} b',
  delete: 'DELETE /v1/payment-codes/{id}',
}

export const ussdOtps: Resource<UssdOtpsResource> = {
  create: 'POST /v1/ussd-otps b',
  list: 'GET /v1/ussd-otps ql',
  retrieve: 'GET /v1/ussd-otps/{id}',
  delete: 'DELETE /v1/ussd-otps/{id}',
}

export const testClock: Resource<TestClockResource> = {
  retrieve: 'GET /v1/test-clock',
  move: 'POST /v1/test-clock b',
}

export const reports: Resource<ReportsResource> = {
  fees: 'GET /v1/reports/fees ql',
  settlement: 'GET /v1/reports/settlement ql',
  balances: 'GET /v1/reports/balances ql',
}

export const settings: Resource<SettingsResource> = {
  retrieve: 'GET /v1/settings',
  update: 'PATCH /v1/settings b',
}

export const overview: Resource<OverviewResource> = {
  retrieve: 'GET /v1/overview',
  days: 'GET /v1/overview/days q',
}

export const reconciliation: Resource<ReconciliationResource> = {
  days: 'GET /v1/reconciliation/days q',
  items: 'GET /v1/reconciliation/items ql',
}

export const installation: Resource<InstallationResource> = {
  spaces: {
    list: 'GET /v1/installation/spaces ql',
    retrieve: 'GET /v1/installation/spaces/{id}',
    create: 'POST /v1/installation/spaces b',
    suspend: 'POST /v1/installation/spaces/{id}/suspend b',
    resume: 'POST /v1/installation/spaces/{id}/resume b',
    fees: 'GET /v1/installation/spaces/{id}/fees',
    setFees: 'POST /v1/installation/spaces/{id}/fees b',
    feePreview: 'GET /v1/installation/spaces/{id}/fee-preview q',
  },
  health: {
    retrieve: 'GET /v1/installation/health',
  },
  providers: {
    retrieve: 'GET /v1/installation/providers',
    pause: 'POST /v1/installation/providers/{connection}/pause b',
    resume: 'POST /v1/installation/providers/{connection}/resume b',
    test: 'GET /v1/installation/providers/{connection}/test q',
  },
  statements: {
    list: 'GET /v1/installation/statements ql',
    retrieve: 'GET /v1/installation/statements/{statementId}',
    create: 'POST /v1/installation/statements b',
  },
  openItems: {
    retrieve: 'GET /v1/installation/open-items q',
    close: 'POST /v1/installation/open-items/close b',
  },
  closedDays: {
    retrieve: 'GET /v1/installation/closed-days q',
    create: 'POST /v1/installation/closed-days b',
    reopen: 'POST /v1/installation/closed-days/reopen b',
  },
}

export const operations = {
  countries,
  me,
  accessTokens,
  members,
  invitations,
  auditEntries,
  requests,
  events,
  webhooks,
  deliveries,
  financialAccounts,
  financialTransactions,
  cases,
  internalTransfers,
  momos,
  banks,
  wallets,
  providerKyc,
  phoneNumbers,
  settlements,
  payments,
  receipts,
  payouts,
  payoutBatches,
  recalls,
  refunds,
  checkoutSessions,
  paymentLinks,
  paymentCodes,
  ussdOtps,
  testClock,
  reports,
  settings,
  overview,
  reconciliation,
  installation,
}
