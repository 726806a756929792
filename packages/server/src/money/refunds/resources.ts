import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const refundIds = idKind('rfd')

export const resources = [
  {
    type: 'refund',
    ids: refundIds,
    path: '/refunds',
    readPermission: 'refunds:read',
    eventTypes: {
      created: 'A refund was created.',
      processing: 'The refund was sent to the provider.',
      delayed: 'The outcome has been unknown for ten minutes.',
      completed: 'The payer received the money.',
      failed: 'The refund failed, and its hold was released.',
      cancelled: 'The refund was cancelled or rejected before it was sent.',
      returned: 'The provider returned the money of a completed refund.',
    },
  },
] as const satisfies readonly Resource[]
