export const statuses = ['active', 'inactive', 'completed', 'expired', 'cancelled'] as const
export type LinkStatus = (typeof statuses)[number]

/** Allowed state transitions of a link. `moveTo` refuses all others. */
export const next: Readonly<Record<LinkStatus, readonly LinkStatus[]>> = {
  active: ['active', 'inactive', 'completed', 'expired', 'cancelled'],
  inactive: ['active', 'inactive', 'completed', 'expired', 'cancelled'],
  completed: [],
  expired: [],
  cancelled: [],
}
