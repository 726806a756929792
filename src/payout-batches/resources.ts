import { batchIds } from '../payouts/resources.ts'
import type { Resource } from '../platform/resources.ts'

export const resources: Resource[] = [
  {
    type: 'payout_batch',
    ids: batchIds,
    happenings: ['created', 'approved', 'rejected', 'cancelled', 'completed'],
  },
]
