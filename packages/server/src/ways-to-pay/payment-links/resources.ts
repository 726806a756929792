import type { Resource } from '../../platform/resources.ts'
import { linkIds } from '../checkout/resources.ts'

export const resources = [
  {
    type: 'payment_link',
    ids: linkIds,
    readPermission: 'payment-links:read',
    eventTypes: {
      created: 'A payment link was created.',
      completed: 'The link reached `maxPayments`.',
      expired: 'The link passed its `expireTime`.',
      cancelled: 'The link was cancelled.',
    },
  },
] as const satisfies readonly Resource[]
