export const batchStatuses = ['pending', 'processing', 'completed', 'rejected', 'cancelled'] as const
export type BatchStatus = (typeof batchStatuses)[number]
