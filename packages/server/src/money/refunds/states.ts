import { transactionStatuses } from '../../rails/instructions/transaction-rows.ts'

export const refundStatuses = [...transactionStatuses, 'cancelled'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** Reasons that a pending refund has not been sent yet. */
export const pendingReasons = ['approval', 'insufficient_balance', 'provider_unavailable'] as const
export type PendingReason = (typeof pendingReasons)[number]
