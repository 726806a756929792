import { movedStatuses } from '../instructions/moved-rows.ts'

export const refundStatuses = [...movedStatuses, 'cancelled'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** Why a pending one has not left; null where it is about to. */
export const pendingReasons = ['approval', 'insufficient_balance', 'provider_unavailable'] as const
export type PendingReason = (typeof pendingReasons)[number]
