import type { EventRow } from '../../events/event-store.ts'
import { deliveryIds, eventIds, webhookIds } from '../../events/resources.ts'
import type { Delivery } from '../../events/webhooks/delivery-store.ts'
import type { Webhook } from '../../events/webhooks/store.ts'
import { settlementIds } from '../../finance/settlements/resources.ts'
import type { Settlement } from '../../finance/settlements/store.ts'
import type { LedgerCase } from '../../ledger/accounts/case-store.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { accountIds, caseIds, transactionIds } from '../../ledger/accounts/resources.ts'
import type { FinancialAccount, Line } from '../../ledger/accounts/store.ts'
import { transferIds } from '../../ledger/transfers/resources.ts'
import type { Transfer } from '../../ledger/transfers/store.ts'
import { shownAccount } from '../../money/payments/channel.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import type { Payment } from '../../money/payments/store.ts'
import type { Batch } from '../../money/payout-batches/store.ts'
import { batchIds, payoutIds } from '../../money/payouts/resources.ts'
import type { Payout } from '../../money/payouts/store.ts'
import { recallIds } from '../../money/recalls/resources.ts'
import type { Recall } from '../../money/recalls/store.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import type { Refund } from '../../money/refunds/store.ts'
import { type IdKind, requestIds, showId } from '../../platform/ids.ts'
import { maskAccount, maskPhone } from '../../platform/masks.ts'
import type { Scope } from '../../platform/scope.ts'
import type { LoggedRequest } from '../../tenants/requests/store.ts'
import { linkIds, sessionIds } from '../../ways-to-pay/checkout/resources.ts'
import type { CheckoutSession } from '../../ways-to-pay/checkout/store.ts'
import { codeIds } from '../../ways-to-pay/payment-codes/resources.ts'
import type { PaymentCode } from '../../ways-to-pay/payment-codes/store.ts'
import type { PaymentLink } from '../../ways-to-pay/payment-links/store.ts'
import type { Otp } from '../../ways-to-pay/ussd/otp-store.ts'
import { otpIds } from '../../ways-to-pay/ussd/resources.ts'
import type { Hit } from './shapes.ts'

// Functions that show a row as a search hit. Accounts are masked for every caller, because a hit needs no more
// than what helps to recognize it.

type Shown = Pick<Hit, 'id' | 'title'> & {
  subtitle?: string | null
  status?: string | null
  amount?: bigint | null
  currency?: string
}

/** Returns a hit for an object that was created at `at` and has an id of this kind. */
function hit(
  type: Hit['type'],
  kind: IdKind,
  at: Date,
  { id, title, subtitle, status = null, amount, currency }: Shown,
): Hit {
  return {
    type,
    id: showId(kind, id),
    title,
    subtitle: subtitle || null,
    status,
    ...(typeof amount === 'bigint' && currency !== undefined && { amount: moneyIn(currency)(amount) }),
    createTime: at.toISOString(),
  }
}

const masked = (type: string, account: string) =>
  type === 'momo' ? maskPhone(account) : maskAccount(account)

export const showPayment = (row: Payment) =>
  hit('payment', paymentIds, row.createdAt, {
    ...row,
    title: row.name || row.orderNumber,
    subtitle: shownAccount(row),
  })

export const showPayout = (row: Payout) =>
  hit('payout', payoutIds, row.createdAt, {
    ...row,
    title: masked(row.destinationType, row.payeeAccount),
    subtitle: row.railTransaction,
  })

export const showRefund = (row: Refund) =>
  hit('refund', refundIds, row.createdAt, {
    ...row,
    title: row.orderNumber,
    subtitle: shownAccount({ ...row, channelType: row.destinationType }),
  })

export const showSession = (row: CheckoutSession) =>
  hit('checkout_session', sessionIds, row.createdAt, {
    ...row,
    title: row.name || row.orderNumber,
    subtitle: row.reference ?? row.orderNumber,
  })

export const showLink = (row: PaymentLink) =>
  hit('payment_link', linkIds, row.createdAt, { ...row, title: row.name })

export const showCode = (row: PaymentCode) =>
  hit('payment_code', codeIds, row.createdAt, { ...row, title: row.name || row.number, subtitle: row.number })

export const showBatch = (row: Batch) =>
  hit('payout_batch', batchIds, row.createdAt, { ...row, title: row.name })

export const showRecall = (row: Recall) =>
  hit('recall', recallIds, row.createdAt, {
    ...row,
    title: showId(payoutIds, row.payoutId),
    subtitle: row.railTransaction,
  })

export const showTransfer = (row: Transfer) =>
  hit('internal_transfer', transferIds, row.createdAt, {
    ...row,
    title: row.description || (row.ledgerReference ?? showId(transferIds, row.id)),
    subtitle: row.ledgerReference,
  })

export const showAccount = (row: FinancialAccount) =>
  hit('financial_account', accountIds, row.createdAt, {
    ...row,
    title: row.name || row.uvan,
    subtitle: row.reference ?? row.uvan,
  })

export const showLine = (row: Line) =>
  hit('financial_transaction', transactionIds, row.at, { ...row, title: row.reference })

export const showSettlement = (row: Settlement) =>
  hit('settlement', settlementIds, row.createdAt, {
    ...row,
    title: row.bankReference,
    subtitle: row.ledgerReference,
    status: row.reversedAt ? 'reversed' : 'booked',
  })

export const showCase = (row: Omit<LedgerCase, keyof Scope>) =>
  hit('case', caseIds, row.openedAt, {
    ...row,
    title: row.reference,
    status: row.closedAt ? 'closed' : 'open',
  })

export const showEvent = (row: EventRow) => hit('event', eventIds, row.at, { ...row, title: row.type })

export const showWebhook = (row: Webhook) =>
  hit('webhook', webhookIds, row.createdAt, {
    ...row,
    title: row.name,
    subtitle: row.url,
    status: row.enabled ? 'enabled' : 'disabled',
  })

export const showDelivery = (row: Delivery) =>
  hit('delivery', deliveryIds, row.createdAt, { ...row, title: row.eventType })

export const showOtp = (row: Otp) =>
  hit('ussd_otp', otpIds, row.createdAt, { ...row, title: maskPhone(row.phoneNumber) })

export const showRequest = (row: LoggedRequest) =>
  hit('request', requestIds, row.at, {
    ...row,
    title: `${row.method} ${row.path}`,
    status: String(row.status),
  })
