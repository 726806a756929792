import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const refundIds = idKind('rfd')

export const resources: Resource[] = [
  {
    type: 'refund',
    ids: refundIds,
    happenings: ['created', 'processing', 'delayed', 'completed', 'failed', 'cancelled', 'returned'],
  },
]
