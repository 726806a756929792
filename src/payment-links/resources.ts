import { linkIds } from '../checkout/resources.ts'
import type { Resource } from '../platform/resources.ts'

export const resources: Resource[] = [
  { type: 'payment_link', ids: linkIds, happenings: ['created', 'completed', 'expired', 'cancelled'] },
]
