export const recallStatuses = ['open', 'returned', 'refused', 'cancelled'] as const
export type RecallStatus = (typeof recallStatuses)[number]
