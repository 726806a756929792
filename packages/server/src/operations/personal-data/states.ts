export const erasureStatuses = ['pending', 'processing', 'waiting', 'completed', 'cancelled'] as const
export type ErasureStatus = (typeof erasureStatuses)[number]

export const next = {
  pending: ['processing', 'cancelled'],
  processing: ['waiting', 'completed'],
  // Objects that had to be kept are tried again later.
  waiting: ['processing'],
  completed: [],
  cancelled: [],
} as const satisfies Record<ErasureStatus, readonly ErasureStatus[]>
