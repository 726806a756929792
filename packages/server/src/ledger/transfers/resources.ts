import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const transferIds = idKind('trn')

export const resources = [
  {
    type: 'internal_transfer',
    ids: transferIds,
    path: '/internal-transfers',
    readPermission: 'internal-transfers:read',
    eventTypes: {
      created: 'A transfer was created.',
      completed: 'The money was moved.',
      failed: 'The transfer failed; no money was moved.',
    },
  },
] as const satisfies readonly Resource[]
