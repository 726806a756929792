export const settlementStatuses = ['booked', 'reversed'] as const
export type SettlementStatus = (typeof settlementStatuses)[number]
