import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const recallIds = idKind('rcl')

export const resources = [
  {
    type: 'recall',
    ids: recallIds,
    path: '/recalls',
    readPermission: 'payouts:read',
    eventTypes: {
      created: 'A recall was opened.',
      returned: 'Money from the payout was returned.',
      refused: 'The payee or the provider refused to return the money.',
      cancelled: 'The recall was cancelled.',
    },
  },
] as const satisfies readonly Resource[]
