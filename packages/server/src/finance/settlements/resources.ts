import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const settlementIds = idKind('stl')

export const resources = [
  {
    type: 'settlement',
    ids: settlementIds,
    path: '/settlements',
    readPermission: 'settlements:read',
    eventTypes: {
      created: 'A settlement was booked.',
      reversed: 'A settlement was reversed.',
    },
  },
] as const satisfies readonly Resource[]
