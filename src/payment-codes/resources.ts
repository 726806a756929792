import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const codeIds = idKind('pmc')

export const resources: Resource[] = [
  {
    type: 'payment_code',
    ids: codeIds,
    happenings: ['created', 'processed', 'completed', 'expired', 'cancelled'],
  },
]
