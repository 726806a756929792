import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const codeIds = idKind('pmc')

export const resources = [
  {
    type: 'payment_code',
    ids: codeIds,
    readPermission: 'payment-codes:read',
    eventTypes: {
      created: 'A payment code was created.',
      processed: 'A payment was made with the code.',
      completed: 'The code was paid, or met its target.',
      expired: 'The code passed its `expireTime`.',
      cancelled: 'The code was cancelled.',
    },
  },
] as const satisfies readonly Resource[]
