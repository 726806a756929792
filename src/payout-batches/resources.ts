import { batchIds } from '../payouts/resources.ts'
import type { Resource } from '../platform/resources.ts'

export const resources = [
  {
    type: 'payout_batch',
    ids: batchIds,
    happenings: {
      created: 'A batch was created.',
      approved: 'Another member approved the batch.',
      rejected: 'Another member rejected the batch.',
      cancelled: 'The batch was cancelled while it waited for approval.',
      completed: 'Each payout of the batch has ended.',
    },
  },
] as const satisfies readonly Resource[]
