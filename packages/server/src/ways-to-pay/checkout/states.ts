export const statuses = ['pending', 'completed', 'cancelled', 'expired'] as const
export type SessionStatus = (typeof statuses)[number]
export type EndedSessionStatus = Exclude<SessionStatus, 'pending'>

/**
 * The allowed state transitions. A session that was paid is always completed, even if it had been cancelled or
 * had expired.
 */
export const next: Readonly<Record<SessionStatus, readonly EndedSessionStatus[]>> = {
  pending: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: ['completed'],
  expired: ['completed'],
}
