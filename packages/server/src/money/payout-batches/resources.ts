import type { Resource } from '../../platform/resources.ts'
import { batchIds } from '../payouts/resources.ts'

export const resources = [
  {
    type: 'payout_batch',
    ids: batchIds,
    readPermission: 'payouts:read',
    eventTypes: {
      created: 'A batch was created.',
      approved: 'Another member approved the batch.',
      rejected: 'Another member rejected the batch.',
      cancelled: 'The batch was cancelled while it was awaiting approval.',
      completed: 'All payouts of the batch have ended.',
    },
  },
] as const satisfies readonly Resource[]
