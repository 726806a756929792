export const statuses = ['pending', 'processing', 'completed', 'expired', 'cancelled'] as const
export type CodeStatus = (typeof statuses)[number]

/** Allowed state transitions of a code. `withStatus` refuses all others. */
export const next: Readonly<Record<CodeStatus, readonly CodeStatus[]>> = {
  pending: ['processing', 'completed', 'expired', 'cancelled'],
  processing: ['pending', 'completed', 'expired', 'cancelled'],
  completed: [],
  expired: [],
  cancelled: [],
}
