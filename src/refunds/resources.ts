import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const refundIds = idKind('rfd')

export const resources = [
  {
    type: 'refund',
    ids: refundIds,
    path: '/refunds',
    happenings: {
      created: 'A refund was created.',
      processing: 'The refund is at the provider.',
      delayed: 'Its outcome has not been known for ten minutes.',
      completed: 'The payer has the money.',
      failed: 'The payer did not get the money, and the hold is released.',
      cancelled: 'The refund was cancelled or rejected before it was sent.',
      returned: 'The provider sent the money of a completed refund back.',
    },
  },
] as const satisfies readonly Resource[]
